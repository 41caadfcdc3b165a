//! The comparisons of a condition, each as what it says once the negations around it are resolved.

use prereg_declaration::Condition;
use prereg_units::Quantity;

use crate::claim;

/// `metric op threshold`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Comparison<'a> {
    pub(super) metric: &'a str,
    pub(super) operator: prereg_stats::Comparison,
    pub(super) threshold: Quantity,
}

/// Left to right; `not speedup >= 2` is `speedup < 2`.
pub(super) fn comparisons(condition: &Condition) -> Vec<Comparison<'_>> {
    let mut found = Vec::new();
    collect(condition, false, &mut found);
    found
}

fn collect<'a>(condition: &'a Condition, negated: bool, found: &mut Vec<Comparison<'a>>) {
    match condition {
        Condition::Compare {
            metric,
            comparison,
            threshold,
        } => {
            let operator = claim::comparison(*comparison);
            found.push(Comparison {
                metric,
                operator: if negated {
                    operator.negated()
                } else {
                    operator
                },
                threshold: *threshold,
            });
        }
        Condition::And(parts) | Condition::Or(parts) => {
            for part in parts {
                collect(part, negated, found);
            }
        }
        Condition::Not(part) => collect(part, !negated, found),
    }
}

#[cfg(test)]
mod tests {
    use prereg_declaration::Comparison as Operator;

    use super::*;
    use crate::example::compare;

    #[test]
    fn a_negated_comparison_is_its_opposite() {
        let not = |condition| Condition::Not(Box::new(condition));
        let at_least = || compare("speedup", Operator::GreaterOrEqual, 2.0);
        let operator = |condition: Condition| comparisons(&condition)[0].operator;
        assert_eq!(operator(not(at_least())), prereg_stats::Comparison::Less);
        let twice = not(not(at_least()));
        assert_eq!(operator(twice), prereg_stats::Comparison::GreaterOrEqual);
        let inside = not(Condition::Or(vec![at_least(), not(at_least())]));
        let found: Vec<_> = comparisons(&inside).iter().map(|c| c.operator).collect();
        let expected = [
            prereg_stats::Comparison::Less,
            prereg_stats::Comparison::GreaterOrEqual,
        ];
        assert_eq!(found, expected);
    }
}
