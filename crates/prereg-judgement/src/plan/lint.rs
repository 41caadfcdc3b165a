//! Refusals: a plan that cannot lose is not a plan, nor is one that cannot win.

mod claims;
mod gates;
mod sessions;
mod validity;
mod words;

use std::cell::LazyCell;

use prereg_declaration::Declaration;

use super::finding::LintFinding;
use super::power::{LEAST_FALSIFIED, LEAST_PASS, Plans, nearest, plans, sufficient_sessions};

/// Everything that makes the plan worthless: claims by name, then gates, controls and calibrated
/// ranges by name, then what too few sessions, too much spread or one of them leave undecided.
#[must_use]
pub fn lint(declaration: &Declaration) -> Vec<LintFinding> {
    let claims = declaration.claims.iter();
    let gates = declaration.gates.iter();
    let controls = declaration.controls.iter();
    let ranges = declaration.calibrated_range.iter();
    let mut findings: Vec<LintFinding> = claims
        .flat_map(|(name, claim)| claims::lint(declaration, name, claim))
        .chain(gates.flat_map(|(name, gate)| gates::lint(declaration, name, gate)))
        .chain(
            controls.filter_map(|(name, control)| validity::of_control(declaration, name, control)),
        )
        .chain(ranges.flat_map(|(metric, range)| validity::of_range(declaration, metric, range)))
        .collect();
    // Power says nothing more about a plan that was already found to be worthless.
    if findings.is_empty() {
        findings = of_power(declaration);
    }
    findings
}

fn of_power(declaration: &Declaration) -> Vec<LintFinding> {
    let plans = match plans(declaration) {
        Ok(plans) => plans,
        Err(problem) => return vec![problem.into()],
    };
    let too_few = sessions::lint(declaration, &plans);
    if !too_few.is_empty() {
        return too_few;
    }
    undecided(declaration, &plans)
}

/// Claims that would probably not be falsified where they are wrong, or not pass where they are
/// right.
fn undecided(declaration: &Declaration, plans: &Plans<'_>) -> Vec<LintFinding> {
    let units = declaration.protocol.units();
    let power = plans.iter().map(|(name, plan)| (*name, plan.power(units)));
    let weak: Vec<(&String, [f64; 2])> = power
        .filter(|(_, [pass, falsified])| *pass < LEAST_PASS || *falsified < LEAST_FALSIFIED)
        .collect();
    let sufficient = LazyCell::new(|| sufficient_sessions(declaration, plans));
    let mut findings = Vec::new();
    for (claim, [pass, falsified]) in weak {
        let nearest = nearest(declaration, claim, || *sufficient);
        if falsified < LEAST_FALSIFIED {
            findings.push(LintFinding::CannotLose {
                claim: claim.clone(),
                probability: falsified,
                nearest: nearest.clone(),
            });
        }
        if pass < LEAST_PASS {
            findings.push(LintFinding::CannotWin {
                claim: claim.clone(),
                probability: pass,
                nearest,
            });
        }
    }
    findings
}

#[cfg(test)]
mod tests;
