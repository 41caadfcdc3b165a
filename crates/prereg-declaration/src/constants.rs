//! The constants that a declaration needs, which a lock resolves.

use std::collections::BTreeSet;

use crate::declaration::Declaration;
use crate::expression::{ConstantName, Number, Predicate};

/// Every constant that a metric or a gate names.
#[must_use]
pub fn constants_used(declaration: &Declaration) -> BTreeSet<ConstantName> {
    let mut constants = BTreeSet::new();
    for metric in declaration.metrics.values() {
        of_number(&metric.expression, &mut constants);
    }
    for gate in declaration.gates.values() {
        of_predicate(&gate.predicate, &mut constants);
    }
    constants
}

fn of_predicate(predicate: &Predicate, constants: &mut BTreeSet<ConstantName>) {
    match predicate {
        Predicate::Compare(_, left, right) => {
            of_number(left, constants);
            of_number(right, constants);
        }
        Predicate::SameLogits(..) => {}
        Predicate::And(parts) | Predicate::Or(parts) => {
            for part in parts {
                of_predicate(part, constants);
            }
        }
        Predicate::Not(part) => of_predicate(part, constants),
    }
}

fn of_number(number: &Number, constants: &mut BTreeSet<ConstantName>) {
    match number {
        Number::Constant(constant) => {
            constants.insert(constant.clone());
        }
        Number::Negate(part) => of_number(part, constants),
        Number::Binary(_, left, right) => {
            of_number(left, constants);
            of_number(right, constants);
        }
        Number::Literal(_)
        | Number::Metric(_)
        | Number::OverSteps(..)
        | Number::OverSessions(..) => {}
    }
}
