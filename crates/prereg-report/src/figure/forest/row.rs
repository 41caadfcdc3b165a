//! Rows of a forest plot: one a run, in it one bar for each comparison with a threshold.

use prereg_judgement::{ComparisonResult, Interval};
use serde::Serialize;

use crate::figure::axis::{Axis, pixel};
use crate::figure::label::{TEXT, fit};
use crate::figure::subject::{Observed, Results, Subject};
use crate::{number, words};

const BAR_HEIGHT: f64 = 46.0;
/// Room for target, part and verdict, one above the other.
pub(super) const LEAST_ROW: f64 = 68.0;
/// Widths of the columns on both sides of the plot.
const LEFT_COLUMN: f64 = 130.0;
const RIGHT_COLUMN: f64 = 155.0;

/// One run.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    top: f64,
    height: f64,
    target: String,
    part: String,
    verdict: &'static str,
    bars: Vec<Bar>,
    /// Why there is nothing to draw.
    note: Option<&'static str>,
}

/// One comparison of the metric with a threshold.
#[derive(Debug, Serialize)]
struct Bar {
    y: f64,
    comparison: String,
    state: &'static str,
    estimate: Option<Mark>,
    bounds: Extent,
    interval: Option<Extent>,
    bootstrap: Option<Extent>,
}

#[derive(Debug, Serialize)]
struct Mark {
    x: f64,
    label: String,
}

/// A line from here to there; an open end is drawn as an arrow.
#[derive(Debug, Serialize)]
struct Extent {
    from: f64,
    to: f64,
    open_from: bool,
    open_to: bool,
}

impl Row {
    pub(super) fn bottom(&self) -> f64 {
        self.top + self.height
    }
}

impl Extent {
    fn new(axis: &Axis, lower: Option<f64>, upper: Option<f64>) -> Self {
        Self {
            from: axis.lower(lower),
            to: axis.upper(upper),
            open_from: lower.is_none(),
            open_to: upper.is_none(),
        }
    }

    fn of(axis: &Axis, interval: Option<Interval>) -> Option<Self> {
        interval.map(|interval| Self::new(axis, interval.lower, interval.upper))
    }
}

/// The rows, from `top` downwards.
pub(super) fn rows(
    subject: &Subject<'_>,
    observed: &[Observed<'_>],
    axis: &Axis,
    top: f64,
) -> Vec<Row> {
    let mut next = top;
    observed
        .iter()
        .map(|observed| {
            let start = next;
            let bars: Vec<Bar> = observed
                .result
                .iter()
                .flat_map(|results| bars(subject, *results, axis, start))
                .collect();
            let height = LEAST_ROW.max(BAR_HEIGHT * bars.len() as f64 + 12.0);
            next += height;
            Row {
                top: start,
                height,
                target: fit(observed.target, LEFT_COLUMN, TEXT),
                part: observed.part(),
                verdict: subject.verdict(observed),
                note: observed.note(),
                bars,
            }
        })
        .collect()
}

fn bars<'a>(
    subject: &'a Subject<'_>,
    results: Results<'a>,
    axis: &'a Axis,
    top: f64,
) -> impl Iterator<Item = Bar> {
    results
        .comparisons(subject.metric)
        .enumerate()
        .map(move |(index, comparison)| {
            let y = pixel(top + 34.0 + BAR_HEIGHT * index as f64);
            bar(subject, results, axis, comparison, y)
        })
}

fn bar(
    subject: &Subject<'_>,
    results: Results<'_>,
    axis: &Axis,
    comparison: &ComparisonResult,
    y: f64,
) -> Bar {
    let metric = results.metric;
    let threshold = number::measured(comparison.threshold.value(), subject.dimension);
    Bar {
        y,
        comparison: fit(
            &format!("{} {threshold}", comparison.comparison),
            RIGHT_COLUMN,
            TEXT,
        ),
        state: words::state(comparison.state),
        estimate: metric.estimate.map(|estimate| Mark {
            x: axis.at(estimate),
            label: number::measured(estimate, subject.dimension),
        }),
        bounds: Extent::new(axis, comparison.bounds.lower, comparison.bounds.upper),
        interval: Extent::of(axis, words::deciding(metric)),
        bootstrap: Extent::of(axis, metric.bootstrap_percentile),
    }
}
