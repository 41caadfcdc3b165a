//! Calls: a statistic of a column within a session, or of a metric over the sessions.

use std::ops::Range;

use prereg_units::Dimension;

use super::{Place, Reader, Typed, find};
use crate::diagnostic::Code;
use crate::expression::vocabulary::{
    self, CONSTANTS, EQUALITY_ONLY, OWN_COLUMNS, QUANTILE, STATISTICS,
};
use crate::expression::{Column, Number, Statistic};
use crate::language::{Kind, Name, Syntax};
use crate::refusal::not_yet;
use crate::suggestion::{self, listed};

/// Statistics of a metric over the sessions.
const OVER_SESSIONS: [&str; 6] = ["count", "cv", "max", "median", "min", "sd"];

/// Fewest steps of a slot whose first and last third have a median each: two steps in a third.
const THIRDS: u32 = 6;

/// Observations that must lie beyond a quantile.
const BEYOND: f64 = 10.0;

impl Reader<'_> {
    pub(super) fn statistic(
        &mut self,
        name: &Name,
        arguments: &[Syntax],
        span: &Range<usize>,
    ) -> Option<Typed> {
        if name.text == "decreasing" {
            let help = "compare two metrics by their quotient";
            self.problems
                .push(not_yet(self.text.at(span), "`decreasing`", help));
            return None;
        }
        let of = arguments.first()?;
        let statistic = self.statistic_named(name, arguments)?;
        if self.place == Place::AcrossSessions {
            return self.over_sessions(name, statistic, of);
        }
        let (column, dimension) = self.column(&name.text, of)?;
        match statistic {
            Statistic::Quantile(p) => self.supported(p, &column, span)?,
            Statistic::Unsteadiness => self.has_thirds(&column, span)?,
            Statistic::Updates | Statistic::UpdateRate => {
                self.is_telemetry(&name.text, &column, span)?;
                self.is_followed(&name.text, &column, span)?;
            }
            Statistic::Coverage => self.is_telemetry(&name.text, &column, span)?,
            _ => {}
        }
        Some((
            Number::OverSteps(statistic, column),
            statistic.dimension(dimension),
        ))
    }

    fn statistic_named(&mut self, name: &Name, arguments: &[Syntax]) -> Option<Statistic> {
        let statistic = STATISTICS
            .iter()
            .find(|(known, _)| *known == name.text)
            .map(|(_, statistic)| *statistic);
        match (statistic, arguments) {
            (Some(statistic), [_]) => Some(statistic),
            (Some(_), [_, second, ..]) => {
                self.report(
                    Code::ExpressionSyntax,
                    &second.span,
                    format!("`{}` takes one argument", name.text),
                )
                .help("remove this one")
                .push(self.problems);
                None
            }
            (None, [_, p]) if name.text == QUANTILE => self.probability(p).map(Statistic::Quantile),
            (None, _) if name.text == QUANTILE => {
                self.report(
                    Code::ExpressionSyntax,
                    &name.span,
                    "`quantile` takes a column and a number",
                )
                .help("write it as in `quantile(step_time[arm], 0.9)`")
                .push(self.problems);
                None
            }
            _ => {
                let known = vocabulary::statistic_names();
                let help = suggestion::help(&name.text, known);
                let problem = self
                    .report(
                        Code::UnknownName,
                        &name.span,
                        format!("there is no statistic `{}`", name.text),
                    )
                    .maybe_help(help);
                self.problems.push(problem);
                None
            }
        }
    }

    fn probability(&mut self, syntax: &Syntax) -> Option<f64> {
        if let Kind::Literal(p) = &syntax.kind
            && p.dimension().is_none()
            && p.value() > 0.0
            && p.value() < 1.0
        {
            return Some(p.value());
        }
        self.report(
            Code::InvalidValue,
            &syntax.span,
            "this is not the p of a quantile",
        )
        .help("write a number above 0 and below 1")
        .push(self.problems);
        None
    }

    /// A column of numbers within a session, and their dimension.
    fn column(&mut self, statistic: &str, syntax: &Syntax) -> Option<(Column, Dimension)> {
        let (name, arm) = match &syntax.kind {
            Kind::Name(name) => (name, None),
            Kind::Indexed(name, arm) => (&name.text, Some(arm)),
            _ => {
                self.not_a_column(statistic, syntax);
                return None;
            }
        };
        let Some(facts) = self.names.column(name) else {
            self.not_a_column(statistic, syntax);
            return None;
        };
        let column = |arm| Column {
            name: name.to_owned(),
            arm,
            dimension: facts.dimension,
        };
        match (facts.by_arm, arm) {
            (true, None) => self.arm_is_missing(name, &syntax.span),
            (false, Some(_)) => self.arm_is_superfluous(name, &syntax.span),
            (true, Some(arm)) => {
                let arm = self.arm(arm)?;
                self.refuse_arms(&format!("`{name}` is read by arm"), &syntax.span)?;
                return Some((column(Some(arm)), facts.dimension));
            }
            (false, None) => {
                self.device_gives(name, &syntax.span)?;
                if self.names.is_said_by_program(name) {
                    self.refuse_arms(&format!("`{name}` is what the program says"), &syntax.span)?;
                }
                return Some((column(None), facts.dimension));
            }
        }
        None
    }

    fn not_a_column(&mut self, statistic: &str, syntax: &Syntax) {
        let metric = match &syntax.kind {
            Kind::Name(name) if self.names.metrics.contains(name) => Some(name),
            _ => None,
        };
        let problem = if let Some(metric) = metric {
            self.report(
                Code::Scope,
                &syntax.span,
                format!("`{metric}` has one value a session"),
            )
            .help("a statistic over the sessions stands in a gate with `across-sessions`")
        } else {
            match &syntax.kind {
                Kind::Call(..) => self
                    .report(Code::Scope, &syntax.span, "a statistic of a statistic")
                    .help("a session is reduced once; a statistic over the sessions stands in a gate with `across-sessions`"),
                Kind::Name(name) | Kind::Indexed(Name { text: name, .. }, _)
                    if EQUALITY_ONLY.contains(&name.as_str()) =>
                {
                    self.equality_only(name, &syntax.span);
                    return;
                }
                Kind::Name(name) | Kind::Indexed(Name { text: name, .. }, _) => {
                    self.no_such_column(name, syntax)
                }
                _ => self
                    .report(Code::Scope, &syntax.span, format!("`{statistic}` reduces one column, not an expression"))
                    .help("reduce each column on its own, then calculate"),
            }
        };
        self.problems.push(problem);
    }

    fn no_such_column(&self, name: &str, syntax: &Syntax) -> crate::diagnostic::Diagnostic {
        if find(&CONSTANTS, name).is_some() {
            return self
                .report(Code::Scope, &syntax.span, format!("`{name}` is a constant"))
                .help("write it without a statistic");
        }
        let columns = self.names.columns();
        self.report(
            Code::UnknownName,
            &syntax.span,
            format!("there is no column `{name}`"),
        )
        .maybe_help(suggestion::help(name, columns))
    }

    fn over_sessions(&mut self, name: &Name, statistic: Statistic, of: &Syntax) -> Option<Typed> {
        if !OVER_SESSIONS.contains(&name.text.as_str()) {
            self.report(
                Code::Scope,
                &name.span,
                format!("`{}` is not taken over the sessions", name.text),
            )
            .help(format!(
                "over the sessions there is {}",
                listed(&OVER_SESSIONS)
            ))
            .push(self.problems);
            return None;
        }
        let Kind::Name(metric) = &of.kind else {
            self.not_a_metric(of);
            return None;
        };
        if !self.names.metrics.contains(metric) {
            self.not_a_metric(of);
            return None;
        }
        let facts = self.names.checked.get(metric)?;
        Some((
            Number::OverSessions(statistic, metric.clone()),
            statistic.dimension(facts.dimension),
        ))
    }

    fn not_a_metric(&mut self, syntax: &Syntax) {
        let unknown = match &syntax.kind {
            Kind::Name(name) => {
                self.names.column(name).is_none() && find(&CONSTANTS, name).is_none()
            }
            _ => false,
        };
        let problem = match &syntax.kind {
            Kind::Name(name) if unknown => self
                .report(
                    Code::UnknownName,
                    &syntax.span,
                    format!("there is no metric `{name}`"),
                )
                .maybe_help(suggestion::help(
                    name,
                    self.names.metrics.iter().map(String::as_str),
                )),
            _ => self
                .report(
                    Code::Scope,
                    &syntax.span,
                    "a statistic over the sessions takes a metric",
                )
                .help("give this a name in `[metrics]`, and name it here"),
        };
        self.problems.push(problem);
    }

    /// Reports a quantile beyond which too few of a slot's steps lie.
    fn supported(&mut self, p: f64, column: &Column, span: &Range<usize>) -> Option<()> {
        if column.arm.is_none() {
            let message = format!(
                "the number of values of `{}` in a session is not known beforehand",
                column.name
            );
            self.report(Code::Quantile, span, message)
                .help("take the `median`, `min` or `max`")
                .push(self.problems);
            return None;
        }
        let steps = self.names.slot_steps?;
        let tail = p.min(1.0 - p);
        // 1 − 0.9 is a hair below 0.1: without the tolerance 100 steps would not support their own 0.9 quantile.
        if f64::from(steps) * tail >= BEYOND - 1e-9 {
            return Some(());
        }
        let needed = 2.0 * (BEYOND / tail - 1e-9).ceil();
        self.report(Code::Quantile, span, format!("{steps} steps a slot do not support the {p} quantile"))
            .help(format!("10 steps must lie beyond it: take `measured-steps = {needed}`, or a quantile nearer to 0.5"))
            .push(self.problems);
        None
    }

    /// Reports a statistic of readings, of something that is no reading.
    fn is_telemetry(
        &mut self,
        statistic: &str,
        column: &Column,
        span: &Range<usize>,
    ) -> Option<()> {
        if column.arm.is_none() {
            return Some(());
        }
        let message = format!(
            "`{statistic}` is of readings beside the steps, and `{}` is of the steps",
            column.name
        );
        self.report(Code::Scope, span, message)
            .help("name a column without arm, as in `coverage(steal)`")
            .push(self.problems);
        None
    }

    /// Reports a question about a program's meter that nobody has followed before the run: that it is too slow would show
    /// only after the data is in.
    fn is_followed(&mut self, statistic: &str, column: &Column, span: &Range<usize>) -> Option<()> {
        let program = self.names.program.as_ref();
        let is_own = OWN_COLUMNS.contains(&column.name.as_str());
        if is_own || program.is_none_or(|program| program.is_probed) {
            return Some(());
        }
        let message = format!(
            "`{statistic}` asks how often `{}` changes, and no probe tells before the run",
            column.name
        );
        self.report(Code::MissingKey, span, message)
            .help("add `probe = [\"my-program\", \"--probe\"]` to `[workload]`: a command that prints the meter's readings for a while")
            .push(self.problems);
        None
    }

    /// Reports an unsteadiness of something else than step times or bandwidth, or of too few steps.
    fn has_thirds(&mut self, column: &Column, span: &Range<usize>) -> Option<()> {
        if column.name == "read_bandwidth" {
            return Some(());
        }
        let Some(arm) = column.arm.as_ref().filter(|_| column.name == "step_time") else {
            let arm = self.names.arms.first().map_or("arm", String::as_str);
            let message = format!(
                "`unsteadiness` is of the step times of an arm, not of `{}`",
                column.name
            );
            self.report(Code::Scope, span, message)
                .help(format!("write `unsteadiness(step_time[{arm}])`"))
                .push(self.problems);
            return None;
        };
        let steps = self.names.slot_steps?;
        if steps >= THIRDS {
            return Some(());
        }
        let message = format!("{steps} steps a slot do not show whether `{arm}` is steady");
        self.report(Code::TooFewSteps, span, message)
            .help(format!(
                "each third of a slot needs 2 steps: take `measured-steps = {}` or more",
                2 * THIRDS
            ))
            .push(self.problems);
        None
    }
}
