//! Controls and calibrated ranges.

use std::collections::BTreeMap;

use super::claims::metric_exists;
use super::names::Names;
use crate::declaration::{Arm, CalibratedRange, Control, Metric};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::expression::{Arithmetic, Number};
use crate::parsed::{ParsedControl, ParsedRange};
use crate::refusal::unit_mismatch;
use crate::section::Key;
use crate::text::Text;

pub(super) fn controls(
    parsed: Vec<(Key, ParsedControl)>,
    names: &Names<'_>,
    metrics: &BTreeMap<String, Metric>,
    arms: &BTreeMap<String, Arm>,
    problems: &mut Diagnostics,
) -> BTreeMap<String, Control> {
    let mut controls = BTreeMap::new();
    for (key, control) in parsed {
        let Some(metric) = control.metric else {
            continue;
        };
        let key_of_metric = Key {
            name: metric.value.clone(),
            span: metric.span.clone(),
        };
        if !metric_exists(&key_of_metric, names, problems) {
            continue;
        }
        if let Some(declared) = metrics.get(&metric.value) {
            check_pair(&metric, declared, metrics, arms, problems);
        }
        if let Some(within) = control.within {
            let metric = metric.value;
            controls.insert(key.name, Control { metric, within });
        }
    }
    controls
}

/// Reports a metric that is not a quotient of one expression over two arms that are declared alike.
fn check_pair(
    name: &Text,
    metric: &Metric,
    metrics: &BTreeMap<String, Metric>,
    arms: &BTreeMap<String, Arm>,
    problems: &mut Diagnostics,
) {
    let whole = inlined(&metric.expression, metrics);
    let problem = |message: String, help: &str| {
        Diagnostic::new(Code::InvalidValue, name.span.clone(), message).help(help)
    };
    let wanted = "write a quotient such as `median(step_time[one]) / median(step_time[other])`, of arms that are declared alike";
    let Number::Binary(Arithmetic::Divide, left, right) = &whole else {
        problems.push(problem(
            format!(
                "`{}` is no quotient, and a control compares two arms",
                name.value
            ),
            wanted,
        ));
        return;
    };
    let (mut over, mut under) = (Vec::new(), Vec::new());
    arms_of(left, &mut over);
    arms_of(right, &mut under);
    let (Some(over), Some(under)) = (only(&over), only(&under)) else {
        problems.push(problem(
            format!(
                "`{}` does not read one arm on each side of the quotient",
                name.value
            ),
            wanted,
        ));
        return;
    };
    if over == under || renamed(left, under) != **right {
        problems.push(problem(
            format!("`{}` does not read the same of two arms", name.value),
            wanted,
        ));
    } else if arms.get(over) != arms.get(under) {
        problems.push(problem(
            format!("the arms `{over}` and `{under}` are declared differently, so that a difference between them is no error of measurement"),
            "declare the control's second arm with the same values as the first",
        ));
    }
}

/// The expression with every metric in it replaced by its own expression.
fn inlined(number: &Number, metrics: &BTreeMap<String, Metric>) -> Number {
    match number {
        Number::Metric(name) => match metrics.get(name) {
            Some(metric) => inlined(&metric.expression, metrics),
            None => number.clone(),
        },
        Number::Negate(part) => Number::Negate(Box::new(inlined(part, metrics))),
        Number::Binary(operator, left, right) => Number::Binary(
            *operator,
            Box::new(inlined(left, metrics)),
            Box::new(inlined(right, metrics)),
        ),
        other => other.clone(),
    }
}

fn arms_of<'n>(number: &'n Number, arms: &mut Vec<&'n str>) {
    match number {
        Number::Constant(constant) => arms.extend(constant.arm.as_deref()),
        Number::OverSteps(_, column) => arms.extend(column.arm.as_deref()),
        Number::Negate(part) => arms_of(part, arms),
        Number::Binary(_, left, right) => {
            arms_of(left, arms);
            arms_of(right, arms);
        }
        Number::Literal(_) | Number::Metric(_) | Number::OverSessions(..) => {}
    }
}

fn only<'n>(arms: &[&'n str]) -> Option<&'n str> {
    let (first, others) = arms.split_first()?;
    others.iter().all(|arm| arm == first).then_some(*first)
}

/// The expression with `arm` in place of every arm.
fn renamed(number: &Number, arm: &str) -> Number {
    let mut number = number.clone();
    rename(&mut number, arm);
    number
}

fn rename(number: &mut Number, arm: &str) {
    let set = |own: &mut Option<String>| {
        if let Some(own) = own {
            arm.clone_into(own);
        }
    };
    match number {
        Number::Constant(constant) => set(&mut constant.arm),
        Number::OverSteps(_, column) => set(&mut column.arm),
        Number::Negate(part) => rename(part, arm),
        Number::Binary(_, left, right) => {
            rename(left, arm);
            rename(right, arm);
        }
        Number::Literal(_) | Number::Metric(_) | Number::OverSessions(..) => {}
    }
}

pub(super) fn ranges(
    parsed: Vec<(Key, ParsedRange)>,
    names: &Names<'_>,
    problems: &mut Diagnostics,
) -> BTreeMap<String, CalibratedRange> {
    let mut ranges = BTreeMap::new();
    for (key, range) in parsed {
        if !metric_exists(&key, names, problems) {
            continue;
        }
        let (Some((from, _)), Some((to, to_span))) = (&range.from, &range.to) else {
            continue;
        };
        let dimension = names.checked.get(&key.name).map(|facts| facts.dimension);
        for (end, span) in [&range.from, &range.to].into_iter().flatten() {
            if let Some(dimension) = dimension.filter(|wanted| *wanted != end.dimension()) {
                let what = format!("`{}`", key.name);
                problems.push(unit_mismatch(span.clone(), &what, *end, dimension));
            }
        }
        if from.dimension() == to.dimension() && from.value() >= to.value() {
            let message = format!("the range of `{}` holds no values", key.name);
            Diagnostic::new(Code::InvalidValue, to_span.clone(), message)
                .help("write an end above the beginning")
                .push(problems);
        }
        let (from, to) = (*from, *to);
        ranges.insert(key.name, CalibratedRange { from, to });
    }
    ranges
}
