//! Numbers of a declaration in one form, and the values that they can take.
//!
//! What the protocol fixes is known: steps a slot, one token a step of decode; a program may report
//! fewer of a column. What one column gives by
//! several statistics is ordered: min ≤ median ≤ max. A value outside the range of a number cannot
//! occur; a value inside need not.

mod order;

use std::collections::BTreeMap;

use prereg_declaration::{
    Arithmetic, Column, Command, ConstantName, Declaration, Number, Statistic,
};

use super::range::Range;
use super::terms::Terms;

/// Columns that are read once a slot, over the whole of it, so that no slot has two readings.
const ONCE_A_SLOT: [&str; 4] = ["context_switches", "cpu_pressure", "foreign_load", "steal"];

/// A part that data or the lock decides.
#[derive(Clone, Debug, PartialEq)]
enum Atom {
    Constant(ConstantName),
    OverSteps(Statistic, Column),
    OverSessions(Statistic, String),
    /// A sum that is divided by, or that is too long to multiply out.
    Whole(Terms),
    /// Out of the reach of arithmetic; each is one of its own.
    Unknown,
}

/// The numbers of a declaration; each metric is looked at once.
pub(super) struct Numbers<'a> {
    declaration: &'a Declaration,
    /// Sessions that must have a number for a metric to decide anything.
    least_sessions: BTreeMap<&'a str, usize>,
    atoms: Vec<(Atom, Range)>,
    metrics: BTreeMap<&'a str, Terms>,
}

impl<'a> Numbers<'a> {
    /// `least_sessions`: for each claimed metric, how many sessions must have a number before any
    /// claim on it can be decided.
    pub(super) fn new(
        declaration: &'a Declaration,
        least_sessions: BTreeMap<&'a str, usize>,
    ) -> Self {
        Self {
            declaration,
            least_sessions,
            atoms: Vec::new(),
            metrics: BTreeMap::new(),
        }
    }

    /// The number in its one form.
    pub(super) fn terms(&mut self, number: &Number) -> Terms {
        match number {
            Number::Literal(quantity) => Terms::literal(quantity.value()),
            Number::Constant(name) => self.atom(Atom::Constant(name.clone())),
            Number::Metric(name) => self.metric(name),
            Number::OverSteps(statistic, column) => self.over_steps(usual(*statistic), column),
            Number::OverSessions(statistic, metric) => {
                self.atom(Atom::OverSessions(usual(*statistic), metric.clone()))
            }
            Number::Negate(operand) => {
                let terms = self.terms(operand);
                self.or_unknown(terms.times_literal(-1.0))
            }
            Number::Binary(operator, left, right) => {
                let (left, right) = (self.terms(left), self.terms(right));
                self.combined(*operator, &left, &right)
            }
        }
    }

    pub(super) fn metric(&mut self, name: &str) -> Terms {
        if let Some(known) = self.metrics.get(name) {
            return known.clone();
        }
        let Some((name, metric)) = self.declaration.metrics.get_key_value(name) else {
            return self.atom(Atom::Unknown);
        };
        let terms = self.terms(&metric.expression);
        self.metrics.insert(name, terms.clone());
        terms
    }

    /// `left - right`.
    pub(super) fn difference(&mut self, left: &Number, right: &Number) -> Terms {
        let (left, right) = (self.terms(left), self.terms(right));
        self.combined(Arithmetic::Subtract, &left, &right)
    }

    fn combined(&mut self, operator: Arithmetic, left: &Terms, right: &Terms) -> Terms {
        let sum = match operator {
            Arithmetic::Add => left.plus(right),
            Arithmetic::Subtract => right
                .times_literal(-1.0)
                .and_then(|right| left.plus(&right)),
            Arithmetic::Multiply => return self.product(left, right),
            Arithmetic::Divide => {
                if let Some(factor) = left.multiple_of(right) {
                    return Terms::literal(factor);
                }
                let inverse = match right.reciprocal() {
                    Some(inverse) => Some(inverse),
                    None => self.whole(right).reciprocal(),
                };
                let inverse = self.or_unknown(inverse);
                return self.product(left, &inverse);
            }
        };
        self.or_unknown(sum)
    }

    fn product(&mut self, left: &Terms, right: &Terms) -> Terms {
        let product = left.times(right).or_else(|| {
            let (left, right) = (self.whole(left), self.whole(right));
            left.times(&right)
        });
        self.or_unknown(product)
    }

    fn whole(&mut self, terms: &Terms) -> Terms {
        if terms.iter().len() == 1 {
            terms.clone()
        } else {
            self.atom(Atom::Whole(terms.clone()))
        }
    }

    fn or_unknown(&mut self, terms: Option<Terms>) -> Terms {
        terms.unwrap_or_else(|| self.atom(Atom::Unknown))
    }

    fn over_steps(&mut self, statistic: Statistic, column: &Column) -> Terms {
        if statistic == Statistic::Sum && column.arm.is_some() && self.program().is_none() {
            let mean = self.atom(Atom::OverSteps(Statistic::Mean, column.clone()));
            let sum = mean.times_literal(self.steps_per_slot());
            return self.or_unknown(sum);
        }
        self.atom(Atom::OverSteps(statistic, column.clone()))
    }

    /// An atom of which only one value is possible is that value.
    fn atom(&mut self, atom: Atom) -> Terms {
        let known = self.atoms.iter().position(|(known, _)| *known == atom);
        if let (Some(known), false) = (known, atom == Atom::Unknown) {
            return Terms::atom(known);
        }
        let range = self.range_of_atom(&atom);
        if let Some(value) = range.single() {
            return Terms::literal(value);
        }
        self.atoms.push((atom, range));
        Terms::atom(self.atoms.len() - 1)
    }

    fn range_of_atom(&mut self, atom: &Atom) -> Range {
        match atom {
            // An empty cache at context 0.
            Atom::Constant(name) if matches!(name.name.as_str(), "context" | "kv_bytes") => {
                Range::NON_NEGATIVE
            }
            Atom::Constant(_) => Range::POSITIVE,
            Atom::OverSteps(statistic, column) => {
                let steps = self.steps_per_slot();
                let values = self.of_column(&column.name);
                match statistic {
                    // sd² of n values that are not negative is at most n times the square of their mean.
                    Statistic::Cv if column.arm.is_some() && values.is_non_negative() => {
                        Range::between(0.0, libm::sqrt(steps))
                    }
                    Statistic::Updates | Statistic::UpdateRate
                        if ONCE_A_SLOT.contains(&column.name.as_str()) =>
                    {
                        Range::exactly(0.0)
                    }
                    _ => of_statistic(*statistic, values, self.values_a_slot(column)),
                }
            }
            Atom::OverSessions(statistic, metric) => {
                let values = self.metric(metric);
                let values = self.range(&values);
                let planned = f64::from(self.declaration.protocol.sessions);
                let least = self.least_sessions.get(metric.as_str());
                let least = least.map_or(0.0, |least| *least as f64).min(planned);
                of_statistic(*statistic, values, Range::between(least, planned))
            }
            Atom::Whole(terms) => self.range(terms),
            Atom::Unknown => Range::REAL,
        }
    }

    fn of_column(&self, name: &str) -> Range {
        match name {
            // The decode workload produces one token a step.
            "tokens" if self.program().is_none() => Range::exactly(1.0),
            // A session that runs past its time-out is missing, so no step takes as long.
            "step_time" => Range::POSITIVE.and(Range::between(
                0.0,
                self.declaration.protocol.timeout.as_secs_f64(),
            )),
            "read_bandwidth" | "last_level_cache" | "temperature" => Range::POSITIVE,
            // Shares of time.
            "steal" | "cpu_pressure" => Range::between(0.0, 1.0),
            // What a program reports of its steps under a name of its own may be any number.
            name if self.program().is_some_and(|p| p.columns.contains_key(name)) => Range::REAL,
            _ => Range::NON_NEGATIVE,
        }
    }

    /// How many values of a column one slot has, or a session for a column without arm.
    fn values_a_slot(&self, column: &Column) -> Range {
        let steps = self.steps_per_slot();
        match (&column.arm, self.program()) {
            (None, _) => Range::NON_NEGATIVE,
            (Some(_), None) => Range::exactly(steps),
            (Some(_), Some(_)) => Range::between(0.0, steps),
        }
    }

    fn program(&self) -> Option<&'a Command> {
        self.declaration.workload.command()
    }

    fn steps_per_slot(&self) -> f64 {
        f64::from(self.declaration.protocol.measured_steps / 2)
    }
}

/// Statistics that are the same under two names under one of them.
fn usual(statistic: Statistic) -> Statistic {
    match statistic {
        Statistic::Quantile(0.0) => Statistic::Min,
        Statistic::Quantile(0.5) => Statistic::Median,
        Statistic::Quantile(1.0) => Statistic::Max,
        statistic => statistic,
    }
}

fn of_statistic(statistic: Statistic, values: Range, count: Range) -> Range {
    match statistic {
        Statistic::Count => count,
        Statistic::Coverage => Range::between(0.0, 1.0),
        Statistic::Sum => values.times(count),
        Statistic::Median
        | Statistic::Mean
        | Statistic::Min
        | Statistic::Max
        | Statistic::Quantile(_) => values,
        // Spreads, and what is counted of a meter's updates.
        _ => Range::NON_NEGATIVE,
    }
}

#[cfg(test)]
mod tests;
