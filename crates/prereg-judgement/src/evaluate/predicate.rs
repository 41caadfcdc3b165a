//! Predicates: undetermined means that something in it was not observed.

use prereg_declaration::{Comparison, Number, Predicate};
use prereg_stats::Truth;

use super::{Reader, number};

/// Whether it holds.
pub(crate) fn predicate(reader: &mut impl Reader, expression: &Predicate) -> Truth {
    match expression {
        Predicate::Compare(comparison, left, right) => {
            match (number(reader, left), number(reader, right)) {
                (Ok(left), Ok(right)) => holds(*comparison, left.value(), right.value()).into(),
                _ => Truth::Undetermined,
            }
        }
        Predicate::SameLogits(left, right) | Predicate::SameOutput(left, right) => {
            reader.same_digests(left, right)
        }
        Predicate::FactIs(fact, text) => reader.fact_is(fact, text),
        Predicate::And(parts) => Truth::all(parts.iter().map(|part| predicate(reader, part))),
        Predicate::Or(parts) => Truth::any(parts.iter().map(|part| predicate(reader, part))),
        Predicate::Not(part) => !predicate(reader, part),
    }
}

fn holds(comparison: Comparison, left: f64, right: f64) -> bool {
    crate::claim::comparison(comparison).holds(left, right)
}

/// One side of a comparison in a predicate, with the other side and the direction in which it is
/// safe.
pub(crate) struct Side<'a> {
    pub(crate) expression: &'a Number,
    pub(crate) other: &'a Number,
    /// Whether larger values of this side help the predicate to hold.
    pub(crate) larger_is_safer: bool,
}

/// The sides that hold data, left to right.
pub(crate) fn sides(expression: &Predicate) -> Vec<Side<'_>> {
    let mut found = Vec::new();
    collect(expression, true, &mut found);
    found
}

fn collect<'a>(expression: &'a Predicate, positive: bool, found: &mut Vec<Side<'a>>) {
    match expression {
        Predicate::Compare(comparison, left, right) => {
            let upper_limit = crate::claim::comparison(*comparison).is_upper_limit();
            let larger_is_safer = upper_limit != positive;
            let left_side = Side {
                expression: left,
                other: right,
                larger_is_safer,
            };
            let right_side = Side {
                expression: right,
                other: left,
                larger_is_safer: !larger_is_safer,
            };
            found.extend(
                [left_side, right_side]
                    .into_iter()
                    .filter(|side| holds_data(side.expression)),
            );
        }
        Predicate::SameLogits(..) | Predicate::SameOutput(..) | Predicate::FactIs(..) => {}
        Predicate::And(parts) | Predicate::Or(parts) => {
            for part in parts {
                collect(part, positive, found);
            }
        }
        Predicate::Not(part) => collect(part, !positive, found),
    }
}

/// Whether a number depends on what was measured.
fn holds_data(expression: &Number) -> bool {
    match expression {
        Number::Literal(_) | Number::Constant(_) => false,
        Number::Metric(_) | Number::OverSteps(..) | Number::OverSessions(..) => true,
        Number::Negate(operand) => holds_data(operand),
        Number::Binary(_, left, right) => holds_data(left) || holds_data(right),
    }
}
