//! What conditions are read on: the numbers of the metrics, the method, the error probabilities.

use std::collections::BTreeMap;

use prereg_declaration::{Claim, Declaration};
use prereg_stats::{Alpha, AlphaError, Bound, Method, Seed, Sessions, Truth};

use super::comparison::comparison;
use crate::level::{self, Leaf, Levels};
use crate::method::Reading;
use crate::metric::Values;
use crate::verdict::Verdict;

/// What the conditions of every claim are read on.
#[derive(Clone, Copy)]
pub(crate) struct Evidence<'a> {
    pub(crate) reading: Reading,
    /// Of a whole claim: true is falsified, false is pass.
    pub(crate) levels: Levels,
    pub(crate) values: &'a BTreeMap<String, Values>,
    /// The analysis seed of a metric.
    pub(crate) seed_of: &'a dyn Fn(&str) -> Seed,
}

impl<'a> Evidence<'a> {
    /// # Errors
    /// [`AlphaError`] where a declared α is none.
    pub(crate) fn new(
        declaration: &Declaration,
        values: &'a BTreeMap<String, Values>,
        seed_of: &'a dyn Fn(&str) -> Seed,
    ) -> Result<Self, AlphaError> {
        Ok(Self {
            reading: Reading::of(declaration),
            levels: Levels {
                to_true: Alpha::new(declaration.inference.alpha_falsified)?,
                to_false: Alpha::new(declaration.inference.alpha_pass)?,
            },
            values,
            seed_of,
        })
    }

    /// The same at a target's share of the α of falsified.
    pub(crate) fn at_share_of(self, targets: usize) -> Self {
        let levels = Levels {
            to_true: self.levels.to_true.share(targets),
            ..self.levels
        };
        Self { levels, ..self }
    }

    /// What the conditions of a claim say, whatever the gates do. Any true: falsified. Else any
    /// undetermined: abstained. All false: pass.
    pub(crate) fn verdict(&self, claim: &Claim) -> Verdict {
        let leaves = level::assign(&claim.kill, self.levels);
        verdict(Truth::any(claim.kill.iter().zip(leaves).map(
            |(kill, leaves)| {
                let mut truths = leaves.iter().map(|leaf| self.truth(leaf));
                level::combine(&kill.condition, &mut truths)
            },
        )))
    }

    fn truth(&self, leaf: &Leaf<'_>) -> Truth {
        let [lower, upper] = self.bounds(leaf);
        comparison(leaf.comparison).decide(lower, upper, leaf.threshold.value())
    }

    /// Lower and upper bound of the leaf's metric at [the leaf's levels](Self::alphas).
    pub(crate) fn bounds(&self, leaf: &Leaf<'_>) -> [Bound; 2] {
        let [lower, upper] = self.alphas(leaf);
        let seed = (self.seed_of)(leaf.metric);
        self.reading
            .method
            .bounds(&self.counted(leaf.metric), lower, upper, seed)
    }

    /// Lower and upper bound of a metric, each at the α of pass.
    pub(crate) fn at_alpha_of_pass(&self, metric: &str) -> [Bound; 2] {
        let (alpha, seed) = (self.levels.to_false, (self.seed_of)(metric));
        let counted = self.counted(metric);
        self.reading.method.bounds(&counted, alpha, alpha, seed)
    }

    /// α of the lower and of the upper bound. Small values make an upper limit true, so there the
    /// upper bound carries the α of true. The set of a sequence has one α, the stricter.
    pub(super) fn alphas(&self, leaf: &Leaf<'_>) -> [Alpha; 2] {
        let Levels { to_true, to_false } = leaf.levels;
        if self.reading.method == Method::Sequence {
            [to_true.min(to_false); 2]
        } else if comparison(leaf.comparison).is_upper_limit() {
            [to_false, to_true]
        } else {
            [to_true, to_false]
        }
    }

    /// The numbers of a metric; none for a metric that does not exist.
    pub(super) fn counted(&self, metric: &str) -> Sessions {
        let values = self.values.get(metric);
        values.map_or_else(|| Sessions::all_missing(0), Values::counted)
    }
}

/// The verdict from the disjunction of a claim's conditions.
pub(super) fn verdict(any_condition: Truth) -> Verdict {
    match any_condition {
        Truth::True => Verdict::Falsified,
        Truth::Undetermined => Verdict::Abstained,
        Truth::False => Verdict::Pass,
    }
}
