//! Every announced run with its own verdict, and every missing session.

use prereg_judgement::RunJudgement;
use prereg_ledger::{Standing, Status};

use crate::input::{ReportInput, RunFacts};
use crate::markdown::{code, escape};
use crate::words;

/// Every announced run, whatever became of it.
pub(super) fn runs(input: &ReportInput<'_>) -> String {
    if input.runs.is_empty() {
        return "None has been announced.".to_owned();
    }
    let mut lines = vec![
        "| run | target | part | state | data | announced | sessions | verdict |".to_owned(),
        "|---|---|---|---|---|---|---|---|".to_owned(),
    ];
    for facts in &input.runs {
        let run = &facts.run;
        let part = match run.standing {
            Standing::OfRecord => format!("**{}**", facts.part()),
            _ => facts.part(),
        };
        let state = match &run.status {
            Status::Announced => "announced, not sealed".to_owned(),
            Status::Sealed { .. } => "sealed".to_owned(),
            Status::Aborted { reason } => format!("aborted before any session: {}", escape(reason)),
        };
        let data = if facts.is_simulated() {
            "**simulated**"
        } else {
            "measured"
        };
        lines.push(format!(
            "| {} | {} | {part} | {state} | {data} | {} | {} | {} |",
            code(facts.id()),
            code(facts.target()),
            escape(&run.time),
            present(facts.judgement.as_ref()),
            verdicts(facts, input.is_void()),
        ));
    }
    lines.join("\n")
}

fn present(judgement: Option<&RunJudgement>) -> String {
    judgement.map_or_else(
        || "–".to_owned(),
        |judgement| {
            let present = judgement.sessions.saturating_sub(judgement.missing.len());
            format!("{present} of {}", judgement.sessions)
        },
    )
}

fn verdicts(facts: &RunFacts, void: bool) -> String {
    let Some(judgement) = &facts.judgement else {
        return "none".to_owned();
    };
    if void {
        return "void".to_owned();
    }
    let single = judgement.claims.len() == 1;
    let parts: Vec<String> = judgement
        .claims
        .iter()
        .map(|(name, result)| {
            let marked = words::marked(result.verdict);
            if single {
                marked
            } else {
                format!("{}: {marked}", code(name))
            }
        })
        .collect();
    parts.join("<br>")
}

/// Every look at a machine that let no run begin; none where there was none.
pub(super) fn refused(input: &ReportInput<'_>) -> Option<String> {
    let rows: Vec<String> = input
        .preflights
        .iter()
        .filter_map(|preflight| {
            let refusal = preflight.event.refusal.as_ref()?;
            Some(format!(
                "| {} | {} | {} |",
                escape(&preflight.time),
                code(&preflight.event.target),
                escape(refusal)
            ))
        })
        .collect();
    (!rows.is_empty()).then(|| {
        format!(
            "### Refused before a run\n\nThe preflight refused {} of {} times; no session was measured then.\n\n\
             | when | target | why |\n|---|---|---|\n{}",
            rows.len(),
            input.preflights.len(),
            rows.join("\n")
        )
    })
}

/// Differences from the lock that were allowed.
pub(super) fn deviations(input: &ReportInput<'_>) -> Option<String> {
    let lines: Vec<String> = input
        .runs
        .iter()
        .flat_map(|facts| {
            facts
                .deviations
                .iter()
                .map(|deviation| format!("- {}: {}", code(facts.id()), escape(deviation)))
        })
        .collect();
    (!lines.is_empty()).then(|| format!("Deviations from the lock:\n\n{}", lines.join("\n")))
}

/// Every missing session of every judged run.
pub(super) fn missing(input: &ReportInput<'_>) -> String {
    let rows: Vec<String> = input
        .runs
        .iter()
        .filter_map(|facts| Some((facts, facts.judgement.as_ref()?)))
        .flat_map(|(facts, judgement)| {
            judgement.missing.iter().map(|missing| {
                format!(
                    "| {} | {} | {} |",
                    code(facts.id()),
                    missing.session,
                    words::missing(&missing.missing)
                )
            })
        })
        .collect();
    if rows.is_empty() {
        return "None in any judged run.".to_owned();
    }
    format!(
        "Each counts against the claim and against its opposite; the locked number of sessions stays.\n\n\
         | run | session | why |\n|---|---|---|\n{}",
        rows.join("\n")
    )
}
