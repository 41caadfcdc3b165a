//! From a finished verdict to the files of its report.

use minijinja::Value;
use minijinja::value::Serde;

use crate::engine::{FillError, fill};
use crate::figures::{Figure, draw};
use crate::input::ReportInput;
use crate::opening::{HEADS, opening};
use crate::templates::{Template, Templates};
use crate::view::View;

/// A finished report: the same for the same input and templates, on any machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// `<name>.md`.
    pub markdown: String,
    /// Its figures.
    pub figures: Vec<Figure>,
}

impl Report {
    /// Whether `markdown` says the same, heads of the ledger aside: they move with every record of
    /// any experiment.
    #[must_use]
    pub fn is_told_by(&self, markdown: &str) -> bool {
        let heads = format!("| {HEADS} |");
        let told = |text: &str| -> Vec<String> {
            let lines = text.lines().filter(|line| !line.starts_with(&heads));
            lines.map(str::to_owned).collect()
        };
        told(markdown) == told(&self.markdown)
    }
}

/// Renders a report.
///
/// Verdict, evidence level, attempts, runs and missing sessions stand first and come from no
/// template; what follows is filled into `report.md.j2`.
///
/// # Errors
/// [`FillError`] names the template and the line that could not be filled: a syntax error, or a
/// variable that does not exist.
pub fn render(input: &ReportInput<'_>, templates: &Templates) -> Result<Report, FillError> {
    let figures = draw(input, templates)?;
    let opening = opening(input, &templates.digest(), &figures);
    let view = View::new(input, &figures);
    let body = fill(templates, Template::Report, Value::from(Serde(&view)))?;
    Ok(Report {
        markdown: one_blank_line(&format!("{opening}{body}")),
        figures: figures.into_iter().map(|placed| placed.figure).collect(),
    })
}

/// Templates leave runs of blank lines where a part is absent.
fn one_blank_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut blank = false;
    for line in text.lines().map(str::trim_end) {
        if line.is_empty() && blank {
            continue;
        }
        blank = line.is_empty();
        out.push_str(line);
        out.push('\n');
    }
    out
}
