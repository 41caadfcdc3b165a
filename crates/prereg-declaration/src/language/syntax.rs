//! The tree that a text spells.

use std::ops::Range;

use prereg_units::Quantity;

use crate::expression::{Arithmetic, Comparison};

/// A part of an expression and the bytes of the text that it takes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Syntax {
    pub(crate) kind: Kind,
    pub(crate) span: Range<usize>,
}

/// A name and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Name {
    pub(crate) text: String,
    pub(crate) span: Range<usize>,
}

/// Kinds of part.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    /// `22 us`
    Literal(Quantity),
    /// `"Python 3.11.2"`
    Text(String),
    /// `speedup`
    Name(String),
    /// `step_time[eager]`
    Indexed(Name, Name),
    /// `median(…)`
    Call(Name, Vec<Syntax>),
    /// `speedup@h100`
    OnTarget(Name, Name),
    /// `-a`
    Negate(Box<Syntax>),
    /// `not a`
    Not(Box<Syntax>),
    /// `a * b`
    Arithmetic(Arithmetic, Box<Syntax>, Box<Syntax>),
    /// `a < b`
    Compare(Comparison, Box<Syntax>, Box<Syntax>),
    /// `a == b`
    Equal(Box<Syntax>, Box<Syntax>),
    /// `a and b and c`; at least two.
    And(Vec<Syntax>),
    /// `a or b or c`; at least two.
    Or(Vec<Syntax>),
}

impl Syntax {
    /// Calls `visit` for this part and every part of it.
    pub(crate) fn walk(&self, visit: &mut impl FnMut(&Self)) {
        visit(self);
        match &self.kind {
            Kind::Literal(_)
            | Kind::Text(_)
            | Kind::Name(_)
            | Kind::Indexed(..)
            | Kind::OnTarget(..) => {}
            Kind::Call(_, parts) | Kind::And(parts) | Kind::Or(parts) => {
                for part in parts {
                    part.walk(visit);
                }
            }
            Kind::Negate(part) | Kind::Not(part) => part.walk(visit),
            Kind::Arithmetic(_, left, right)
            | Kind::Compare(_, left, right)
            | Kind::Equal(left, right) => {
                left.walk(visit);
                right.walk(visit);
            }
        }
    }
}
