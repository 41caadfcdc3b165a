//! Which figures a report has: for each claim and metric of its kill conditions a forest plot over
//! all runs, and for each run of record a strip of its sessions.

use minijinja::value::Serde;
use minijinja::{Value, context};

use prereg_declaration::Claim;

use crate::engine::{FillError, fill};
use crate::figure::{self, Subject};
use crate::input::ReportInput;
use crate::kill_region::{KillRegion, comparisons};
use crate::templates::{Template, Templates};

/// A finished figure of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// Path relative to the folder of the report, with `/`.
    pub path: String,
    /// The SVG document.
    pub svg: String,
}

/// A figure and where it belongs.
#[derive(Clone, Debug)]
pub(crate) struct Placed {
    pub(crate) claim: String,
    pub(crate) kind: Kind,
    /// The picture in words.
    pub(crate) alt: String,
    pub(crate) figure: Figure,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Forest,
    Strip,
}

/// Draws every figure, in the order of claims, metrics and runs.
pub(crate) fn draw(
    input: &ReportInput<'_>,
    templates: &Templates,
) -> Result<Vec<Placed>, FillError> {
    let mut placed = Vec::new();
    for (claim_name, claim) in &input.declaration.claims {
        for metric in metrics_of(claim) {
            let Some(declared) = input.declaration.metrics.get(metric) else {
                continue;
            };
            let subject = Subject {
                input,
                claim_name,
                claim,
                metric,
                dimension: declared.dimension,
                region: KillRegion::of(claim, metric),
            };
            let mut place = |kind: Kind, id: &str, alt: String, view: Value| {
                let svg = drawing(templates, kind, view)?;
                placed.push(Placed {
                    claim: claim_name.clone(),
                    kind,
                    alt,
                    figure: Figure {
                        path: format!("{}/{id}.svg", input.name),
                        svg,
                    },
                });
                Ok(())
            };
            let id = format!("{claim_name}-{metric}");
            let forest = figure::forest(&subject, &id);
            place(Kind::Forest, &id, forest.alt(), Value::from(Serde(&forest)))?;
            for facts in claim.on.iter().flat_map(|target| input.of_record(target)) {
                let id = format!("{claim_name}-{metric}-{}", facts.id());
                if let Some(strip) = figure::strip(&subject, facts, &id) {
                    place(Kind::Strip, &id, strip.alt(), Value::from(Serde(&strip)))?;
                }
            }
        }
    }
    Ok(placed)
}

/// Metrics of a claim's kill conditions, in order of first mention.
fn metrics_of(claim: &Claim) -> Vec<&str> {
    let mut metrics = Vec::new();
    for kill in &claim.kill {
        for (metric, _) in comparisons(&kill.condition) {
            if !metrics.contains(&metric) {
                metrics.push(metric);
            }
        }
    }
    metrics
}

fn drawing(templates: &Templates, kind: Kind, view: Value) -> Result<String, FillError> {
    let template = match kind {
        Kind::Forest => Template::Forest,
        Kind::Strip => Template::Strip,
    };
    let style = Value::from_safe_string(templates.source(Template::Style).to_owned());
    fill(templates, template, context! { style, ..view })
}
