//! `prereg explain`: what a code or a word means and what to do about it.
//!
//! One file a place where they appear. A code that two places share has one meaning in each.

mod declaration;
mod plan;
mod record;
mod verdict;
mod vocabulary;
mod words;

use serde::Serialize;

use crate::error::CommandError;
use crate::exit::Exit;
use crate::output::{self, say};

/// Arguments of `prereg explain`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  prereg explain gate-unobserved\n  prereg explain update_rate\n  prereg explain          every code and word, a line each"
)]
pub(crate) struct Arguments {
    /// A code, as `analyze --json`, `check --json` and `verify` print it, or a word of declarations.
    code: Option<String>,
    /// Print one JSON object (prereg-explanations/1).
    #[arg(long)]
    json: bool,
}

/// A code or a word with its meaning.
#[derive(Clone, Copy, Debug, Serialize)]
struct Explanation {
    /// The code, or the word.
    code: &'static str,
    /// What it says.
    meaning: &'static str,
    /// What to do, or how it is written.
    action: &'static str,
}

#[derive(Serialize)]
struct Place {
    /// Where it appears.
    #[serde(rename = "place")]
    name: &'static str,
    /// What stands before each action.
    #[serde(skip)]
    label: &'static str,
    explanations: Vec<Explanation>,
}

/// What stands before what can be done about a code.
const TO_DO: &str = "what to do";

/// What stands before the way in which a word is written.
const WRITTEN: &str = "for example";

const PLACES: [(&str, &str, &[Explanation]); 9] = [
    ("reason of a verdict", TO_DO, verdict::REASONS),
    ("cause of an undetermined condition", TO_DO, verdict::CAUSES),
    ("why a session is missing", TO_DO, verdict::MISSING),
    ("refusal of a plan", TO_DO, plan::FINDINGS),
    ("problem of the record", TO_DO, record::PROBLEMS),
    ("problem of a declaration", TO_DO, declaration::DIAGNOSTICS),
    (
        "word of declarations and of the record",
        WRITTEN,
        words::WORDS,
    ),
    ("column", WRITTEN, vocabulary::COLUMNS),
    ("statistic", WRITTEN, vocabulary::STATISTICS),
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
        .map(|(name, label, explanations)| Place {
            name,
            label,
            explanations: explanations.iter().filter(wanted).copied().collect(),
        })
        .filter(|place| !place.explanations.is_empty())
        .collect();
    if let (Some(code), true) = (&arguments.code, found.is_empty()) {
        let message = format!("there is no code or word `{code}`");
        return Err(CommandError::new(Exit::Missing, message).hint("prereg explain lists them all"));
    }
    if arguments.json {
        output::json(&serde_json::json!({ "schema": "prereg-explanations/1", "places": found }))?;
        return Ok(Exit::Success);
    }
    for place in &found {
        if arguments.code.is_some() {
            for explanation in &place.explanations {
                say!("{} ({})", explanation.code, place.name);
                say!("  {}", explanation.meaning);
                say!("  {}: {}", place.label, explanation.action);
            }
        } else {
            say!("{}:", place.name);
            for explanation in &place.explanations {
                say!("  {:<28} {}", explanation.code, explanation.meaning);
            }
        }
    }
    Ok(Exit::Success)
}

#[cfg(test)]
mod tests {
    use prereg_declaration::{Code, Interval, columns, statistic_names};
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
    fn every_column_and_statistic_is_explained_and_nothing_else() {
        let known: Vec<&str> = columns().map(|column| column.name).collect();
        assert_eq!(codes(vocabulary::COLUMNS), sorted(&known));
        let known: Vec<&str> = statistic_names().collect();
        assert_eq!(codes(vocabulary::STATISTICS), sorted(&known));
    }

    #[test]
    fn the_words_of_a_measurement_by_a_program_are_explained() {
        let words = codes(words::WORDS);
        for word in [
            "calibrated-range",
            Interval::Census.name(),
            "command",
            "control",
            "fact",
            "pin",
            "preflight",
            "probe",
            "reader",
        ] {
            assert!(words.contains(&word), "{word}");
        }
    }

    #[test]
    fn every_problem_of_the_record_is_explained_and_nothing_else() {
        let own = ["session-gap", "tables-disagree", "verdict-differs"];
        let names = [Finding::VARIANTS, RunFinding::VARIANTS, &own].concat();
        assert_eq!(codes(record::PROBLEMS), sorted(&names));
    }
}
