//! `[workload]` and `[arms]`.

use std::ops::Range;
use std::path::{Component, Path};

use super::command::ParsedCommand;
use crate::declaration::{Launch, Plan, Weights};
use crate::diagnostic::Diagnostics;
use crate::refusal::not_yet;
use crate::section::{Key, Section};
use crate::text::Text;
use crate::value::{Given, Value};

/// What is run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Kind {
    #[default]
    Decode,
    Command,
}

/// `[workload]`.
pub(crate) enum ParsedWorkload {
    Decode(ParsedDecode),
    Command(Box<ParsedCommand>),
}

impl Default for ParsedWorkload {
    fn default() -> Self {
        Self::Decode(ParsedDecode::default())
    }
}

/// `launch` and `plan` here are what an arm has that does not say otherwise.
#[derive(Default)]
pub(crate) struct ParsedDecode {
    pub(crate) model: Option<String>,
    pub(crate) weights: Option<Weights>,
    pub(crate) context: Option<u32>,
    pub(crate) launch: Given<Launch>,
    pub(crate) plan: Given<Plan>,
}

/// One arm.
pub(crate) enum ParsedArm {
    Decode(ParsedDecodeArm),
    /// Values by placeholder.
    Command(ParsedCommandArm),
}

/// One arm of decode.
pub(crate) struct ParsedDecodeArm {
    pub(crate) launch: Given<Launch>,
    pub(crate) plan: Given<Plan>,
    /// The entry, for an arm that lacks something.
    pub(crate) span: Range<usize>,
}

/// One arm of a command.
pub(crate) struct ParsedCommandArm {
    pub(crate) values: Vec<(Key, Option<Text>)>,
    pub(crate) span: Range<usize>,
}

impl ParsedWorkload {
    pub(super) fn read(mut section: Section<'_>, problems: &mut Diagnostics) -> Self {
        let kinds = [("decode", Kind::Decode), ("command", Kind::Command)];
        let kind = section
            .required("kind", "kind = \"decode\"", problems)
            .and_then(|kind| kind.choice(&kinds, &[], problems));
        match kind.unwrap_or_default() {
            Kind::Decode => Self::Decode(ParsedDecode::read(section, problems)),
            Kind::Command => Self::Command(Box::new(ParsedCommand::read(section, problems))),
        }
    }

    pub(crate) fn kind(&self) -> Kind {
        match self {
            Self::Decode(_) => Kind::Decode,
            Self::Command(_) => Kind::Command,
        }
    }
}

impl ParsedDecode {
    fn read(mut section: Section<'_>, problems: &mut Diagnostics) -> Self {
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
    pub(super) fn read(kind: Kind, value: Value<'_>, problems: &mut Diagnostics) -> Self {
        match kind {
            Kind::Decode => Self::Decode(ParsedDecodeArm::read(value, problems)),
            Kind::Command => Self::Command(ParsedCommandArm::read(value, problems)),
        }
    }
}

impl ParsedDecodeArm {
    fn read(value: Value<'_>, problems: &mut Diagnostics) -> Self {
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

impl ParsedCommandArm {
    fn read(value: Value<'_>, problems: &mut Diagnostics) -> Self {
        let span = value.span.clone();
        let section = value.section(problems);
        let values = section
            .map(|section| {
                super::entries(&section, problems, |value, problems| value.text(problems))
            })
            .unwrap_or_default();
        Self { values, span }
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
    if !is_inside_study(&model) {
        problems.push(
            value
                .invalid("does not name a shape, nor a folder inside the study")
                .help("write a path from the study's root, with `/` and without `.` and `..`"),
        );
        return None;
    }
    Some(model)
}

/// Whether a path stays inside the study that it is resolved from.
pub(super) fn is_inside_study(path: &str) -> bool {
    let mut parts = Path::new(path).components();
    let names_only = parts.all(|part| matches!(part, Component::Normal(_)));
    names_only && !path.contains('\\')
}
