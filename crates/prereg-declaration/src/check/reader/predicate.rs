//! Truth-valued expressions: what gates say.

use std::ops::Range;

use super::{Place, Reader};
use crate::diagnostic::Code;
use crate::expression::Predicate;
use crate::expression::vocabulary::LOGITS;
use crate::language::{Kind, Name, Syntax};

impl Reader<'_> {
    pub(in crate::check) fn predicate(&mut self, syntax: &Syntax) -> Option<Predicate> {
        match &syntax.kind {
            Kind::Compare(comparison, left, right) => {
                let (left, right) = (self.number(left), self.number(right));
                let ((left, left_dimension), (right, right_dimension)) = (left?, right?);
                self.same_dimension(left_dimension, right_dimension, &syntax.span)?;
                Some(Predicate::Compare(
                    *comparison,
                    Box::new(left),
                    Box::new(right),
                ))
            }
            Kind::Equal(left, right) => self.same_logits(left, right, &syntax.span),
            Kind::And(parts) => self.predicates(parts).map(Predicate::And),
            Kind::Or(parts) => self.predicates(parts).map(Predicate::Or),
            Kind::Not(part) => {
                self.negatable(part)?;
                self.predicate(part)
                    .map(|part| Predicate::Not(Box::new(part)))
            }
            _ => {
                // A number may have problems of its own, which are worth knowing too.
                self.number(syntax)?;
                self.report(
                    Code::ExpressionType,
                    &syntax.span,
                    "a gate must be true or false",
                )
                .label("this is a number")
                .help("compare it, as in `… <= 4 %`")
                .push(self.problems);
                None
            }
        }
    }

    fn predicates(&mut self, parts: &[Syntax]) -> Option<Vec<Predicate>> {
        let parts: Vec<Option<Predicate>> = parts.iter().map(|part| self.predicate(part)).collect();
        parts.into_iter().collect()
    }

    /// Reports `not` before a number.
    pub(super) fn negatable(&mut self, part: &Syntax) -> Option<()> {
        let truth = match &part.kind {
            Kind::Not(_) | Kind::Compare(..) | Kind::Equal(..) | Kind::And(_) | Kind::Or(_) => true,
            // Refused on its own.
            Kind::Call(name, _) => name.text == "decreasing",
            _ => false,
        };
        if truth {
            return Some(());
        }
        self.report(
            Code::ExpressionType,
            &part.span,
            "`not` stands before a number",
        )
        .help("compare it first, as in `not (a < b)`")
        .push(self.problems);
        None
    }

    fn same_logits(
        &mut self,
        left: &Syntax,
        right: &Syntax,
        span: &Range<usize>,
    ) -> Option<Predicate> {
        let (Some(left), Some(right)) = (logits_of(left), logits_of(right)) else {
            self.report(Code::ExpressionType, span, "`==` compares logits only")
                .help("write `logits[one_arm] == logits[other_arm]`, or `<=` and `>=` for numbers")
                .push(self.problems);
            return None;
        };
        if self.place != Place::EachSession {
            let problem = match self.place {
                Place::Metric => self
                    .report(Code::Scope, span, "a metric is a number")
                    .help("compare logits in a gate that reads each session"),
                Place::AcrossSessions => self
                    .report(Code::Scope, span, "logits are compared within a session")
                    .help("write this in a gate with `each-session`"),
                Place::Exclusion | Place::EachSession => self
                    .report(
                        Code::Scope,
                        span,
                        "a gate that excludes sessions must not see the arms",
                    )
                    .help("write `otherwise = \"abstain\"`"),
            };
            self.problems.push(problem);
            return None;
        }
        let (left, right) = (self.arm(left), self.arm(right));
        let (left, right) = (left?, right?);
        if left == right {
            self.report(
                Code::InvalidValue,
                span,
                format!("`{left}` is compared with itself, which cannot fail"),
            )
            .help("name two arms")
            .push(self.problems);
            return None;
        }
        Some(Predicate::SameLogits(left, right))
    }
}

/// The arm of `logits[arm]`.
fn logits_of(syntax: &Syntax) -> Option<&Name> {
    match &syntax.kind {
        Kind::Indexed(name, arm) if name.text == LOGITS => Some(arm),
        _ => None,
    }
}
