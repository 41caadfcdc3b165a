//! Reads expressions on samples.
//!
//! Arithmetic and logic are the same everywhere; what a column, a metric or a constant is depends on
//! the [`Reader`]: one session ([`SessionReader`]), or the run as a whole ([`RunReader`]).

mod number;
mod predicate;
mod readings;
mod run;
mod session;
mod statistic;

pub(crate) use number::number;
pub(crate) use predicate::{Side, predicate, sides};
pub(crate) use readings::statistic as statistic_of_readings;
pub(crate) use run::RunReader;
pub(crate) use session::{SessionReader, values_of};

use prereg_declaration::{Column, ConstantName, Statistic};
use prereg_stats::Truth;
use prereg_units::Quantity;

/// Why a number could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unreadable {
    /// What it is made of was never observed.
    NotObserved,
    /// It is not a finite number.
    NotFinite,
}

/// What names in an expression stand for. A reader refuses what its scope does not have.
pub(crate) trait Reader {
    fn constant(&self, name: &ConstantName) -> Result<Quantity, Unreadable>;

    fn metric(&mut self, _name: &str) -> Result<Quantity, Unreadable> {
        Err(Unreadable::NotObserved)
    }

    fn over_steps(&self, _: Statistic, _: &Column) -> Result<Quantity, Unreadable> {
        Err(Unreadable::NotObserved)
    }

    fn over_sessions(&self, _: Statistic, _metric: &str) -> Result<Quantity, Unreadable> {
        Err(Unreadable::NotObserved)
    }

    /// Whether every step of two arms has the same digest, of logits or of a program's output.
    fn same_digests(&self, _left: &str, _right: &str) -> Truth {
        Truth::Undetermined
    }

    /// Whether the answer to a fact is this text.
    fn fact_is(&self, _fact: &str, _text: &str) -> Truth {
        Truth::Undetermined
    }
}
