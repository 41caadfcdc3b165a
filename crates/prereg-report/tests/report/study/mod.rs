//! A made-up study: one declaration, and runs whose numbers are written by hand.

mod judged;
mod measured;
mod plan;
mod program;
mod record;

use prereg_declaration::Digest;
use prereg_units::Quantity;

pub(crate) use judged::{claim, comparison, condition, judgement, missing, steady};
pub(crate) use measured::{preflight, run_of_a_program};
pub(crate) use plan::{declaration, kill};
pub(crate) use program::of_a_program;
pub(crate) use record::{headline, input, run};

/// Ten speedups whose median is 1.235 and whose second smallest and largest are 1.19 and 1.28.
pub(crate) const SPEEDUPS: [f64; 10] = [1.21, 1.24, 1.19, 1.30, 1.26, 1.22, 1.28, 1.25, 1.17, 1.23];

/// The name of the only claim.
pub(crate) const CLAIM: &str = "replay_pays";

pub(crate) fn quantity(text: &str) -> Quantity {
    text.parse().unwrap()
}

pub(crate) fn digest(text: &str) -> Digest {
    Digest::of(text.as_bytes())
}
