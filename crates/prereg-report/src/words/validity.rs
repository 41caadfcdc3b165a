//! Controls and calibrated ranges: whether the measurement means anything.

use prereg_judgement::{ClaimResult, ControlResult, GateState, RangeResult, Verdict};
use prereg_units::Dimension;

use super::bound;
use crate::number;

/// Outcome of a gate, a control or a range, as markdown.
pub(crate) const fn outcome(state: GateState) -> &'static str {
    match state {
        GateState::Held => "held",
        GateState::Failed => "**failed**",
        GateState::Unobserved => "**not observed**",
    }
}

/// What a control must lie in: "0.98039 to 1.02".
pub(crate) fn allowed(control: &ControlResult) -> String {
    let most = 1.0 + control.within;
    format!(
        "{} to {}",
        number::measured(most.recip(), Dimension::NONE),
        number::measured(most, Dimension::NONE)
    )
}

/// The interval of a control, and why a side of it is unbounded.
#[must_use]
pub fn control(control: &ControlResult) -> String {
    let side = |value: Option<f64>| {
        let value = value.map_or_else(
            || "unbounded".to_owned(),
            |value| number::measured(value, Dimension::NONE),
        );
        bound(&value, control.alpha)
    };
    let why = control
        .unbounded
        .as_ref()
        .map_or_else(String::new, |why| format!(": {why}"));
    format!(
        "between {} and {}{why}; allowed is {}",
        side(control.lower),
        side(control.upper),
        allowed(control)
    )
}

/// The sessions that a calibrated range does not cover: "outside 1 GHz to 2 GHz in 3 of 10 sessions".
#[must_use]
pub fn range(range: &RangeResult, sessions: usize) -> String {
    let ends = format!(
        "{} to {}",
        number::measured(range.from.value(), range.from.dimension()),
        number::measured(range.to.value(), range.to.dimension())
    );
    let mut parts = Vec::new();
    if !range.outside.is_empty() {
        let count = range.outside.len();
        parts.push(format!("outside {ends} in {count} of {sessions} sessions"));
    }
    if !range.unobserved.is_empty() {
        let count = range.unobserved.len();
        parts.push(format!(
            "without a number in {count} of {sessions} sessions"
        ));
    }
    if parts.is_empty() {
        parts.push(format!("within {ends} in every session"));
    }
    parts.join(", ")
}

/// Whether abstaining outside the calibrated range changed anything; none where no range stood in the way.
#[must_use]
pub fn without_range(claim: &ClaimResult) -> Option<&'static str> {
    Some(match claim.without_calibrated_range? {
        Verdict::Abstained => {
            "Had the range been left out, the verdict would have been abstained as well: abstaining changed nothing."
        }
        Verdict::Pass => {
            "Had the range been left out, the verdict would have been pass: abstaining changed the outcome."
        }
        Verdict::Falsified => {
            "Had the range been left out, the verdict would have been falsified: abstaining changed the outcome."
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_of_a_control_stands_beside_what_is_allowed() {
        let mut one = ControlResult {
            metric: "aa".to_owned(),
            within: 0.02,
            state: GateState::Failed,
            lower: Some(0.995),
            upper: Some(1.031),
            alpha: 0.05,
            unbounded: None,
        };
        assert_eq!(
            control(&one),
            "between 0.995 (α = 0.05) and 1.031 (α = 0.05); allowed is 0.98039 to 1.02"
        );
        one.alpha = 0.0;
        one.upper = None;
        one.unbounded = Some("too few sessions".to_owned());
        assert_eq!(
            control(&one),
            "between 0.995 and unbounded: too few sessions; allowed is 0.98039 to 1.02"
        );
    }

    #[test]
    fn a_range_counts_the_sessions_outside_and_those_without_a_number() {
        let mut clock = RangeResult {
            from: "1 GHz".parse().unwrap(),
            to: "2 GHz".parse().unwrap(),
            state: GateState::Held,
            outside: Vec::new(),
            unobserved: Vec::new(),
        };
        assert_eq!(range(&clock, 10), "within 1 GHz to 2 GHz in every session");
        clock.outside = vec![3, 7];
        clock.unobserved = vec![9];
        assert_eq!(
            range(&clock, 10),
            "outside 1 GHz to 2 GHz in 2 of 10 sessions, without a number in 1 of 10 sessions"
        );
    }
}
