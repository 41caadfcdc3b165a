//! Problems for people: an excerpt of the file each, the place underlined.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use super::Diagnostic;
use crate::source::Source;

pub(super) fn render(source: &Source, problems: &[Diagnostic], color: bool) -> String {
    let renderer = if color {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    let blocks: Vec<String> = problems
        .iter()
        .map(|problem| renderer.render(&[group(source, problem)]))
        .collect();
    blocks.join("\n\n")
}

fn group<'a>(source: &'a Source, problem: &'a Diagnostic) -> Group<'a> {
    let title = Level::ERROR
        .primary_title(&problem.message)
        .id(problem.code.name());
    let annotation = AnnotationKind::Primary.span(problem.span.clone());
    let annotation = if problem.label.is_empty() {
        annotation
    } else {
        annotation.label(&problem.label)
    };
    let snippet = Snippet::source(&source.text)
        .path(&source.name)
        .annotation(annotation);
    let group = Group::with_title(title).element(snippet);
    match &problem.help {
        Some(help) => group.element(Level::HELP.message(help)),
        None => group,
    }
}
