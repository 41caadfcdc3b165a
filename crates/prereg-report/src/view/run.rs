//! A run of record: gates, metrics, sessions, environment.

use prereg_judgement::{
    DeclaredInterval, GateResult, GateState, Interval, MetricResult, RunJudgement, is_absolute,
};
use prereg_units::Dimension;
use serde::Serialize;

use super::environment::{EnvironmentRow, environment};
use super::order::{OrderRow, cautions, order_rows};
use super::{Markdown, markdown};
use crate::input::{ReportInput, RunFacts};
use crate::{number, words};

/// One run.
#[derive(Debug, Serialize)]
pub(crate) struct RunView {
    id: String,
    target: String,
    simulated: bool,
    /// After how many sessions a sequence was decided, and of how many at most.
    stopped: Option<(u32, u32)>,
    launcher: String,
    tool_version: String,
    gates: Vec<GateRow>,
    metrics: Vec<MetricRow>,
    /// What the declared interval is, where it is not the order statistic.
    declared: Option<String>,
    degenerate: Vec<String>,
    order: Vec<OrderRow>,
    cautions: Vec<(String, Markdown)>,
    blocks: Option<SessionTable>,
    sessions: SessionTable,
    environment: Vec<EnvironmentRow>,
}

#[derive(Debug, Serialize)]
struct GateRow {
    name: String,
    expression: String,
    scope: &'static str,
    otherwise: &'static str,
    state: Markdown,
    observed: Markdown,
}

#[derive(Debug, Serialize)]
struct MetricRow {
    name: String,
    expression: String,
    estimate: String,
    declared: String,
    order_statistic: String,
    bootstrap: String,
    cv: String,
    cv_plain: String,
    present: String,
    absolute: bool,
}

/// Every metric in every session.
#[derive(Debug, Serialize)]
struct SessionTable {
    metrics: Vec<String>,
    rows: Vec<SessionRow>,
}

#[derive(Debug, Serialize)]
struct SessionRow {
    session: usize,
    values: Vec<String>,
    missing: Markdown,
}

impl RunView {
    pub(crate) fn new(input: &ReportInput<'_>, facts: &RunFacts, judgement: &RunJudgement) -> Self {
        let metrics: Vec<(&String, &MetricResult, Dimension)> = input
            .declaration
            .metrics
            .iter()
            .filter_map(|(name, metric)| {
                Some((name, judgement.metrics.get(name)?, metric.dimension))
            })
            .collect();
        let named = || {
            metrics
                .iter()
                .map(|(name, result, _)| (name.as_str(), *result))
        };
        Self {
            id: facts.id().to_owned(),
            target: facts.target().to_owned(),
            simulated: facts.is_simulated(),
            stopped: facts
                .run
                .stopped
                .map(|sessions| (sessions, facts.run.announced.sessions)),
            launcher: facts.run.announced.launcher.clone(),
            tool_version: facts.run.announced.version.clone(),
            gates: judgement
                .gates
                .iter()
                .map(|(name, gate)| gate_row(name, gate))
                .collect(),
            metrics: metrics
                .iter()
                .map(|(name, result, dimension)| {
                    metric_row(
                        name,
                        result,
                        *dimension,
                        is_absolute(input.declaration, name),
                    )
                })
                .collect(),
            declared: metrics
                .iter()
                .find_map(|(_, result, _)| Some(result.declared.as_ref()?.method.clone())),
            order: order_rows(named()),
            cautions: cautions(named()),
            blocks: blocks(&metrics),
            degenerate: metrics
                .iter()
                .filter(|(_, result, _)| result.degenerate)
                .map(|(name, ..)| (*name).clone())
                .collect(),
            sessions: sessions(judgement, &metrics),
            environment: environment(&facts.environments),
        }
    }
}

fn gate_row(name: &str, gate: &GateResult) -> GateRow {
    let word = match gate.state {
        GateState::Held => "held",
        GateState::Failed => "**failed**",
        GateState::Unobserved => "**not observed**",
    };
    let read = gate.sessions.iter().flatten().count();
    // Counts what the word says: sessions in which the gate held, or in which it failed.
    let holds = gate.state == GateState::Held;
    let so = gate.sessions.iter().flatten();
    let so = so.filter(|held| **held == holds).count();
    let count = if read > 0 && gate.state != GateState::Unobserved {
        format!(" in {so} of {read} sessions")
    } else {
        String::new()
    };
    let observed = words::observed(gate);
    GateRow {
        name: name.to_owned(),
        expression: gate.expression.clone(),
        scope: gate.scope,
        otherwise: gate.otherwise,
        state: markdown(format!("{word}{count}")),
        observed: markdown(if observed.is_empty() {
            "–".to_owned()
        } else {
            observed
        }),
    }
}

fn metric_row(
    name: &str,
    result: &MetricResult,
    dimension: Dimension,
    absolute: bool,
) -> MetricRow {
    let present = result.values.iter().flatten().count();
    let cv = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), number::percent);
    MetricRow {
        name: name.to_owned(),
        expression: result.expression.clone(),
        estimate: number::measured_or_dash(result.estimate, dimension),
        declared: declared(result.declared.as_ref(), dimension),
        order_statistic: interval(result.order_statistic, dimension),
        bootstrap: interval(result.bootstrap_percentile, dimension),
        cv: cv(result.cv),
        cv_plain: cv(result.cv_plain),
        present: format!("{present} of {}", result.values.len()),
        absolute,
    }
}

/// The declared interval, with what was measured of its coverage right beside it.
fn declared(declared: Option<&DeclaredInterval>, dimension: Dimension) -> String {
    let Some(declared) = declared else {
        return "–".to_owned();
    };
    let mut parts = vec![interval(Some(declared.interval), dimension)];
    if let Some(coverage) = declared.measured_coverage {
        parts.push(format!(
            "coverage measured for so many values: {} to {} over five laws",
            number::percent(coverage.worst),
            number::percent(coverage.best)
        ));
    }
    parts.extend(
        declared
            .unbounded
            .as_ref()
            .map(|why| format!("unbounded: {why}")),
    );
    parts.join("; ")
}

fn interval(interval: Option<Interval>, dimension: Dimension) -> String {
    let Some(interval) = interval else {
        return "–".to_owned();
    };
    let side = |bound: Option<f64>| {
        bound.map_or_else(
            || "unbounded".to_owned(),
            |bound| number::measured(bound, dimension),
        )
    };
    let level = match interval.exact_coverage {
        Some(exact) => format!(
            "level {}, exact {}",
            number::percent(interval.level),
            number::percent(exact)
        ),
        None => format!("level {}", number::percent(interval.level)),
    };
    format!(
        "{} to {} ({level})",
        side(interval.lower),
        side(interval.upper)
    )
}

/// The values of the blocks, where a block is what inference counts.
fn blocks(metrics: &[(&String, &MetricResult, Dimension)]) -> Option<SessionTable> {
    let count = metrics
        .iter()
        .find_map(|(_, result, _)| Some(result.blocks.as_ref()?.len()))?;
    let value = |result: &MetricResult, dimension, block: usize| {
        let value = result
            .blocks
            .as_ref()
            .and_then(|blocks| *blocks.get(block)?);
        number::measured_or_dash(value, dimension)
    };
    let rows = (0..count).map(|block| SessionRow {
        session: block,
        values: metrics
            .iter()
            .map(|(_, result, dimension)| value(result, *dimension, block))
            .collect(),
        missing: markdown(String::new()),
    });
    Some(SessionTable {
        metrics: metrics.iter().map(|(name, ..)| (*name).clone()).collect(),
        rows: rows.collect(),
    })
}

fn sessions(
    judgement: &RunJudgement,
    metrics: &[(&String, &MetricResult, Dimension)],
) -> SessionTable {
    let rows = (0..judgement.sessions)
        .map(|session| SessionRow {
            session,
            values: metrics
                .iter()
                .map(|(_, result, dimension)| {
                    number::measured_or_dash(
                        result.values.get(session).copied().flatten(),
                        *dimension,
                    )
                })
                .collect(),
            missing: markdown(
                judgement
                    .missing
                    .iter()
                    .find(|missing| missing.session == session)
                    .map_or_else(String::new, |missing| words::missing(&missing.missing)),
            ),
        })
        .collect();
    SessionTable {
        metrics: metrics.iter().map(|(name, ..)| (*name).clone()).collect(),
        rows,
    }
}
