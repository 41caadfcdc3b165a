//! A verdict and why, in words, for the terminal.

use std::collections::BTreeSet;

use anstyle::{AnsiColor, Style};
use prereg_declaration::{Interval, Stopping};
use prereg_judgement::{
    ClaimResult, ComparisonResult, ConditionResult, MeasuredCoverage, MetricResult, RunJudgement,
    Verdict, family_wise,
};
use prereg_ledger::{Origin, RunId, Standing, Withdrawal};
use prereg_report::words;

use crate::analysis::{Analysis, PlanLife};
use crate::output::{counted, say};
use crate::reading;

/// The headlines of an experiment and the results of its runs of record.
pub(crate) fn print(analysis: &Analysis) {
    problems(analysis);
    for (name, headline) in &analysis.headlines {
        if analysis.is_void() {
            say!("{name}: no verdict, the record is inconsistent");
            continue;
        }
        say!("{} {name}: {}", marked(headline.verdict), headline.headline);
        for (target, reasons) in &headline.reasons {
            let judgement = analysis
                .of_record()
                .find(|judged| judged.run.announced.target == *target)
                .and_then(|judged| judged.judgement.as_ref());
            for reason in reasons {
                let claim = analysis.locked.declaration().claims.get(name);
                if let Some(claim) = claim {
                    say!(
                        "  {target}: {}",
                        words::reason(reason, target, claim, judgement)
                    );
                }
            }
        }
        for judgement in analysis
            .of_record()
            .filter_map(|judged| judged.judgement.as_ref())
        {
            if let Some(result) = judgement.claims.get(name) {
                details(judgement, result);
            }
        }
    }
    life(analysis);
    say!("evidence: {}", analysis.evidence.as_str());
}

/// What a reader of the verdicts must know about the plan itself.
fn life(analysis: &Analysis) {
    let PlanLife {
        attempt,
        pilots,
        withdrawn,
    } = &analysis.life;
    if let Some(Withdrawal { time, reason }) = withdrawn {
        say!("withdrawn {time}: {reason}");
    }
    if let Some(attempt) = attempt.filter(|attempt| attempt.of > 1) {
        let seen = if attempt.seen {
            "data had been seen when it was locked"
        } else {
            "no data had been measured when it was locked"
        };
        say!("attempt {} of {}; {seen}", attempt.number, attempt.of);
    }
    if !pilots.is_empty() {
        say!("{} came before it", counted(pilots.len(), "pilot"));
    }
    let declaration = analysis.locked.declaration();
    if declaration.inference.interval != Interval::OrderStatistic
        || declaration.inference.stopping != Stopping::Fixed
        || declaration.protocol.blocks > 1
    {
        say!("{}", reading::line(declaration));
    }
    let family = family_wise(declaration);
    if family.verdicts > 1 {
        say!("{}", family.note);
    }
}

/// What one run says, and what it counts as.
pub(crate) fn print_run(analysis: &Analysis, id: &RunId) {
    problems(analysis);
    let Some(judged) = analysis.runs.iter().find(|judged| judged.run.id == *id) else {
        return;
    };
    let Some(judgement) = &judged.judgement else {
        return;
    };
    say!(
        "\nrun {id} on {}: {}",
        judgement.target,
        judged.run.standing
    );
    if judged.run.announced.origin == Origin::Simulated {
        say!("SIMULATED: these numbers say nothing about any machine");
    }
    for (name, result) in &judgement.claims {
        claim(analysis, judgement, name, result);
    }
    missing(judgement);
    if matches!(judged.run.standing, Standing::Replication(_)) {
        for (name, headline) in &analysis.headlines {
            say!(
                "the verdict on {name} stays that of the run of record: {}",
                headline.verdict.as_str()
            );
        }
    }
}

fn claim(analysis: &Analysis, judgement: &RunJudgement, name: &str, result: &ClaimResult) {
    say!("{} {name}: {}", marked(result.verdict), result.headline);
    if let Some(claim) = analysis.locked.declaration().claims.get(name) {
        for reason in &result.reasons {
            say!(
                "  because {}",
                words::reason(reason, &judgement.target, claim, Some(judgement))
            );
        }
    }
    details(judgement, result);
}

fn details(judgement: &RunJudgement, result: &ClaimResult) {
    for condition in &result.conditions {
        for comparison in &condition.comparisons {
            say!("  {}", sentence(condition, comparison));
        }
    }
    for counterfactual in &result.counterfactuals {
        say!("  {counterfactual}");
    }
    if let Some(abstaining) = words::without_range(result) {
        say!("  {abstaining}");
    }
    if let Some(disagreement) = &result.disagreement {
        say!("  {disagreement}");
    }
    if let Some(covers) = &result.covers {
        say!("  {covers}");
    }
    coverage(judgement, result);
    warnings(judgement, result);
}

/// What the order of the sessions shows about the metrics that decide, each once.
fn warnings(judgement: &RunJudgement, result: &ClaimResult) {
    for (name, metric) in deciding(judgement, result) {
        for warning in &metric.warnings {
            say!("  caution, {name}: {warning}");
        }
    }
}

/// How often an approximate interval covers, as measured for so many values.
fn coverage(judgement: &RunJudgement, result: &ClaimResult) {
    for (name, metric) in deciding(judgement, result) {
        let coverage = metric
            .declared
            .as_ref()
            .and_then(|declared| declared.measured_coverage);
        if let Some(MeasuredCoverage { worst, best }) = coverage {
            let (worst, best) = (100.0 * worst, 100.0 * best);
            say!(
                "  {name}: intervals of nominal 95 % covered {worst:.1} to {best:.1} % on five laws at so few values"
            );
        }
    }
}

/// The metrics that kill conditions name.
fn deciding<'j>(
    judgement: &'j RunJudgement,
    result: &'j ClaimResult,
) -> impl Iterator<Item = (&'j String, &'j MetricResult)> {
    let comparisons = result
        .conditions
        .iter()
        .flat_map(|condition| &condition.comparisons);
    let names: BTreeSet<&String> = comparisons.map(|comparison| &comparison.metric).collect();
    judgement
        .metrics
        .iter()
        .filter(move |(name, _)| names.contains(name))
}

fn sentence(condition: &ConditionResult, comparison: &ComparisonResult) -> String {
    let mut text = format!(
        "{}: {}; {}",
        condition.expression,
        words::state(comparison.state),
        words::bounds(comparison)
    );
    for more in [words::p_value(comparison), words::margin(comparison)]
        .into_iter()
        .flatten()
    {
        text.push_str("; ");
        text.push_str(&more);
    }
    text
}

fn missing(judgement: &RunJudgement) {
    for entry in &judgement.missing {
        say!(
            "  session {} is missing: {}",
            entry.session,
            words::missing(&entry.missing)
        );
    }
}

fn problems(analysis: &Analysis) {
    for problem in analysis.problems.as_slice() {
        say!("inconsistent: {}", problem.message);
        say!("  fix: {}", problem.fix);
    }
}

/// Shape, word and colour.
fn marked(verdict: Verdict) -> String {
    let colour = match verdict {
        Verdict::Pass => AnsiColor::Green,
        Verdict::Falsified => AnsiColor::Red,
        Verdict::Abstained => AnsiColor::Yellow,
    };
    let style = Style::new().bold().fg_color(Some(colour.into()));
    format!("{style}{}{style:#}", words::marked(verdict))
}
