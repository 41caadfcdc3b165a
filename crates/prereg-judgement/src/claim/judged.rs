//! From conditions and obstacles to the result of each claim.

use std::collections::BTreeMap;

use prereg_declaration::{Claim, Declaration};
use prereg_stats::Truth;

use super::evidence::{Evidence, verdict};
use super::{comparison, counterfactual, disagreement};
use crate::level;
use crate::verdict::{
    ClaimResult, ConditionResult, MetricResult, Reason, State, UndeterminedCause, Verdict,
};
use crate::{headline, reach};

/// The claims of one run on one target.
pub(crate) struct Claims<'a> {
    pub(crate) declaration: &'a Declaration,
    pub(crate) target: &'a str,
    pub(crate) evidence: Evidence<'a>,
    pub(crate) metrics: &'a BTreeMap<String, MetricResult>,
    /// Gates, controls, calibrated ranges and arms that make every claim abstain.
    pub(crate) obstacles: &'a [Reason],
}

impl Claims<'_> {
    /// Judges every claim that names the target.
    pub(crate) fn judge(&self) -> BTreeMap<String, ClaimResult> {
        let claims = self.declaration.claims.iter();
        claims
            .filter(|(_, claim)| claim.on.iter().any(|named| named == self.target))
            .map(|(name, claim)| (name.clone(), self.judge_one(claim)))
            .collect()
    }

    fn judge_one(&self, claim: &Claim) -> ClaimResult {
        let conditions = conditions(&self.evidence, claim);
        let (by_conditions, reasons) = decide(&conditions);
        let abstains = !self.obstacles.is_empty();
        let at_share = || self.evidence.at_share_of(claim.on.len()).verdict(claim);
        let inference = &self.declaration.inference;
        ClaimResult {
            headline: headline::on_targets(claim, &[self.target]),
            text: claim.text.clone(),
            verdict: if abstains {
                Verdict::Abstained
            } else {
                by_conditions
            },
            reasons: if abstains {
                self.obstacles.to_vec()
            } else {
                reasons
            },
            counterfactual: abstains.then_some(by_conditions),
            without_calibrated_range: self.without_calibrated_range(by_conditions),
            counterfactuals: counterfactual::sentences(
                &self.evidence,
                claim,
                self.obstacles,
                &conditions,
                by_conditions,
            ),
            disagreement: disagreement::sentence(claim, inference, self.metrics, by_conditions),
            falsified_at_share: !abstains && at_share() == Verdict::Falsified,
            covers: reach::of_claim(self.declaration, claim),
            conditions,
        }
    }

    /// The verdict with the calibrated ranges left out, where one stands in the way.
    fn without_calibrated_range(&self, by_conditions: Verdict) -> Option<Verdict> {
        let mut obstacles = self.obstacles.iter();
        let ranges = obstacles.clone().filter(|o| o.is_of_calibrated_range());
        (ranges.count() > 0).then(|| {
            if obstacles.all(Reason::is_of_calibrated_range) {
                by_conditions
            } else {
                Verdict::Abstained
            }
        })
    }
}

fn conditions(evidence: &Evidence<'_>, claim: &Claim) -> Vec<ConditionResult> {
    let leaves = level::assign(&claim.kill, evidence.levels);
    claim
        .kill
        .iter()
        .zip(leaves)
        .map(|(kill, leaves)| {
            let comparisons: Vec<_> = leaves
                .iter()
                .map(|leaf| comparison::read(evidence, leaf))
                .collect();
            let mut truths = comparisons
                .iter()
                .map(|comparison| comparison::truth(comparison.state));
            ConditionResult {
                expression: kill.source.clone(),
                state: comparison::state(level::combine(&kill.condition, &mut truths)),
                comparisons,
            }
        })
        .collect()
}

/// Any condition true: falsified. Else any undetermined: abstained. All false: pass.
fn decide(conditions: &[ConditionResult]) -> (Verdict, Vec<Reason>) {
    let truths = conditions
        .iter()
        .map(|condition| comparison::truth(condition.state));
    let decided = verdict(Truth::any(truths));
    let reasons = match decided {
        Verdict::Pass => vec![Reason::AllConditionsFalse],
        Verdict::Falsified => with_state(conditions, State::True)
            .map(|(condition, _)| Reason::ConditionTrue { condition })
            .collect(),
        Verdict::Abstained => with_state(conditions, State::Undetermined)
            .map(|(condition, result)| Reason::Undetermined {
                condition,
                cause: first_cause(result),
            })
            .collect(),
    };
    (decided, reasons)
}

fn with_state(
    conditions: &[ConditionResult],
    state: State,
) -> impl Iterator<Item = (usize, &ConditionResult)> {
    conditions
        .iter()
        .enumerate()
        .filter(move |(_, condition)| condition.state == state)
}

fn first_cause(condition: &ConditionResult) -> UndeterminedCause {
    let causes = condition
        .comparisons
        .iter()
        .find_map(|comparison| comparison.cause);
    causes.unwrap_or(UndeterminedCause::ThresholdWithinBounds)
}
