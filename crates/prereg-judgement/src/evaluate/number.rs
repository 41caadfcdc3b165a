//! Numbers.

use prereg_declaration::{Arithmetic, Number};
use prereg_units::Quantity;

use super::{Reader, Unreadable};

/// The value of a number. Units were checked with the declaration, so an operation fails only
/// where its result is not finite.
pub(crate) fn number(
    reader: &mut impl Reader,
    expression: &Number,
) -> Result<Quantity, Unreadable> {
    match expression {
        Number::Literal(quantity) => Ok(*quantity),
        Number::Constant(name) => reader.constant(name),
        Number::Metric(name) => reader.metric(name),
        Number::OverSteps(statistic, column) => reader.over_steps(*statistic, column),
        Number::OverSessions(statistic, metric) => reader.over_sessions(*statistic, metric),
        Number::Negate(operand) => {
            let operand = number(reader, operand)?;
            Quantity::new(-operand.value(), operand.dimension()).map_err(|_| Unreadable::NotFinite)
        }
        Number::Binary(operator, left, right) => {
            let (left, right) = (number(reader, left)?, number(reader, right)?);
            let result = match operator {
                Arithmetic::Add => left.checked_add(right),
                Arithmetic::Subtract => left.checked_sub(right),
                Arithmetic::Multiply => left.checked_mul(right),
                Arithmetic::Divide => left.checked_div(right),
            };
            result.map_err(|_| Unreadable::NotFinite)
        }
    }
}
