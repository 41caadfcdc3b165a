//! The verdict block: for each claim its word and shape, headline, the author's words, the figure,
//! and why, target by target.

use std::collections::BTreeSet;

use prereg_declaration::Claim;
use prereg_judgement::{
    ClaimResult, ComparisonResult, Headline, MetricResult, RunJudgement, State, Verdict,
};

use crate::figures::{Kind, Placed};
use crate::input::{ReportInput, RunFacts};
use crate::markdown::{code, escape};
use crate::{number, words};

/// The blocks of one claim.
pub(super) fn claim(
    input: &ReportInput<'_>,
    name: &str,
    claim: &Claim,
    figures: &[Placed],
) -> Vec<String> {
    // A record that does not hold together has no verdict, whatever was computed from it.
    let headline = input.headlines.get(name).filter(|_| !input.is_void());
    let mut blocks = vec![match headline {
        Some(headline) => {
            format!(
                "### {}: {}",
                words::marked(headline.verdict),
                escape(&headline.headline)
            )
        }
        None => format!("### ■ no verdict: claim {}", code(name)),
    }];
    blocks.push(format!(
        "> {}\n>\n> — the author's words, claim {}",
        escape(&claim.text),
        code(name)
    ));
    for placed in figures
        .iter()
        .filter(|placed| placed.claim == name && placed.kind == Kind::Forest)
    {
        blocks.push(format!(
            "![{}]({})",
            escape(&placed.alt),
            placed.figure.path
        ));
    }
    if let Some(headline) = headline {
        let lines: Vec<String> = claim
            .on
            .iter()
            .flat_map(|target| on_target(input, name, claim, target, headline))
            .collect();
        blocks.push(lines.join("\n"));
    }
    blocks
}

/// Verdict and reasons on one target, as list items.
fn on_target(
    input: &ReportInput<'_>,
    name: &str,
    claim: &Claim,
    target: &str,
    headline: &Headline,
) -> Vec<String> {
    let records: Vec<(&RunFacts, &RunJudgement, &ClaimResult)> = input
        .of_record(target)
        .filter_map(|facts| {
            let judgement = facts.judgement.as_ref()?;
            Some((facts, judgement, judgement.claims.get(name)?))
        })
        .collect();
    let judgement = records.first().map(|(_, judgement, _)| *judgement);
    let mut lines = Vec::new();
    if let Some(verdict) = headline.targets.get(target) {
        let reasons: Vec<String> = headline
            .reasons
            .get(target)
            .into_iter()
            .flatten()
            .map(|reason| words::reason(reason, target, claim, judgement))
            .collect();
        lines.push(format!(
            "- On {}: **{}**; {}.",
            code(target),
            words::marked(*verdict),
            reasons.join("; ")
        ));
    }
    let several = records.len() > 1;
    for (facts, judgement, result) in &records {
        if several {
            lines.push(format!(
                "  - Run {}: {}.",
                code(facts.id()),
                words::marked(result.verdict)
            ));
        }
        let indent = if several { "    " } else { "  " };
        lines.extend(
            details(judgement, result)
                .iter()
                .map(|detail| format!("{indent}- {detail}")),
        );
    }
    lines
}

/// Margins, counterfactuals, disagreement, cautions and reach of a claim on one run.
fn details(judgement: &RunJudgement, result: &ClaimResult) -> Vec<String> {
    let comparisons = || {
        result
            .conditions
            .iter()
            .flat_map(|condition| &condition.comparisons)
    };
    let mut details: Vec<String> = comparisons().map(comparison).collect();
    if result.verdict == Verdict::Falsified && !result.falsified_at_share {
        details.push(
            "Falsified at its own α, not at its share of the α of all declared targets; the headline needs the latter."
                .to_owned(),
        );
    }
    details.extend(
        result
            .counterfactuals
            .iter()
            .map(|text| words::sentence(text)),
    );
    if let Some(disagreement) = &result.disagreement {
        details.push(format!(
            "Another interval reads differently: {}",
            escape(disagreement)
        ));
    }
    let metrics: BTreeSet<&String> = comparisons().map(|comparison| &comparison.metric).collect();
    for (name, metric) in &judgement.metrics {
        if metrics.contains(name) {
            details.extend(coverage(name, metric));
            let caution =
                |text: &String| format!("Caution, {}: {}", code(name), words::sentence(text));
            details.extend(metric.warnings.iter().map(caution));
        }
    }
    if let Some(covers) = &result.covers {
        details.push(format!("An absolute value: it holds {}.", escape(covers)));
    }
    details
}

/// How often an approximate interval covers, as measured for so many values.
fn coverage(name: &str, metric: &MetricResult) -> Option<String> {
    let measured = metric.declared.as_ref()?.measured_coverage?;
    Some(format!(
        "The level of the bounds on {} is approximate: intervals of nominal 95 % covered {} to {} on five laws at so few values.",
        code(name),
        number::percent(measured.worst),
        number::percent(measured.best)
    ))
}

/// What was shown of one comparison, and how far from its threshold.
fn comparison(comparison: &ComparisonResult) -> String {
    let threshold = comparison.threshold;
    let text = code(&format!(
        "{} {} {}",
        comparison.metric,
        comparison.comparison,
        number::measured(threshold.value(), threshold.dimension())
    ));
    let side = |name: &str, bound: Option<f64>| {
        bound.map_or_else(
            || format!("no {name} bound"),
            |bound| {
                format!(
                    "{name} bound {}",
                    number::beside_threshold(bound, threshold)
                )
            },
        )
    };
    let p = words::p_value(comparison).map_or_else(String::new, |p| format!(" ({p})"));
    match words::margin(comparison) {
        Some(margin) => format!("{text} is {margin}{p}."),
        None if comparison.state == State::Undetermined => format!(
            "{text} is undetermined: {}, {}.",
            side("lower", comparison.bounds.lower),
            side("upper", comparison.bounds.upper)
        ),
        None => format!("{text} is {}{p}.", words::state(comparison.state)),
    }
}
