//! Tokens to a tree.

use std::ops::Range;

use super::lexer::tokens;
use super::token::{Token, TokenKind};
use super::{Fault, Kind, Name, Syntax};
use crate::expression::{Arithmetic, Comparison};

/// Longest text: trees of longer ones could nest deeper than a stack holds.
const LONGEST: usize = 2_000;

/// Deepest nesting of brackets, signs and `not`.
const DEEPEST: usize = 50;

/// Reads an expression.
pub(crate) fn parse(text: &str) -> Result<Syntax, Fault> {
    if text.len() > LONGEST {
        let message = format!("the expression is longer than {LONGEST} bytes");
        return Err(Fault::new(
            0..text.len(),
            message,
            "name parts of it as metrics",
        ));
    }
    let mut parser = Parser {
        tokens: tokens(text)?,
        at: 0,
        depth: 0,
    };
    let syntax = parser.or()?;
    match parser.peek() {
        TokenKind::End => Ok(syntax),
        TokenKind::Equal
        | TokenKind::Less
        | TokenKind::LessOrEqual
        | TokenKind::Greater
        | TokenKind::GreaterOrEqual => Err(Fault::new(
            parser.span(),
            "comparisons do not chain",
            "join two comparisons with `and`",
        )),
        TokenKind::At => Err(Fault::new(
            parser.span(),
            "only a metric takes `@`",
            "write `metric@target`",
        )),
        _ => Err(parser.unexpected("an operator, or the end")),
    }
}

struct Parser {
    /// Ends in [`TokenKind::End`], which is never passed.
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
}

impl Parser {
    fn or(&mut self) -> Result<Syntax, Fault> {
        self.joined(&TokenKind::Or, Kind::Or, Self::and)
    }

    fn and(&mut self) -> Result<Syntax, Fault> {
        self.joined(&TokenKind::And, Kind::And, Self::comparison)
    }

    /// `part { word part }`; brackets keep a group of its own, since levels are shared out by group.
    fn joined(
        &mut self,
        word: &TokenKind,
        join: fn(Vec<Syntax>) -> Kind,
        part: fn(&mut Self) -> Result<Syntax, Fault>,
    ) -> Result<Syntax, Fault> {
        let first = part(self)?;
        let start = first.span.start;
        let mut parts = vec![first];
        while self.eat(word) {
            parts.push(part(self)?);
        }
        if parts.len() == 1 {
            return Ok(parts.remove(0));
        }
        Ok(self.since(start, join(parts)))
    }

    fn comparison(&mut self) -> Result<Syntax, Fault> {
        let left = self.sum()?;
        let comparison = match self.peek() {
            TokenKind::Less => Some(Comparison::Less),
            TokenKind::LessOrEqual => Some(Comparison::LessOrEqual),
            TokenKind::Greater => Some(Comparison::Greater),
            TokenKind::GreaterOrEqual => Some(Comparison::GreaterOrEqual),
            TokenKind::Equal => None,
            _ => return Ok(left),
        };
        self.at += 1;
        let start = left.span.start;
        let (left, right) = (Box::new(left), Box::new(self.sum()?));
        let kind = match comparison {
            Some(comparison) => Kind::Compare(comparison, left, right),
            None => Kind::Equal(left, right),
        };
        Ok(self.since(start, kind))
    }

    fn sum(&mut self) -> Result<Syntax, Fault> {
        let operators = [
            (TokenKind::Plus, Arithmetic::Add),
            (TokenKind::Minus, Arithmetic::Subtract),
        ];
        self.binary(&operators, Self::product)
    }

    fn product(&mut self) -> Result<Syntax, Fault> {
        let operators = [
            (TokenKind::Star, Arithmetic::Multiply),
            (TokenKind::Slash, Arithmetic::Divide),
        ];
        self.binary(&operators, Self::unary)
    }

    fn binary(
        &mut self,
        operators: &[(TokenKind, Arithmetic)],
        part: fn(&mut Self) -> Result<Syntax, Fault>,
    ) -> Result<Syntax, Fault> {
        let mut left = part(self)?;
        while let Some((_, operator)) = operators.iter().find(|(token, _)| token == self.peek()) {
            self.at += 1;
            let right = part(self)?;
            let start = left.span.start;
            left = self.since(
                start,
                Kind::Arithmetic(*operator, Box::new(left), Box::new(right)),
            );
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Syntax, Fault> {
        let start = self.span().start;
        let kind: fn(Box<Syntax>) -> Kind = match self.peek() {
            TokenKind::Minus => Kind::Negate,
            TokenKind::Not => Kind::Not,
            _ => return self.primary(),
        };
        self.at += 1;
        let part = self.nested(Self::unary)?;
        Ok(self.since(start, kind(Box::new(part))))
    }

    fn primary(&mut self) -> Result<Syntax, Fault> {
        let span = self.span();
        match self.peek().clone() {
            TokenKind::Number(quantity) => {
                self.at += 1;
                Ok(self.since(span.start, Kind::Literal(quantity)))
            }
            TokenKind::Text(text) => {
                self.at += 1;
                Ok(self.since(span.start, Kind::Text(text)))
            }
            TokenKind::Name(text) => {
                self.at += 1;
                self.after_name(Name { text, span })
            }
            TokenKind::LeftParenthesis => {
                self.at += 1;
                let inner = self.nested(Self::or)?;
                self.expect(&TokenKind::RightParenthesis, "`)`")?;
                Ok(self.since(span.start, inner.kind))
            }
            _ => Err(self.unexpected("a number, a name or `(`")),
        }
    }

    fn after_name(&mut self, name: Name) -> Result<Syntax, Fault> {
        let start = name.span.start;
        let kind = if self.eat(&TokenKind::LeftParenthesis) {
            let mut arguments = vec![self.nested(Self::or)?];
            while self.eat(&TokenKind::Comma) {
                arguments.push(self.nested(Self::or)?);
            }
            self.expect(&TokenKind::RightParenthesis, "`)`")?;
            Kind::Call(name, arguments)
        } else if self.eat(&TokenKind::LeftBracket) {
            let arm = self.name("the name of an arm")?;
            self.expect(&TokenKind::RightBracket, "`]`")?;
            Kind::Indexed(name, arm)
        } else if self.eat(&TokenKind::At) {
            Kind::OnTarget(name, self.name("the name of a target")?)
        } else {
            Kind::Name(name.text)
        };
        Ok(self.since(start, kind))
    }

    fn name(&mut self, wanted: &str) -> Result<Name, Fault> {
        let span = self.span();
        let TokenKind::Name(text) = self.peek().clone() else {
            return Err(self.unexpected(wanted));
        };
        self.at += 1;
        Ok(Name { text, span })
    }

    fn nested(&mut self, part: fn(&mut Self) -> Result<Syntax, Fault>) -> Result<Syntax, Fault> {
        if self.depth == DEEPEST {
            let message = format!("the expression nests deeper than {DEEPEST} levels");
            return Err(Fault::new(
                self.span(),
                message,
                "name parts of it as metrics",
            ));
        }
        self.depth += 1;
        let syntax = part(self)?;
        self.depth -= 1;
        Ok(syntax)
    }

    fn peek(&self) -> &TokenKind {
        &self.tokens[self.at].kind
    }

    fn span(&self) -> Range<usize> {
        self.tokens[self.at].span.clone()
    }

    fn eat(&mut self, kind: &TokenKind) -> bool {
        let here = self.peek() == kind;
        self.at += usize::from(here);
        here
    }

    fn expect(&mut self, kind: &TokenKind, wanted: &str) -> Result<(), Fault> {
        if self.eat(kind) {
            Ok(())
        } else {
            Err(self.unexpected(wanted))
        }
    }

    /// A part from `start` to the end of the last token read.
    fn since(&self, start: usize, kind: Kind) -> Syntax {
        let end = self
            .at
            .checked_sub(1)
            .map_or(start, |last| self.tokens[last].span.end);
        let span = start..end;
        Syntax { kind, span }
    }

    fn unexpected(&self, wanted: &str) -> Fault {
        let message = match self.peek() {
            TokenKind::End => "the expression ends too early",
            _ => "the expression goes wrong here",
        };
        Fault::new(self.span(), message, format!("write {wanted} here"))
    }
}
