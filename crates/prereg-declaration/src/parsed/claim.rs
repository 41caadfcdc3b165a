//! One entry of `[claims]`.

use std::ops::Range;

use prereg_units::Quantity;

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::refusal::not_yet;
use crate::section::{Key, Section};
use crate::text::Text;
use crate::value::Value;

/// One claim.
#[derive(Default)]
pub(crate) struct ParsedClaim {
    pub(crate) text: Option<String>,
    pub(crate) on: Option<Vec<Text>>,
    pub(crate) expected: Prediction,
    pub(crate) rival: Prediction,
    pub(crate) kill: Vec<Text>,
}

/// `expected` or `rival`: values of metrics.
#[derive(Default)]
pub(crate) struct Prediction {
    /// The table, where one is given.
    pub(crate) span: Option<Range<usize>>,
    /// No value where it was given wrongly.
    pub(crate) values: Vec<(Key, Range<usize>, Option<Quantity>)>,
}

impl ParsedClaim {
    pub(super) fn read(value: Value<'_>, problems: &mut Diagnostics) -> Self {
        let Some(mut section) = value.section(problems) else {
            return Self::default();
        };
        if let Some(cells) = section.optional("cells") {
            problems.push(not_yet(
                cells.span,
                "`cells`",
                "remove the key: there is one cell",
            ));
        }
        let kill = kill(&mut section, problems);
        let claim = Self {
            text: section
                .required("text", "text = \"What is claimed.\"", problems)
                .and_then(|value| value.words(problems)),
            expected: prediction(&mut section, "expected", problems),
            rival: prediction(&mut section, "rival", problems),
            on: targets(&mut section, &kill, problems),
            kill,
        };
        section.finish(problems);
        claim
    }
}

fn targets(
    section: &mut Section<'_>,
    kill: &[Text],
    problems: &mut Diagnostics,
) -> Option<Vec<Text>> {
    // A claim across targets names them in its conditions, which are refused on their own.
    let value = if kill.iter().any(|condition| condition.value.contains('@')) {
        section.optional("on")
    } else {
        section.required("on", "on = [\"cpu\"]", problems)
    };
    super::some_names(&value?, "target", problems)
}

fn prediction(
    section: &mut Section<'_>,
    key: &'static str,
    problems: &mut Diagnostics,
) -> Prediction {
    let example = format!("{key} = {{ my_metric = 1.2 }}");
    let Some(value) = section.required(key, &example, problems) else {
        return Prediction::default();
    };
    let span = Some(value.span.clone());
    let values = value.section(problems).map(|table| {
        let mut values = Vec::new();
        for (metric, value) in table.entries() {
            if metric.name.contains('@') {
                let help = "name targets in `on`, and metrics without a target";
                problems.push(not_yet(metric.span, "a metric on one target", help));
                continue;
            }
            values.push((metric, value.span.clone(), value.any_quantity(problems)));
        }
        values
    });
    Prediction {
        span,
        values: values.unwrap_or_default(),
    }
}

fn kill(section: &mut Section<'_>, problems: &mut Diagnostics) -> Vec<Text> {
    let help = "say what would falsify the claim, as in `kill = [\"speedup < 1.15\"]`";
    let Some(value) = section.optional("kill") else {
        let message = "the claim has no kill condition";
        problems
            .push(Diagnostic::new(Code::NoKillCondition, section.span.clone(), message).help(help));
        return Vec::new();
    };
    let Some(items) = value.items(problems) else {
        return Vec::new();
    };
    if items.is_empty() {
        let message = "the claim's list of kill conditions is empty";
        problems.push(Diagnostic::new(Code::NoKillCondition, value.span, message).help(help));
    }
    items
        .iter()
        .filter_map(|item| item.text(problems))
        .collect()
}
