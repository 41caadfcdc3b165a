//! Reading one TOML table: keys are asked for by name, and what nobody asked for is an unknown key.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::suggestion;
use crate::value::Value;

/// A table being read.
pub(crate) struct Section<'d> {
    /// Path from the root, `protocol` or `claims.fast`; empty for the root.
    path: String,
    /// Its header, or the whole of an inline table.
    pub(crate) span: Range<usize>,
    table: &'d DeTable<'d>,
    asked: Vec<&'static str>,
}

/// A name that the author chose, as a key of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    pub(crate) name: String,
    pub(crate) span: Range<usize>,
}

/// A parsed document.
pub(crate) struct Document<'d>(Spanned<DeTable<'d>>);

impl<'d> Document<'d> {
    /// Parses TOML 1.0. Syntax errors are all reported; a document that has any yields nothing, since what the parser
    /// recovered after an error is a guess.
    pub(crate) fn parse(text: &'d str, problems: &mut Diagnostics) -> Option<Self> {
        let (table, errors) = DeTable::parse_recoverable(text);
        for error in &errors {
            problems.push(syntax_problem(error, text));
        }
        errors.is_empty().then_some(Self(table))
    }

    /// The root table.
    pub(crate) fn root(&self) -> Section<'_> {
        Section::new(String::new(), 0..0, self.0.get_ref())
    }
}

fn syntax_problem(error: &toml::de::Error, text: &str) -> Diagnostic {
    let span = error.span().unwrap_or(0..0);
    // The parser words an unwanted token as one where nothing was expected.
    let message = error.message().trim_end_matches(", expected nothing");
    if message == "duplicate key" {
        let name = text.get(span.clone()).unwrap_or_default();
        return Diagnostic::new(Code::Syntax, span, format!("`{name}` is given twice"))
            .label("the second time")
            .help("a name stands once: merge the two, or rename one");
    }
    let ends_line = text
        .get(span.start..)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('\n'));
    if message.starts_with("string values must be quoted") && span.is_empty() && ends_line {
        return Diagnostic::new(Code::Syntax, span, "the value is missing")
            .help("write it behind the `=`");
    }
    let problem = Diagnostic::new(Code::Syntax, span, message);
    if message.contains("inline tables") {
        return problem.help(
            "declarations are TOML 1.0: an inline table is one line without trailing comma; use a `[table]` for more",
        );
    }
    if message.starts_with("missing escaped value") {
        return problem.help(
            "declarations are TOML 1.0, which has no other escapes; write the character itself, or a 'literal string'",
        );
    }
    problem
}

impl<'d> Section<'d> {
    pub(crate) fn new(path: String, span: Range<usize>, table: &'d DeTable<'d>) -> Self {
        Self {
            path,
            span,
            table,
            asked: Vec::new(),
        }
    }

    /// The value of `key`, where it is given.
    pub(crate) fn optional(&mut self, key: &'static str) -> Option<Value<'d>> {
        self.asked.push(key);
        let (_, value) = self.table.get_key_value(key)?;
        Some(Value::new(self.path_of(key), value))
    }

    /// The value of `key`; its absence is a problem, and `example` shows how it is written.
    pub(crate) fn required(
        &mut self,
        key: &'static str,
        example: &str,
        problems: &mut Diagnostics,
    ) -> Option<Value<'d>> {
        let value = self.optional(key);
        if value.is_none() {
            problems.push(self.missing(key, example));
        }
        value
    }

    /// The problem of an absent key.
    pub(crate) fn missing(&self, key: &str, example: &str) -> Diagnostic {
        let place = if self.path.is_empty() {
            "the top of the file".to_owned()
        } else {
            format!("`[{}]`", self.path)
        };
        Diagnostic::new(
            Code::MissingKey,
            self.span.clone(),
            format!("{place} has no `{key}`"),
        )
        .help(format!("add `{example}`"))
    }

    /// Every entry, for a table whose keys are names that the author chose.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (Key, Value<'d>)> {
        self.table.iter().map(|(key, value)| {
            let name = key.get_ref().to_string();
            let value = Value::new(self.path_of(&name), value);
            let span = key.span();
            (Key { name, span }, value)
        })
    }

    /// Reports every key that was not asked for.
    pub(crate) fn finish(self, problems: &mut Diagnostics) {
        for key in self.table.keys() {
            let name: &str = key.get_ref();
            if self.asked.contains(&name) {
                continue;
            }
            let place = if self.path.is_empty() {
                String::new()
            } else {
                format!(" in `[{}]`", self.path)
            };
            let problem = Diagnostic::new(
                Code::UnknownKey,
                key.span(),
                format!("unknown key `{name}`{place}"),
            )
            .help(self.keys_for(name));
            problems.push(problem);
        }
    }

    /// What the author of an unknown key may have meant.
    fn keys_for(&self, name: &str) -> String {
        match suggestion::nearest(name, self.asked.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the keys here are {}", suggestion::listed(&self.asked)),
        }
    }

    fn path_of(&self, key: &str) -> String {
        if self.path.is_empty() {
            key.to_owned()
        } else {
            format!("{}.{key}", self.path)
        }
    }
}

/// Reports numbers anywhere in the document that 64-bit floating point does not hold exactly as meant: NaN, infinities,
/// and integers beyond ±2⁵³. [`Value`] yields nothing for them and stays silent.
pub(crate) fn refuse_inexact_numbers(document: &Document<'_>, problems: &mut Diagnostics) {
    for value in document.0.get_ref().values() {
        inexact_numbers(value, problems);
    }
}

fn inexact_numbers(value: &Spanned<DeValue<'_>>, problems: &mut Diagnostics) {
    match value.get_ref() {
        DeValue::Float(float) if !float.as_str().parse().is_ok_and(f64::is_finite) => {
            problems.push(
                Diagnostic::new(
                    Code::InexactNumber,
                    value.span(),
                    "the number is not finite",
                )
                .help("write a number that fits in 64-bit floating point"),
            );
        }
        DeValue::Integer(integer) if exact_integer(integer).is_none() => {
            problems.push(
                Diagnostic::new(Code::InexactNumber, value.span(), "the integer is beyond ±2^53")
                    .help("write an integer that 64-bit floating point holds exactly; a seed is text, in quotes"),
            );
        }
        DeValue::Array(array) => {
            for value in array {
                inexact_numbers(value, problems);
            }
        }
        DeValue::Table(table) => {
            for value in table.values() {
                inexact_numbers(value, problems);
            }
        }
        _ => {}
    }
}

/// The integer, when it lies within ±2⁵³.
pub(crate) fn exact_integer(integer: &toml::de::DeInteger<'_>) -> Option<i64> {
    let value = i64::from_str_radix(integer.as_str(), integer.radix()).ok()?;
    (value.unsigned_abs() <= 1 << 53).then_some(value)
}
