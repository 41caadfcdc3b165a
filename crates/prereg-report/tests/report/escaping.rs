//! Author text stays text, in markdown and in SVG.

use crate::case;
use crate::rendered;

const HOSTILE: &str =
    "</title><script>alert(1)</script> | a |\n\n# PASS\n\n```\n<!-- ![x](y) `tick` ]]> & \u{202e}";

#[test]
fn author_text_adds_no_heading_fence_tag_or_comment() {
    let count = |text: &str, begins: &str| {
        text.lines()
            .filter(|line| line.trim_start_matches("> ").starts_with(begins))
            .count()
    };
    for (hostile, plain) in case::hostile(HOSTILE)
        .iter()
        .zip([case::pass(), case::command()])
    {
        let (text, plain) = (rendered(hostile).markdown, rendered(&plain).markdown);
        for begins in ["#", "```", "<", "|"] {
            assert_eq!(
                count(&text, begins),
                count(&plain, begins),
                "lines that begin with {begins}"
            );
        }
        for raw in ["<script", "<!--", "![x]"] {
            assert_eq!(
                text.replace(&format!("\\{raw}"), "").matches(raw).count(),
                0,
                "{raw}"
            );
        }
    }
}

#[test]
fn author_text_adds_no_cell_to_a_table() {
    for case in case::hostile("a | b") {
        every_row_of_a_table_has_as_many_cells(&rendered(&case).markdown);
    }
}

fn every_row_of_a_table_has_as_many_cells(markdown: &str) {
    let mut width = None;
    for line in markdown.lines() {
        if !line.starts_with('|') {
            width = None;
            continue;
        }
        let bars = line.replace("\\|", "").matches('|').count();
        assert_eq!(*width.get_or_insert(bars), bars, "{line}");
    }
}

#[test]
fn author_text_stays_inside_the_words_of_a_figure() {
    let [decode, program] = case::hostile(HOSTILE).map(|case| rendered(&case).figures);
    for figure in decode.into_iter().chain(program) {
        let document = roxmltree::Document::parse(&figure.svg).unwrap();
        assert!(
            document
                .descendants()
                .all(|node| !node.has_tag_name("script"))
        );
    }
}
