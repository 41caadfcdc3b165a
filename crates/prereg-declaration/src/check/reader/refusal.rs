//! What an expression is refused for, in words.

use std::ops::Range;

use prereg_units::Dimension;

use super::{Place, Reader};
use crate::check::names::ColumnFacts;
use crate::diagnostic::Code;
use crate::expression::vocabulary::{CONSTANTS, CUDA_COLUMNS, FACT, OUTPUT};
use crate::language::{Kind, Syntax};
use crate::refusal::dimension_in_words;
use crate::suggestion::{self, listed};
use crate::targets::Device;

impl Reader<'_> {
    /// Reports something true or false where a number belongs.
    pub(super) fn truth_as_a_number(&mut self, syntax: &Syntax) {
        let help = match syntax.kind {
            Kind::Not(_) => "`not` binds tighter than a comparison: write `not (a < b)`",
            _ => "join what is true or false with `and`, `or` and `not` only",
        };
        self.report(Code::ExpressionType, &syntax.span, "a number belongs here")
            .label("this is true or false")
            .help(help)
            .push(self.problems);
    }

    /// Reports two sides that do not add or compare.
    pub(super) fn same_dimension(
        &mut self,
        left: Dimension,
        right: Dimension,
        span: &Range<usize>,
    ) -> Option<()> {
        if left == right {
            return Some(());
        }
        let (left, right) = (dimension_in_words(left), dimension_in_words(right));
        self.report(
            Code::UnitMismatch,
            span,
            "the two sides have different units",
        )
        .label(format!("{left} on the left, {right} on the right"))
        .help("give both sides the same unit")
        .push(self.problems);
        None
    }

    /// Reports something of an arm in an expression that must not see the arms.
    pub(super) fn refuse_arms(&mut self, what: &str, span: &Range<usize>) -> Option<()> {
        if self.place != Place::Exclusion {
            return Some(());
        }
        self.report(
            Code::Scope,
            span,
            format!("{what}, and a gate that excludes sessions must not see the arms"),
        )
        .help("read what says nothing of the arms, or write `otherwise = \"abstain\"`")
        .push(self.problems);
        None
    }

    pub(super) fn column_without_statistic(
        &mut self,
        column: ColumnFacts,
        name: &str,
        written: &str,
        span: &Range<usize>,
    ) {
        let written = if column.by_arm && !written.contains('[') {
            format!(
                "{written}[{}]",
                self.names.arms.first().map_or("arm", String::as_str)
            )
        } else {
            written.to_owned()
        };
        self.report(
            Code::Scope,
            span,
            format!("`{name}` has many values a session"),
        )
        .help(format!("reduce it, as in `median({written})`"))
        .push(self.problems);
    }

    /// Reports a name that only stands beside `==`, standing elsewhere.
    pub(super) fn equality_only(&mut self, name: &str, span: &Range<usize>) {
        let (what, example) = match name {
            FACT => ("facts are", "fact[one_fact] == \"its answer\"".to_owned()),
            OUTPUT => (
                "outputs are",
                "output[one_arm] == output[other_arm]".to_owned(),
            ),
            _ => (
                "logits are",
                "logits[one_arm] == logits[other_arm]".to_owned(),
            ),
        };
        self.report(
            Code::ExpressionType,
            span,
            format!("{what} compared for equality only"),
        )
        .help(format!(
            "write `{example}` in a gate that reads each session"
        ))
        .push(self.problems);
    }

    /// Reports a name by arm that has none.
    pub(super) fn arm_is_missing(&mut self, name: &str, span: &Range<usize>) {
        let arm = self.names.arms.first().map_or("arm", String::as_str);
        self.report(Code::ExpressionType, span, format!("`{name}` is by arm"))
            .help(format!("name the arm, as in `{name}[{arm}]`"))
            .push(self.problems);
    }

    /// Reports a name without arm that has one.
    pub(super) fn arm_is_superfluous(&mut self, name: &str, span: &Range<usize>) {
        self.report(
            Code::ExpressionType,
            span,
            format!("`{name}` is not by arm"),
        )
        .help("write its name alone")
        .push(self.problems);
    }

    pub(super) fn unknown_name(&mut self, name: &str, span: &Range<usize>) {
        let metrics = self.names.metrics.iter().map(String::as_str);
        let known: Vec<&str> = metrics
            .chain(CONSTANTS.iter().map(|entry| entry.name))
            .chain(self.names.columns())
            .collect();
        let help = suggestion::nearest(name, known).map_or_else(
            || match self.names.metrics.as_slice() {
                [] => "declare it in `[metrics]`".to_owned(),
                metrics => format!("declare it in `[metrics]`, which has {}", listed(metrics)),
            },
            |near| format!("did you mean `{near}`?"),
        );
        self.report(
            Code::UnknownName,
            span,
            format!("there is no metric or constant `{name}`"),
        )
        .help(help)
        .push(self.problems);
    }

    /// Reports a column that no device of a listed kind gives.
    pub(super) fn device_gives(&mut self, column: &str, span: &Range<usize>) -> Option<()> {
        let without = self.names.targets_of(Device::Cpu);
        // A program may report what the tool does not read.
        let reported = self.names.program.is_some();
        if !CUDA_COLUMNS.contains(&column) || without.is_empty() || reported {
            return Some(());
        }
        let message = format!(
            "there is no `{column}` on {}, whose device is a CPU",
            listed(&without)
        );
        self.report(Code::MissingOnTarget, span, message)
            .help("leave the target out, or read another column")
            .push(self.problems);
        None
    }
}
