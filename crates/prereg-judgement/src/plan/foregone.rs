//! What gates say where the values of a claim are known: a gate that fails at the rival values turns
//! every falsification into an abstention, and one that fails at the expected values every pass.
//!
//! Three-valued: what the values do not determine is unknown, and unknown is no finding.

use std::collections::BTreeMap;

use prereg_declaration::{Arithmetic, Number, Predicate, Statistic};
use prereg_units::Quantity;

use crate::claim::comparison;

/// The value of a metric in every session of a plan.
pub(super) struct Known<'a> {
    pub(super) values: &'a BTreeMap<String, Quantity>,
    pub(super) sessions: u32,
}

impl Known<'_> {
    /// Whether the predicate holds; `None` where the values do not tell.
    pub(super) fn holds(&self, predicate: &Predicate) -> Option<bool> {
        match predicate {
            Predicate::Compare(operator, left, right) => {
                let (left, right) = (self.number(left)?, self.number(right)?);
                Some(comparison(*operator).holds(left, right))
            }
            Predicate::SameLogits(..) | Predicate::SameOutput(..) | Predicate::FactIs(..) => None,
            Predicate::And(parts) => self.any(parts, false),
            Predicate::Or(parts) => self.any(parts, true),
            Predicate::Not(part) => self.holds(part).map(|holds| !holds),
        }
    }

    /// `wanted` where any part is that, its opposite where all parts are that.
    fn any(&self, parts: &[Predicate], wanted: bool) -> Option<bool> {
        let mut unknown = false;
        for part in parts {
            match self.holds(part) {
                Some(holds) if holds == wanted => return Some(wanted),
                Some(_) => {}
                None => unknown = true,
            }
        }
        (!unknown).then_some(!wanted)
    }

    fn number(&self, number: &Number) -> Option<f64> {
        let value = |metric: &String| Some(self.values.get(metric)?.value());
        match number {
            Number::Metric(metric)
            | Number::OverSessions(Statistic::Median | Statistic::Min | Statistic::Max, metric) => {
                value(metric)
            }
            Number::OverSessions(Statistic::Count, _) => Some(f64::from(self.sessions)),
            Number::Constant(_) | Number::OverSteps(..) | Number::OverSessions(..) => None,
            Number::Literal(quantity) => Some(quantity.value()),
            Number::Negate(operand) => Some(-self.number(operand)?),
            Number::Binary(operator, left, right) => {
                let (left, right) = (self.number(left)?, self.number(right)?);
                Some(match operator {
                    Arithmetic::Add => left + right,
                    Arithmetic::Subtract => left - right,
                    Arithmetic::Multiply => left * right,
                    Arithmetic::Divide => left / right,
                })
            }
        }
    }
}
