//! Controls: the quotient of two arms that are declared alike must be shown to be 1, within a bound.
//!
//! Two one-sided tests: a control is held where the lower and the upper bound of the declared method,
//! each at the α of pass, both lie in [1 / (1 + within), 1 + within]. A quotient that lies outside is
//! then held with probability at most α; controls that must all hold need no share of it. An interval
//! that reaches beyond the bound fails, be it because the arms differ or because too few sessions
//! leave it wide: what is not shown is not passed.
//!
//! Without an interval a control is not observed. Values equal to rounding have none, as everywhere:
//! they show the resolution of the clock and not how well it measures, even where all of them are 1.

use prereg_declaration::Control;
use prereg_stats::Bound;

use crate::claim::Evidence;
use crate::significant::rounded;
use crate::verdict::{ControlResult, GateState};

/// Reads a control on the numbers of the run.
pub(crate) fn read(control: &Control, evidence: &Evidence<'_>) -> ControlResult {
    let bounds = evidence.at_alpha_of_pass(&control.metric);
    let [lower, upper] = bounds.map(|bound| bound.finite().map(rounded));
    let unbounded = bounds.into_iter().find_map(Bound::unbounded);
    ControlResult {
        metric: control.metric.clone(),
        within: control.within,
        state: state(bounds, control.within),
        lower,
        upper,
        alpha: evidence.reading.error(evidence.levels.to_false),
        unbounded: unbounded.map(|reason| reason.to_string()),
    }
}

/// What bounds of a quotient say of it.
pub(crate) fn state(bounds: [Bound; 2], within: f64) -> GateState {
    let [least, most] = ends(within);
    let ends = bounds.map(Bound::finite);
    let is_outside = |end: f64| end < least || end > most;
    if ends.into_iter().flatten().any(is_outside) {
        GateState::Failed
    } else if ends.iter().all(Option::is_some) {
        GateState::Held
    } else {
        GateState::Unobserved
    }
}

/// The smallest and the largest quotient within a bound.
pub(crate) fn ends(within: f64) -> [f64; 2] {
    [1.0 / (1.0 + within), 1.0 + within]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use prereg_declaration::Declaration;
    use prereg_stats::distribution::normal;
    use prereg_stats::{Generator, Seed, Unbounded};
    use prereg_units::Dimension;
    use proptest::prelude::*;

    use super::*;
    use crate::example::{declaration, seed};
    use crate::method::Reading;
    use crate::metric::Values;

    const OPEN: Bound = Bound::Unbounded(Unbounded::Degenerate);

    fn state_of(lower: f64, upper: f64) -> GateState {
        state([lower, upper].map(Bound::Finite), 0.25)
    }

    #[test]
    fn an_interval_up_to_both_ends_of_the_bound_is_held() {
        assert_eq!(state_of(0.8, 1.25), GateState::Held);
    }

    #[test]
    fn an_interval_that_reaches_beyond_one_end_fails() {
        assert_eq!(state_of(0.79, 1.0), GateState::Failed);
        assert_eq!(state_of(1.0, 1.26), GateState::Failed);
        assert_eq!(state_of(1.3, 1.4), GateState::Failed);
    }

    #[test]
    fn without_both_bounds_nothing_is_held() {
        assert_eq!(state([OPEN; 2], 0.25), GateState::Unobserved);
        assert_eq!(
            state([Bound::Finite(1.0), OPEN], 0.25),
            GateState::Unobserved
        );
        assert_eq!(state([Bound::Finite(0.5), OPEN], 0.25), GateState::Failed);
    }

    /// What a control says of these quotients.
    fn read_of(declaration: &Declaration, quotients: Vec<Option<f64>>, within: f64) -> GateState {
        let values = Values::new(Dimension::NONE, quotients, Reading::of(declaration));
        let values = BTreeMap::from([("twice".to_owned(), values)]);
        let evidence = Evidence::new(declaration, &values, &seed).unwrap();
        let metric = "twice".to_owned();
        read(&Control { metric, within }, &evidence).state
    }

    #[test]
    fn a_quotient_on_its_bound_is_held_at_most_at_the_alpha_of_pass() {
        const EXPERIMENTS: u32 = 2000;
        let declaration = declaration();
        let mut generator = Generator::new(Seed([17; 32]));
        for median in [1.05, 1.0 / 1.05] {
            let mut held = 0;
            for _ in 0..EXPERIMENTS {
                let quotients = (0..13).map(|_| {
                    let uniform = (f64::from(generator.below(1 << 24)) + 0.5) / f64::from(1 << 24);
                    Some(median * (0.005 * normal::quantile(uniform)).exp())
                });
                let state = read_of(&declaration, quotients.collect(), 0.05);
                held += u32::from(state == GateState::Held);
            }
            // Of 13 sessions the bounds err with probability .0461.
            let rate = f64::from(held) / f64::from(EXPERIMENTS);
            assert!((0.03..0.062).contains(&rate), "{rate} at {median}");
        }
    }

    proptest! {
        #[test]
        fn a_lost_session_holds_no_control_and_a_wider_bound_loses_none(
            quotients in prop::collection::vec(0.9..1.1_f64, 13),
            lost in 0..13_usize,
            within in 0.01..0.2_f64,
        ) {
            let declaration = declaration();
            let whole: Vec<Option<f64>> = quotients.into_iter().map(Some).collect();
            let mut fewer = whole.clone();
            fewer[lost] = None;
            let held = |quotients: &[Option<f64>], within| {
                read_of(&declaration, quotients.to_vec(), within) == GateState::Held
            };
            prop_assert!(held(&whole, within) || !held(&fewer, within));
            prop_assert!(!held(&whole, within) || held(&whole, 1.5 * within));
        }
    }
}
