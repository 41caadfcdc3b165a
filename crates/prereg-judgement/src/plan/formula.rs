//! Conditions and predicates as formulas over variables, and whether they can hold or fail at all.

use std::collections::BTreeSet;

use prereg_stats::Comparison;

use super::range::Range;

/// More cases than this are not tried.
const MOST_CASES: usize = 100_000;

/// A formula. Variables are numbered; each takes any value of its range, independently.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Formula {
    Constant(bool),
    Compare {
        variable: usize,
        comparison: Comparison,
        threshold: f64,
    },
    And(Vec<Formula>),
    Or(Vec<Formula>),
    Not(Box<Formula>),
}

/// What a formula can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Possible {
    pub(super) can_hold: bool,
    pub(super) can_fail: bool,
}

impl Formula {
    /// A variable that is true or false.
    pub(super) fn boolean(variable: usize) -> Self {
        Self::Compare {
            variable,
            comparison: Comparison::GreaterOrEqual,
            threshold: 1.0,
        }
    }

    /// Whether it holds for these values of the variables.
    fn holds(&self, values: &[f64]) -> bool {
        match self {
            Self::Constant(value) => *value,
            Self::Compare {
                variable,
                comparison,
                threshold,
            } => comparison.holds(values[*variable], *threshold),
            Self::And(parts) => parts.iter().all(|part| part.holds(values)),
            Self::Or(parts) => parts.iter().any(|part| part.holds(values)),
            Self::Not(part) => !part.holds(values),
        }
    }

    fn thresholds(&self, of: usize, found: &mut Vec<f64>) {
        match self {
            Self::Compare {
                variable,
                threshold,
                ..
            } if *variable == of => found.push(*threshold),
            Self::Constant(_) | Self::Compare { .. } => {}
            Self::And(parts) | Self::Or(parts) => {
                for part in parts {
                    part.thresholds(of, found);
                }
            }
            Self::Not(part) => part.thresholds(of, found),
        }
    }

    fn variables(&self, found: &mut BTreeSet<usize>) {
        match self {
            Self::Constant(_) => {}
            Self::Compare { variable, .. } => {
                found.insert(*variable);
            }
            Self::And(parts) | Self::Or(parts) => {
                for part in parts {
                    part.variables(found);
                }
            }
            Self::Not(part) => part.variables(found),
        }
    }

    /// Tries one value from every interval into which the thresholds cut each range, which is
    /// every case there is. `None` where there are too many.
    pub(super) fn possible(&self, ranges: &[Range]) -> Option<Possible> {
        let mut used = BTreeSet::new();
        self.variables(&mut used);
        let choices: Vec<(usize, Vec<f64>)> = used
            .into_iter()
            .map(|variable| (variable, self.representatives(variable, ranges[variable])))
            .collect();
        let mut cases = 1_usize;
        for (_, values) in &choices {
            cases = cases
                .checked_mul(values.len())
                .filter(|cases| *cases <= MOST_CASES)?;
        }
        let mut values = vec![0.0; ranges.len()];
        let mut possible = Possible {
            can_hold: false,
            can_fail: false,
        };
        for case in 0..cases {
            let mut rest = case;
            for (variable, representatives) in &choices {
                values[*variable] = representatives[rest % representatives.len()];
                rest /= representatives.len();
            }
            if self.holds(&values) {
                possible.can_hold = true;
            } else {
                possible.can_fail = true;
            }
        }
        Some(possible)
    }

    fn representatives(&self, variable: usize, range: Range) -> Vec<f64> {
        let mut cuts: Vec<f64> = range
            .ends()
            .into_iter()
            .flatten()
            .map(|end| end.0)
            .collect();
        cuts.push(0.0);
        self.thresholds(variable, &mut cuts);
        cuts.sort_by(f64::total_cmp);
        cuts.dedup();
        let between = cuts.windows(2).map(|pair| f64::midpoint(pair[0], pair[1]));
        let (first, last) = (cuts[0], cuts[cuts.len() - 1]);
        let outside = [
            f64::midpoint(first, f64::MIN),
            f64::midpoint(last, f64::MAX),
            1.0,
        ];
        let mut values: Vec<f64> = between.chain(outside).chain(cuts.iter().copied()).collect();
        values.retain(|value| range.contains(*value));
        values.sort_by(f64::total_cmp);
        values.dedup();
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compare(variable: usize, comparison: Comparison, threshold: f64) -> Formula {
        Formula::Compare {
            variable,
            comparison,
            threshold,
        }
    }

    fn possible(formula: &Formula, ranges: &[Range]) -> (bool, bool) {
        let found = formula.possible(ranges).unwrap();
        (found.can_hold, found.can_fail)
    }

    #[test]
    fn a_threshold_inside_the_range_can_go_both_ways() {
        let below = compare(0, Comparison::Less, 1.15);
        assert_eq!(possible(&below, &[Range::POSITIVE]), (true, true));
    }

    #[test]
    fn a_positive_number_is_never_at_or_below_zero() {
        let ranges = [Range::POSITIVE];
        assert_eq!(
            possible(&compare(0, Comparison::LessOrEqual, 0.0), &ranges),
            (false, true)
        );
        assert_eq!(
            possible(&compare(0, Comparison::Greater, 0.0), &ranges),
            (true, false)
        );
        let ranges = [Range::NON_NEGATIVE];
        assert_eq!(
            possible(&compare(0, Comparison::LessOrEqual, 0.0), &ranges),
            (true, true)
        );
        assert_eq!(
            possible(&compare(0, Comparison::Less, 0.0), &ranges),
            (false, true)
        );
    }

    #[test]
    fn contradictions_and_tautologies_are_found() {
        let (below, above) = (
            compare(0, Comparison::Less, 1.0),
            compare(0, Comparison::GreaterOrEqual, 1.0),
        );
        let ranges = [Range::REAL];
        assert_eq!(
            possible(&Formula::And(vec![below.clone(), above.clone()]), &ranges),
            (false, true)
        );
        assert_eq!(
            possible(&Formula::Or(vec![below, above]), &ranges),
            (true, false)
        );
        let gap = [
            compare(0, Comparison::Less, 1.0),
            compare(0, Comparison::Greater, 1.0),
        ];
        assert_eq!(possible(&Formula::Or(gap.to_vec()), &ranges), (true, true));
    }

    #[test]
    fn variables_are_independent() {
        let either = Formula::Or(vec![
            compare(0, Comparison::Less, 1.0),
            compare(1, Comparison::GreaterOrEqual, 1.0),
        ]);
        assert_eq!(possible(&either, &[Range::REAL, Range::REAL]), (true, true));
        let both = Formula::Or(vec![
            Formula::boolean(0),
            Formula::Not(Box::new(Formula::boolean(0))),
        ]);
        assert_eq!(possible(&both, &[Range::BOOLEAN]), (true, false));
    }

    #[test]
    fn too_many_cases_are_not_tried() {
        let parts = (0..40)
            .map(|variable| compare(variable, Comparison::Less, 1.0))
            .collect();
        assert_eq!(Formula::Or(parts).possible(&[Range::REAL; 40]), None);
    }
}
