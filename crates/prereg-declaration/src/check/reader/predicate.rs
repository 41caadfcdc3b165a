//! Truth-valued expressions: what gates say.

use std::ops::Range;

use super::{Place, Reader};
use crate::diagnostic::Code;
use crate::expression::Predicate;
use crate::expression::vocabulary::{FACT, LOGITS, OUTPUT};
use crate::language::{Kind, Name, Syntax};
use crate::suggestion;

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
            Kind::Equal(left, right) => self.equal(left, right, &syntax.span),
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

    fn equal(&mut self, left: &Syntax, right: &Syntax, span: &Range<usize>) -> Option<Predicate> {
        if let (Some(fact), Kind::Text(text)) = (indexed(left, FACT), &right.kind) {
            return self.fact(fact, text, span);
        }
        // What a decode step yields are its logits; what a program's step yields, it says.
        let column = match &self.names.program {
            None => LOGITS,
            Some(_) => OUTPUT,
        };
        let (Some(left), Some(right)) = (indexed(left, column), indexed(right, column)) else {
            let message = match column {
                OUTPUT => "`==` compares outputs, and facts with text",
                _ => "`==` compares logits only",
            };
            self.report(Code::ExpressionType, span, message)
                .help(format!(
                    "write `{column}[one_arm] == {column}[other_arm]`, or `<=` and `>=` for numbers"
                ))
                .push(self.problems);
            return None;
        };
        self.same(column, left, right, span)
    }

    /// Reports what stands where no gate reads each session.
    fn within_a_session(&mut self, what: &str, sees_arms: bool, span: &Range<usize>) -> Option<()> {
        let problem = match self.place {
            Place::EachSession => return Some(()),
            Place::Exclusion if !sees_arms => return Some(()),
            Place::Metric => self
                .report(Code::Scope, span, "a metric is a number")
                .help(format!("compare {what} in a gate that reads each session")),
            Place::AcrossSessions => self
                .report(
                    Code::Scope,
                    span,
                    format!("{what} are compared within a session"),
                )
                .help("write this in a gate with `each-session`"),
            Place::Exclusion => self
                .report(
                    Code::Scope,
                    span,
                    "a gate that excludes sessions must not see the arms",
                )
                .help("write `otherwise = \"abstain\"`"),
        };
        self.problems.push(problem);
        None
    }

    fn fact(&mut self, fact: &Name, text: &str, span: &Range<usize>) -> Option<Predicate> {
        let known = self.names.program.as_ref().map(|program| &program.facts);
        if !known.is_some_and(|facts| facts.contains(&fact.text)) {
            let facts = known.into_iter().flatten().map(String::as_str);
            let help = suggestion::nearest(&fact.text, facts).map_or_else(
                || "declare the command that answers it in `workload.facts`".to_owned(),
                |near| format!("did you mean `{near}`?"),
            );
            self.report(
                Code::UnknownName,
                &fact.span,
                format!("there is no fact `{}`", fact.text),
            )
            .help(help)
            .push(self.problems);
            return None;
        }
        self.within_a_session("facts", false, span)?;
        Some(Predicate::FactIs(fact.text.clone(), text.to_owned()))
    }

    fn same(
        &mut self,
        column: &str,
        left: &Name,
        right: &Name,
        span: &Range<usize>,
    ) -> Option<Predicate> {
        let what = if column == OUTPUT {
            "outputs"
        } else {
            "logits"
        };
        self.within_a_session(what, true, span)?;
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
        Some(if column == OUTPUT {
            Predicate::SameOutput(left, right)
        } else {
            Predicate::SameLogits(left, right)
        })
    }
}

/// The index of `column[index]`.
fn indexed<'s>(syntax: &'s Syntax, column: &str) -> Option<&'s Name> {
    match &syntax.kind {
        Kind::Indexed(name, index) if name.text == column => Some(index),
        _ => None,
    }
}
