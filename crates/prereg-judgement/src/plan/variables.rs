//! Conditions and predicates as formulas over numbers in their one form.

use std::collections::BTreeMap;

use prereg_declaration::{Condition, Declaration, Number, Predicate};
use prereg_stats::Comparison;

use super::formula::Formula;
use super::numbers::Numbers;
use super::range::Range;
use super::terms::{Monomial, Terms, inverse, multiplied};
use crate::claim::comparison;

/// The variables that formulas have in common: numbers, pairs of arms whose logits or outputs are
/// compared, and answers to facts.
pub(super) struct Variables<'a> {
    numbers: Numbers<'a>,
    ranges: Vec<Range>,
    known: Vec<(Terms, usize)>,
    /// Those that nothing else determines, by what they say.
    free: BTreeMap<String, usize>,
    facts: BTreeMap<String, Fact>,
}

/// The answer to a fact as a number: the place of its text among those that predicates name, and any
/// other number for any other text.
struct Fact {
    texts: Vec<String>,
    variable: usize,
}

impl<'a> Variables<'a> {
    pub(super) fn new(
        declaration: &'a Declaration,
        least_sessions: BTreeMap<&'a str, usize>,
    ) -> Self {
        Self {
            numbers: Numbers::new(declaration, least_sessions),
            ranges: Vec::new(),
            known: Vec::new(),
            free: BTreeMap::new(),
            facts: BTreeMap::new(),
        }
    }

    /// What each variable can be.
    pub(super) fn ranges(&self) -> &[Range] {
        &self.ranges
    }

    /// What a number can be.
    pub(super) fn range(&mut self, number: &Number) -> Range {
        let terms = self.numbers.terms(number);
        self.numbers.range(&terms)
    }

    pub(super) fn condition(&mut self, condition: &Condition) -> Formula {
        match condition {
            Condition::Compare {
                metric,
                comparison: operator,
                threshold,
            } => {
                let threshold = Number::Literal(*threshold);
                let metric = Number::Metric(metric.clone());
                self.compare(comparison(*operator), &metric, &threshold)
            }
            Condition::And(parts) => {
                Formula::And(parts.iter().map(|part| self.condition(part)).collect())
            }
            Condition::Or(parts) => {
                Formula::Or(parts.iter().map(|part| self.condition(part)).collect())
            }
            Condition::Not(part) => Formula::Not(Box::new(self.condition(part))),
        }
    }

    pub(super) fn predicate(&mut self, predicate: &Predicate) -> Formula {
        match predicate {
            Predicate::Compare(operator, left, right) => {
                self.compare(comparison(*operator), left, right)
            }
            Predicate::SameLogits(left, right) | Predicate::SameOutput(left, right) => {
                let mut arms = [left, right];
                arms.sort();
                self.boolean(format!("{} == {}", arms[0], arms[1]))
            }
            Predicate::FactIs(fact, text) => self.fact_is(fact, text),
            Predicate::And(parts) => {
                Formula::And(parts.iter().map(|part| self.predicate(part)).collect())
            }
            Predicate::Or(parts) => {
                Formula::Or(parts.iter().map(|part| self.predicate(part)).collect())
            }
            Predicate::Not(part) => Formula::Not(Box::new(self.predicate(part))),
        }
    }

    /// What can be true or false whatever else is, by what it says.
    fn boolean(&mut self, what: String) -> Formula {
        let variable = if let Some(variable) = self.free.get(&what) {
            *variable
        } else {
            let variable = self.add(Range::BOOLEAN);
            self.free.insert(what, variable);
            variable
        };
        Formula::boolean(variable)
    }

    fn fact_is(&mut self, fact: &str, text: &str) -> Formula {
        let free = self.ranges.len();
        let fact = self.facts.entry(fact.to_owned()).or_insert(Fact {
            texts: Vec::new(),
            variable: free,
        });
        if fact.variable == free {
            self.ranges.push(Range::REAL);
        }
        let known = fact.texts.iter().position(|known| known == text);
        let place = known.unwrap_or_else(|| {
            fact.texts.push(text.to_owned());
            fact.texts.len() - 1
        });
        let at = |comparison| Formula::Compare {
            variable: fact.variable,
            comparison,
            threshold: place as f64,
        };
        Formula::And(vec![
            at(Comparison::GreaterOrEqual),
            at(Comparison::LessOrEqual),
        ])
    }

    /// `left op right` as one number against a constant, alike for every way of writing it.
    fn compare(&mut self, operator: Comparison, left: &Number, right: &Number) -> Formula {
        let difference = self.numbers.difference(left, right);
        if let Some(value) = difference.constant() {
            return Formula::Constant(operator.holds(value, 0.0));
        }
        match self.as_ratio(&difference) {
            Some((ratio, coefficient, constant)) => {
                self.of_ratio(operator, ratio, -constant / coefficient, coefficient < 0.0)
            }
            None => self.of_sum(operator, &difference),
        }
    }

    /// Two terms of which one is positive as `(M, a, b)`, where their sum has the sign of a·M + b.
    fn as_ratio(&self, difference: &Terms) -> Option<(Monomial, f64, f64)> {
        let terms: Vec<(&Monomial, f64)> = difference.iter().collect();
        match terms[..] {
            [(monomial, coefficient)] => Some((monomial.clone(), coefficient, 0.0)),
            [first, second] if self.numbers.is_positive(first.0) => {
                Some((multiplied(second.0, &inverse(first.0))?, second.1, first.1))
            }
            [first, second] if self.numbers.is_positive(second.0) => {
                Some((multiplied(first.0, &inverse(second.0))?, first.1, second.1))
            }
            _ => None,
        }
    }

    /// `ratio op threshold`, or the mirrored comparison.
    fn of_ratio(
        &mut self,
        operator: Comparison,
        ratio: Monomial,
        threshold: f64,
        mirrored: bool,
    ) -> Formula {
        let operator = if mirrored {
            operator.mirrored()
        } else {
            operator
        };
        let is_inverted = ratio.values().next().is_some_and(|exponent| *exponent < 0);
        if is_inverted && threshold > 0.0 && self.numbers.is_positive(&ratio) {
            let ratio = Terms::monomial(inverse(&ratio));
            return self.variable_against(ratio, operator.mirrored(), 1.0 / threshold);
        }
        self.variable_against(Terms::monomial(ratio), operator, threshold)
    }

    fn of_sum(&mut self, operator: Comparison, difference: &Terms) -> Formula {
        let (rest, constant) = difference.split();
        let leading = rest
            .iter()
            .next()
            .map_or(1.0, |(_, coefficient)| coefficient);
        let Some(terms) = rest.times_literal(1.0 / leading) else {
            return self.variable_against(rest, operator, -constant);
        };
        let operator = if leading < 0.0 {
            operator.mirrored()
        } else {
            operator
        };
        self.variable_against(terms, operator, -constant / leading)
    }

    fn variable_against(
        &mut self,
        terms: Terms,
        comparison: Comparison,
        threshold: f64,
    ) -> Formula {
        let known = self.known.iter().find(|(known, _)| *known == terms);
        let variable = if let Some((_, variable)) = known {
            *variable
        } else {
            let variable = self.add(self.numbers.range(&terms));
            self.known.push((terms, variable));
            variable
        };
        Formula::Compare {
            variable,
            comparison,
            threshold,
        }
    }

    fn add(&mut self, range: Range) -> usize {
        self.ranges.push(range);
        self.ranges.len() - 1
    }
}
