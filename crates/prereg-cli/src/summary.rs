//! A verdict and why, in words, for the terminal.

use anstyle::{AnsiColor, Style};
use prereg_judgement::{ClaimResult, ComparisonResult, ConditionResult, RunJudgement, Verdict};
use prereg_ledger::{Origin, RunId, Standing};
use prereg_report::words;

use crate::analysis::Analysis;
use crate::output::say;

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
        analysis
            .of_record()
            .filter_map(|judged| judged.claim(name))
            .for_each(details);
    }
    say!("evidence: {}", analysis.evidence.as_str());
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
    details(result);
}

fn details(result: &ClaimResult) {
    for condition in &result.conditions {
        for comparison in &condition.comparisons {
            say!("  {}", sentence(condition, comparison));
        }
    }
    if let Some(would) = result.counterfactual {
        say!("  {}", words::counterfactual(&result.reasons, would));
    }
    if let Some(disagreement) = &result.disagreement {
        say!("  {disagreement}");
    }
}

fn sentence(condition: &ConditionResult, comparison: &ComparisonResult) -> String {
    let mut text = format!(
        "{}: {}; {}",
        condition.expression,
        words::state(comparison.state),
        words::bounds(comparison)
    );
    if let Some(margin) = words::margin(comparison) {
        text.push_str("; ");
        text.push_str(&margin);
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
