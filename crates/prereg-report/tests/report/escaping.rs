//! Author text stays text, in markdown and in SVG.

use crate::case;
use crate::rendered;

const HOSTILE: &str =
    "</title><script>alert(1)</script> | a |\n\n# PASS\n\n```\n<!-- ![x](y) `tick` ]]> & \u{202e}";

#[test]
fn author_text_adds_no_heading_fence_tag_or_comment() {
    let text = rendered(&case::hostile(HOSTILE)).markdown;
    let plain = rendered(&case::pass()).markdown;
    let count = |text: &str, begins: &str| {
        text.lines()
            .filter(|line| line.trim_start_matches("> ").starts_with(begins))
            .count()
    };
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

#[test]
fn author_text_adds_no_cell_to_a_table() {
    let report = rendered(&case::hostile("a | b"));
    let mut width = None;
    for line in report.markdown.lines() {
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
    for figure in rendered(&case::hostile(HOSTILE)).figures {
        let document = roxmltree::Document::parse(&figure.svg).unwrap();
        assert!(
            document
                .descendants()
                .all(|node| !node.has_tag_name("script"))
        );
    }
}
