//! What a figure is about: one metric of one claim, and what the runs say of it.

use prereg_declaration::Claim;
use prereg_judgement::{ClaimResult, ComparisonResult, MetricResult, RunJudgement};
use prereg_ledger::Standing;
use prereg_units::Dimension;

use crate::input::{ReportInput, RunFacts};
use crate::kill_region::KillRegion;

/// One metric of one claim.
pub(crate) struct Subject<'a> {
    pub(crate) input: &'a ReportInput<'a>,
    pub(crate) claim_name: &'a str,
    pub(crate) claim: &'a Claim,
    pub(crate) metric: &'a str,
    pub(crate) dimension: Dimension,
    pub(crate) region: KillRegion,
}

/// A run, or a target without one.
pub(crate) struct Observed<'a> {
    pub(crate) target: &'a str,
    pub(crate) run: Option<&'a RunFacts>,
    /// `None` where nothing was judged.
    pub(crate) result: Option<Results<'a>>,
}

/// What a judged run says of the subject.
#[derive(Clone, Copy)]
pub(crate) struct Results<'a> {
    pub(crate) judgement: &'a RunJudgement,
    pub(crate) metric: &'a MetricResult,
    pub(crate) claim: &'a ClaimResult,
}

impl<'a> Subject<'a> {
    /// Every run of the claim that began, target by target; a target without one stands for itself.
    pub(crate) fn observed(&self) -> Vec<Observed<'a>> {
        let mut rows = Vec::new();
        for target in &self.claim.on {
            let mut runs = self
                .input
                .runs
                .iter()
                .filter(|facts| facts.target() == target && facts.run.standing != Standing::Aborted)
                .peekable();
            if runs.peek().is_none() {
                rows.push(Observed {
                    target,
                    run: None,
                    result: None,
                });
            }
            rows.extend(runs.map(|facts| self.observed_in(facts)));
        }
        rows
    }

    /// One run.
    pub(crate) fn observed_in(&self, facts: &'a RunFacts) -> Observed<'a> {
        let result = facts.judgement.as_ref().and_then(|judgement| {
            Some(Results {
                judgement,
                metric: judgement.metrics.get(self.metric)?,
                claim: judgement.claims.get(self.claim_name)?,
            })
        });
        Observed {
            target: facts.target(),
            run: Some(facts),
            result,
        }
    }

    /// The word of the verdict on a run; `none` where there is none.
    pub(crate) fn verdict(&self, observed: &Observed<'_>) -> &'static str {
        match &observed.result {
            Some(results) if !self.input.is_void() => results.claim.verdict.as_str(),
            _ => "none",
        }
    }
}

impl Observed<'_> {
    pub(crate) fn part(&self) -> String {
        self.run.map(RunFacts::part).unwrap_or_default()
    }

    pub(crate) fn is_simulated(&self) -> bool {
        self.run.is_some_and(RunFacts::is_simulated)
    }

    /// Why there is nothing to draw.
    pub(crate) fn note(&self) -> Option<&'static str> {
        match (self.run, &self.result) {
            (None, _) => Some("no run yet"),
            (Some(_), None) => Some("not sealed, not judged"),
            (_, Some(results)) if results.metric.estimate.is_none() => {
                Some("no session has a value")
            }
            (_, Some(_)) => None,
        }
    }
}

impl<'a> Results<'a> {
    /// The comparisons of the subject's metric, in the order of the claim.
    pub(crate) fn comparisons(self, metric: &'a str) -> impl Iterator<Item = &'a ComparisonResult> {
        self.claim
            .conditions
            .iter()
            .flat_map(|condition| &condition.comparisons)
            .filter(move |comparison| comparison.metric == metric)
    }
}
