//! How few sessions with a number can decide a claim.

use std::collections::{BTreeMap, BTreeSet};

use prereg_declaration::{Claim, Declaration, Number};
use prereg_stats::{Alpha, AlphaError, Bound, Method, Seed, Sessions};

use crate::level::{self, Leaf, Levels};
use crate::method::Reading;

/// For each metric that every claim depends on, the fewest sessions in which it must have a number
/// before any claim can be decided. Where it has fewer, every claim abstains by itself.
pub(super) fn least_sessions(declaration: &Declaration) -> BTreeMap<&str, usize> {
    let mut least = BTreeMap::new();
    let claims: Vec<_> = declaration
        .claims
        .values()
        .filter_map(|claim| {
            Some((
                metrics(declaration, claim),
                fewest(declaration, claim).ok()?,
            ))
        })
        .collect();
    let Some(fewest) = claims.iter().map(|(_, fewest)| *fewest).min() else {
        return least;
    };
    for metric in declaration.metrics.keys() {
        if claims
            .iter()
            .all(|(metrics, _)| metrics.contains(metric.as_str()))
        {
            least.insert(metric.as_str(), fewest);
        }
    }
    least
}

/// The comparisons of a claim with their levels.
pub(super) fn leaves<'a>(
    declaration: &Declaration,
    claim: &'a Claim,
) -> Result<Vec<Leaf<'a>>, AlphaError> {
    let levels = Levels {
        to_true: Alpha::new(declaration.inference.alpha_falsified)?,
        to_false: Alpha::new(declaration.inference.alpha_pass)?,
    };
    Ok(level::assign(&claim.kill, levels).concat())
}

/// What every condition of the claim is computed from: a metric that all of its comparisons
/// depend on.
fn metrics<'a>(declaration: &'a Declaration, claim: &'a Claim) -> BTreeSet<&'a str> {
    let comparisons = claim
        .kill
        .iter()
        .flat_map(|kill| super::comparisons::comparisons(&kill.condition));
    let of_each = comparisons.map(|comparison| {
        let mut found = BTreeSet::new();
        collect(declaration, comparison.metric, &mut found);
        found
    });
    of_each
        .reduce(|all, metrics| &all & &metrics)
        .unwrap_or_default()
}

fn collect<'a>(declaration: &'a Declaration, metric: &'a str, found: &mut BTreeSet<&'a str>) {
    if !found.insert(metric) {
        return;
    }
    let mut pending: Vec<&Number> = Vec::new();
    pending.extend(
        declaration
            .metrics
            .get(metric)
            .map(|metric| &metric.expression),
    );
    while let Some(number) = pending.pop() {
        match number {
            Number::Metric(name) => collect(declaration, name, found),
            Number::Negate(part) => pending.push(part),
            Number::Binary(_, left, right) => pending.extend([&**left, &**right]),
            _ => {}
        }
    }
}

fn fewest(declaration: &Declaration, claim: &Claim) -> Result<usize, AlphaError> {
    let method = Reading::of(declaration).method;
    let protocol = &declaration.protocol;
    let units = protocol.units() as usize;
    let leaves = leaves(declaration, claim)?;
    let fewest = leaves
        .iter()
        .flat_map(|leaf| [leaf.levels.to_true, leaf.levels.to_false])
        .map(|alpha| match method {
            // A sequence may have stopped where it first could.
            Method::Sequence => method.least_sessions(alpha),
            _ => fewest_observed(method, units, alpha),
        })
        .min();
    let sessions_per_unit = protocol.sessions as usize / units.max(1);
    Ok(fewest.unwrap_or(0) * sessions_per_unit)
}

/// How many of `units` must have a number to give a bound at `alpha`; `units` where none does.
fn fewest_observed(method: Method, units: usize, alpha: Alpha) -> usize {
    let gives_a_bound = |observed: usize| {
        let values: Vec<f64> = (1..=observed).map(|value| value as f64).collect();
        let sessions = Sessions::new(&values, units - observed);
        sessions.is_ok_and(|sessions| {
            let bounds = method.bounds(&sessions, alpha, alpha, Seed([0; 32]));
            bounds
                .into_iter()
                .any(|bound| matches!(bound, Bound::Finite(_)))
        })
    };
    (1..units)
        .rev()
        .take_while(|observed| gives_a_bound(*observed))
        .last()
        .unwrap_or(units)
}

#[cfg(test)]
mod tests {
    use prereg_stats::Scale;

    use super::*;
    use crate::example::declaration;

    fn alpha() -> Alpha {
        Alpha::new(0.05).unwrap()
    }

    #[test]
    fn the_order_statistic_bears_one_missing_session_of_ten() {
        assert_eq!(fewest_observed(Method::OrderStatistic, 10, alpha()), 9);
        assert_eq!(fewest_observed(Method::OrderStatistic, 5, alpha()), 5);
    }

    #[test]
    fn students_interval_bears_no_missing_session() {
        assert_eq!(
            fewest_observed(Method::StudentT(Scale::Log), 10, alpha()),
            10
        );
    }

    #[test]
    fn what_a_claimed_metric_is_computed_from_must_be_there_too() {
        let declaration = declaration();
        let least = least_sessions(&declaration);
        assert_eq!(least, BTreeMap::from([("eager_step", 9), ("speedup", 9)]));
    }
}
