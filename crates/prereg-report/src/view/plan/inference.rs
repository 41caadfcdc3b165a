//! How the numbers are read, in words.

use prereg_declaration::{Declaration, Interval, Scale, Stopping};

use crate::markdown::code;
use crate::{number, words};

/// Interval, levels, stopping rule, and the spread that was assumed.
pub(super) fn lines(declaration: &Declaration) -> Vec<String> {
    let (inference, protocol) = (&declaration.inference, &declaration.protocol);
    let unit = match protocol.blocks {
        1 => "One number a session".to_owned(),
        _ => format!(
            "One number a block: the {} of its sessions",
            words::estimand(inference.estimand)
        ),
    };
    let mut lines = vec![
        format!(
            "{unit}; the {}; {}.",
            words::read_on(declaration),
            bounds(declaration)
        ),
        errors(declaration),
        stopping(declaration),
    ];
    if inference.stopping == Stopping::Sequence {
        lines.push(
            "Order-statistic and bootstrap intervals of the metrics are those of a fixed number of sessions; they are printed for comparison and do not hold when a run may stop early."
                .to_owned(),
        );
    }
    if !inference.assumed_cv.is_empty() {
        let assumed = inference.assumed_cv.iter();
        let assumed: Vec<String> = assumed
            .map(|(metric, cv)| format!("{} {}", code(metric), number::percent(*cv)))
            .collect();
        lines.push(format!(
            "Spread between sessions assumed when the plan was made: {}.",
            assumed.join(", ")
        ));
    }
    lines
}

fn errors(declaration: &Declaration) -> String {
    let inference = &declaration.inference;
    if words::is_census(declaration) {
        return "No rate of errors belongs to a verdict: nothing was drawn from anything larger."
            .to_owned();
    }
    format!(
        "False pass at most {}, false falsification at most {}, split over the kill conditions of a claim.",
        number::percent(inference.alpha_pass),
        number::percent(inference.alpha_falsified)
    )
}

fn bounds(declaration: &Declaration) -> String {
    let inference = &declaration.inference;
    let scale = match inference.scale {
        Scale::Log => "logarithms",
        Scale::Linear => "values",
    };
    if inference.stopping == Stopping::Sequence {
        return "bounds by the sign-mixture confidence sequence, valid for any continuous law and \
                whenever the run stops"
            .to_owned();
    }
    match inference.interval {
        Interval::OrderStatistic => {
            "bounds by order statistics, valid for any continuous law".to_owned()
        }
        Interval::Census => {
            "a `census`: the bounds are the smallest and the largest of the sessions, which are all there are; nothing is inferred"
                .to_owned()
        }
        Interval::StudentT => format!(
            "`student-t` bounds on the {scale}, whose law the author declares approximately symmetric"
        ),
        Interval::BootstrapPercentile | Interval::BootstrapBca | Interval::BootstrapT => format!(
            "{} bounds, whose level is approximate: the measured coverage stands beside each interval",
            code(inference.interval.name())
        ),
    }
}

fn stopping(declaration: &Declaration) -> String {
    let inference = &declaration.inference;
    let missing = match inference.interval {
        Interval::OrderStatistic => {
            "a missing one counts against the claim and against its opposite"
        }
        _ => "with a missing one nothing is decided",
    };
    match inference.stopping {
        Stopping::Fixed => format!("A fixed number of sessions; {missing}."),
        Stopping::Sequence => format!(
            "At most {} sessions, fewer once every claim is decided; {missing}.",
            declaration.protocol.sessions
        ),
    }
}
