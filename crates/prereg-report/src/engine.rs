//! Filling templates: strict about unknown names, and every value escaped for what it lands in.
//!
//! In a markdown template a value is escaped as text ([`crate::markdown`]) and the filter `code`
//! makes a code span of it; in an SVG template a value is escaped as XML. Only markdown that this
//! crate composed itself is passed as safe.

use minijinja::syntax::SyntaxConfig;
use minijinja::{AutoEscape, Environment, UndefinedBehavior, Value};
use thiserror::Error;

use crate::markdown;
use crate::templates::{Template, Templates};

const MARKDOWN: AutoEscape = AutoEscape::Custom(std::borrow::Cow::Borrowed("markdown"));

/// A template that could not be filled.
#[derive(Debug, Error)]
#[error(
    "the template `{template}` fails at line {line}, `{text}`; correct it, or remove it to use the one that comes with the tool"
)]
pub struct FillError {
    /// Its name below `templates/`.
    pub template: &'static str,
    /// Line, from 1.
    pub line: usize,
    /// That line.
    pub text: String,
    /// What the engine said.
    pub source: minijinja::Error,
}

/// Fills one template.
pub(crate) fn fill(
    templates: &Templates,
    template: Template,
    context: Value,
) -> Result<String, FillError> {
    let failed = |error: minijinja::Error| {
        let line = error.line().unwrap_or(1);
        let text = templates
            .source(template)
            .lines()
            .nth(line.saturating_sub(1));
        FillError {
            template: template.name(),
            line,
            text: text.unwrap_or_default().trim().to_owned(),
            source: error,
        }
    };
    let syntax = SyntaxConfig::builder()
        .trim_blocks(true)
        .lstrip_blocks(true)
        .keep_trailing_newline(true)
        .build()
        .map_err(failed)?;
    let mut environment = Environment::new();
    environment.set_syntax(syntax);
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|name| {
        if name.contains(".svg") {
            AutoEscape::Html
        } else {
            MARKDOWN
        }
    });
    environment.set_formatter(|output, state, value| {
        if value.is_safe() {
            return minijinja::escape_formatter(output, state, value);
        }
        let text = text_of(value);
        if *state.auto_escape() == MARKDOWN {
            return output
                .write_str(&markdown::escape(&text))
                .map_err(minijinja::Error::from);
        }
        minijinja::escape_formatter(output, state, &Value::from(markdown::one_line(&text)))
    });
    environment.add_filter("code", |value: Value| {
        Value::from_safe_string(markdown::code(&text_of(&value)))
    });
    environment
        .render_named_str(template.name(), templates.source(template), context)
        .map_err(failed)
}

fn text_of(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}
