//! What the expressions of a declaration name: constants, which a lock resolves, and columns.

use std::collections::BTreeSet;

use crate::declaration::Declaration;
use crate::expression::{Column, ConstantName, Number, Predicate};

/// Every constant that a metric or a gate names.
#[must_use]
pub fn constants_used(declaration: &Declaration) -> BTreeSet<ConstantName> {
    let mut constants = BTreeSet::new();
    let mut add = |number: &Number| {
        if let Number::Constant(constant) = number {
            constants.insert(constant.clone());
        }
    };
    each_number(declaration, &mut add);
    constants
}

/// Every column within a session that a metric or a gate names.
#[must_use]
pub fn columns_used(declaration: &Declaration) -> BTreeSet<Column> {
    let mut columns = BTreeSet::new();
    let mut add = |number: &Number| {
        if let Number::OverSteps(_, column) = number {
            columns.insert(column.clone());
        }
    };
    each_number(declaration, &mut add);
    columns
}

/// Calls `visit` for every number of every metric and gate.
fn each_number(declaration: &Declaration, visit: &mut impl FnMut(&Number)) {
    for metric in declaration.metrics.values() {
        of_number(&metric.expression, visit);
    }
    for gate in declaration.gates.values() {
        of_predicate(&gate.predicate, visit);
    }
}

fn of_predicate(predicate: &Predicate, visit: &mut impl FnMut(&Number)) {
    match predicate {
        Predicate::Compare(_, left, right) => {
            of_number(left, visit);
            of_number(right, visit);
        }
        Predicate::SameLogits(..) | Predicate::SameOutput(..) | Predicate::FactIs(..) => {}
        Predicate::And(parts) | Predicate::Or(parts) => {
            for part in parts {
                of_predicate(part, visit);
            }
        }
        Predicate::Not(part) => of_predicate(part, visit),
    }
}

fn of_number(number: &Number, visit: &mut impl FnMut(&Number)) {
    visit(number);
    match number {
        Number::Negate(part) => of_number(part, visit),
        Number::Binary(_, left, right) => {
            of_number(left, visit);
            of_number(right, visit);
        }
        Number::Constant(_)
        | Number::Literal(_)
        | Number::Metric(_)
        | Number::OverSteps(..)
        | Number::OverSessions(..) => {}
    }
}
