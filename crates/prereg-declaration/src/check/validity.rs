//! Controls and calibrated ranges.

use std::collections::BTreeMap;

use super::claims::{Killed, metric_exists};
use super::names::Names;
use crate::command::{Command, has_placeholder};
use crate::declaration::{Arm, CalibratedRange, Control, Metric};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::expression::{Arithmetic, Column, Number};
use crate::parsed::{ParsedControl, ParsedRange};
use crate::refusal::unit_mismatch;
use crate::section::Key;

/// What a control is held against.
pub(super) struct Pairs<'a> {
    pub(super) metrics: &'a BTreeMap<String, Metric>,
    pub(super) arms: &'a BTreeMap<String, Arm>,
    /// Metrics that decide a claim.
    pub(super) decisive: &'a Killed,
    pub(super) command: Option<&'a Command>,
}

pub(super) fn controls(
    parsed: Vec<(Key, ParsedControl)>,
    names: &Names<'_>,
    pairs: &Pairs<'_>,
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
        if let Some(declared) = pairs.metrics.get(&metric.value)
            && let Err((message, help)) = pairs.check(declared)
        {
            let message = format!("`{}` {message}", metric.value);
            Diagnostic::new(Code::InvalidValue, metric.span.clone(), message)
                .help(help)
                .push(problems);
        }
        if let Some(within) = control.within {
            let metric = metric.value;
            controls.insert(key.name, Control { metric, within });
        }
    }
    controls
}

/// How a control is written.
const PAIR: &str = "write a quotient such as `median(step_time[one]) / median(step_time[other])`, of arms that are declared alike";

/// What is wrong, and what to do.
type Fault = (String, &'static str);

impl Pairs<'_> {
    /// Whether a metric is the quotient of one statistic over two arms that are declared alike, and that no program can
    /// tell apart, of a column that decides a claim.
    fn check(&self, metric: &Metric) -> Result<(), Fault> {
        let whole = inlined(&metric.expression, self.metrics);
        let Number::Binary(Arithmetic::Divide, left, right) = &whole else {
            let message = "is no quotient, and a control compares two arms";
            return Err((message.to_owned(), PAIR));
        };
        let (Some(over), Some(under)) = (only_column(left), only_column(right)) else {
            let message = "is not a statistic of one arm over that of another: with more in it, a difference could hide";
            return Err((message.to_owned(), PAIR));
        };
        let (Some(one), Some(other)) = (&over.arm, &under.arm) else {
            return Err((
                "does not read one arm on each side of the quotient".to_owned(),
                PAIR,
            ));
        };
        if one == other || renamed(left, other) != **right {
            return Err(("does not read the same of two arms".to_owned(), PAIR));
        }
        if self.arms.get(one) != self.arms.get(other) {
            let message = format!(
                "compares `{one}` and `{other}`, which are declared differently, so that a difference between them is no error of measurement"
            );
            return Err((
                message,
                "declare the control's second arm with the same values as the first",
            ));
        }
        if !self.decides(&over.name) {
            let message = format!("reads `{}`, which no kill condition does", over.name);
            return Err((message, "compare the arms in what decides a claim"));
        }
        let tells = |text: &String| has_placeholder(text, "arm");
        let told = self.command.is_some_and(|command| {
            command
                .words
                .iter()
                .chain(command.environment.values())
                .any(tells)
        });
        if told {
            let message = format!(
                "compares `{one}` and `{other}`, which the program can tell apart by `{{arm}}`"
            );
            return Err((
                message,
                "give the program what it needs by a value of the arms",
            ));
        }
        Ok(())
    }

    /// Whether a metric that decides a claim reads the column.
    fn decides(&self, column: &str) -> bool {
        let decisive = self
            .decisive
            .iter()
            .filter_map(|name| self.metrics.get(name));
        let mut whole = decisive.map(|metric| inlined(&metric.expression, self.metrics));
        whole.any(|number| reads(&number, column))
    }
}

/// The one column that a number is a statistic of, times constants.
fn only_column(number: &Number) -> Option<&Column> {
    match number {
        Number::OverSteps(_, column) => Some(column),
        Number::Binary(Arithmetic::Multiply | Arithmetic::Divide, left, right) => {
            match (only_column(left), only_column(right)) {
                (Some(column), None) if is_fixed(right) => Some(column),
                (None, Some(column)) if is_fixed(left) => Some(column),
                _ => None,
            }
        }
        _ => None,
    }
}

fn is_fixed(number: &Number) -> bool {
    match number {
        Number::Literal(_) | Number::Constant(_) => true,
        Number::Negate(part) => is_fixed(part),
        Number::Binary(_, left, right) => is_fixed(left) && is_fixed(right),
        Number::Metric(_) | Number::OverSteps(..) | Number::OverSessions(..) => false,
    }
}

fn reads(number: &Number, column: &str) -> bool {
    match number {
        Number::OverSteps(_, own) => own.name == column,
        Number::Negate(part) => reads(part, column),
        Number::Binary(_, left, right) => reads(left, column) || reads(right, column),
        Number::Literal(_) | Number::Constant(_) | Number::Metric(_) | Number::OverSessions(..) => {
            false
        }
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
