//! One entry of `[gates]`.

use crate::declaration::{Outcome, Scope};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::text::Text;
use crate::value::Value;

/// One gate.
#[derive(Default)]
pub(crate) struct ParsedGate {
    pub(crate) expression: Option<(Scope, Text)>,
    pub(crate) otherwise: Option<(Outcome, std::ops::Range<usize>)>,
}

impl ParsedGate {
    pub(super) fn read(value: Value<'_>, problems: &mut Diagnostics) -> Self {
        let Some(mut section) = value.section(problems) else {
            return Self::default();
        };
        let given: Vec<(Scope, Value<'_>)> = Scope::WORDS
            .iter()
            .filter_map(|&(word, scope)| Some((scope, section.optional(word)?)))
            .collect();
        let expression = match given.as_slice() {
            [(scope, value)] => value.text(problems).map(|text| (*scope, text)),
            [] => {
                problems.push(
                    section.missing("each-session` nor `across-sessions", "each-session = \"…\""),
                );
                None
            }
            [_, (_, second), ..] => {
                let message = "a gate reads each session or all of them, not both";
                problems.push(
                    Diagnostic::new(Code::InvalidValue, second.span.clone(), message)
                        .help("write two gates"),
                );
                None
            }
        };
        let otherwise = section
            .required("otherwise", "otherwise = \"abstain\"", problems)
            .and_then(|value| Some((value.choice(Outcome::WORDS, &[], problems)?, value.span)));
        section.finish(problems);
        Self {
            expression,
            otherwise,
        }
    }
}
