//! From the tree that a text spells to a checked number: every name is looked up, every unit checked.
//!
//! A part that does not check yields nothing, after it has been reported, so that its neighbours are still checked.

mod condition;
mod predicate;
mod refusal;
mod statistic;

use std::ops::Range;

use prereg_units::Dimension;

use super::names::Names;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::expression::vocabulary::{self, CONSTANTS, EQUALITY_ONLY, Entry, FACT};
use crate::expression::{Arithmetic, ConstantName, Number};
use crate::language::{Kind, Name, Syntax};
use crate::refusal::not_yet;
use crate::suggestion::{self, listed};
use crate::text::Text;

/// Where an expression stands, which decides what it may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// A metric: one number a session.
    Metric,
    /// A gate that reads each session.
    EachSession,
    /// The same, with sessions excluded by it: must not be able to see the arms.
    Exclusion,
    /// A gate that reads all sessions together.
    AcrossSessions,
}

/// Checks one expression.
pub(super) struct Reader<'a> {
    pub(super) names: &'a Names<'a>,
    pub(super) text: &'a Text,
    pub(super) place: Place,
    pub(super) problems: &'a mut Diagnostics,
}

/// A checked number and its dimension.
pub(super) type Typed = (Number, Dimension);

impl Reader<'_> {
    pub(super) fn number(&mut self, syntax: &Syntax) -> Option<Typed> {
        match &syntax.kind {
            Kind::Literal(quantity) => Some((Number::Literal(*quantity), quantity.dimension())),
            Kind::Name(name) => self.name(name, &syntax.span),
            Kind::Indexed(name, arm) => self.indexed(name, arm, &syntax.span),
            Kind::Call(name, arguments) => self.statistic(name, arguments, &syntax.span),
            Kind::Negate(part) => {
                let (number, dimension) = self.number(part)?;
                Some((Number::Negate(Box::new(number)), dimension))
            }
            Kind::Arithmetic(operator, left, right) => {
                self.arithmetic(*operator, left, right, &syntax.span)
            }
            Kind::OnTarget(..) => {
                let help = "name the metric without a target; claims name targets in `on`";
                self.problems.push(not_yet(
                    self.text.at(&syntax.span),
                    "a metric on one target",
                    help,
                ));
                None
            }
            Kind::Not(_) | Kind::Compare(..) | Kind::Equal(..) | Kind::And(_) | Kind::Or(_) => {
                self.truth_as_a_number(syntax);
                None
            }
            Kind::Text(_) => {
                self.report(
                    Code::ExpressionType,
                    &syntax.span,
                    "this is text, and a number belongs here",
                )
                .help("text is compared with a fact only, as in `fact[version] == \"…\"`")
                .push(self.problems);
                None
            }
        }
    }

    fn name(&mut self, name: &str, span: &Range<usize>) -> Option<Typed> {
        if self.names.metrics.iter().any(|metric| metric == name) {
            return self.metric(name, span);
        }
        if let Some(entry) = find(&CONSTANTS, name) {
            if entry.by_arm {
                self.arm_is_missing(name, span);
                return None;
            }
            return self.constant(entry, None, span);
        }
        if let Some(column) = self.names.column(name) {
            self.column_without_statistic(column, name, name, span);
            return None;
        }
        if EQUALITY_ONLY.contains(&name) {
            self.equality_only(name, span);
            return None;
        }
        if vocabulary::statistic_names().any(|statistic| statistic == name) {
            self.report(
                Code::ExpressionSyntax,
                span,
                format!("the statistic `{name}` has nothing to reduce"),
            )
            .help(format!("write `{name}(…)`"))
            .push(self.problems);
            return None;
        }
        self.unknown_name(name, span);
        None
    }

    fn metric(&mut self, name: &str, span: &Range<usize>) -> Option<Typed> {
        if self.place == Place::AcrossSessions {
            self.report(
                Code::Scope,
                span,
                format!("`{name}` has one value a session, and this reads all sessions"),
            )
            .help(format!("reduce it, as in `median({name})`"))
            .push(self.problems);
            return None;
        }
        // A metric that did not check has been reported where it stands.
        let facts = *self.names.checked.get(name)?;
        if facts.sees_arms {
            self.refuse_arms(&format!("`{name}` depends on an arm"), span)?;
        }
        Some((Number::Metric(name.to_owned()), facts.dimension))
    }

    fn indexed(&mut self, name: &Name, arm: &Name, span: &Range<usize>) -> Option<Typed> {
        if name.text == FACT {
            self.equality_only(FACT, span);
            return None;
        }
        let arm = self.arm(arm);
        if let Some(entry) = find(&CONSTANTS, &name.text) {
            if !entry.by_arm {
                self.arm_is_superfluous(&name.text, span);
                return None;
            }
            return self.constant(entry, Some(arm?), span);
        }
        if let Some(column) = self.names.column(&name.text) {
            let written = match &arm {
                Some(arm) => format!("{}[{arm}]", name.text),
                None => name.text.clone(),
            };
            self.column_without_statistic(column, &name.text, &written, span);
        } else if EQUALITY_ONLY.contains(&name.text.as_str()) {
            self.equality_only(&name.text, span);
        } else if self.names.metrics.contains(&name.text) {
            self.report(
                Code::ExpressionType,
                span,
                format!("the metric `{}` is not by arm", name.text),
            )
            .help("write its name alone")
            .push(self.problems);
        } else {
            self.unknown_name(&name.text, &name.span);
        }
        None
    }

    /// The arm of this name, if there is one.
    pub(super) fn arm(&mut self, arm: &Name) -> Option<String> {
        // No arm at all has been reported.
        if self.names.arms.is_empty() || self.names.arms.contains(&arm.text) {
            return Some(arm.text.clone());
        }
        let arms = self.names.arms.iter().map(String::as_str);
        let problem = self
            .report(
                Code::UnknownName,
                &arm.span,
                format!("there is no arm `{}`", arm.text),
            )
            .maybe_help(suggestion::help(&arm.text, arms));
        self.problems.push(problem);
        None
    }

    fn constant(
        &mut self,
        entry: &Entry,
        arm: Option<String>,
        span: &Range<usize>,
    ) -> Option<Typed> {
        if arm.is_some() {
            self.refuse_arms(&format!("`{}` names an arm", entry.name), span)?;
        }
        let constant = ConstantName {
            name: entry.name.to_owned(),
            arm,
        };
        if !constant.is_of_target() && self.names.program.is_some() {
            self.report(
                Code::UnknownName,
                span,
                format!(
                    "`{}` is a constant of decode, and this workload is a command",
                    entry.name
                ),
            )
            .help("write the number with its unit")
            .push(self.problems);
            return None;
        }
        if constant.is_of_target() {
            let lacking = self.names.targets_without(entry.name);
            if !lacking.is_empty() {
                let message = format!("no `{}` is known of {}", entry.name, listed(&lacking));
                let key = entry.name.replace('_', "-");
                self.report(Code::MissingOnTarget, span, message)
                    .help(format!(
                        "give `{key}` in the targets file, or leave the target out"
                    ))
                    .push(self.problems);
                return None;
            }
        }
        Some((Number::Constant(constant), entry.dimension))
    }

    fn arithmetic(
        &mut self,
        operator: Arithmetic,
        left: &Syntax,
        right: &Syntax,
        span: &Range<usize>,
    ) -> Option<Typed> {
        let (left_number, right_number) = (self.number(left), self.number(right));
        if operator == Arithmetic::Divide
            && matches!(&right.kind, Kind::Literal(quantity) if quantity.value() == 0.0)
        {
            self.report(Code::InvalidValue, &right.span, "division by zero")
                .help("divide by something else")
                .push(self.problems);
            return None;
        }
        let ((left, left_dimension), (right, right_dimension)) = (left_number?, right_number?);
        let dimension = match operator {
            Arithmetic::Add | Arithmetic::Subtract => {
                self.same_dimension(left_dimension, right_dimension, span)?;
                Ok(left_dimension)
            }
            Arithmetic::Multiply => left_dimension.checked_mul(right_dimension),
            Arithmetic::Divide => left_dimension.checked_div(right_dimension),
        };
        match dimension {
            Ok(dimension) => Some((
                Number::Binary(operator, Box::new(left), Box::new(right)),
                dimension,
            )),
            Err(overflow) => {
                self.report(Code::UnitMismatch, span, overflow.to_string())
                    .push(self.problems);
                None
            }
        }
    }

    pub(super) fn report(
        &self,
        code: Code,
        span: &Range<usize>,
        message: impl Into<String>,
    ) -> Diagnostic {
        Diagnostic::new(code, self.text.at(span), message)
    }
}

/// The entry of this name.
pub(super) fn find<'e>(entries: &'e [Entry], name: &str) -> Option<&'e Entry> {
    entries.iter().find(|entry| entry.name == name)
}
