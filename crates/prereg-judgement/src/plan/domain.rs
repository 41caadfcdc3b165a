//! What values a number can take at all, from its form: enough to see that a step time is never
//! below zero.

use std::collections::BTreeMap;

use prereg_declaration::{Arithmetic, Column, ConstantName, Metric, Number, Statistic};

/// A set of reals that contains every value of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Domain {
    /// Above zero.
    Positive,
    /// Zero or above.
    NonNegative,
    /// Anything.
    Real,
    /// 1 for true and 0 for false.
    Boolean,
}

impl Domain {
    pub(super) fn contains(self, value: f64) -> bool {
        match self {
            Self::Positive => value > 0.0,
            Self::NonNegative => value >= 0.0,
            Self::Real => true,
            Self::Boolean => value == 0.0 || value == 1.0,
        }
    }

    fn is_non_negative(self) -> bool {
        self != Self::Real
    }
}

/// Domains of the numbers of a declaration; each metric is looked at once.
pub(super) struct Domains<'a> {
    metrics: &'a BTreeMap<String, Metric>,
    known: BTreeMap<&'a str, (Domain, bool)>,
}

impl<'a> Domains<'a> {
    pub(super) fn new(metrics: &'a BTreeMap<String, Metric>) -> Self {
        Self {
            metrics,
            known: BTreeMap::new(),
        }
    }

    pub(super) fn of(&mut self, number: &'a Number) -> Domain {
        self.look(number).0
    }

    /// Whether the number depends on anything measured.
    pub(super) fn is_measured(&mut self, number: &'a Number) -> bool {
        self.look(number).1
    }

    pub(super) fn of_metric(&mut self, name: &str) -> (Domain, bool) {
        let Some((name, metric)) = self.metrics.get_key_value(name) else {
            return (Domain::Real, true);
        };
        if let Some(known) = self.known.get(name.as_str()) {
            return *known;
        }
        let found = self.look(&metric.expression);
        self.known.insert(name, found);
        found
    }

    fn look(&mut self, number: &'a Number) -> (Domain, bool) {
        match number {
            Number::Literal(quantity) if quantity.value() > 0.0 => (Domain::Positive, false),
            Number::Literal(quantity) if quantity.value() == 0.0 => (Domain::NonNegative, false),
            Number::Literal(_) => (Domain::Real, false),
            Number::Constant(name) => (of_constant(name), false),
            Number::Metric(name) => self.of_metric(name),
            Number::OverSteps(statistic, column) => (
                of_statistic(*statistic, of_column(column), column.arm.is_some()),
                true,
            ),
            Number::OverSessions(statistic, metric) => (
                of_statistic(*statistic, self.of_metric(metric).0, false),
                true,
            ),
            Number::Negate(operand) => (Domain::Real, self.look(operand).1),
            Number::Binary(operator, left, right) => {
                let ((left, left_measured), (right, right_measured)) =
                    (self.look(left), self.look(right));
                (
                    combined(*operator, left, right),
                    left_measured || right_measured,
                )
            }
        }
    }
}

fn of_constant(name: &ConstantName) -> Domain {
    match name.name.as_str() {
        // An empty cache at context 0.
        "context" | "kv_bytes" => Domain::NonNegative,
        _ => Domain::Positive,
    }
}

fn of_column(column: &Column) -> Domain {
    match column.name.as_str() {
        "step_time" | "read_bandwidth" => Domain::Positive,
        _ => Domain::NonNegative,
    }
}

fn of_statistic(statistic: Statistic, values: Domain, never_empty: bool) -> Domain {
    match statistic {
        Statistic::Count if never_empty => Domain::Positive,
        Statistic::Sd | Statistic::Cv | Statistic::Count => Domain::NonNegative,
        _ => values,
    }
}

fn combined(operator: Arithmetic, left: Domain, right: Domain) -> Domain {
    if operator == Arithmetic::Subtract || !left.is_non_negative() || !right.is_non_negative() {
        return Domain::Real;
    }
    let both = left == Domain::Positive && right == Domain::Positive;
    let either = left == Domain::Positive || right == Domain::Positive;
    let positive = match operator {
        Arithmetic::Add => either,
        Arithmetic::Multiply | Arithmetic::Divide => both,
        Arithmetic::Subtract => false,
    };
    if positive {
        Domain::Positive
    } else {
        Domain::NonNegative
    }
}
