//! Figures as documents: well-formed, named, inside their frame.

use std::collections::BTreeSet;

use roxmltree::{Document, Node};

use crate::case::{self, Case};
use crate::rendered;

fn every_case() -> Vec<Case> {
    vec![
        case::pass(),
        case::falsified(),
        case::gate_failed(),
        case::undetermined(),
        case::missing_sessions(),
        case::degenerate(),
        case::two_conditions(),
        case::joined_condition(),
        case::inconsistent(),
        case::no_data(),
        case::disagreement(),
        case::blocks(),
        case::student_t(),
        case::sequence(),
        case::command(),
        case::census(),
        case::many_sessions(),
        case::long_names(),
    ]
}

fn number(node: Node<'_, '_>, name: &str) -> Option<f64> {
    node.attribute(name).map(|text| text.parse().unwrap())
}

#[test]
fn every_figure_has_a_title_and_a_description_that_label_it() {
    for figure in every_case().iter().flat_map(|case| rendered(case).figures) {
        let document = Document::parse(&figure.svg).unwrap();
        let root = document.root_element();
        assert_eq!(root.attribute("role"), Some("img"));
        let labels: Vec<&str> = root
            .attribute("aria-labelledby")
            .unwrap()
            .split(' ')
            .collect();
        for (tag, label) in ["title", "desc"].into_iter().zip(labels) {
            let node = root
                .children()
                .find(|node| node.attribute("id") == Some(label))
                .unwrap();
            assert!(node.has_tag_name(("http://www.w3.org/2000/svg", tag)));
            assert!(
                node.text().is_some_and(|text| text.len() > 15),
                "{}",
                figure.path
            );
        }
    }
}

#[test]
fn no_figure_draws_outside_of_itself_or_at_no_number() {
    for figure in every_case().iter().flat_map(|case| rendered(case).figures) {
        assert!(
            !figure.svg.contains("NaN") && !figure.svg.contains("inf\""),
            "{}",
            figure.path
        );
        let document = Document::parse(&figure.svg).unwrap();
        let root = document.root_element();
        let (width, height) = (
            number(root, "width").unwrap(),
            number(root, "height").unwrap(),
        );
        for node in root.descendants() {
            for (name, limit) in [("x", width), ("cx", width), ("y", height), ("cy", height)] {
                if let Some(at) = number(node, name) {
                    assert!(
                        (0.0..=limit).contains(&at),
                        "{name} = {at} in {}",
                        figure.path
                    );
                }
            }
        }
    }
}

#[test]
fn no_word_of_a_figure_runs_out_of_its_right_edge() {
    // A letter of the widest usual font is 0.62 of the size on average.
    for figure in every_case().iter().flat_map(|case| rendered(case).figures) {
        let document = Document::parse(&figure.svg).unwrap();
        for node in document
            .descendants()
            .filter(|node| node.tag_name().name() == "text")
        {
            let class = node.attribute("class").unwrap_or_default();
            let size = if class.contains("heading") {
                17.0
            } else {
                13.0
            };
            let length = node.text().unwrap_or_default().chars().count() as f64 * size * 0.62;
            let start = number(node, "x").unwrap();
            let end = match class {
                _ if class.contains("end") => start,
                _ if class.contains("middle") || class.contains("badge") => start + length / 2.0,
                _ => start + length,
            };
            assert!(end <= 720.0, "{:?} in {}", node.text(), figure.path);
        }
    }
}

#[test]
fn a_missing_session_is_a_cross_and_not_a_point() {
    let report = rendered(&case::missing_sessions());
    let strip = report
        .figures
        .iter()
        .find(|figure| figure.path.contains("cpu-"))
        .unwrap();
    let document = Document::parse(&strip.svg).unwrap();
    let of_class = |class| {
        document
            .descendants()
            .filter(move |node| node.attribute("class") == Some(class))
            .count()
    };
    assert_eq!((of_class("session"), of_class("absent")), (5, 5));
}

#[test]
fn the_numbers_of_many_sessions_keep_their_distance() {
    let report = rendered(&case::many_sessions());
    let strip = report
        .figures
        .iter()
        .find(|figure| figure.path.contains("cpu-"))
        .unwrap();
    let document = Document::parse(&strip.svg).unwrap();
    let numbers: Vec<f64> = document
        .descendants()
        .filter(|node| node.attribute("class") == Some("middle muted"))
        .filter(|node| node.text().is_some_and(|text| text.parse::<u32>().is_ok()))
        .map(|node| number(node, "x").unwrap())
        .collect();
    assert!(numbers.len() >= 5);
    assert!(
        numbers.windows(2).all(|pair| pair[1] - pair[0] >= 28.0),
        "{numbers:?}"
    );
}

#[test]
fn a_void_verdict_is_in_no_figure() {
    for figure in rendered(&case::inconsistent()).figures {
        let document = Document::parse(&figure.svg).unwrap();
        let words: Vec<_> = document
            .descendants()
            .filter_map(|node| node.text())
            .collect();
        assert!(
            words.contains(&"no verdict") && !words.contains(&"pass"),
            "{}",
            figure.path
        );
    }
}

#[test]
fn a_verdict_is_told_by_word_and_by_shape() {
    for (case, word, shape) in [
        (case::pass(), "pass", "circle"),
        (case::falsified(), "falsified", "path"),
        (case::undetermined(), "abstained", "path"),
    ] {
        for figure in rendered(&case).figures {
            let document = Document::parse(&figure.svg).unwrap();
            let marks: BTreeSet<&str> = document
                .descendants()
                .filter(|node| node.attribute("class") == Some(word))
                .map(|node| node.tag_name().name())
                .collect();
            assert_eq!(marks, BTreeSet::from([shape]), "{}", figure.path);
            assert!(
                document.descendants().any(|node| node.text() == Some(word)),
                "{}",
                figure.path
            );
        }
    }
}

#[test]
fn made_up_data_is_labelled_inside_every_figure() {
    for figure in rendered(&case::undetermined()).figures {
        assert!(figure.svg.contains("SIMULATED DATA"), "{}", figure.path);
    }
}

#[test]
fn the_paths_of_a_report_are_those_of_its_figures() {
    let report = rendered(&case::two_conditions());
    let paths: BTreeSet<&str> = report
        .figures
        .iter()
        .map(|figure| figure.path.as_str())
        .collect();
    assert_eq!(paths.len(), report.figures.len());
    for path in paths {
        assert!(report.markdown.contains(&format!("]({path})")), "{path}");
    }
}
