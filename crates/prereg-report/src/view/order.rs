//! What the order in which sessions ran did to each metric.

use prereg_judgement::{Association, MetricResult};
use serde::Serialize;

use super::{Markdown, markdown};
use crate::{number, words};

/// One metric over start order.
#[derive(Debug, Serialize)]
pub(crate) struct OrderRow {
    name: String,
    drift: String,
    effect: String,
    serial: String,
}

/// A row for every metric of which something can be said.
pub(super) fn order_rows<'a>(
    metrics: impl Iterator<Item = (&'a str, &'a MetricResult)>,
) -> Vec<OrderRow> {
    metrics
        .filter(|(_, result)| {
            result.drift.is_some() || result.order_effect.is_some() || result.serial.is_some()
        })
        .map(|(name, result)| OrderRow {
            name: name.to_owned(),
            drift: association(result.drift),
            effect: result.order_effect.map_or_else(
                || "–".to_owned(),
                |effect| {
                    format!(
                        "{:.4} × ({} against {}, p {})",
                        effect.ratio,
                        effect.baseline_first,
                        effect.others,
                        number::probability(effect.p)
                    )
                },
            ),
            serial: association(result.serial),
        })
        .collect()
}

/// What the judge warns of, each with its metric.
pub(super) fn cautions<'a>(
    metrics: impl Iterator<Item = (&'a str, &'a MetricResult)>,
) -> Vec<(String, Markdown)> {
    metrics
        .flat_map(|(name, result)| {
            let caution = |text: &String| (name.to_owned(), markdown(words::sentence(text)));
            result.warnings.iter().map(caution)
        })
        .collect()
}

fn association(found: Option<Association>) -> String {
    found.map_or_else(
        || "–".to_owned(),
        |found| format!("{:.2} (p {})", found.rho, number::probability(found.p)),
    )
}
