//! What the order of measuring did to a metric: drift over the run, dependence of neighbours, and
//! which arm a session started with.
//!
//! Drift and dependence are read on what inference counts, blocks or sessions, because intervals
//! assume of those that their order does not matter. Missing ones are passed over. The p-values are
//! of permutation tests, whose seeds come from the metric's analysis seed.

use prereg_stats::permutation::{self, AssociationError};
use prereg_stats::{Generator, Sample, Seed, estimate};

use super::values::Values;
use crate::significant::rounded;
use crate::verdict::{Association, OrderEffect};

/// A p-value below this is said in words. Where order does nothing, the three tests of a metric then
/// warn in at most 3 % of runs. Fewer than six values cannot warn: they have too few orders.
const WARNED_BELOW: f64 = 0.01;

/// The readings; each `None` where there is too little to read, or the values are equal.
#[derive(Default)]
pub(super) struct Order {
    pub(super) drift: Option<Association>,
    /// Of the arm that a session started with.
    pub(super) effect: Option<OrderEffect>,
    pub(super) serial: Option<Association>,
}

impl Order {
    /// Reads a metric. `baseline_first` says of each session whether it started with the baseline.
    pub(super) fn read(values: &Values, baseline_first: &[Option<bool>], seed: Seed) -> Self {
        let units: Vec<f64> = values.units().iter().copied().flatten().collect();
        let units = Sample::new(&units).ok();
        let test = |test: Test, stream| association(test(units?, derived(seed, stream)));
        Self {
            drift: test(permutation::trend, 1),
            effect: order_effect(values, baseline_first, derived(seed, 2)),
            serial: test(permutation::serial, 3),
        }
    }

    /// What the readings show, a sentence each.
    pub(super) fn warnings(&self) -> Vec<String> {
        let shown = |reading: &Association| reading.p < WARNED_BELOW;
        let drift = self.drift.filter(shown).map(|Association { rho, p }| {
            format!(
                "the values drift over the run: correlation {rho:.2} with their order, p = {p:.4}"
            )
        });
        let order_effect = self.effect.filter(|effect| effect.p < WARNED_BELOW);
        let order_effect = order_effect.map(|OrderEffect { ratio, p, .. }| {
            format!(
                "sessions that started with the baseline have {ratio:.4} times the value of the \
                 others, p = {p:.4}"
            )
        });
        let serial = self.serial.filter(shown).map(|Association { rho, p }| {
            format!(
                "neighbours in time depend on each other: correlation {rho:.2}, p = {p:.4}; serial \
                 dependence voids every interval above"
            )
        });
        [drift, order_effect, serial]
            .into_iter()
            .flatten()
            .collect()
    }
}

type Test = fn(Sample<'_>, Seed) -> Result<permutation::Association, AssociationError>;

/// Too few values and equal ones have no association.
fn association(found: Result<permutation::Association, AssociationError>) -> Option<Association> {
    let found = found.ok()?;
    Some(Association {
        rho: rounded(found.coefficient),
        p: rounded(found.p),
    })
}

fn order_effect(
    values: &Values,
    baseline_first: &[Option<bool>],
    seed: Seed,
) -> Option<OrderEffect> {
    let group = |wanted| -> Vec<f64> {
        values
            .by_session
            .iter()
            .zip(baseline_first)
            .filter_map(|(value, first)| value.filter(|_| *first == Some(wanted)))
            .collect()
    };
    let (first, others) = (group(true), group(false));
    let (firsts, rest) = (Sample::new(&first).ok()?, Sample::new(&others).ok()?);
    let ratio = estimate::median(firsts) / estimate::median(rest);
    let found = association(permutation::contrast(firsts, rest, seed))?;
    ratio.is_finite().then(|| OrderEffect {
        ratio: rounded(ratio),
        baseline_first: first.len(),
        others: others.len(),
        p: found.p,
    })
}

/// A seed of its own for each test, from streams that no bootstrap of the metric draws from.
fn derived(seed: Seed, test: u64) -> Seed {
    let mut generator = Generator::stream(seed, u64::MAX - test);
    Seed(std::array::from_fn(|_| generator.below(256) as u8))
}

#[cfg(test)]
mod tests {
    use prereg_units::Dimension;

    use super::*;
    use crate::example::{SPEEDUPS, declaration};
    use crate::method::Reading;

    fn read(by_session: &[f64], baseline_first: impl Fn(usize) -> Option<bool>) -> Order {
        let numbers = by_session.iter().copied().map(Some).collect();
        let values = Values::new(Dimension::NONE, numbers, Reading::of(&declaration()));
        let first: Vec<_> = (0..by_session.len()).map(baseline_first).collect();
        Order::read(&values, &first, Seed([7; 32]))
    }

    /// Every second session starts with the baseline.
    fn read_alternating(by_session: &[f64]) -> Order {
        read(by_session, |session| Some(session.is_multiple_of(2)))
    }

    #[test]
    fn a_drift_and_the_dependence_that_it_makes_are_said() {
        let drifting: Vec<f64> = (0..12).map(|i| 1.0 + 0.01 * f64::from(i)).collect();
        let order = read_alternating(&drifting);
        let drift = order.drift.unwrap();
        assert_eq!((drift.rho, drift.p), (1.0, 0.0001));
        let warnings = order.warnings();
        assert_eq!(warnings.len(), 2, "{warnings:?}");
        assert!(warnings[0].starts_with("the values drift over the run: correlation 1.00"));
        assert!(warnings[1].ends_with("serial dependence voids every interval above"));
    }

    #[test]
    fn sessions_without_order_warn_of_nothing() {
        let order = read_alternating(&SPEEDUPS);
        assert!(order.drift.is_some() && order.effect.is_some() && order.serial.is_some());
        assert_eq!(order.warnings(), Vec::<String>::new());
    }

    #[test]
    fn an_order_effect_is_the_ratio_between_the_two_groups() {
        let shifted: Vec<f64> = SPEEDUPS
            .iter()
            .enumerate()
            .map(|(i, speedup)| if i % 2 == 0 { *speedup + 1.0 } else { *speedup })
            .collect();
        let order = read_alternating(&shifted);
        let effect = order.effect.unwrap();
        // Medians of 2.21 2.19 2.26 2.28 2.17 and of 1.24 1.30 1.22 1.25 1.23.
        assert_eq!(effect.ratio, rounded(2.21 / 1.24));
        assert_eq!((effect.baseline_first, effect.others), (5, 5));
        assert!(effect.p < 0.02);
    }

    #[test]
    fn sessions_that_all_start_alike_have_no_order_effect() {
        assert_eq!(read(&SPEEDUPS, |_| Some(true)).effect, None);
        assert_eq!(read(&SPEEDUPS, |_| None).effect, None);
    }

    #[test]
    fn equal_and_few_values_have_no_order() {
        let order = read_alternating(&[0.1; 10]);
        assert_eq!((order.drift, order.serial), (None, None));
        assert_eq!(read_alternating(&[1.0, 2.0]).drift, None);
    }
}
