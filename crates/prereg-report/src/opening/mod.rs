//! The part of a report that no template renders: verdict, evidence level, attempts, every run,
//! missing sessions.
//!
//! It stands first and is composed here, so that an edited template can neither leave it out nor
//! come before it.

mod facts;
mod life;
mod runs;
mod verdict;

use prereg_declaration::Digest;
use prereg_judgement::family_wise;

use crate::figures::Placed;
use crate::input::ReportInput;
use crate::markdown::escape;
use crate::words;

pub(crate) use facts::HEADS;

/// The opening, ending in a blank line. `templates` is the digest of the template sources.
pub(crate) fn opening(input: &ReportInput<'_>, templates: &Digest, figures: &[Placed]) -> String {
    let mut blocks = vec![format!("# {}", escape(&input.declaration.title))];
    blocks.extend(banners(input));
    blocks.push("## Verdict".to_owned());
    for (name, claim) in &input.declaration.claims {
        blocks.extend(verdict::claim(input, name, claim, figures));
    }
    let family = family_wise(input.declaration);
    if family.verdicts > 1 {
        blocks.push(words::sentence(&family.note));
    }
    blocks.push("## Record".to_owned());
    blocks.push(facts::facts(input, templates));
    blocks.extend(life::life(input));
    blocks.push("### Every run".to_owned());
    blocks.push(runs::runs(input));
    blocks.extend(runs::refused(input));
    blocks.extend(runs::deviations(input));
    blocks.push("### Missing sessions".to_owned());
    blocks.push(runs::missing(input));
    blocks.push(String::new());
    blocks.join("\n\n")
}

/// What a reader must know before the verdict.
fn banners(input: &ReportInput<'_>) -> Vec<String> {
    let mut banners = Vec::new();
    if input.is_simulated() {
        banners.push(
            "> **Simulated data.** Numbers of the runs marked *simulated* were made up by a \
             generator. They say nothing about any device."
                .to_owned(),
        );
    }
    if let Some(withdrawn) = &input.lock.withdrawn {
        banners.push(format!(
            "> **Withdrawn** {}: {}",
            escape(&withdrawn.time),
            escape(&withdrawn.reason)
        ));
    }
    if input.findings.is_empty() {
        return banners;
    }
    let mut lines = vec![if input.is_void() {
        "> **Inconsistent record: no verdict.**".to_owned()
    } else {
        "> **Inconsistent record.** The verdict does not rest on what is listed here.".to_owned()
    }];
    for finding in &input.findings {
        lines.push(format!(
            "> - {}; fix: {}",
            escape(&finding.message),
            escape(&finding.fix)
        ));
    }
    banners.push(lines.join("\n"));
    banners
}
