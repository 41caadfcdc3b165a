//! The strip: one metric's value in each session of one run, missing sessions marked as such.

use prereg_judgement::{Interval, MetricResult};
use serde::Serialize;

use super::axis::{Axis, Tick, pixel};
use super::label::{HEADING, TEXT, fit};
use super::subject::{Observed, Results, Subject};
use super::threshold::{self, Line, Shade};
use crate::input::RunFacts;
use crate::{number, words};

const WIDTH: f64 = 720.0;
const LEFT: f64 = 74.0;
const RIGHT: f64 = 540.0;
const TOP: f64 = 84.0;
const BOTTOM: f64 = 284.0;
const RAIL: f64 = 304.0;
const HEIGHT: f64 = 386.0;
/// Least distance of two labels in the margin.
const LABEL_DISTANCE: f64 = 16.0;
/// Distances of numbered sessions, and how many numbers have room.
const DISTANCES: [usize; 7] = [1, 2, 5, 10, 20, 50, 100];
const MOST_NUMBERS: usize = 16;
/// Width of the column that marks a missing session, where there is room.
const WIDEST_COLUMN: f64 = 16.0;
/// Sessions beyond which points are drawn small.
const MANY: usize = 40;

/// What the template draws.
#[derive(Debug, Serialize)]
pub(crate) struct Strip {
    id: String,
    title: String,
    description: String,
    simulated: bool,
    width: f64,
    height: f64,
    heading: String,
    subheading: String,
    verdict: &'static str,
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    rail: f64,
    shades: Vec<Shade>,
    lines: Vec<MarginLine>,
    band: Option<Shade>,
    /// What the band is.
    interval: String,
    ticks: Vec<Tick>,
    unit: String,
    sessions: Vec<SessionMark>,
    any_missing: bool,
    radius: f64,
    column: f64,
}

impl Strip {
    /// The picture in words, for readers that show none.
    pub(crate) fn alt(&self) -> String {
        format!("{}. {}", self.title, self.description)
    }
}

/// A horizontal line with its label in the right margin.
#[derive(Debug, Serialize)]
struct MarginLine {
    kind: &'static str,
    line: Line,
    label_y: f64,
}

#[derive(Debug, Serialize)]
struct SessionMark {
    x: f64,
    /// `None`: missing.
    y: Option<f64>,
    /// The index, where there is room to print it.
    number: Option<String>,
}

/// The strip of a subject on one run; `None` where nothing was judged. `id` is unique among the
/// figures of a report.
pub(crate) fn strip(subject: &Subject<'_>, facts: &RunFacts, id: &str) -> Option<Strip> {
    let observed = subject.observed_in(facts);
    let results = observed.result?;
    let Subject {
        metric,
        dimension,
        region,
        ..
    } = subject;
    let (judgement, result) = (results.judgement, results.metric);
    let axis = Axis::over(
        result
            .values
            .iter()
            .flatten()
            .copied()
            .chain(region.thresholds.iter().copied())
            .chain(result.estimate),
        *dimension,
        BOTTOM,
        TOP,
    );
    let present = judgement.sessions.saturating_sub(judgement.missing.len());
    let title = format!("{metric} in each session on {}", facts.target());
    let subheading = format!(
        "{present} of {} sessions present, run {}",
        judgement.sessions,
        facts.id()
    );
    Some(Strip {
        id: id.to_owned(),
        description: description(subject, &observed, results),
        simulated: facts.is_simulated(),
        width: WIDTH,
        height: HEIGHT,
        heading: fit(&title, 530.0, HEADING),
        subheading: fit(&subheading, 690.0, TEXT),
        title,
        verdict: subject.verdict(&observed),
        left: LEFT,
        right: RIGHT,
        top: TOP,
        bottom: BOTTOM,
        rail: RAIL,
        shades: threshold::shades(region, &axis),
        lines: lines(subject, &axis, result),
        band: words::deciding(result).and_then(|interval| band(interval, &axis)),
        interval: words::interval(subject.input.declaration),
        ticks: axis.ticks(5),
        unit: axis.unit().to_owned(),
        sessions: sessions(&result.values, &axis),
        any_missing: result.values.iter().any(Option::is_none),
        radius: if result.values.len() > MANY { 3.0 } else { 5.0 },
        column: pixel((RIGHT - LEFT) / result.values.len().max(1) as f64).min(WIDEST_COLUMN),
    })
}

/// The two-sided interval as a band; none when a side is unbounded.
fn band(interval: Interval, axis: &Axis) -> Option<Shade> {
    let (high, low) = (axis.at(interval.upper?), axis.at(interval.lower?));
    Some(Shade {
        start: high,
        length: pixel((low - high).max(1.0)),
    })
}

fn sessions(values: &[Option<f64>], axis: &Axis) -> Vec<SessionMark> {
    let count = values.len().max(1) as f64;
    let every = DISTANCES
        .into_iter()
        .find(|distance| values.len().div_ceil(*distance) <= MOST_NUMBERS)
        .unwrap_or(values.len());
    values
        .iter()
        .enumerate()
        .map(|(index, value)| SessionMark {
            x: pixel(LEFT + (RIGHT - LEFT) * (index as f64 + 0.5) / count),
            y: value
                .filter(|value| value.is_finite())
                .map(|value| axis.at(value)),
            number: index.is_multiple_of(every).then(|| index.to_string()),
        })
        .collect()
}

/// Thresholds and the estimate, with their labels in the right margin.
fn lines(subject: &Subject<'_>, axis: &Axis, result: &MetricResult) -> Vec<MarginLine> {
    let Subject {
        region, dimension, ..
    } = subject;
    let estimate = result.estimate.map(|estimate| {
        let line = Line {
            at: axis.at(estimate),
            label: format!(
                "{} {}",
                // The margin is narrow.
                estimand(subject).replace("geometric", "geom."),
                number::measured(estimate, *dimension)
            ),
        };
        ("estimate-line", line)
    });
    let mut lines: Vec<MarginLine> = threshold::lines(region, axis, *dimension)
        .into_iter()
        .map(|line| ("threshold", line))
        .chain(estimate)
        .map(|(kind, mut line)| {
            line.label = fit(&line.label, WIDTH - RIGHT - 14.0, TEXT);
            MarginLine {
                kind,
                label_y: line.at + 4.0,
                line,
            }
        })
        .collect();
    part(&mut lines);
    lines
}

/// Moves labels apart that would touch: downwards, and back up from the bottom.
fn part(lines: &mut [MarginLine]) {
    lines.sort_by(|a, b| a.label_y.total_cmp(&b.label_y));
    for index in 1..lines.len() {
        let least = lines[index - 1].label_y + LABEL_DISTANCE;
        lines[index].label_y = lines[index].label_y.max(least);
    }
    let mut most = BOTTOM + 4.0;
    for line in lines.iter_mut().rev() {
        line.label_y = pixel(line.label_y.min(most));
        most = line.label_y - LABEL_DISTANCE;
    }
}

fn estimand(subject: &Subject<'_>) -> &'static str {
    words::estimand(subject.input.declaration.inference.estimand)
}

/// The picture in words.
fn description(subject: &Subject<'_>, observed: &Observed<'_>, results: Results<'_>) -> String {
    let print = |value: f64| number::measured(value, subject.dimension);
    let present = || results.metric.values.iter().flatten().copied();
    let extent = present()
        .reduce(f64::min)
        .zip(present().reduce(f64::max))
        .map_or_else(
            || "no session has a value".to_owned(),
            |(low, high)| format!("values from {} to {}", print(low), print(high)),
        );
    let estimate = results
        .metric
        .estimate
        .map(|estimate| format!(", {} {}", estimand(subject), print(estimate)))
        .unwrap_or_default();
    let missing: Vec<String> = results
        .judgement
        .missing
        .iter()
        .map(|missing| missing.session.to_string())
        .collect();
    let missing = if missing.is_empty() {
        "no session is missing".to_owned()
    } else {
        format!("missing sessions: {}", missing.join(", "))
    };
    let limits: Vec<String> = subject
        .region
        .thresholds
        .iter()
        .map(|limit| threshold::label(&subject.region, *limit, subject.dimension))
        .collect();
    format!(
        "{}{} on {} over {} sessions: {extent}{estimate}; {missing}. Limits: {}. Verdict: {}.",
        if observed.is_simulated() {
            "Simulated data. "
        } else {
            ""
        },
        subject.metric,
        observed.target,
        results.judgement.sessions,
        limits.join("; "),
        match subject.verdict(observed) {
            "none" => "no verdict",
            word => word,
        },
    )
}
