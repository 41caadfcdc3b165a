//! The value of every metric in every session, or in every block.

use prereg_judgement::{MetricResult, RunJudgement};
use prereg_units::Dimension;
use serde::Serialize;

use super::{Markdown, markdown};
use crate::{number, words};

/// Every metric in every session.
#[derive(Debug, Serialize)]
pub(super) struct SessionTable {
    metrics: Vec<String>,
    rows: Vec<SessionRow>,
}

#[derive(Debug, Serialize)]
struct SessionRow {
    session: usize,
    values: Vec<String>,
    missing: Markdown,
}

/// The values of the blocks, where a block is what inference counts.
pub(super) fn blocks(metrics: &[(&String, &MetricResult, Dimension)]) -> Option<SessionTable> {
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

/// The values of the sessions, and why one has none.
pub(super) fn sessions(
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
