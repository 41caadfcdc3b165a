//! One entry of `[controls]` and of `[calibrated-range]`.

use std::ops::Range;

use prereg_units::{Dimension, Quantity};

use crate::diagnostic::Diagnostics;
use crate::text::Text;
use crate::value::Value;

/// One control.
#[derive(Default)]
pub(crate) struct ParsedControl {
    pub(crate) metric: Option<Text>,
    pub(crate) within: Option<f64>,
}

/// One range; each end with its place.
#[derive(Default)]
pub(crate) struct ParsedRange {
    pub(crate) from: Option<(Quantity, Range<usize>)>,
    pub(crate) to: Option<(Quantity, Range<usize>)>,
}

impl ParsedControl {
    pub(super) fn read(value: Value<'_>, problems: &mut Diagnostics) -> Self {
        let Some(mut section) = value.section(problems) else {
            return Self::default();
        };
        let control = Self {
            metric: section
                .required("metric", "metric = \"same_arm_twice\"", problems)
                .and_then(|value| value.text(problems)),
            within: section
                .required("within", "within = \"2 %\"", problems)
                .and_then(|value| value.positive_quantity(Dimension::NONE, problems))
                .map(Quantity::value),
        };
        section.finish(problems);
        control
    }
}

impl ParsedRange {
    pub(super) fn read(value: Value<'_>, problems: &mut Diagnostics) -> Self {
        let Some(mut section) = value.section(problems) else {
            return Self::default();
        };
        let mut end = |key, example| {
            let value = section.required(key, example, problems)?;
            Some((value.any_quantity(problems)?, value.span))
        };
        let range = Self {
            from: end("from", "from = \"1 ms\""),
            to: end("to", "to = \"20 ms\""),
        };
        section.finish(problems);
        range
    }
}
