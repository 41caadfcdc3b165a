//! `prereg explain`: what a code means and what to do about it.
//!
//! One file a place where codes appear. A code that two places share has one meaning in each.

mod declaration;
mod plan;
mod record;
mod verdict;

use serde::Serialize;

use crate::error::CommandError;
use crate::exit::Exit;
use crate::output::{self, say};

/// Arguments of `prereg explain`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  prereg explain gate-unobserved\n  prereg explain          every code, a line each"
)]
pub(crate) struct Arguments {
    /// A code, as `analyze --json`, `check --json` and `verify` print it.
    code: Option<String>,
    /// Print one JSON object (prereg-explanations/1).
    #[arg(long)]
    json: bool,
}

/// A code with its meaning.
#[derive(Clone, Copy, Debug, Serialize)]
struct Explanation {
    /// The code.
    code: &'static str,
    /// What it says.
    meaning: &'static str,
    /// What to do.
    action: &'static str,
}

#[derive(Serialize)]
struct Place {
    /// Where the code appears.
    place: &'static str,
    explanations: Vec<Explanation>,
}

const PLACES: [(&str, &[Explanation]); 6] = [
    ("reason of a verdict", verdict::REASONS),
    ("cause of an undetermined condition", verdict::CAUSES),
    ("why a session is missing", verdict::MISSING),
    ("refusal of a plan", plan::FINDINGS),
    ("problem of the record", record::PROBLEMS),
    ("problem of a declaration", declaration::DIAGNOSTICS),
];

pub(crate) fn execute(arguments: &Arguments) -> Result<Exit, CommandError> {
    let wanted = |explanation: &&Explanation| {
        arguments
            .code
            .as_ref()
            .is_none_or(|code| code == explanation.code)
    };
    let found: Vec<Place> = PLACES
        .iter()
        .map(|(place, explanations)| Place {
            place,
            explanations: explanations.iter().filter(wanted).copied().collect(),
        })
        .filter(|place| !place.explanations.is_empty())
        .collect();
    if let (Some(code), true) = (&arguments.code, found.is_empty()) {
        let message = format!("there is no code `{code}`");
        return Err(CommandError::new(Exit::Missing, message).hint("prereg explain lists them all"));
    }
    if arguments.json {
        output::json(&serde_json::json!({ "schema": "prereg-explanations/1", "places": found }))?;
        return Ok(Exit::Success);
    }
    for place in &found {
        if arguments.code.is_some() {
            for explanation in &place.explanations {
                say!("{} ({})", explanation.code, place.place);
                say!("  {}", explanation.meaning);
                say!("  what to do: {}", explanation.action);
            }
        } else {
            say!("{}:", place.place);
            for explanation in &place.explanations {
                say!("  {:<24} {}", explanation.code, explanation.meaning);
            }
        }
    }
    Ok(Exit::Success)
}

#[cfg(test)]
mod tests {
    use prereg_declaration::Code;
    use prereg_judgement::{LintFinding, Missing, Reason, UndeterminedCause};
    use prereg_ledger::Finding;
    use prereg_runs::RunFinding;
    use strum::VariantNames;

    use super::*;

    fn codes(explanations: &[Explanation]) -> Vec<&'static str> {
        let mut codes: Vec<&str> = explanations.iter().map(|one| one.code).collect();
        codes.sort_unstable();
        codes
    }

    fn sorted(names: &[&'static str]) -> Vec<&'static str> {
        let mut names = names.to_vec();
        names.sort_unstable();
        names
    }

    #[test]
    fn every_reason_and_refusal_is_explained_and_nothing_else() {
        for (explanations, names) in [
            (verdict::REASONS, Reason::VARIANTS),
            (verdict::CAUSES, UndeterminedCause::VARIANTS),
            (verdict::MISSING, Missing::VARIANTS),
            (plan::FINDINGS, LintFinding::VARIANTS),
            (declaration::DIAGNOSTICS, Code::VARIANTS),
        ] {
            assert_eq!(codes(explanations), sorted(names));
        }
    }

    #[test]
    fn every_problem_of_the_record_is_explained_and_nothing_else() {
        let own = ["session-gap", "tables-disagree", "verdict-differs"];
        let names = [Finding::VARIANTS, RunFinding::VARIANTS, &own].concat();
        assert_eq!(codes(record::PROBLEMS), sorted(&names));
    }
}
