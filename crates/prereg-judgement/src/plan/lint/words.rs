//! Why something cannot happen, in words.

use prereg_declaration::{ConstantName, Number, Predicate};
use prereg_units::{Dimension, Quantity};

use crate::evaluate::{self, Reader, Unreadable};
use crate::plan::range::Range;
use crate::plan::variables::Variables;

/// Reads numbers that hold nothing but literals.
struct Literals;

impl Reader for Literals {
    fn constant(&self, _: &ConstantName) -> Result<Quantity, Unreadable> {
        Err(Unreadable::NotObserved)
    }
}

/// Why a predicate has only one outcome.
pub(super) fn of_predicate(predicate: &Predicate, variables: &mut Variables<'_>) -> String {
    let predicate = without_negation(predicate);
    if let Predicate::Compare(_, left, right) = predicate {
        for (number, limit) in [(left, right), (right, left)] {
            if let Ok(limit) = evaluate::number(&mut Literals, limit)
                && let Some(words) = range(variables.range(number), limit.dimension())
            {
                return format!("`{number}` is always {words}");
            }
        }
        return format!("no measurement changes which of `{left}` and `{right}` is the greater");
    }
    "whatever is measured, its parts together come out alike".to_owned()
}

/// Why a comparison with this metric has only one outcome.
pub(super) fn of_metric(
    metric: &str,
    dimension: Dimension,
    variables: &mut Variables<'_>,
) -> String {
    let values = variables.range(&Number::Metric(metric.to_owned()));
    range(values, dimension).map_or_else(
        || format!("`{metric}` cannot be computed"),
        |words| format!("`{metric}` is always {words}"),
    )
}

fn without_negation(predicate: &Predicate) -> &Predicate {
    match predicate {
        Predicate::Not(part) => without_negation(part),
        _ => predicate,
    }
}

fn range(range: Range, dimension: Dimension) -> Option<String> {
    let shown = |value| Quantity::new(value, dimension).map(|quantity| quantity.to_string());
    let [lower, upper] = range.ends();
    Some(match (lower, upper) {
        (Some((lower, _)), Some((upper, _))) if lower == upper => shown(lower).ok()?,
        (Some((lower, _)), Some((upper, _))) => {
            format!("between {} and {}", shown(lower).ok()?, shown(upper).ok()?)
        }
        (Some((lower, true)), None) => format!("above {}", shown(lower).ok()?),
        (Some((lower, false)), None) => format!("at least {}", shown(lower).ok()?),
        (None, Some((upper, true))) => format!("below {}", shown(upper).ok()?),
        (None, Some((upper, false))) => format!("at most {}", shown(upper).ok()?),
        (None, None) => return None,
    })
}
