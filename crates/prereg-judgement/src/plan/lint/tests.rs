use prereg_declaration::{Condition, Declaration, Gate, Metric, Number, Outcome, Predicate, Scope};
use prereg_units::{Dimension, Quantity};

use super::*;
use crate::example::{claim, compare, declaration, gate, plain};

mod claims;
mod gates;
mod power;
mod validity;

fn with_kills(kills: Vec<Condition>, expected: f64, rival: f64) -> Declaration {
    let mut declaration = declaration();
    declaration
        .claims
        .insert("faster".to_owned(), claim(kills, expected, rival));
    declaration
}

fn with_gate(gate: Gate) -> Declaration {
    let mut declaration = declaration();
    declaration.gates.insert("guard".to_owned(), gate);
    declaration
}

fn each_session(predicate: Predicate) -> Declaration {
    with_gate(gate(Scope::EachSession, predicate, Outcome::Abstain))
}

fn across_sessions(predicate: Predicate) -> Declaration {
    with_gate(gate(Scope::AcrossSessions, predicate, Outcome::Abstain))
}

fn metric(expression: Number) -> Metric {
    Metric {
        source: "metric".to_owned(),
        expression,
        dimension: Dimension::NONE,
    }
}

fn number(value: f64, dimension: Dimension) -> Number {
    Number::Literal(Quantity::new(value, dimension).unwrap())
}

fn literal(value: f64) -> Number {
    Number::Literal(plain(value))
}

/// The only finding.
fn only(declaration: &Declaration) -> LintFinding {
    let mut findings = lint(declaration);
    assert_eq!(findings.len(), 1, "{findings:?}");
    findings.remove(0)
}

#[test]
fn a_plan_that_can_lose_and_win_has_no_findings() {
    assert_eq!(lint(&declaration()), []);
}
