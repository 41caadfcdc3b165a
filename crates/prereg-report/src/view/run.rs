//! A run of record: gates, metrics, sessions, environment.

use prereg_judgement::{GateResult, GateState, MetricResult, RunJudgement, is_absolute};
use prereg_units::Dimension;
use serde::Serialize;

use super::environment::{EnvironmentRow, environment};
use super::metric::{MetricRow, metric_row};
use super::order::{OrderRow, cautions, order_rows};
use super::preflight::{PreflightView, preflight};
use super::session::{SessionTable, blocks, sessions};
use super::validity::{ControlRow, RangeRow, controls, ranges, without_range};
use super::{Markdown, markdown};
use crate::input::{ReportInput, RunFacts};
use crate::words::{self, ColumnWords};

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
    controls: Vec<ControlRow>,
    ranges: Vec<RangeRow>,
    /// For each claim that a range stood in the way of: whether abstaining changed anything.
    without_range: Vec<(String, &'static str)>,
    metrics: Vec<MetricRow>,
    /// What the declared interval is, where it is not the order statistic.
    declared: Option<String>,
    degenerate: Vec<String>,
    order: Vec<OrderRow>,
    cautions: Vec<(String, Markdown)>,
    blocks: Option<SessionTable>,
    sessions: SessionTable,
    telemetry: Vec<ColumnWords>,
    /// Columns that no session has, listed.
    not_read: Markdown,
    /// The program and its facts, each with what the sessions found.
    program: Vec<(Markdown, Markdown)>,
    preflight: Option<PreflightView>,
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
            controls: controls(judgement),
            ranges: ranges(judgement),
            without_range: without_range(judgement),
            metrics: metrics
                .iter()
                .map(|(name, result, dimension)| {
                    metric_row(
                        name,
                        result,
                        *dimension,
                        // A census covers what it counts, and nothing else.
                        is_absolute(input.declaration, name)
                            && !words::is_census(input.declaration),
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
            telemetry: words::telemetry(input.declaration, &facts.telemetry),
            not_read: markdown(words::not_read(
                input.declaration,
                input.lock.is_cpu(facts.target()),
                &facts.telemetry,
            )),
            program: program(input, facts),
            preflight: preflight(facts),
            environment: environment(&facts.environments),
        }
    }
}

fn program(input: &ReportInput<'_>, facts: &RunFacts) -> Vec<(Markdown, Markdown)> {
    let command = input.declaration.workload.command();
    let rows = command.map(|command| words::program(command, &facts.environments));
    let rows = rows.unwrap_or_default().into_iter();
    rows.map(|(name, found)| (markdown(name), markdown(found)))
        .collect()
}

fn gate_row(name: &str, gate: &GateResult) -> GateRow {
    let word = words::outcome(gate.state);
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
