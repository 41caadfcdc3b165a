//! Verdicts, reasons and states in words, as markdown: author text comes out as code spans or escaped.

mod comparison;
mod preflight;
mod program;
mod reading;
mod reason;
mod telemetry;
mod validity;

use prereg_judgement::{GateResult, Missing, Observed, State, Verdict};

pub(crate) use comparison::{bound, each_bound};
pub use comparison::{bounds, margin, p_value};
pub use preflight::preflight;
pub use program::program;
pub(crate) use reading::{
    bound_kind, condition_rule, deciding, estimand, interval, is_census, read_on,
};
pub use reason::{reason, undetermined};
pub(crate) use telemetry::not_read;
pub use telemetry::{ColumnWords, telemetry};
pub(crate) use validity::{allowed, outcome};
pub use validity::{control, range, without_range};

use crate::markdown::{code, escape};
use crate::number;

/// Shape and word: told apart without colour.
#[must_use]
pub fn marked(verdict: Verdict) -> String {
    let shape = match verdict {
        Verdict::Pass => "●",
        Verdict::Falsified => "✖",
        Verdict::Abstained => "◇",
    };
    format!("{shape} {}", verdict.as_str())
}

/// The word of a state.
#[must_use]
pub const fn state(state: State) -> &'static str {
    match state {
        State::True => "shown true",
        State::False => "shown false",
        State::Undetermined => "undetermined",
    }
}

/// A clause of the judge as a sentence: code spans kept, the first letter large, a full stop.
pub(crate) fn sentence(clause: &str) -> String {
    let parts: Vec<String> = clause
        .split('`')
        .enumerate()
        .map(|(index, part)| {
            // Between back quotes is code; escaping the rest must not eat the space beside it.
            if index % 2 == 1 {
                return code(part);
            }
            let space = |is: bool| if is { " " } else { "" };
            let (before, after) = (part.starts_with(' '), part.ends_with(' '));
            format!("{}{}{}", space(before), escape(part), space(after))
        })
        .collect();
    let text = parts.concat();
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => format!("{}{}.", first.to_uppercase(), letters.as_str()),
        None => text,
    }
}

/// Why a session has no number, as a clause.
#[must_use]
pub fn missing(missing: &Missing) -> String {
    match missing {
        Missing::NeverRun => "never run".to_owned(),
        Missing::Torn => "began and did not finish".to_owned(),
        Missing::TimedOut => "ran past the locked time-out".to_owned(),
        Missing::RejectedSteps { count: 1 } => "1 step had a non-positive duration".to_owned(),
        Missing::RejectedSteps { count } => format!("{count} steps had a non-positive duration"),
        Missing::Excluded { gate } => format!("excluded: gate {} failed", code(gate)),
        Missing::Unobserved { gate } => format!("excluded: gate {} was not observed", code(gate)),
        Missing::Failed { message } => format!("failed: {}", escape(message)),
    }
}

/// The numbers that a gate saw.
#[must_use]
pub fn observed(gate: &GateResult) -> String {
    let part = |observed: &Observed| {
        let value = observed.value.map_or_else(
            || "not observed".to_owned(),
            |value| {
                // A coefficient of variation is a percentage to everyone who writes one.
                if value.dimension().is_none() && observed.expression.starts_with("cv(") {
                    number::percent(value.value())
                } else {
                    number::measured(value.value(), value.dimension())
                }
            },
        );
        let session = observed
            .session
            .map(|session| format!(" in session {session}"))
            .unwrap_or_default();
        format!("{} = {value}{session}", code(&observed.expression))
    };
    gate.observed
        .iter()
        .map(part)
        .collect::<Vec<_>>()
        .join(", ")
}

#[cfg(test)]
mod tests {
    use prereg_judgement::GateState;
    use prereg_units::Quantity;

    use super::*;

    fn quantity(text: &str) -> Quantity {
        text.parse().unwrap()
    }

    #[test]
    fn a_clause_becomes_a_sentence_and_keeps_its_code() {
        assert_eq!(
            sentence("had gate `a|b` held: *pass*"),
            "Had gate <code>a&#124;b</code> held: \\*pass\\*."
        );
        assert_eq!(sentence(""), "");
    }

    #[test]
    fn a_gate_prints_what_it_saw_and_says_when_it_saw_nothing() {
        let saw = |expression: &str, value: Option<&str>, session| Observed {
            expression: expression.to_owned(),
            value: value.map(quantity),
            session,
        };
        let gate = GateResult {
            expression: String::new(),
            scope: "each-session",
            otherwise: "abstain",
            state: GateState::Failed,
            sessions: Vec::new(),
            observed: vec![
                saw("min(sm_clock)", Some("1.2 GHz"), Some(3)),
                saw("cv(m)", Some("0.0312"), None),
                saw("max(temperature)", None, None),
            ],
        };
        assert_eq!(
            observed(&gate),
            "`min(sm_clock)` = 1.2 GHz in session 3, `cv(m)` = 3.12 %, `max(temperature)` = not observed"
        );
    }
}
