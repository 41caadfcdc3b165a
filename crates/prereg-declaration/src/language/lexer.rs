//! Text to tokens.

use std::ops::Range;

use prereg_units::{Quantity, Unit, UnitError};

use super::Fault;
use super::token::{Token, TokenKind};
use crate::diagnostic::Code;
use crate::refusal::{halves, unit_code};

/// Cuts `text` into tokens; the last is [`TokenKind::End`].
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, Fault> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        if first == ' ' || first == '\t' || first == '\n' {
            at += 1;
            continue;
        }
        let token = if first.is_ascii_digit() {
            number(text, at)?
        } else if first.is_ascii_alphabetic() || first == '_' {
            name(text, at)
        } else if first == '"' {
            quoted(text, at)?
        } else {
            symbol(text, at, first)?
        };
        at = token.span.end;
        tokens.push(token);
    }
    tokens.push(Token {
        kind: TokenKind::End,
        span: text.len()..text.len(),
    });
    Ok(tokens)
}

fn name(text: &str, at: usize) -> Token {
    let span = at..at + length(&text[at..], |c| c.is_ascii_alphanumeric() || c == '_');
    let kind = match &text[span.clone()] {
        "and" => TokenKind::And,
        "or" => TokenKind::Or,
        "not" => TokenKind::Not,
        name => TokenKind::Name(name.to_owned()),
    };
    Token { kind, span }
}

/// Text in quotes; `\\"` and `\\\\` stand for a quote and a backslash.
fn quoted(text: &str, at: usize) -> Result<Token, Fault> {
    let mut content = String::new();
    let mut characters = text[at + 1..].char_indices();
    while let Some((offset, character)) = characters.next() {
        let span = at..at + 1 + offset + character.len_utf8();
        match character {
            '"' => {
                let kind = TokenKind::Text(content);
                return Ok(Token { kind, span });
            }
            '\\' => {
                let Some((_, escaped @ ('"' | '\\'))) = characters.next() else {
                    let help = "before a quote or a backslash write a backslash, and nowhere else";
                    return Err(Fault::new(span, "the backslash escapes nothing", help));
                };
                content.push(escaped);
            }
            control if control.is_control() => {
                let help = "write the text as one line; an answer is its first line";
                return Err(Fault::new(span, "the text holds a control character", help));
            }
            _ => content.push(character),
        }
    }
    Err(Fault::new(
        at..text.len(),
        "the text has no closing quote",
        "end it with `\"`",
    ))
}

fn symbol(text: &str, at: usize, first: char) -> Result<Token, Fault> {
    let double = match text[at..].get(..2) {
        Some("<=") => Some(TokenKind::LessOrEqual),
        Some(">=") => Some(TokenKind::GreaterOrEqual),
        Some("==") => Some(TokenKind::Equal),
        _ => None,
    };
    if let Some(kind) = double {
        let span = at..at + 2;
        return Ok(Token { kind, span });
    }
    let kind = match first {
        '+' => TokenKind::Plus,
        '-' => TokenKind::Minus,
        '*' => TokenKind::Star,
        '/' => TokenKind::Slash,
        '<' => TokenKind::Less,
        '>' => TokenKind::Greater,
        '(' => TokenKind::LeftParenthesis,
        ')' => TokenKind::RightParenthesis,
        '[' => TokenKind::LeftBracket,
        ']' => TokenKind::RightBracket,
        ',' => TokenKind::Comma,
        '@' => TokenKind::At,
        _ => return Err(unexpected(text, at, first)),
    };
    let span = at..at + 1;
    Ok(Token { kind, span })
}

/// A character that starts no token, with what was probably meant.
fn unexpected(text: &str, at: usize, first: char) -> Fault {
    let (spelling, help) = match (first, text[at..].get(..2)) {
        (_, Some("&&")) => ("&&", "write `and`"),
        (_, Some("||")) => ("||", "write `or`"),
        (_, Some("!=")) => ("!=", "write `not (a == b)`"),
        ('!', _) => ("!", "write `not`"),
        ('=', _) => ("=", "write `==`, or `<=` or `>=`"),
        ('≤', _) => ("≤", "write `<=`"),
        ('≥', _) => ("≥", "write `>=`"),
        ('×' | '·', _) => ("×", "write `*`"),
        ('.', _) => (".", "write a digit before the point, as in `0.5`"),
        ('{' | '}', _) => (
            "{…}",
            "a selection of cells is not supported yet; remove it",
        ),
        _ => (
            "",
            "expressions hold numbers with units, names, `+ - * / < <= > >= ==`, `and`, `or`, `not` and brackets",
        ),
    };
    let width = if spelling.is_ascii() && text[at..].starts_with(spelling) && !spelling.is_empty() {
        spelling.len()
    } else {
        first.len_utf8()
    };
    let written = &text[at..at + width];
    Fault::new(
        at..at + width,
        format!("`{written}` is not part of the language"),
        help,
    )
}

/// A number with the unit that follows it.
fn number(text: &str, at: usize) -> Result<Token, Fault> {
    let digits = at..at + number_length(&text[at..]);
    let blanks = length(&text[digits.end..], |c| c == ' ');
    let unit_start = digits.end + blanks;
    let unit = unit_start..unit_start + unit_length(&text[unit_start..]);
    let written = &text[digits.clone()];
    if let Ok(integer) = written.parse::<u128>()
        && integer > 1 << 53
    {
        return Err(Fault::new(
            digits,
            "the integer is beyond 2^53",
            "write it in powers of ten, as in `1e16`",
        ));
    }
    let parsed_unit = Unit::parse(&text[unit.clone()])
        .map_err(|error| unit_fault(&text[unit.clone()], unit.clone(), &error))?;
    let end = if unit.is_empty() {
        digits.end
    } else {
        unit.end
    };
    let quantity = Quantity::from_literal(written, parsed_unit).map_err(|error| {
        let (message, help) = halves(&error);
        let fault = Fault::new(at..end, message, "write a decimal number");
        Fault {
            help: help.or(fault.help),
            ..fault
        }
    })?;
    Ok(Token {
        kind: TokenKind::Number(quantity),
        span: at..end,
    })
}

fn unit_fault(unit: &str, span: Range<usize>, error: &UnitError) -> Fault {
    let (message, help) = halves(error);
    let mut help = help.unwrap_or_else(|| "write a unit as in `GB/s`".to_owned());
    if unit.contains(['*', '/']) {
        help.push_str("; to multiply or divide, put spaces around the operator");
    }
    Fault {
        code: unit_code(error, Code::ExpressionSyntax),
        ..Fault::new(span, message, help)
    }
}

/// Bytes of `digits[.digits][e[+-]digits]` at the start of `text`.
fn number_length(text: &str) -> usize {
    let digits = |from: usize| length(text.get(from..).unwrap_or_default(), |c| c.is_ascii_digit());
    let mut end = digits(0);
    if text[end..].starts_with('.') && digits(end + 1) > 0 {
        end += 1 + digits(end + 1);
    }
    if text[end..].starts_with(['e', 'E']) {
        let signed = usize::from(text[end + 1..].starts_with(['+', '-']));
        let exponent = digits(end + 1 + signed);
        if exponent > 0 {
            end += 1 + signed + exponent;
        }
    }
    end
}

/// Bytes of the unit at the start of `text`: factors joined by `*` or `/` without spaces, or `1/` and one; 0 where a
/// keyword, an operator or nothing of the kind stands.
fn unit_length(text: &str) -> usize {
    let mut end = if text.starts_with("1/") { 2 } else { 0 };
    loop {
        let factor = factor_length(&text[end..]);
        if factor == 0 {
            // An operator without a factor after it belongs to the expression.
            return end.saturating_sub(1);
        }
        end += factor;
        if !text[end..].starts_with(['*', '/']) {
            return end;
        }
        end += 1;
    }
}

/// Bytes of one factor: a symbol with an optional `^n`.
fn factor_length(text: &str) -> usize {
    let symbol =
        |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '%' | '\u{b5}' | '\u{3bc}');
    if text.starts_with(|c: char| c.is_ascii_digit()) {
        return 0;
    }
    let mut end = length(text, symbol);
    if matches!(&text[..end], "and" | "or" | "not") {
        return 0;
    }
    if end > 0 && text[end..].starts_with('^') {
        end += 1;
        end += usize::from(text[end..].starts_with('-'));
        end += length(&text[end..], |c| c.is_ascii_digit());
    }
    end
}

/// Bytes at the start of `text` whose characters all satisfy `belongs`.
fn length(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|c| !belongs(c)).unwrap_or(text.len())
}
