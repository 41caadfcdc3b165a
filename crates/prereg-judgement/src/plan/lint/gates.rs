//! Gates that guard nothing, and gates that decide in the claim's place.

use std::collections::BTreeMap;

use prereg_declaration::{Declaration, Gate, Number, Predicate};

use super::claims::is_measured;
use super::words;
use crate::plan::finding::LintFinding;
use crate::plan::foregone::Known;
use crate::plan::formula::Possible;
use crate::plan::least::least_sessions;
use crate::plan::variables::Variables;

/// What is wrong with one gate before anything is known of its power.
pub(super) fn lint(declaration: &Declaration, name: &str, gate: &Gate) -> Vec<LintFinding> {
    match of_itself(declaration, name, gate) {
        Some(finding) => vec![finding],
        None => foregone(declaration, name, gate),
    }
}

fn of_itself(declaration: &Declaration, name: &str, gate: &Gate) -> Option<LintFinding> {
    let name = name.to_owned();
    if !reads_data(declaration, &gate.predicate) {
        return Some(LintFinding::GateOnConstants { gate: name });
    }
    let mut variables = Variables::new(declaration, least_sessions(declaration));
    let formula = variables.predicate(&gate.predicate);
    let possible = formula.possible(variables.ranges());
    let reason = |variables: &mut Variables<'_>| words::of_predicate(&gate.predicate, variables);
    match possible {
        None => Some(LintFinding::TooComplex {
            place: format!("gate `{name}`"),
        }),
        Some(Possible {
            can_fail: false, ..
        }) => Some(LintFinding::GateNeverFails {
            gate: name,
            reason: reason(&mut variables),
        }),
        Some(Possible {
            can_hold: false, ..
        }) => Some(LintFinding::GateNeverHolds {
            gate: name,
            reason: reason(&mut variables),
        }),
        Some(_) => None,
    }
}

fn reads_data(declaration: &Declaration, predicate: &Predicate) -> bool {
    let measured = |number: &Number| is_measured(declaration, number);
    match predicate {
        Predicate::Compare(_, left, right) => measured(left) || measured(right),
        Predicate::SameLogits(..) | Predicate::SameOutput(..) | Predicate::FactIs(..) => true,
        Predicate::And(parts) | Predicate::Or(parts) => {
            parts.iter().any(|part| reads_data(declaration, part))
        }
        Predicate::Not(part) => reads_data(declaration, part),
    }
}

/// A gate must not decide the question that a claim asks.
fn foregone(declaration: &Declaration, name: &str, gate: &Gate) -> Vec<LintFinding> {
    let sessions = declaration.protocol.sessions;
    let fails =
        |values: &BTreeMap<_, _>| Known { values, sessions }.holds(&gate.predicate) == Some(false);
    let finding = |(claim_name, claim): (&String, &prereg_declaration::Claim)| {
        let (gate, of_claim) = (name.to_owned(), claim_name.clone());
        if fails(&claim.expected) {
            Some(LintFinding::GateBarsExpected {
                gate,
                claim: of_claim,
            })
        } else if fails(&claim.rival) {
            Some(LintFinding::GateSparesRival {
                gate,
                claim: of_claim,
            })
        } else {
            None
        }
    };
    declaration.claims.iter().filter_map(finding).collect()
}
