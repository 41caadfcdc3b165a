//! What the report's template sees: strings ready to print, in the shape of its sections.
//!
//! A plain string is escaped as text when the template prints it. A [`Markdown`] value is markdown
//! that this crate composed, with author text already escaped inside.

mod claim;
mod environment;
mod metric;
mod order;
mod plan;
mod preflight;
mod run;
mod session;
mod validity;

use minijinja::Value;
use prereg_ledger::Status;
use serde::Serialize;

use crate::figures::{Kind, Placed};
use crate::input::ReportInput;

/// Composed markdown, printed as it is.
type Markdown = Value;

fn markdown(text: String) -> Markdown {
    Value::from_safe_string(text)
}

/// The template's context.
#[derive(Debug, Serialize)]
pub(crate) struct View {
    claims: Vec<claim::ClaimView>,
    runs: Vec<run::RunView>,
    plan: plan::PlanView,
    lock: LockView,
}

/// Digests, and where the locked files lie.
#[derive(Debug, Serialize)]
struct LockView {
    id: String,
    short: String,
    folder: String,
    declaration: String,
    meaning: String,
    question: String,
    kernels: String,
    files: Vec<(String, String)>,
    /// Path and digest of each sealed run's `seal.json`.
    seals: Vec<(String, String)>,
}

/// A figure to embed.
#[derive(Debug, Serialize)]
struct FigureView {
    path: String,
    alt: String,
}

impl View {
    pub(crate) fn new(input: &ReportInput<'_>, figures: &[Placed]) -> Self {
        let facts = &input.lock;
        let lock = &facts.lock;
        Self {
            claims: input
                .declaration
                .claims
                .iter()
                .map(|(name, claim)| {
                    claim::ClaimView::new(input, name, claim, strips(figures, name))
                })
                .collect(),
            runs: input
                .declaration
                .targets
                .iter()
                .flat_map(|target| input.of_record(target))
                .filter_map(|run| Some(run::RunView::new(input, run, run.judgement.as_ref()?)))
                .collect(),
            plan: plan::PlanView::new(input),
            lock: LockView {
                id: facts.id.to_string(),
                short: facts.id.prefix(12),
                folder: facts.folder(),
                declaration: lock.declaration.to_string(),
                meaning: lock.meaning.to_string(),
                question: lock.question.to_string(),
                kernels: lock.kernels.to_string(),
                files: lock
                    .files
                    .iter()
                    .map(|(path, digest)| (path.clone(), digest.to_string()))
                    .collect(),
                seals: input
                    .runs
                    .iter()
                    .filter_map(|facts| match &facts.run.status {
                        Status::Sealed { seal, .. } => Some((
                            format!("runs/{}/{}/seal.json", input.declaration.id, facts.id()),
                            seal.to_string(),
                        )),
                        Status::Announced | Status::Aborted { .. } => None,
                    })
                    .collect(),
            },
        }
    }
}

fn strips(figures: &[Placed], claim: &str) -> Vec<FigureView> {
    figures
        .iter()
        .filter(|placed| placed.claim == claim && placed.kind == Kind::Strip)
        .map(|placed| FigureView {
            path: placed.figure.path.clone(),
            alt: placed.alt.clone(),
        })
        .collect()
}
