//! Faults in a study's own templates.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use prereg_report::{Templates, render};

use crate::case;

fn put(folder: &Path, name: &str, source: &[u8]) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let mut file = fs::OpenOptions::new()
        .create_new(true)
        .write(true)
        .open(path)
        .unwrap();
    file.write_all(source).unwrap();
}

#[test]
fn an_unknown_variable_is_an_error_that_names_template_and_line() {
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "report.md.j2", b"one\ntwo\n{{ verdict }}\n");
    let templates = Templates::of_study(folder.path()).unwrap();
    let error = render(&case::pass().input(), &templates).unwrap_err();
    assert_eq!((error.template, error.line), ("report.md.j2", 3));
    insta::assert_snapshot!(
        error.to_string(),
        @"the template `report.md.j2` fails at line 3, `{{ verdict }}`; correct it, or remove it to use the one that comes with the tool"
    );
}

#[test]
fn a_syntax_error_in_a_figure_is_an_error_that_names_template_and_line() {
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "figures/strip.svg.j2", b"<svg>\n{% for %}\n");
    let templates = Templates::of_study(folder.path()).unwrap();
    let error = render(&case::pass().input(), &templates).unwrap_err();
    assert_eq!((error.template, error.line), ("figures/strip.svg.j2", 2));
}

#[test]
fn a_template_that_is_not_text_is_an_error_that_names_the_file() {
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "report.md.j2", &[0xff, 0xfe]);
    let error = Templates::of_study(folder.path()).unwrap_err();
    assert!(error.path.ends_with("report.md.j2"));
}

#[test]
fn a_report_names_the_digest_of_the_templates_that_made_it() {
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "report.md.j2", b"short\n");
    let own = Templates::of_study(folder.path()).unwrap();
    let case = case::pass();
    for templates in [Templates::embedded(), own] {
        let report = render(&case.input(), &templates).unwrap();
        assert!(report.markdown.contains(&templates.digest().to_string()));
    }
}
