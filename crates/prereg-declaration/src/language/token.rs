//! What an expression's text is made of.

use std::ops::Range;

use prereg_units::Quantity;

/// A token and the bytes that it takes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) span: Range<usize>,
}

/// Kinds of token.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum TokenKind {
    Number(Quantity),
    Name(String),
    Text(String),
    And,
    Or,
    Not,
    Plus,
    Minus,
    Star,
    Slash,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
    LeftParenthesis,
    RightParenthesis,
    LeftBracket,
    RightBracket,
    Comma,
    At,
    End,
}
