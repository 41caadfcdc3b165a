//! Refusals: a plan that cannot lose is not a plan, nor is one that cannot win.

use std::collections::BTreeMap;

use prereg_declaration::{Claim, Condition, Declaration, Gate, Number, Predicate};
use prereg_units::Quantity;

use super::domain::{Domain, Domains};
use super::finding::LintFinding;
use super::foregone::{Known, literal};
use super::formula::{Formula, Possible};
use super::power::{LEAST_FALSIFIED, LEAST_PASS, power};
use crate::claim::comparison;

/// Everything that makes the plan worthless: claims by name, then gates by name, then power.
#[must_use]
pub fn lint(declaration: &Declaration) -> Vec<LintFinding> {
    let mut findings = Vec::new();
    for (name, claim) in &declaration.claims {
        lint_claim(declaration, name, claim, &mut findings);
    }
    for (name, gate) in &declaration.gates {
        match lint_gate(declaration, name, gate) {
            Some(finding) => findings.push(finding),
            None => lint_foregone(declaration, name, gate, &mut findings),
        }
    }
    lint_power(declaration, &mut findings);
    findings
}

fn lint_claim(
    declaration: &Declaration,
    name: &str,
    claim: &Claim,
    findings: &mut Vec<LintFinding>,
) {
    let before = findings.len();
    let mut domains = Domains::new(&declaration.metrics);
    let mut variables = Variables::default();
    let mut whole = Vec::new();
    for kill in &claim.kill {
        let formula = variables.of_condition(&kill.condition, &mut domains);
        let (claim, condition) = (name.to_owned(), kill.source.clone());
        match formula.possible(&variables.domains) {
            None => findings.push(LintFinding::TooComplex {
                place: format!("claim `{claim}`"),
            }),
            Some(Possible {
                can_hold: false, ..
            }) => {
                findings.push(LintFinding::NeverTrue { claim, condition });
            }
            Some(Possible {
                can_fail: false, ..
            }) => {
                findings.push(LintFinding::NeverFalse { claim, condition });
            }
            Some(_) => {}
        }
        whole.push(formula);
    }
    findings.extend(
        variables
            .metrics
            .keys()
            .filter(|metric| !domains.of_metric(metric).1)
            .map(|metric| LintFinding::NothingMeasured {
                claim: name.to_owned(),
                metric: (*metric).to_owned(),
            }),
    );
    if findings.len() > before {
        return;
    }
    let claim_name = || name.to_owned();
    let whole = Formula::Or(whole).possible(&variables.domains);
    if whole.is_some_and(|possible| !possible.can_fail) {
        findings.push(LintFinding::AlwaysKilled {
            claim: claim_name(),
        });
        return;
    }
    let killed = |values| {
        claim
            .kill
            .iter()
            .any(|kill| holds(&kill.condition, values) == Some(true))
    };
    if killed(&claim.expected) {
        findings.push(LintFinding::ExpectedIsKilled {
            claim: claim_name(),
        });
    }
    if !killed(&claim.rival) {
        findings.push(LintFinding::RivalSurvives {
            claim: claim_name(),
        });
    }
}

/// Whether a condition holds for known values; `None` where one is missing that matters.
fn holds(condition: &Condition, values: &BTreeMap<String, Quantity>) -> Option<bool> {
    match condition {
        Condition::Compare {
            metric,
            comparison: operator,
            threshold,
        } => {
            let value = values.get(metric)?.value();
            Some(comparison(*operator).holds(value, threshold.value()))
        }
        Condition::And(parts) => parts
            .iter()
            .try_fold(true, |all, part| Some(all & holds(part, values)?)),
        Condition::Or(parts) => parts
            .iter()
            .try_fold(false, |any, part| Some(any | holds(part, values)?)),
        Condition::Not(part) => holds(part, values).map(|holds| !holds),
    }
}

fn lint_gate(declaration: &Declaration, name: &str, gate: &Gate) -> Option<LintFinding> {
    let mut domains = Domains::new(&declaration.metrics);
    let mut variables = Variables::default();
    let formula = variables.of_predicate(&gate.predicate, &mut domains);
    let gate = name.to_owned();
    if !variables.measured {
        return Some(LintFinding::GateOnConstants { gate });
    }
    match formula.possible(&variables.domains) {
        None => Some(LintFinding::TooComplex {
            place: format!("gate `{gate}`"),
        }),
        Some(Possible {
            can_fail: false, ..
        }) => Some(LintFinding::GateNeverFails { gate }),
        Some(Possible {
            can_hold: false, ..
        }) => Some(LintFinding::GateNeverHolds { gate }),
        Some(_) => None,
    }
}

/// A gate must not decide the question that a claim asks.
fn lint_foregone(
    declaration: &Declaration,
    name: &str,
    gate: &Gate,
    findings: &mut Vec<LintFinding>,
) {
    let sessions = declaration.protocol.sessions;
    let fails = |values| Known { values, sessions }.holds(&gate.predicate) == Some(false);
    for (claim_name, claim) in &declaration.claims {
        let (gate, of_claim) = (name.to_owned(), claim_name.to_owned());
        if fails(&claim.expected) {
            findings.push(LintFinding::GateBarsExpected {
                gate,
                claim: of_claim,
            });
        } else if fails(&claim.rival) {
            findings.push(LintFinding::GateSparesRival {
                gate,
                claim: of_claim,
            });
        }
    }
}

/// Power says nothing more about a claim that was already found to be worthless.
fn lint_power(declaration: &Declaration, findings: &mut Vec<LintFinding>) {
    if !findings.is_empty() {
        return;
    }
    let table = match power(declaration) {
        Ok(table) => table,
        Err(problem) => return findings.push(problem.into()),
    };
    let sessions = table.sufficient_sessions;
    for (claim, power) in table.claims {
        let (falsified, pass) = (power.rival.falsified, power.expected.pass);
        if falsified < LEAST_FALSIFIED {
            let claim = claim.clone();
            findings.push(LintFinding::CannotLose {
                claim,
                probability: falsified,
                sessions,
            });
        }
        if pass < LEAST_PASS {
            findings.push(LintFinding::CannotWin {
                claim,
                probability: pass,
                sessions,
            });
        }
    }
}

/// The variables of a formula: metrics, numbers of a gate, and comparisons that are taken whole.
#[derive(Default)]
struct Variables<'a> {
    domains: Vec<Domain>,
    metrics: BTreeMap<&'a str, usize>,
    numbers: Vec<(&'a Number, usize)>,
    whole: Vec<(&'a Predicate, usize)>,
    measured: bool,
}

impl<'a> Variables<'a> {
    fn add(&mut self, domain: Domain) -> usize {
        self.domains.push(domain);
        self.domains.len() - 1
    }

    fn of_condition(&mut self, condition: &'a Condition, domains: &mut Domains<'a>) -> Formula {
        match condition {
            Condition::Compare {
                metric,
                comparison: operator,
                threshold,
            } => {
                let variable = match self.metrics.get(metric.as_str()) {
                    Some(variable) => *variable,
                    None => self.add(domains.of_metric(metric).0),
                };
                self.metrics.insert(metric, variable);
                let (comparison, threshold) = (comparison(*operator), threshold.value());
                Formula::Compare {
                    variable,
                    comparison,
                    threshold,
                }
            }
            Condition::And(parts) => Formula::And(
                parts
                    .iter()
                    .map(|part| self.of_condition(part, domains))
                    .collect(),
            ),
            Condition::Or(parts) => Formula::Or(
                parts
                    .iter()
                    .map(|part| self.of_condition(part, domains))
                    .collect(),
            ),
            Condition::Not(part) => Formula::Not(Box::new(self.of_condition(part, domains))),
        }
    }

    fn of_predicate(&mut self, predicate: &'a Predicate, domains: &mut Domains<'a>) -> Formula {
        match predicate {
            Predicate::Compare(operator, left, right) => {
                let operator = comparison(*operator);
                self.measured |= domains.is_measured(left) || domains.is_measured(right);
                match (literal(left), literal(right)) {
                    (Some(left), Some(right)) => Formula::Constant(operator.holds(left, right)),
                    (None, Some(threshold)) => self.compare(left, operator, threshold, domains),
                    (Some(threshold), None) => {
                        self.compare(right, operator.mirrored(), threshold, domains)
                    }
                    (None, None) if left == right => Formula::Constant(operator.holds(0.0, 0.0)),
                    (None, None) => self.taken_whole(predicate),
                }
            }
            Predicate::SameLogits(..) => {
                self.measured = true;
                self.taken_whole(predicate)
            }
            Predicate::And(parts) => Formula::And(
                parts
                    .iter()
                    .map(|part| self.of_predicate(part, domains))
                    .collect(),
            ),
            Predicate::Or(parts) => Formula::Or(
                parts
                    .iter()
                    .map(|part| self.of_predicate(part, domains))
                    .collect(),
            ),
            Predicate::Not(part) => Formula::Not(Box::new(self.of_predicate(part, domains))),
        }
    }

    fn compare(
        &mut self,
        number: &'a Number,
        comparison: prereg_stats::Comparison,
        threshold: f64,
        domains: &mut Domains<'a>,
    ) -> Formula {
        let known = self.numbers.iter().find(|(known, _)| *known == number);
        let variable = match known {
            Some((_, variable)) => *variable,
            None => self.add(domains.of(number)),
        };
        self.numbers.push((number, variable));
        Formula::Compare {
            variable,
            comparison,
            threshold,
        }
    }

    fn taken_whole(&mut self, predicate: &'a Predicate) -> Formula {
        let known = self.whole.iter().find(|(known, _)| *known == predicate);
        let variable = match known {
            Some((_, variable)) => *variable,
            None => self.add(Domain::Boolean),
        };
        self.whole.push((predicate, variable));
        Formula::boolean(variable)
    }
}

#[cfg(test)]
mod tests;
