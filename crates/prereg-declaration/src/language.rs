//! The expression language as text: tokens, grammar, and the tree that a text spells, before names, types and units are
//! looked at.
//!
//! ```text
//! or         = and { "or" and }
//! and        = comparison { "and" comparison }
//! comparison = sum [ ( "<" | "<=" | ">" | ">=" | "==" ) sum ]
//! sum        = product { ( "+" | "-" ) product }
//! product    = unary { ( "*" | "/" ) unary }
//! unary      = ( "-" | "not" ) unary | primary
//! primary    = number [ unit ] | name | name "[" name "]" | name "(" or { "," or } ")" | "(" or ")"
//!            | name "@" name
//! ```
//!
//! The precedence is Rust's. A unit follows its number and has no spaces inside. `name@target` is read so that it can be
//! refused with a reason.

mod lexer;
mod parser;
mod syntax;
mod token;

pub(crate) use parser::parse;
pub(crate) use syntax::{Kind, Name, Syntax};

use std::ops::Range;

use crate::diagnostic::Code;

/// Why a text could not be read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) code: Code,
    /// Bytes of the text.
    pub(crate) span: Range<usize>,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
}

impl Fault {
    fn new(span: Range<usize>, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self {
            code: Code::ExpressionSyntax,
            span,
            message: message.into(),
            help: Some(help.into()),
        }
    }
}
