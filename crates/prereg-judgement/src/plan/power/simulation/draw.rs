//! The values of simulated sessions.

use std::collections::BTreeMap;

use prereg_declaration::Declaration;
use prereg_stats::distribution::normal;
use prereg_stats::{Generator, Seed};

use crate::method::Reading;
use crate::metric::Values;
use crate::plan::power::gates::DrawnGate;

/// One lognormal number a unit with median 1 for every metric with an assumed spread, unit by unit;
/// the sessions of a block share theirs.
pub(super) fn draw(
    declaration: &Declaration,
    reading: Reading,
    seed: Seed,
) -> BTreeMap<String, Values> {
    let protocol = &declaration.protocol;
    let units = protocol.units();
    let sessions_per_unit = (protocol.sessions / units.max(1)) as usize;
    let mut generator = Generator::new(seed);
    let mut by_metric: BTreeMap<&str, Vec<Option<f64>>> = BTreeMap::new();
    for _ in 0..units {
        for (metric, spread) in &declaration.inference.assumed_cv {
            let uniform = (f64::from(generator.below(1 << 31)) + 0.5) / f64::from(1_u32 << 31);
            let value = libm::exp(spread * normal::quantile(uniform));
            let values = by_metric.entry(metric).or_default();
            values.extend(std::iter::repeat_n(Some(value), sessions_per_unit));
        }
    }
    by_metric
        .into_iter()
        .filter_map(|(name, by_session)| {
            let metric = declaration.metrics.get(name)?;
            Some((
                name.to_owned(),
                Values::new(metric.dimension, by_session, reading),
            ))
        })
        .collect()
}

/// Takes the numbers of the sessions in which the gate does not hold; the share of sessions kept.
pub(super) fn exclude(gate: &DrawnGate<'_>, values: &mut BTreeMap<String, Values>) -> f64 {
    let sessions = values
        .values()
        .map(|values| values.by_session.len())
        .max()
        .unwrap_or(0);
    let excluded: Vec<usize> = (0..sessions)
        .filter(|session| !gate.holds_in(values, *session))
        .collect();
    for values in values.values_mut() {
        for session in &excluded {
            values.by_session[*session] = None;
        }
    }
    1.0 - excluded.len() as f64 / sessions.max(1) as f64
}
