//! Checked expressions as text, the same text for the same meaning: one space around operators, no bracket that
//! precedence makes needless, numbers by [`prereg_units::Quantity::canonical`]. Reading the text gives the same expression.

use std::fmt::{self, Display, Formatter};

use crate::canonical::quoted;

use super::{
    Arithmetic, Column, Comparison, Condition, ConstantName, Number, Predicate, Statistic,
};

/// How literals that something is compared with are printed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Thresholds {
    /// As they are.
    Shown,
    /// As `_`: what is asked, without how much of it.
    Blank,
}

impl Arithmetic {
    /// The operator, as an expression spells it.
    #[must_use]
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
        }
    }

    const fn precedence(self) -> u8 {
        match self {
            Self::Add | Self::Subtract => SUM,
            Self::Multiply | Self::Divide => PRODUCT,
        }
    }
}

impl Comparison {
    /// The operator, as an expression spells it.
    #[must_use]
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
        }
    }
}

const SUM: u8 = 1;
const PRODUCT: u8 = 2;
const UNARY: u8 = 3;
const PRIMARY: u8 = 4;

impl Number {
    const fn precedence(&self) -> u8 {
        match self {
            Self::Binary(operator, ..) => operator.precedence(),
            Self::Negate(_) => UNARY,
            _ => PRIMARY,
        }
    }

    fn print(&self, f: &mut Formatter<'_>, thresholds: Thresholds) -> fmt::Result {
        match self {
            Self::Literal(_) if thresholds == Thresholds::Blank => f.write_str("_"),
            Self::Literal(quantity) => f.write_str(&quantity.canonical()),
            Self::Constant(constant) => constant.fmt(f),
            Self::Metric(name) => f.write_str(name),
            Self::OverSteps(statistic, column) => call(f, *statistic, column),
            Self::OverSessions(statistic, metric) => call(f, *statistic, metric),
            Self::Negate(part) => {
                f.write_str("-")?;
                part.operand(f, UNARY, thresholds)
            }
            Self::Binary(operator, left, right) => {
                left.operand(f, operator.precedence(), thresholds)?;
                write!(f, " {} ", operator.symbol())?;
                right.operand(f, operator.precedence() + 1, thresholds)
            }
        }
    }

    /// Prints an operand in a place that takes `least` precedence without brackets.
    fn operand(&self, f: &mut Formatter<'_>, least: u8, thresholds: Thresholds) -> fmt::Result {
        bracketed(f, self.precedence() < least, |f| self.print(f, thresholds))
    }
}

impl Predicate {
    pub(crate) fn print(&self, f: &mut Formatter<'_>, thresholds: Thresholds) -> fmt::Result {
        let print = |part: &Self, f: &mut Formatter<'_>| part.print(f, thresholds);
        match self {
            Self::Compare(comparison, left, right) => {
                left.print(f, thresholds)?;
                write!(f, " {} ", comparison.symbol())?;
                right.print(f, thresholds)
            }
            Self::SameLogits(left, right) => write!(f, "logits[{left}] == logits[{right}]"),
            Self::SameOutput(left, right) => write!(f, "output[{left}] == output[{right}]"),
            Self::FactIs(fact, _) if thresholds == Thresholds::Blank => {
                write!(f, "fact[{fact}] == _")
            }
            Self::FactIs(fact, text) => write!(f, "fact[{fact}] == {}", quoted(text)),
            Self::And(parts) => joined(f, "and", parts, |part| part.binds(JOINED_BY_AND), print),
            Self::Or(parts) => joined(f, "or", parts, |part| part.binds(JOINED_BY_OR), print),
            Self::Not(part) => negated(f, part.binds(NEGATED), |f| part.print(f, thresholds)),
        }
    }

    const fn binds(&self, least: u8) -> bool {
        let own = match self {
            Self::Or(_) => 0,
            Self::And(_) => 1,
            Self::Compare(..) | Self::SameLogits(..) | Self::SameOutput(..) | Self::FactIs(..) => 2,
            Self::Not(_) => 3,
        };
        own >= least
    }
}

impl Condition {
    pub(crate) fn print(&self, f: &mut Formatter<'_>, thresholds: Thresholds) -> fmt::Result {
        let print = |part: &Self, f: &mut Formatter<'_>| part.print(f, thresholds);
        match self {
            Self::Compare {
                metric,
                comparison,
                threshold,
            } => {
                let threshold = match thresholds {
                    Thresholds::Shown => threshold.canonical(),
                    Thresholds::Blank => "_".to_owned(),
                };
                write!(f, "{metric} {} {threshold}", comparison.symbol())
            }
            Self::And(parts) => joined(f, "and", parts, |part| part.binds(JOINED_BY_AND), print),
            Self::Or(parts) => joined(f, "or", parts, |part| part.binds(JOINED_BY_OR), print),
            Self::Not(part) => negated(f, part.binds(NEGATED), |f| part.print(f, thresholds)),
        }
    }

    const fn binds(&self, least: u8) -> bool {
        let own = match self {
            Self::Or(_) => 0,
            Self::And(_) => 1,
            Self::Compare { .. } => 2,
            Self::Not(_) => 3,
        };
        own >= least
    }
}

/// What a part must bind like to stand without brackets. A group of the same word keeps its brackets: levels are shared
/// out by group, so `a or (b or c)` is not `a or b or c`.
const JOINED_BY_OR: u8 = 1;
const JOINED_BY_AND: u8 = 2;
const NEGATED: u8 = 3;

fn joined<T>(
    f: &mut Formatter<'_>,
    word: &str,
    parts: &[T],
    bare: impl Fn(&T) -> bool,
    print: impl Fn(&T, &mut Formatter<'_>) -> fmt::Result,
) -> fmt::Result {
    for (index, part) in parts.iter().enumerate() {
        if index > 0 {
            write!(f, " {word} ")?;
        }
        bracketed(f, !bare(part), |f| print(part, f))?;
    }
    Ok(())
}

fn negated(
    f: &mut Formatter<'_>,
    bare: bool,
    print: impl FnOnce(&mut Formatter<'_>) -> fmt::Result,
) -> fmt::Result {
    f.write_str("not ")?;
    bracketed(f, !bare, print)
}

fn bracketed(
    f: &mut Formatter<'_>,
    brackets: bool,
    print: impl FnOnce(&mut Formatter<'_>) -> fmt::Result,
) -> fmt::Result {
    if !brackets {
        return print(f);
    }
    f.write_str("(")?;
    print(f)?;
    f.write_str(")")
}

fn call(f: &mut Formatter<'_>, statistic: Statistic, of: &impl Display) -> fmt::Result {
    match statistic {
        Statistic::Quantile(p) => write!(f, "quantile({of}, {p:e})"),
        _ => write!(f, "{}({of})", statistic.name()),
    }
}

fn indexed(f: &mut Formatter<'_>, name: &str, arm: Option<&String>) -> fmt::Result {
    match arm {
        Some(arm) => write!(f, "{name}[{arm}]"),
        None => f.write_str(name),
    }
}

impl Display for ConstantName {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        indexed(f, &self.name, self.arm.as_ref())
    }
}

impl Display for Column {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        indexed(f, &self.name, self.arm.as_ref())
    }
}

impl Display for Number {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.print(f, Thresholds::Shown)
    }
}

impl Display for Predicate {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.print(f, Thresholds::Shown)
    }
}

impl Display for Condition {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.print(f, Thresholds::Shown)
    }
}
