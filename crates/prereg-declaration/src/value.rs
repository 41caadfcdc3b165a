//! One TOML value, read as the kind that its key takes.
//!
//! Every reader returns nothing where the value does not fit, after saying so.

use std::ops::{Range, RangeInclusive};

use prereg_units::{Dimension, Quantity, QuantityError};
use toml::Spanned;
use toml::de::DeValue;

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::refusal::{halves, not_yet, unit_code, unit_mismatch};
use crate::section::{Section, exact_integer};
use crate::suggestion::{self, alternatives};
use crate::text::Text;

/// What a key that may be absent was found to be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Given<T> {
    #[default]
    Absent,
    /// Given, and reported.
    Wrong,
    Right(T),
}

impl<T> Given<T> {
    /// Reads `value`, where there is one.
    pub(crate) fn read<'d>(
        value: Option<Value<'d>>,
        read: impl FnOnce(Value<'d>) -> Option<T>,
    ) -> Self {
        match value {
            None => Self::Absent,
            Some(value) => read(value).map_or(Self::Wrong, Self::Right),
        }
    }

    /// The value, where it is right.
    pub(crate) fn right(self) -> Option<T> {
        match self {
            Self::Right(value) => Some(value),
            Self::Absent | Self::Wrong => None,
        }
    }

    /// Itself, or `other` where it is absent.
    pub(crate) fn or(self, other: Self) -> Self {
        match self {
            Self::Absent => other,
            given => given,
        }
    }
}

/// The value of a key that has a default.
pub(crate) struct Defaulted<T> {
    pub(crate) value: T,
    /// Where the file gives it; nothing where the default stands.
    pub(crate) span: Option<Range<usize>>,
}

impl<T> Defaulted<T> {
    /// Reads `value`, or takes the default. Nothing where it is given wrongly.
    pub(crate) fn read<'d>(
        value: Option<Value<'d>>,
        default: T,
        read: impl FnOnce(&Value<'d>) -> Option<T>,
    ) -> Option<Self> {
        let Some(value) = value else {
            return Some(Self {
                value: default,
                span: None,
            });
        };
        Some(Self {
            value: read(&value)?,
            span: Some(value.span),
        })
    }

    /// What stands before its name in a sentence: `default `, or nothing where it is given.
    pub(crate) fn default_word(&self) -> &'static str {
        if self.span.is_none() { "default " } else { "" }
    }
}

/// A value and the path of its key.
pub(crate) struct Value<'d> {
    pub(crate) path: String,
    pub(crate) span: Range<usize>,
    content: &'d DeValue<'d>,
}

impl<'d> Value<'d> {
    pub(crate) fn new(path: String, value: &'d Spanned<DeValue<'d>>) -> Self {
        Self {
            path,
            span: value.span(),
            content: value.get_ref(),
        }
    }

    /// Text.
    pub(crate) fn text(&self, problems: &mut Diagnostics) -> Option<Text> {
        let DeValue::String(value) = self.content else {
            return self.wrong_type("text in quotes", problems);
        };
        let source = problems.source();
        let token = source.text.get(self.span.clone()).unwrap_or_default();
        Some(Text::new(value, token, self.span.clone()))
    }

    /// Text that says something.
    pub(crate) fn words(&self, problems: &mut Diagnostics) -> Option<String> {
        let text = self.text(problems)?;
        if text.value.trim().is_empty() {
            problems.push(self.invalid("is empty").help("write at least one word"));
            return None;
        }
        Some(text.value)
    }

    /// An integer within `range`.
    pub(crate) fn count(
        &self,
        range: RangeInclusive<u32>,
        problems: &mut Diagnostics,
    ) -> Option<u32> {
        let DeValue::Integer(integer) = self.content else {
            return self.wrong_type("an integer", problems);
        };
        let value = exact_integer(integer)?;
        let count = u32::try_from(value)
            .ok()
            .filter(|count| range.contains(count));
        if count.is_none() {
            let (least, most) = range.into_inner();
            let problem = self.invalid(&format!("is {value}"));
            problems.push(problem.help(format!("write an integer from {least} to {most}")));
        }
        count
    }

    /// `true` or `false`.
    pub(crate) fn flag(&self, problems: &mut Diagnostics) -> Option<bool> {
        let DeValue::Boolean(flag) = self.content else {
            return self.wrong_type("`true` or `false`", problems);
        };
        Some(*flag)
    }

    /// The items of a list.
    pub(crate) fn items(&self, problems: &mut Diagnostics) -> Option<Vec<Value<'d>>> {
        let DeValue::Array(array) = self.content else {
            return self.wrong_type("a list", problems);
        };
        Some(
            array
                .iter()
                .map(|item| Value::new(self.path.clone(), item))
                .collect(),
        )
    }

    /// Whether it is a list.
    pub(crate) fn is_list(&self) -> bool {
        matches!(self.content, DeValue::Array(_))
    }

    /// A list of texts, each once. Items that do not fit are left out, after saying so.
    pub(crate) fn names(&self, problems: &mut Diagnostics) -> Option<Vec<Text>> {
        let mut names: Vec<Text> = Vec::new();
        for item in self.items(problems)? {
            let Some(name) = item.text(problems) else {
                continue;
            };
            if names.iter().any(|known| known.value == name.value) {
                problems.push(
                    item.invalid(&format!("names `{}` twice", name.value))
                        .help("name it once"),
                );
            } else {
                names.push(name);
            }
        }
        Some(names)
    }

    /// A table.
    pub(crate) fn section(self, problems: &mut Diagnostics) -> Option<Section<'d>> {
        let DeValue::Table(table) = self.content else {
            return self.wrong_type("a table", problems);
        };
        Some(Section::new(self.path, self.span, table))
    }

    /// One of a fixed set of words; `later` are words that a later version will take.
    pub(crate) fn choice<T: Copy>(
        &self,
        choices: &[(&str, T)],
        later: &[&str],
        problems: &mut Diagnostics,
    ) -> Option<T> {
        let text = self.text(problems)?;
        if let Some((_, choice)) = choices.iter().find(|(word, _)| *word == text.value) {
            return Some(*choice);
        }
        let words: Vec<&str> = choices.iter().map(|(word, _)| *word).collect();
        if later.contains(&text.value.as_str()) {
            let what = format!("`{} = \"{}\"`", self.path, text.value);
            problems.push(not_yet(
                self.span.clone(),
                &what,
                &format!("write {}", alternatives(&words)),
            ));
        } else {
            let problem = self.invalid(&format!("is `{}`", text.value));
            let help = suggestion::help(&text.value, words);
            problems.push(problem.maybe_help(help));
        }
        None
    }

    /// A quantity of `dimension`: a number, or text with a unit.
    pub(crate) fn quantity(
        &self,
        dimension: Dimension,
        problems: &mut Diagnostics,
    ) -> Option<Quantity> {
        let quantity = self.any_quantity(problems)?;
        if quantity.dimension() == dimension {
            return Some(quantity);
        }
        problems.push(unit_mismatch(
            self.span.clone(),
            &format!("`{}`", self.path),
            quantity,
            dimension,
        ));
        None
    }

    /// A quantity of `dimension` above zero.
    pub(crate) fn positive_quantity(
        &self,
        dimension: Dimension,
        problems: &mut Diagnostics,
    ) -> Option<Quantity> {
        let quantity = self.quantity(dimension, problems)?;
        if quantity.value() > 0.0 {
            return Some(quantity);
        }
        problems.push(
            self.invalid("is not above zero")
                .help("write a quantity above zero"),
        );
        None
    }

    /// A quantity of any dimension: a number, or text with a unit.
    pub(crate) fn any_quantity(&self, problems: &mut Diagnostics) -> Option<Quantity> {
        match self.content {
            // Both are finite: others are reported where the document is searched for inexact numbers.
            DeValue::Integer(integer) => {
                Quantity::new(exact_integer(integer)? as f64, Dimension::NONE).ok()
            }
            DeValue::Float(float) => {
                Quantity::new(float.as_str().parse().ok()?, Dimension::NONE).ok()
            }
            DeValue::String(text) => match text.parse() {
                Ok(quantity) => Some(quantity),
                Err(error) => {
                    problems.push(self.not_a_quantity(&error));
                    None
                }
            },
            _ => self.wrong_type("a number, or text with a unit", problems),
        }
    }

    /// Itself, unless it is a list or table where one value stands: those span a grid.
    pub(crate) fn not_a_grid(self, problems: &mut Diagnostics) -> Option<Self> {
        if matches!(self.content, DeValue::Array(_) | DeValue::Table(_)) {
            let what = format!("a list as `{}`", self.path);
            problems.push(not_yet(
                self.span,
                &what,
                "write one value, and one declaration for each",
            ));
            return None;
        }
        Some(self)
    }

    fn not_a_quantity(&self, error: &QuantityError) -> Diagnostic {
        let code = match error {
            QuantityError::Unit(unit) => unit_code(unit, Code::InvalidValue),
            _ => Code::InvalidValue,
        };
        let (message, help) = halves(error);
        Diagnostic::new(
            code,
            self.span.clone(),
            format!("`{}`: {message}", self.path),
        )
        .maybe_help(help)
    }

    /// The problem of a value that the key does not take; `what` continues "`key` …".
    pub(crate) fn invalid(&self, what: &str) -> Diagnostic {
        Diagnostic::new(
            Code::InvalidValue,
            self.span.clone(),
            format!("`{}` {what}", self.path),
        )
    }

    fn wrong_type<T>(&self, wanted: &str, problems: &mut Diagnostics) -> Option<T> {
        let found = match self.content {
            DeValue::String(_) => "text",
            DeValue::Integer(_) => "an integer",
            DeValue::Float(_) => "a number with decimals",
            DeValue::Boolean(_) => "`true` or `false`",
            DeValue::Datetime(_) => "a date or time",
            DeValue::Array(_) => "a list",
            DeValue::Table(_) => "a table",
        };
        let message = format!("`{}` is {found}", self.path);
        problems.push(
            Diagnostic::new(Code::WrongType, self.span.clone(), message)
                .help(format!("write {wanted}")),
        );
        None
    }
}
