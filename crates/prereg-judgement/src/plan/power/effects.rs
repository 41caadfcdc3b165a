//! What becomes of every true value of a claim on one metric.

use prereg_units::{Dimension, Quantity};

use super::claim_plan::{ClaimPlan, Decider};
use super::scenario::Scenario;
use crate::plan::table::{EffectRange, Outcome};
use crate::plan::threshold::in_digits;

/// Values tried between two thresholds, and beyond the outermost.
const TRIED: u32 = 24;
/// How far beyond the outermost thresholds: so many times.
const FARTHEST: f64 = 100.0;
/// Halvings of the gap between two values tried in which an end lies.
const HALVINGS: usize = 16;
/// Digits of an end: more would be noise of a simulation.
const DIGITS: usize = 4;

/// Ranges with one likely outcome, ascending, from no limit to no limit; empty for several metrics.
pub(super) fn effects(plan: &ClaimPlan<'_>, decider: &Decider<'_>) -> Vec<EffectRange> {
    let Some((metric, expected)) = plan.expected.single() else {
        return Vec::new();
    };
    let dimension = expected.dimension();
    let outcome_at = |value: f64| outcome(decider, metric, value, dimension);
    let mut ranges: Vec<EffectRange> = Vec::new();
    let mut before: Option<(f64, Outcome)> = None;
    for value in tried(plan, expected.value()) {
        let outcome = outcome_at(value);
        let from = match before {
            Some((_, same)) if same == outcome => {
                before = Some((value, outcome));
                continue;
            }
            Some((below, other)) => {
                let end = end_between(below, value, |middle| outcome_at(middle) == other);
                Quantity::new(in_digits(end, DIGITS), dimension).ok()
            }
            None => None,
        };
        if let Some(range) = ranges.last_mut() {
            range.to = from;
        }
        ranges.push(EffectRange {
            outcome,
            from,
            to: None,
        });
        before = Some((value, outcome));
    }
    ranges
}

fn outcome(decider: &Decider<'_>, metric: &str, value: f64, dimension: Dimension) -> Outcome {
    let Ok(value) = Quantity::new(value, dimension) else {
        return Outcome::Open;
    };
    let [pass, falsified] = decider.unguarded(&Scenario::of(metric, value), 1.0);
    if pass >= 0.5 {
        Outcome::Pass
    } else if falsified >= 0.5 {
        Outcome::Falsified
    } else {
        Outcome::Open
    }
}

/// The thresholds and the expected value, and values at equal ratios between and beyond them.
fn tried(plan: &ClaimPlan<'_>, expected: f64) -> Vec<f64> {
    let comparisons = plan.comparisons();
    let thresholds = comparisons.iter().map(|c| c.threshold.value());
    let mut knots: Vec<f64> = thresholds
        .filter(|value| *value > 0.0)
        .chain([expected])
        .collect();
    knots.sort_by(f64::total_cmp);
    knots.dedup();
    let ends = [knots[0] / FARTHEST, knots[knots.len() - 1] * FARTHEST];
    knots.insert(0, ends[0]);
    knots.push(ends[1]);
    let mut tried: Vec<f64> = knots
        .windows(2)
        .flat_map(|pair| {
            let ratio = libm::log(pair[1] / pair[0]);
            let step = move |i| libm::exp(ratio * f64::from(i) / f64::from(TRIED));
            (0..TRIED).map(move |i| pair[0] * step(i))
        })
        .collect();
    tried.push(ends[1]);
    tried
}

/// Where what holds at `below` and not at `above` ends.
fn end_between(below: f64, above: f64, holds: impl Fn(f64) -> bool) -> f64 {
    let (mut inside, mut outside) = (below, above);
    for _ in 0..HALVINGS {
        let middle = libm::sqrt(inside) * libm::sqrt(outside);
        if holds(middle) {
            inside = middle;
        } else {
            outside = middle;
        }
    }
    libm::sqrt(inside) * libm::sqrt(outside)
}
