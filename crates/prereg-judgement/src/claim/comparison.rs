//! One comparison of a metric with a threshold, with everything that a reader needs to check it.

use prereg_declaration::Comparison;
use prereg_stats::{Bound, Truth, Unbounded};
use prereg_units::Quantity;

use super::evidence::Evidence;
use crate::evaluate::Unreadable;
use crate::level::Leaf;
use crate::metric::Values;
use crate::significant::{rounded, rounded_quantity};
use crate::verdict::{Bounds, ComparisonResult, State, UndeterminedCause};

/// Reads a comparison on the evidence.
pub(super) fn read(evidence: &Evidence<'_>, leaf: &Leaf<'_>) -> ComparisonResult {
    let operator = comparison(leaf.comparison);
    let threshold = leaf.threshold.value();
    let values = evidence.values.get(leaf.metric);
    let [alpha_lower, alpha_upper] = evidence.alphas(leaf);
    let [lower, upper] = evidence.bounds(leaf);
    let decided = operator.decide(lower, upper, threshold);
    let counted = evidence.counted(leaf.metric);
    let p_value = |operator| {
        let p = evidence
            .reading
            .method
            .p_value(&counted, operator, threshold);
        p.map(rounded)
    };
    ComparisonResult {
        metric: leaf.metric.to_owned(),
        comparison: leaf.comparison.symbol(),
        threshold: leaf.threshold,
        state: state(decided),
        bounds: Bounds {
            lower: lower.finite().map(rounded),
            alpha_lower: evidence.reading.error(alpha_lower),
            upper: upper.finite().map(rounded),
            alpha_upper: evidence.reading.error(alpha_upper),
        },
        p_true: p_value(operator),
        p_false: p_value(operator.negated()),
        margin: margin(leaf, decided, lower, upper),
        cause: (decided == Truth::Undetermined).then(|| cause(evidence, values, lower, upper)),
    }
}

/// Why bounds decide nothing.
fn cause(
    evidence: &Evidence<'_>,
    values: Option<&Values>,
    lower: Bound,
    upper: Bound,
) -> UndeterminedCause {
    let unbounded = [lower, upper].into_iter().find_map(Bound::unbounded);
    let not_finite = values.is_none_or(|values| {
        values.unreadable == Some(Unreadable::NotFinite) || values.has_block_without_summary()
    });
    match unbounded {
        None => UndeterminedCause::ThresholdWithinBounds,
        Some(Unbounded::Degenerate) => UndeterminedCause::Degenerate,
        Some(Unbounded::OutOfRange) => UndeterminedCause::NonFinite,
        Some(Unbounded::NotPositive) => UndeterminedCause::NotPositive,
        Some(Unbounded::LevelTooSmall) => UndeterminedCause::LevelTooSmall,
        Some(Unbounded::EqualJackknife) => UndeterminedCause::EqualJackknife,
        // A checked declaration asks for no bootstrap-t of a median, which has no standard error.
        Some(Unbounded::InfiniteQuantile | Unbounded::NoStandardError) => {
            UndeterminedCause::InfiniteQuantile
        }
        Some(Unbounded::TooFewSessions { .. } | Unbounded::MissingSessions { .. })
            if not_finite =>
        {
            UndeterminedCause::NonFinite
        }
        Some(Unbounded::MissingSessions { .. }) if !evidence.reading.counts_missing() => {
            UndeterminedCause::MissingSessions
        }
        Some(Unbounded::TooFewSessions { .. } | Unbounded::MissingSessions { .. }) => {
            UndeterminedCause::TooFewSessions
        }
    }
}

/// The bound that decided: any threshold up to it would have been decided alike.
fn margin(leaf: &Leaf<'_>, decided: Truth, lower: Bound, upper: Bound) -> Option<Quantity> {
    let upper_limit = comparison(leaf.comparison).is_upper_limit();
    let bound = match decided {
        Truth::Undetermined => return None,
        Truth::True if upper_limit => upper,
        Truth::False if !upper_limit => upper,
        _ => lower,
    };
    let quantity = Quantity::new(bound.finite()?, leaf.threshold.dimension()).ok()?;
    Some(rounded_quantity(quantity))
}

/// The state of a truth.
pub(super) fn state(truth: Truth) -> State {
    match truth {
        Truth::True => State::True,
        Truth::False => State::False,
        Truth::Undetermined => State::Undetermined,
    }
}

/// The truth of a state.
pub(super) fn truth(state: State) -> Truth {
    match state {
        State::True => Truth::True,
        State::False => Truth::False,
        State::Undetermined => Truth::Undetermined,
    }
}

/// The operator of a declaration as one that decides on bounds.
pub(crate) fn comparison(operator: Comparison) -> prereg_stats::Comparison {
    match operator {
        Comparison::Less => prereg_stats::Comparison::Less,
        Comparison::LessOrEqual => prereg_stats::Comparison::LessOrEqual,
        Comparison::Greater => prereg_stats::Comparison::Greater,
        Comparison::GreaterOrEqual => prereg_stats::Comparison::GreaterOrEqual,
    }
}
