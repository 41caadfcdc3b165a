//! What was shown of one comparison of a metric with a threshold.

use prereg_judgement::{ComparisonResult, State};

use super::state;
use crate::number;

/// How far a threshold could have moved with the comparison still decided as it was.
#[must_use]
pub fn margin(comparison: &ComparisonResult) -> Option<String> {
    let margin = comparison.margin?;
    let upwards = matches!(
        (comparison.comparison, comparison.state),
        ("<" | "<=", State::False) | (">" | ">=", State::True)
    );
    let direction = if upwards { "up to" } else { "down to" };
    Some(format!(
        "{} for any threshold {direction} {}",
        state(comparison.state),
        number::beside_threshold(margin.value(), comparison.threshold),
    ))
}

/// The p-value of what was shown, at the threshold: "p = 0.000311"; none where nothing was.
#[must_use]
pub fn p_value(comparison: &ComparisonResult) -> Option<String> {
    let p = match comparison.state {
        State::True => comparison.p_true?,
        State::False => comparison.p_false?,
        State::Undetermined => return None,
    };
    let p = number::probability(p);
    Some(if p.starts_with('<') {
        format!("p {p}")
    } else {
        format!("p = {p}")
    })
}

/// The bounds of a comparison with their α, as a clause: "between 1.21 (α = 0.05) and unbounded (α = 0.05)".
#[must_use]
pub fn bounds(comparison: &ComparisonResult) -> String {
    let [lower, upper] = each_bound(comparison);
    format!("between {lower} and {upper}")
}

/// The lower and the upper bound, each with its α.
pub(crate) fn each_bound(comparison: &ComparisonResult) -> [String; 2] {
    let bounds = comparison.bounds;
    let side = |value: Option<f64>, alpha| {
        let value = value.map_or_else(
            || "unbounded".to_owned(),
            |value| number::beside_threshold(value, comparison.threshold),
        );
        bound(&value, alpha)
    };
    [
        side(bounds.lower, bounds.alpha_lower),
        side(bounds.upper, bounds.alpha_upper),
    ]
}

/// A bound beside its α; a census has none.
pub(crate) fn bound(value: &str, alpha: f64) -> String {
    if alpha > 0.0 {
        format!("{value} (α = {})", number::probability(alpha))
    } else {
        value.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use prereg_judgement::Bounds;

    use super::*;

    fn compared(comparison: &'static str, state: State) -> ComparisonResult {
        ComparisonResult {
            metric: "m".to_owned(),
            comparison,
            threshold: "1.15".parse().unwrap(),
            state,
            bounds: Bounds {
                lower: None,
                alpha_lower: 0.05,
                upper: None,
                alpha_upper: 0.05,
            },
            p_true: None,
            p_false: None,
            margin: (state != State::Undetermined).then(|| "1.2".parse().unwrap()),
            cause: None,
        }
    }

    #[test]
    fn a_margin_points_to_where_the_threshold_could_have_gone() {
        let margins = [
            (
                "<",
                State::False,
                Some("shown false for any threshold up to 1.2"),
            ),
            (
                "<=",
                State::True,
                Some("shown true for any threshold down to 1.2"),
            ),
            (
                ">",
                State::False,
                Some("shown false for any threshold down to 1.2"),
            ),
            (
                ">=",
                State::True,
                Some("shown true for any threshold up to 1.2"),
            ),
            ("<", State::Undetermined, None),
        ];
        for (comparison, state, expected) in margins {
            assert_eq!(margin(&compared(comparison, state)).as_deref(), expected);
        }
    }

    #[test]
    fn bounds_stand_beside_their_alpha_and_a_census_has_none() {
        let mut comparison = compared("<", State::False);
        comparison.bounds.lower = Some(1.21);
        assert_eq!(
            bounds(&comparison),
            "between 1.21 (α = 0.05) and unbounded (α = 0.05)"
        );
        (comparison.bounds.alpha_lower, comparison.bounds.alpha_upper) = (0.0, 0.0);
        assert_eq!(bounds(&comparison), "between 1.21 and unbounded");
    }

    #[test]
    fn the_p_value_is_that_of_what_was_shown() {
        let p = |state| {
            let mut comparison = compared("<", state);
            (comparison.p_true, comparison.p_false) = (Some(0.00001), Some(0.0107));
            p_value(&comparison)
        };
        assert_eq!(p(State::Undetermined), None);
        assert_eq!(p(State::False).as_deref(), Some("p = 0.0107"));
        assert_eq!(p(State::True).as_deref(), Some("p < 0.0001"));
    }
}
