//! `[inference]`: which interval reads which number, and the spread assumed for what decides a claim.

mod reading;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::claims::{Killed, metric_exists};
use super::names::Names;
use crate::declaration::DataSeen;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::inference::{Inference, Interval, Stopping};
use crate::parsed::{AssumedCv, ParsedInference};
use crate::suggestion::listed;

use reading::Reading;

/// `blocks` is that of the protocol, where it is right.
pub(super) fn inference(
    parsed: ParsedInference,
    blocks: Option<u32>,
    data_seen: Option<DataSeen>,
    names: &Names<'_>,
    killed: &Killed,
    problems: &mut Diagnostics,
) -> Option<Inference> {
    let assumed_cv = spread(
        parsed.assumed_cv,
        parsed.assumed_cv_span,
        names,
        killed,
        problems,
    );
    let (interval, estimand, scale) = (parsed.interval?, parsed.estimand?, parsed.scale?);
    let reading = Reading {
        interval: interval.value,
        estimand: estimand.value,
        scale: scale.value,
    };
    let fits = reading.is_accepted();
    if !fits {
        reading::refuse(&interval, &estimand, &scale, problems);
    }
    if let (Interval::Census, Some(span)) = (reading.interval, &interval.span) {
        census_of_what_was_seen(data_seen, span, problems);
    }
    let stopping = parsed.stopping?;
    if let (Stopping::Sequence, Some(span)) = (stopping.value, &stopping.span) {
        if fits && reading.interval != Interval::OrderStatistic {
            sequence_by_signs(reading.interval, span, problems);
        }
        if let Some(blocks @ 2..) = blocks {
            sequence_of_blocks(blocks, span, problems);
        }
    }
    Some(Inference {
        interval: reading.interval,
        estimand: reading.estimand,
        scale: reading.scale,
        stopping: stopping.value,
        alpha_pass: parsed.alpha_pass?,
        alpha_falsified: parsed.alpha_falsified?,
        assumed_cv,
    })
}

fn sequence_by_signs(interval: Interval, span: &Range<usize>, problems: &mut Diagnostics) {
    let message = format!(
        "a sequence is read on the signs about the median, and the interval is `{}`",
        interval.name()
    );
    Diagnostic::new(Code::InvalidValue, span.clone(), message)
        .help("write `stopping = \"fixed\"`, or `interval = \"order-statistic\"` with `estimand = \"median\"`")
        .push(problems);
}

/// A census of sessions that are yet to be measured would call a sample the whole.
fn census_of_what_was_seen(
    data_seen: Option<DataSeen>,
    span: &Range<usize>,
    problems: &mut Diagnostics,
) {
    let Some(seen) = data_seen.filter(|seen| *seen != DataSeen::ThisData) else {
        return;
    };
    let message = format!(
        "a census is of data that are there already, and `data-seen` is `{}`",
        seen.name()
    );
    Diagnostic::new(Code::InvalidValue, span.clone(), message)
        .help("write `interval = \"order-statistic\"`, or `data-seen = \"this-data\"`")
        .push(problems);
}

fn sequence_of_blocks(blocks: u32, span: &Range<usize>, problems: &mut Diagnostics) {
    let message = format!("a sequence stops between sessions, and these stand in {blocks} blocks");
    Diagnostic::new(Code::InvalidValue, span.clone(), message)
        .help("write `stopping = \"fixed\"`, or `blocks = 1`")
        .push(problems);
}

/// Every metric that decides a claim has an assumed spread, without which there is no power.
fn spread(
    entries: Vec<AssumedCv>,
    span: Option<Range<usize>>,
    names: &Names<'_>,
    killed: &Killed,
    problems: &mut Diagnostics,
) -> BTreeMap<String, f64> {
    let mut given = BTreeSet::new();
    let mut assumed_cv = BTreeMap::new();
    for entry in entries {
        if metric_exists(&entry.metric, names, problems) {
            given.insert(entry.metric.name.clone());
            assumed_cv.extend(entry.value.map(|value| (entry.metric.name, value)));
        }
    }
    let missing: Vec<&String> = killed.difference(&given).collect();
    if let (false, Some(span)) = (missing.is_empty(), span) {
        let message = format!(
            "`assumed-cv` has no value for {}, which a kill condition or a control names",
            listed(&missing)
        );
        Diagnostic::new(Code::MissingKey, span, message)
            .help(format!(
                "add `{} = \"2 %\"`, the spread between sessions that you expect",
                missing[0]
            ))
            .push(problems);
    }
    assumed_cv
}
