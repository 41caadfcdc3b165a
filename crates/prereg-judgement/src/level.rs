//! Error probabilities of the comparisons in a claim.
//!
//! Levels go top-down: a disjunction of m splits the α of "true" and passes the α of "false" on, a
//! conjunction does the opposite, a negation swaps the two. By Boole's inequality the whole is then
//! wrongly shown true, or wrongly shown false, with at most its own α, however its parts depend on
//! each other. The kill conditions of a claim are one disjunction.

use prereg_declaration::{Comparison, Condition, KillCondition};
use prereg_stats::{Alpha, Truth};
use prereg_units::Quantity;

/// The α at which something may be shown true, and that at which it may be shown false.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Levels {
    pub(crate) to_true: Alpha,
    pub(crate) to_false: Alpha,
}

/// A comparison with its levels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Leaf<'a> {
    pub(crate) metric: &'a str,
    pub(crate) comparison: Comparison,
    pub(crate) threshold: Quantity,
    pub(crate) levels: Levels,
}

impl Leaf<'_> {
    fn is_same_comparison(&self, other: &Self) -> bool {
        self.metric == other.metric
            && self.comparison == other.comparison
            && self.threshold == other.threshold
    }
}

/// The comparisons of each kill condition, left to right. One that stands in several places takes
/// the strictest of its levels everywhere.
pub(crate) fn assign(kill: &[KillCondition], levels: Levels) -> Vec<Vec<Leaf<'_>>> {
    let share = Levels {
        to_true: levels.to_true.share(kill.len()),
        ..levels
    };
    let mut conditions: Vec<Vec<Leaf<'_>>> = kill
        .iter()
        .map(|kill| {
            let mut leaves = Vec::new();
            descend(&kill.condition, share, &mut leaves);
            leaves
        })
        .collect();
    let all: Vec<Leaf<'_>> = conditions.iter().flatten().copied().collect();
    for leaf in conditions.iter_mut().flatten() {
        let same = all.iter().filter(|other| other.is_same_comparison(leaf));
        leaf.levels = same.fold(leaf.levels, |strictest, other| Levels {
            to_true: strictest.to_true.min(other.levels.to_true),
            to_false: strictest.to_false.min(other.levels.to_false),
        });
    }
    conditions
}

fn descend<'a>(condition: &'a Condition, levels: Levels, leaves: &mut Vec<Leaf<'a>>) {
    match condition {
        Condition::Compare {
            metric,
            comparison,
            threshold,
        } => {
            leaves.push(Leaf {
                metric,
                comparison: *comparison,
                threshold: *threshold,
                levels,
            });
        }
        Condition::Or(parts) => {
            let share = Levels {
                to_true: levels.to_true.share(parts.len()),
                ..levels
            };
            for part in parts {
                descend(part, share, leaves);
            }
        }
        Condition::And(parts) => {
            let share = Levels {
                to_false: levels.to_false.share(parts.len()),
                ..levels
            };
            for part in parts {
                descend(part, share, leaves);
            }
        }
        Condition::Not(part) => {
            let swapped = Levels {
                to_true: levels.to_false,
                to_false: levels.to_true,
            };
            descend(part, swapped, leaves);
        }
    }
}

/// The truth of a condition from those of its comparisons, given left to right.
pub(crate) fn combine(condition: &Condition, leaves: &mut impl Iterator<Item = Truth>) -> Truth {
    match condition {
        Condition::Compare { .. } => leaves.next().unwrap_or(Truth::Undetermined),
        // Every part takes its own leaves, so none may be skipped.
        Condition::Or(parts) => parts
            .iter()
            .map(|part| combine(part, leaves))
            .fold(Truth::False, Truth::or),
        Condition::And(parts) => parts
            .iter()
            .map(|part| combine(part, leaves))
            .fold(Truth::True, Truth::and),
        Condition::Not(part) => !combine(part, leaves),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::example::{compare, kill};

    fn levels() -> Levels {
        Levels {
            to_true: Alpha::new(0.05).unwrap(),
            to_false: Alpha::new(0.04).unwrap(),
        }
    }

    fn assigned(conditions: &[Condition]) -> Vec<(f64, f64)> {
        let kill: Vec<_> = conditions.iter().cloned().map(kill).collect();
        let leaves = assign(&kill, levels());
        let pair = |leaf: &Leaf<'_>| (leaf.levels.to_true.get(), leaf.levels.to_false.get());
        leaves.iter().flatten().map(pair).collect()
    }

    fn below(threshold: f64) -> Condition {
        compare("speedup", Comparison::Less, threshold)
    }

    #[test]
    fn one_condition_keeps_both_levels() {
        assert_eq!(assigned(&[below(1.0)]), [(0.05, 0.04)]);
    }

    #[test]
    fn several_conditions_share_the_level_of_falsified_only() {
        assert_eq!(assigned(&[below(1.0), below(2.0)]), [(0.025, 0.04); 2]);
    }

    #[test]
    fn a_conjunction_shares_the_level_of_pass_only() {
        let both = Condition::And(vec![below(1.0), below(2.0)]);
        assert_eq!(assigned(&[both]), [(0.05, 0.02); 2]);
    }

    #[test]
    fn a_negation_swaps_the_levels() {
        assert_eq!(
            assigned(&[Condition::Not(Box::new(below(1.0)))]),
            [(0.04, 0.05)]
        );
        let none = Condition::Not(Box::new(Condition::Or(vec![below(1.0), below(2.0)])));
        assert_eq!(assigned(&[none]), [(0.02, 0.05); 2]);
    }

    #[test]
    fn a_comparison_used_twice_takes_the_stricter_level_everywhere() {
        let nested = Condition::And(vec![below(1.0), below(3.0)]);
        assert_eq!(
            assigned(&[below(1.0), nested]),
            [(0.025, 0.02), (0.025, 0.02), (0.025, 0.02)]
        );
    }

    fn condition() -> impl Strategy<Value = Condition> {
        let leaf = (0..40_u32).prop_map(|threshold| below(f64::from(threshold)));
        leaf.prop_recursive(4, 24, 3, |part| {
            prop_oneof![
                prop::collection::vec(part.clone(), 1..4).prop_map(Condition::Or),
                prop::collection::vec(part.clone(), 1..4).prop_map(Condition::And),
                part.prop_map(|part| Condition::Not(Box::new(part))),
            ]
        })
    }

    /// The largest probabilities with which the condition can wrongly be shown true and wrongly be
    /// shown false, by Boole's inequality, for the levels of its leaves.
    fn boole(condition: &Condition, leaves: &mut impl Iterator<Item = Levels>) -> [f64; 2] {
        match condition {
            Condition::Compare { .. } => {
                let levels = leaves.next().unwrap();
                [levels.to_true.get(), levels.to_false.get()]
            }
            Condition::Or(parts) | Condition::And(parts) => {
                let each: Vec<_> = parts.iter().map(|part| boole(part, leaves)).collect();
                let sum = |i: usize| each.iter().map(|errors| errors[i]).sum::<f64>();
                let max = |i: usize| each.iter().map(|errors| errors[i]).fold(0.0, f64::max);
                // A false disjunction has only false parts: any one wrongly shown true is enough.
                // A true one has a true part: that one must wrongly be shown false.
                if matches!(condition, Condition::Or(_)) {
                    [sum(0), max(1)]
                } else {
                    [max(0), sum(1)]
                }
            }
            Condition::Not(part) => {
                let [to_true, to_false] = boole(part, leaves);
                [to_false, to_true]
            }
        }
    }

    /// Two-valued logic.
    fn plain(condition: &Condition, value: f64) -> bool {
        match condition {
            Condition::Compare { threshold, .. } => value < threshold.value(),
            Condition::Or(parts) => parts.iter().any(|part| plain(part, value)),
            Condition::And(parts) => parts.iter().all(|part| plain(part, value)),
            Condition::Not(part) => !plain(part, value),
        }
    }

    proptest! {
        #[test]
        fn the_whole_claim_keeps_its_levels(conditions in prop::collection::vec(condition(), 1..4)) {
            let kills: Vec<_> = conditions.iter().cloned().map(kill).collect();
            let leaves = assign(&kills, levels());
            let mut flat = leaves.iter().flatten().map(|leaf| leaf.levels);
            let [to_true, to_false] = boole(&Condition::Or(conditions), &mut flat);
            prop_assert!(to_true <= 0.05 * (1.0 + 1e-12));
            prop_assert!(to_false <= 0.04 * (1.0 + 1e-12));
        }

        #[test]
        fn settled_leaves_combine_as_plain_logic(condition in condition(), value in 0..40_u32) {
            let kills = [kill(condition.clone())];
            let leaves = assign(&kills, levels());
            let truths: Vec<Truth> = leaves[0]
                .iter()
                .map(|leaf| (f64::from(value) < leaf.threshold.value()).into())
                .collect();
            let expected: Truth = plain(&condition, f64::from(value)).into();
            prop_assert_eq!(combine(&condition, &mut truths.into_iter()), expected);
        }
    }
}
