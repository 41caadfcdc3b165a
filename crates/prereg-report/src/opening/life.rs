//! The life of the plan: attempts, what changed between them, pilots.

use prereg_declaration::Difference;

use crate::input::{Attempt, PilotFacts, ReportInput};
use crate::markdown::{code, escape};

/// Blocks about what came before the lock and after it; none for a plan with neither.
pub(super) fn life(input: &ReportInput<'_>) -> Vec<String> {
    let lock = &input.lock;
    let mut blocks = Vec::new();
    if lock.attempts.len() > 1 {
        blocks.push("### Attempts".to_owned());
        blocks.push(attempts(input));
    }
    if !lock.differences.is_empty() {
        blocks.push("### Changed since the first lock".to_owned());
        blocks.push(differences(&lock.differences));
    }
    if !lock.pilots.is_empty() {
        blocks.push("### Pilots".to_owned());
        blocks.push(pilots(&lock.pilots));
    }
    blocks
}

fn attempts(input: &ReportInput<'_>) -> String {
    let mut lines = vec![
        "Every lock that this one amends, is amended by, or shares its question with.".to_owned(),
        String::new(),
        "| lock | experiment | locked | measured before | amended because | what became of it |"
            .to_owned(),
        "|---|---|---|---|---|---|".to_owned(),
    ];
    for attempt in &input.lock.attempts {
        let this = if attempt.lock == input.lock.id {
            " (this one)"
        } else {
            ""
        };
        lines.push(format!(
            "| {}{this} | {} | {} | {} | {} | {} |",
            code(&attempt.lock.prefix(12)),
            code(&attempt.experiment),
            escape(&attempt.time),
            escape(&attempt.seen),
            attempt.reason.as_deref().map_or("–".to_owned(), escape),
            fate(attempt),
        ));
    }
    lines.join("\n")
}

fn fate(attempt: &Attempt) -> String {
    match &attempt.withdrawn {
        Some(reason) => format!("{}; withdrawn: {}", escape(&attempt.fate), escape(reason)),
        None => escape(&attempt.fate),
    }
}

fn differences(differences: &[Difference]) -> String {
    let mut lines = vec![
        "| what | first | now |".to_owned(),
        "|---|---|---|".to_owned(),
    ];
    for difference in differences {
        let value = |value: &Option<String>| value.as_deref().map_or("–".to_owned(), code);
        lines.push(format!(
            "| {} | {} | {} |",
            code(&difference.path),
            value(&difference.before),
            value(&difference.after)
        ));
    }
    lines.join("\n")
}

fn pilots(pilots: &[PilotFacts]) -> String {
    let mut lines = vec![
        "Measured before a plan was locked, without a verdict: `baseline` has the baseline in place of every arm, `all` shows the effect."
            .to_owned(),
        String::new(),
        "| run | target | announced | arms | state | sessions |".to_owned(),
        "|---|---|---|---|---|---|".to_owned(),
    ];
    for pilot in pilots {
        lines.push(format!(
            "| {} | {} | {} | {} | {} | {} of {} |",
            code(pilot.run.as_str()),
            code(&pilot.target),
            escape(&pilot.time),
            escape(&pilot.arms),
            escape(&pilot.status),
            pilot.complete,
            pilot.sessions
        ));
    }
    lines.join("\n")
}
