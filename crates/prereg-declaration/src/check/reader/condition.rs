//! Kill conditions: comparisons of a metric with a constant on the right, joined by and, or, not.

use prereg_units::Quantity;

use super::Reader;
use crate::diagnostic::Code;
use crate::expression::{Comparison, Condition};
use crate::language::{Kind, Syntax};
use crate::refusal::{not_yet, unit_mismatch};
use crate::suggestion;

impl Reader<'_> {
    pub(in crate::check) fn condition(&mut self, syntax: &Syntax) -> Option<Condition> {
        match &syntax.kind {
            Kind::Compare(comparison, left, right) => {
                self.comparison(*comparison, left, right, syntax)
            }
            Kind::And(parts) => self.conditions(parts).map(Condition::And),
            Kind::Or(parts) => self.conditions(parts).map(Condition::Or),
            Kind::Not(part) => {
                self.negatable(part)?;
                self.condition(part)
                    .map(|part| Condition::Not(Box::new(part)))
            }
            Kind::Call(name, _) if name.text == "decreasing" => {
                let help = "compare two metrics by their quotient";
                self.problems
                    .push(not_yet(self.text.at(&syntax.span), "`decreasing`", help));
                None
            }
            _ => {
                self.not_a_condition(syntax, None);
                None
            }
        }
    }

    fn conditions(&mut self, parts: &[Syntax]) -> Option<Vec<Condition>> {
        let parts: Vec<Option<Condition>> = parts.iter().map(|part| self.condition(part)).collect();
        parts.into_iter().collect()
    }

    fn comparison(
        &mut self,
        comparison: Comparison,
        left: &Syntax,
        right: &Syntax,
        whole: &Syntax,
    ) -> Option<Condition> {
        if on_target(whole) {
            let help = "name targets in `on`, and metrics without a target";
            self.problems.push(not_yet(
                self.text.at(&whole.span),
                "a condition across targets",
                help,
            ));
            return None;
        }
        if let (Some(threshold), Kind::Name(metric)) = (constant(left), &right.kind) {
            let turned = format!(
                "{metric} {} {}",
                comparison.mirrored().symbol(),
                self.spelled(left, threshold)
            );
            self.not_a_condition(whole, Some(turned));
            return None;
        }
        if let (Kind::Not(part), Some(threshold)) = (&left.kind, constant(right))
            && let Kind::Name(metric) = &part.kind
        {
            // `not` binds tighter than a comparison.
            let grouped = format!(
                "not ({metric} {} {})",
                comparison.symbol(),
                self.spelled(right, threshold)
            );
            self.not_a_condition(whole, Some(grouped));
            return None;
        }
        let (Kind::Name(metric), Some(threshold)) = (&left.kind, constant(right)) else {
            self.not_a_condition(whole, None);
            return None;
        };
        if !self.names.metrics.contains(metric) {
            let metrics = self.names.metrics.iter().map(String::as_str);
            let problem = self
                .report(
                    Code::UnknownName,
                    &left.span,
                    format!("there is no metric `{metric}`"),
                )
                .maybe_help(suggestion::help(metric, metrics));
            self.problems.push(problem);
            return None;
        }
        let facts = self.names.checked.get(metric)?;
        if threshold.dimension() != facts.dimension {
            let what = format!("the metric `{metric}`");
            let problem =
                unit_mismatch(self.text.at(&right.span), &what, threshold, facts.dimension);
            self.problems.push(problem);
            return None;
        }
        Some(Condition::Compare {
            metric: metric.clone(),
            comparison,
            threshold,
        })
    }

    fn not_a_condition(&mut self, syntax: &Syntax, turned: Option<String>) {
        let help = match turned {
            Some(turned) => format!("write `{turned}`"),
            None => {
                "compare a metric of `[metrics]` with a number and its unit, as in `speedup < 1.15`"
                    .to_owned()
            }
        };
        self.report(
            Code::ExpressionType,
            &syntax.span,
            "a kill condition compares one metric with a constant on its right",
        )
        .help(help)
        .push(self.problems);
    }

    /// A constant as the author spelled it.
    fn spelled(&self, syntax: &Syntax, constant: Quantity) -> String {
        self.text
            .value
            .get(syntax.span.clone())
            .map_or_else(|| constant.to_string(), str::to_owned)
    }
}

impl Comparison {
    /// The comparison with its sides exchanged.
    #[must_use]
    pub const fn mirrored(self) -> Self {
        match self {
            Self::Less => Self::Greater,
            Self::LessOrEqual => Self::GreaterOrEqual,
            Self::Greater => Self::Less,
            Self::GreaterOrEqual => Self::LessOrEqual,
        }
    }
}

/// The value of a literal, or of one with a minus.
fn constant(syntax: &Syntax) -> Option<Quantity> {
    match &syntax.kind {
        Kind::Literal(quantity) => Some(*quantity),
        Kind::Negate(part) => {
            let Kind::Literal(quantity) = part.kind else {
                return None;
            };
            Quantity::new(-quantity.value(), quantity.dimension()).ok()
        }
        _ => None,
    }
}

fn on_target(syntax: &Syntax) -> bool {
    let mut found = false;
    syntax.walk(&mut |part| found |= matches!(part.kind, Kind::OnTarget(..)));
    found
}
