//! What a claim says, generated from its negated kill conditions, and its verdict over all targets.

use std::collections::BTreeMap;

use prereg_declaration::{Claim, Comparison, Condition};

use crate::verdict::{ClaimResult, Headline, Reason, Verdict};

/// Joins the results of a claim on its targets.
///
/// `results` holds, by target, one entry for each run of record: none before a run, several where
/// first runs did not see each other; `None` is a run that is not sealed, which abstains. Pass iff every target passes; falsified iff any is falsified
/// at its share of α; else abstained. A target whose runs of record differ abstains.
#[must_use]
pub fn headline(claim: &Claim, results: &BTreeMap<String, Vec<Option<&ClaimResult>>>) -> Headline {
    let joined: BTreeMap<&String, Joined> = claim
        .on
        .iter()
        .map(|target| {
            (
                target,
                Joined::of(results.get(target).map_or(&[][..], Vec::as_slice)),
            )
        })
        .collect();
    let verdict = if joined.values().any(|target| target.falsified_at_share) {
        Verdict::Falsified
    } else if joined
        .values()
        .all(|target| target.verdict == Verdict::Pass)
    {
        Verdict::Pass
    } else {
        Verdict::Abstained
    };
    let targets: Vec<&str> = claim.on.iter().map(String::as_str).collect();
    Headline {
        headline: on_targets(claim, &targets),
        verdict,
        targets: joined
            .iter()
            .map(|(name, target)| ((*name).clone(), target.verdict))
            .collect(),
        reasons: joined
            .into_iter()
            .map(|(name, target)| (name.clone(), target.reasons))
            .collect(),
    }
}

/// One target over its runs of record.
struct Joined {
    verdict: Verdict,
    reasons: Vec<Reason>,
    falsified_at_share: bool,
}

impl Joined {
    fn of(runs: &[Option<&ClaimResult>]) -> Self {
        let abstained = |reason| Self {
            verdict: Verdict::Abstained,
            reasons: vec![reason],
            falsified_at_share: false,
        };
        let results: Vec<&ClaimResult> = runs.iter().copied().flatten().collect();
        let Some(first) = results.first() else {
            return abstained(Reason::NoData);
        };
        let agrees = |run: &ClaimResult| run.verdict == first.verdict;
        let unsealed_agrees = first.verdict == Verdict::Abstained;
        if !runs.iter().all(|run| run.map_or(unsealed_agrees, agrees)) {
            return abstained(Reason::FirstRunsDisagree);
        }
        Self {
            verdict: first.verdict,
            reasons: first.reasons.clone(),
            falsified_at_share: results.iter().all(|result| result.falsified_at_share),
        }
    }
}

/// "speedup is at least 1.15 on h100 and h200".
pub(crate) fn on_targets(claim: &Claim, targets: &[&str]) -> String {
    let parts: Vec<String> = claim
        .kill
        .iter()
        .map(|kill| said(&kill.condition, false).0)
        .collect();
    format!("{} on {}", parts.join(", and "), listed(targets))
}

/// How tightly the text of a condition binds.
#[derive(PartialEq, Eq)]
enum Binding {
    Single,
    And,
    Or,
}

/// A condition in words, negated unless `holds`.
fn said(condition: &Condition, holds: bool) -> (String, Binding) {
    match condition {
        Condition::Compare {
            metric,
            comparison,
            threshold,
        } => {
            let relation = match (comparison, holds) {
                (Comparison::Less, true) | (Comparison::GreaterOrEqual, false) => "below",
                (Comparison::LessOrEqual, true) | (Comparison::Greater, false) => "at most",
                (Comparison::Greater, true) | (Comparison::LessOrEqual, false) => "above",
                (Comparison::GreaterOrEqual, true) | (Comparison::Less, false) => "at least",
            };
            // Twelve digits show any threshold as it was written.
            (
                format!("{metric} is {relation} {threshold:.12}"),
                Binding::Single,
            )
        }
        Condition::Not(part) => said(part, !holds),
        Condition::And(parts) if holds => joined(parts, holds, Binding::And),
        Condition::Or(parts) if !holds => joined(parts, holds, Binding::And),
        Condition::And(parts) | Condition::Or(parts) => joined(parts, holds, Binding::Or),
    }
}

fn joined(parts: &[Condition], holds: bool, binding: Binding) -> (String, Binding) {
    let [only] = parts else {
        let texts: Vec<String> = parts
            .iter()
            .map(|part| match said(part, holds) {
                (text, inner) if inner == Binding::Single || inner == binding => text,
                (text, _) => format!("({text})"),
            })
            .collect();
        let word = if binding == Binding::And {
            " and "
        } else {
            " or "
        };
        return (texts.join(word), binding);
    };
    said(only, holds)
}

fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use prereg_declaration::Condition;

    use super::*;
    use crate::constants::Constants;
    use crate::example::{SPEEDUPS, claim, compare, declaration, samples, seed};

    fn text(kills: Vec<Condition>) -> String {
        on_targets(&claim(kills, 1.2, 1.0), &["h100", "h200", "l4"])
    }

    fn speedup(comparison: Comparison, threshold: f64) -> Condition {
        compare("speedup", comparison, threshold)
    }

    /// The example's claim on its target, with another verdict.
    fn result(verdict: Verdict, falsified_at_share: bool) -> ClaimResult {
        let declaration = declaration();
        let judgement = crate::judge(
            &declaration,
            &Constants::default(),
            "cpu",
            &samples(&SPEEDUPS),
            &seed,
        );
        let result = judgement.unwrap().claims.remove("faster").unwrap();
        ClaimResult {
            verdict,
            falsified_at_share,
            ..result
        }
    }

    fn over(results: &[(&str, &[&ClaimResult])]) -> Headline {
        let mut claim = claim(vec![speedup(Comparison::Less, 1.15)], 1.2, 1.0);
        claim.on = results
            .iter()
            .map(|(target, _)| (*target).to_owned())
            .collect();
        let results = results.iter().map(|(target, runs)| {
            let runs = runs.iter().map(|run| Some(*run)).collect();
            ((*target).to_owned(), runs)
        });
        headline(&claim, &results.collect())
    }

    #[test]
    fn a_first_run_that_was_never_sealed_agrees_with_no_verdict() {
        let (pass, falsified) = (
            result(Verdict::Pass, false),
            result(Verdict::Falsified, true),
        );
        let claim = claim(vec![speedup(Comparison::Less, 1.15)], 1.2, 1.0);
        for sealed in [&pass, &falsified] {
            let runs = BTreeMap::from([("cpu".to_owned(), vec![None, Some(sealed)])]);
            let headline = headline(&claim, &runs);
            assert_eq!(headline.verdict, Verdict::Abstained);
            assert_eq!(headline.reasons["cpu"], [Reason::FirstRunsDisagree]);
        }
        let unsealed = BTreeMap::from([("cpu".to_owned(), vec![None])]);
        assert_eq!(headline(&claim, &unsealed).reasons["cpu"], [Reason::NoData]);
    }

    #[test]
    fn the_negated_conditions_are_said_in_words() {
        assert_eq!(
            text(vec![speedup(Comparison::Less, 1.15)]),
            "speedup is at least 1.15 on h100, h200 and l4"
        );
        let within = vec![
            speedup(Comparison::Greater, 1.05),
            speedup(Comparison::Less, 0.95),
        ];
        assert_eq!(
            text(within),
            "speedup is at most 1.05, and speedup is at least 0.95 on h100, h200 and l4"
        );
    }

    #[test]
    fn nested_conditions_keep_their_structure() {
        let (low, high) = (
            speedup(Comparison::LessOrEqual, 1.0),
            speedup(Comparison::GreaterOrEqual, 2.0),
        );
        let both = Condition::And(vec![low.clone(), high.clone()]);
        assert!(text(vec![both]).starts_with("speedup is above 1 or speedup is below 2 on"));
        let mixed = Condition::Or(vec![
            Condition::And(vec![low.clone(), high.clone()]),
            Condition::Not(Box::new(low)),
        ]);
        let expected = "(speedup is above 1 or speedup is below 2) and speedup is at most 1 on";
        assert!(text(vec![mixed]).starts_with(expected));
    }

    #[test]
    fn pass_needs_every_target() {
        let (pass, abstained) = (
            result(Verdict::Pass, false),
            result(Verdict::Abstained, false),
        );
        assert_eq!(
            over(&[("a", &[&pass]), ("b", &[&pass])]).verdict,
            Verdict::Pass
        );
        assert_eq!(
            over(&[("a", &[&pass]), ("b", &[&abstained])]).verdict,
            Verdict::Abstained
        );
    }

    #[test]
    fn one_target_falsified_at_its_share_falsifies() {
        let (pass, falsified) = (
            result(Verdict::Pass, false),
            result(Verdict::Falsified, true),
        );
        assert_eq!(
            over(&[("a", &[&pass]), ("b", &[&falsified])]).verdict,
            Verdict::Falsified
        );
        let only_at_full_level = result(Verdict::Falsified, false);
        let headline = over(&[("a", &[&pass]), ("b", &[&only_at_full_level])]);
        assert_eq!(headline.verdict, Verdict::Abstained);
        assert_eq!(headline.targets["b"], Verdict::Falsified);
    }

    #[test]
    fn a_target_without_a_run_has_no_data() {
        let headline = over(&[("a", &[&result(Verdict::Pass, false)]), ("b", &[])]);
        assert_eq!(headline.verdict, Verdict::Abstained);
        assert_eq!(headline.reasons["b"], [Reason::NoData]);
    }

    #[test]
    fn first_runs_that_differ_abstain() {
        let (pass, falsified) = (
            result(Verdict::Pass, false),
            result(Verdict::Falsified, true),
        );
        let headline = over(&[("a", &[&pass, &falsified])]);
        assert_eq!(headline.verdict, Verdict::Abstained);
        assert_eq!(headline.reasons["a"], [Reason::FirstRunsDisagree]);
        assert_eq!(over(&[("a", &[&pass, &pass])]).verdict, Verdict::Pass);
    }
}
