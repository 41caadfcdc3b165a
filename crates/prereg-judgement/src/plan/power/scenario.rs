//! What is taken to be true of the metrics of a claim.

use std::collections::{BTreeMap, BTreeSet};

use prereg_declaration::{Claim, Declaration};
use prereg_units::Quantity;

use crate::plan::comparisons::comparisons;
use crate::plan::table::PowerError;

/// True values of the metrics of a claim, all of them positive.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Scenario(BTreeMap<String, Quantity>);

impl Scenario {
    /// The values that `expected` or `rival` (`name`) of a claim gives.
    pub(super) fn new(
        declaration: &Declaration,
        claim_name: &str,
        claim: &Claim,
        name: &'static str,
        values: &BTreeMap<String, Quantity>,
    ) -> Result<Self, PowerError> {
        let metrics: BTreeSet<&str> = claim
            .kill
            .iter()
            .flat_map(|kill| comparisons(&kill.condition))
            .map(|comparison| comparison.metric)
            .collect();
        let value = |metric: &str| {
            let metric = metric.to_owned();
            if !declaration.inference.assumed_cv.contains_key(&metric) {
                return Err(PowerError::NoSpread { metric });
            }
            let (claim, scenario) = (claim_name.to_owned(), name);
            match values.get(&metric) {
                None => Err(PowerError::NoValue {
                    claim,
                    scenario,
                    metric,
                }),
                Some(value) if value.value() > 0.0 => Ok((metric, *value)),
                Some(_) => Err(PowerError::NotPositive {
                    claim,
                    scenario,
                    metric,
                }),
            }
        };
        metrics
            .into_iter()
            .map(value)
            .collect::<Result<_, _>>()
            .map(Self)
    }

    /// One metric with one value.
    pub(super) fn of(metric: &str, value: Quantity) -> Self {
        Self(BTreeMap::from([(metric.to_owned(), value)]))
    }

    pub(super) fn get(&self, metric: &str) -> Option<f64> {
        self.0.get(metric).map(|value| value.value())
    }

    pub(super) fn values(&self) -> &BTreeMap<String, Quantity> {
        &self.0
    }

    /// The metric, where there is only one.
    pub(super) fn single(&self) -> Option<(&str, Quantity)> {
        let mut values = self.0.iter();
        let (metric, value) = values.next()?;
        values.next().is_none().then_some((metric.as_str(), *value))
    }
}
