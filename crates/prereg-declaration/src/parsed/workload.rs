//! `[workload]` and `[arms]`.

use std::ops::Range;
use std::path::{Component, Path};

use crate::declaration::{Launch, Plan, Weights};
use crate::diagnostic::Diagnostics;
use crate::refusal::not_yet;
use crate::section::Section;
use crate::value::{Given, Value};

/// `[workload]`; `launch` and `plan` here are what an arm has that does not say otherwise.
#[derive(Default)]
pub(crate) struct ParsedWorkload {
    pub(crate) model: Option<String>,
    pub(crate) weights: Option<Weights>,
    pub(crate) context: Option<u32>,
    pub(crate) launch: Given<Launch>,
    pub(crate) plan: Given<Plan>,
}

/// One arm.
pub(crate) struct ParsedArm {
    pub(crate) launch: Given<Launch>,
    pub(crate) plan: Given<Plan>,
    /// The entry, for an arm that lacks something.
    pub(crate) span: Range<usize>,
}

impl ParsedWorkload {
    pub(super) fn read(mut section: Section<'_>, problems: &mut Diagnostics) -> Self {
        if let Some(kind) = section.required("kind", "kind = \"decode\"", problems) {
            kind.choice(&[("decode", ())], &["command"], problems);
        }
        let workload = Self {
            model: section
                .required("model", "model = \"smollm2-135m\"", problems)
                .and_then(|value| model(value, problems)),
            weights: section
                .required("weights", "weights = \"random\"", problems)
                .and_then(|value| {
                    value
                        .not_a_grid(problems)?
                        .choice(Weights::WORDS, &[], problems)
                }),
            context: section
                .required("context", "context = 512", problems)
                .and_then(|value| value.not_a_grid(problems)?.count(0..=u32::MAX, problems)),
            launch: launch(&mut section, problems),
            plan: plan(&mut section, problems),
        };
        refuse_delay(&mut section, problems);
        section.finish(problems);
        workload
    }
}

impl ParsedArm {
    pub(super) fn read(value: Value<'_>, problems: &mut Diagnostics) -> Self {
        let span = value.span.clone();
        let Some(mut section) = value.section(problems) else {
            return Self {
                launch: Given::Wrong,
                plan: Given::Wrong,
                span,
            };
        };
        let arm = Self {
            launch: launch(&mut section, problems),
            plan: plan(&mut section, problems),
            span,
        };
        refuse_delay(&mut section, problems);
        section.finish(problems);
        arm
    }
}

fn launch(section: &mut Section<'_>, problems: &mut Diagnostics) -> Given<Launch> {
    Given::read(section.optional("launch"), |value| {
        value
            .not_a_grid(problems)?
            .choice(Launch::WORDS, &[], problems)
    })
}

fn plan(section: &mut Section<'_>, problems: &mut Diagnostics) -> Given<Plan> {
    Given::read(section.optional("plan"), |value| {
        value
            .not_a_grid(problems)?
            .choice(Plan::WORDS, &[], problems)
    })
}

fn refuse_delay(section: &mut Section<'_>, problems: &mut Diagnostics) {
    if let Some(delay) = section.optional("launch-delay") {
        problems.push(not_yet(delay.span, "`launch-delay`", "remove the key"));
    }
}

/// A shape by name, or a folder inside the study.
fn model(value: Value<'_>, problems: &mut Diagnostics) -> Option<String> {
    let value = value.not_a_grid(problems)?;
    let model = value.words(problems)?;
    let inside = Path::new(&model)
        .components()
        .all(|part| matches!(part, Component::Normal(_)));
    if !inside || model.contains('\\') {
        problems.push(
            value
                .invalid("does not name a shape, nor a folder inside the study")
                .help("write a path from the study's root, with `/` and without `.` and `..`"),
        );
        return None;
    }
    Some(model)
}
