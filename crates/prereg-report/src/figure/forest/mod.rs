//! The forest plot: one metric of one claim, a row for every run, against the kill region.

mod description;
mod row;

use serde::Serialize;

use super::axis::{Axis, Tick};
use super::label::{HEADING, TEXT, fit};
use super::subject::{Observed, Subject};
use super::threshold::{self, Line, Shade};
use crate::words;
use row::{LEAST_ROW, Row};

const WIDTH: f64 = 720.0;
const PLOT_START: f64 = 150.0;
const PLOT_END: f64 = 545.0;
const HEADER: f64 = 66.0;
const LABEL_HEIGHT: f64 = 18.0;
const FOOTER: f64 = 104.0;

/// What the template draws.
#[derive(Debug, Serialize)]
pub(crate) struct Forest {
    id: String,
    title: String,
    description: String,
    simulated: bool,
    width: f64,
    height: f64,
    heading: String,
    subheading: String,
    plot: Plot,
    shades: Vec<Shade>,
    thresholds: Vec<ThresholdLabel>,
    ticks: Vec<Tick>,
    unit: String,
    rows: Vec<Row>,
    /// The two-sided interval that is drawn.
    interval: String,
    /// What decides, as drawn.
    bounds: &'static str,
    /// Whether there is no interval besides what decides.
    census: bool,
}

/// The frame of the data.
#[derive(Debug, Serialize)]
struct Plot {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

#[derive(Debug, Serialize)]
struct ThresholdLabel {
    line: Line,
    label_y: f64,
    anchor: &'static str,
}

impl Forest {
    /// The picture in words, for readers that show none.
    pub(crate) fn alt(&self) -> String {
        format!("{}. {}", self.title, self.description)
    }
}

/// The forest plot of a subject; `id` is unique among the figures of a report.
pub(crate) fn forest(subject: &Subject<'_>, id: &str) -> Forest {
    let Subject {
        claim_name,
        metric,
        dimension,
        region,
        ..
    } = subject;
    let observed = subject.observed();
    let axis = Axis::over(
        region.thresholds.iter().copied().chain(
            observed
                .iter()
                .flat_map(|observed| extremes(observed, metric)),
        ),
        *dimension,
        PLOT_START,
        PLOT_END,
    );
    let thresholds = place(threshold::lines(region, &axis, *dimension));
    let top = HEADER + LABEL_HEIGHT * thresholds.len() as f64;
    let rows = row::rows(subject, &observed, &axis, top);
    let bottom = rows.last().map_or(top + LEAST_ROW, Row::bottom);
    let read_on = words::read_on(subject.input.declaration);
    let subheading = if region.joined {
        format!("{read_on}; {claim_name} dies of this only together with another metric")
    } else {
        format!("{read_on}, against what kills {claim_name}")
    };
    Forest {
        id: id.to_owned(),
        title: format!("{metric}: estimates and bounds against the kill region"),
        description: description::description(subject, &observed),
        simulated: observed.iter().any(Observed::is_simulated),
        width: WIDTH,
        height: bottom + FOOTER,
        heading: fit(metric, 530.0, HEADING),
        subheading: fit(&subheading, 690.0, TEXT),
        plot: Plot {
            left: PLOT_START,
            right: PLOT_END,
            top,
            bottom,
        },
        shades: threshold::shades(region, &axis),
        thresholds,
        ticks: axis.ticks(5),
        unit: axis.unit().to_owned(),
        interval: words::interval(subject.input.declaration),
        bounds: words::bound_kind(subject.input.declaration),
        census: words::is_census(subject.input.declaration),
        rows,
    }
}

/// Every number that a row draws.
fn extremes(observed: &Observed<'_>, metric: &str) -> Vec<f64> {
    let Some(results) = &observed.result else {
        return Vec::new();
    };
    let intervals = [
        words::deciding(results.metric),
        results.metric.bootstrap_percentile,
    ];
    let bounds = results
        .comparisons(metric)
        .flat_map(|comparison| [comparison.bounds.lower, comparison.bounds.upper])
        .flatten();
    intervals
        .into_iter()
        .flatten()
        .flat_map(|interval| [interval.lower, interval.upper])
        .flatten()
        .chain(results.metric.estimate)
        .chain(bounds)
        .collect()
}

/// Labels above the plot, a line of text for each, on the side of the line that has room.
fn place(lines: Vec<Line>) -> Vec<ThresholdLabel> {
    lines
        .into_iter()
        .enumerate()
        .map(|(index, line)| ThresholdLabel {
            label_y: HEADER + LABEL_HEIGHT * index as f64 + 12.0,
            anchor: if line.at > f64::midpoint(PLOT_START, PLOT_END) {
                "end"
            } else {
                "start"
            },
            line,
        })
        .collect()
}
