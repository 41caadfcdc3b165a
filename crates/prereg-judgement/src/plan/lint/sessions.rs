//! Fewer sessions than any bound needs.

use prereg_declaration::{Claim, Declaration};

use crate::method::Reading;
use crate::plan::finding::LintFinding;
use crate::plan::least::leaves;
use crate::plan::power::{Plans, sufficient_sessions};

/// One finding for each claim with a comparison that no outcome could decide.
pub(super) fn lint(declaration: &Declaration, plans: &Plans<'_>) -> Vec<LintFinding> {
    let claims = declaration.claims.iter();
    let mut findings: Vec<LintFinding> = claims
        .filter_map(|(name, claim)| of_claim(declaration, name, claim))
        .collect();
    if findings.is_empty() {
        return findings;
    }
    let enough = sufficient_sessions(declaration, plans);
    for finding in &mut findings {
        if let LintFinding::TooFewSessions { sessions, .. } = finding {
            *sessions = enough;
        }
    }
    findings
}

fn of_claim(declaration: &Declaration, name: &str, claim: &Claim) -> Option<LintFinding> {
    let method = Reading::of(declaration).method;
    let units = declaration.protocol.units();
    let leaves = leaves(declaration, claim).ok()?;
    let strictest = leaves
        .into_iter()
        .min_by(|a, b| stricter(a.levels).total_cmp(&stricter(b.levels)))?;
    let alpha = strictest.levels.to_true.min(strictest.levels.to_false);
    let needed = u32::try_from(method.least_sessions(alpha)).unwrap_or(u32::MAX);
    (units < needed).then(|| LintFinding::TooFewSessions {
        claim: name.to_owned(),
        metric: strictest.metric.to_owned(),
        alpha: alpha.get(),
        units,
        blocks: declaration.protocol.blocks > 1,
        needed,
        sessions: None,
    })
}

fn stricter(levels: crate::level::Levels) -> f64 {
    levels.to_true.min(levels.to_false).get()
}
