//! `[inference]`.

use std::ops::Range;

use prereg_units::Dimension;

use crate::diagnostic::Diagnostics;
use crate::inference::{Estimand, Interval, Scale, Stopping};
use crate::section::{Key, Section};
use crate::value::{Defaulted, Value};

/// Bound on either error that the declaration does not give.
pub(crate) const DEFAULT_ALPHA: f64 = 0.05;

/// `[inference]`.
#[derive(Default)]
pub(crate) struct ParsedInference {
    pub(crate) interval: Option<Defaulted<Interval>>,
    pub(crate) estimand: Option<Defaulted<Estimand>>,
    pub(crate) scale: Option<Defaulted<Scale>>,
    pub(crate) stopping: Option<Defaulted<Stopping>>,
    pub(crate) alpha_pass: Option<f64>,
    pub(crate) alpha_falsified: Option<f64>,
    /// `assumed-cv`, where it is given.
    pub(crate) assumed_cv_span: Option<Range<usize>>,
    pub(crate) assumed_cv: Vec<AssumedCv>,
}

/// The spread assumed for one metric; no value where it was given wrongly.
pub(crate) struct AssumedCv {
    pub(crate) metric: Key,
    pub(crate) value: Option<f64>,
}

impl ParsedInference {
    pub(super) fn read(mut section: Section<'_>, problems: &mut Diagnostics) -> Self {
        let spread = section.required(
            "assumed-cv",
            "assumed-cv = { my_metric = \"2 %\" }",
            problems,
        );
        let inference = Self {
            interval: word(&mut section, "interval", Interval::WORDS, problems),
            estimand: word(&mut section, "estimand", Estimand::WORDS, problems),
            scale: word(&mut section, "scale", Scale::WORDS, problems),
            stopping: word(&mut section, "stopping", Stopping::WORDS, problems),
            alpha_pass: alpha(section.optional("alpha-pass"), problems),
            alpha_falsified: alpha(section.optional("alpha-falsified"), problems),
            assumed_cv_span: spread.as_ref().map(|value| value.span.clone()),
            assumed_cv: spread
                .and_then(|value| value.section(problems))
                .map(|table| {
                    let entries = table.entries();
                    entries
                        .map(|(metric, value)| assumed_cv(metric, &value, problems))
                        .collect()
                })
                .unwrap_or_default(),
        };
        section.finish(problems);
        inference
    }
}

fn word<T: Copy + Default>(
    section: &mut Section<'_>,
    key: &'static str,
    words: &[(&str, T)],
    problems: &mut Diagnostics,
) -> Option<Defaulted<T>> {
    Defaulted::read(section.optional(key), T::default(), |value| {
        value.choice(words, &[], problems)
    })
}

fn assumed_cv(metric: Key, value: &Value<'_>, problems: &mut Diagnostics) -> AssumedCv {
    let value = value
        .positive_quantity(Dimension::NONE, problems)
        .map(prereg_units::Quantity::value);
    AssumedCv { metric, value }
}

fn alpha(value: Option<Value<'_>>, problems: &mut Diagnostics) -> Option<f64> {
    let Some(value) = value else {
        return Some(DEFAULT_ALPHA);
    };
    let alpha = value.quantity(Dimension::NONE, problems)?.value();
    if alpha > 0.0 && alpha < 0.5 {
        return Some(alpha);
    }
    problems.push(
        value
            .invalid(&format!("is {alpha}"))
            .help("write a number above 0 and below 0.5"),
    );
    None
}
