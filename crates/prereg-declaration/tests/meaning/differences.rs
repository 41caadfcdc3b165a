//! What differs between two declarations.

use prereg_declaration::{Difference, differences};
use proptest::prelude::*;

use crate::example::{Edit, OF_THE_ANSWER, OF_THE_QUESTION, TOML, checked, edited, respelled};

fn paths(differences: &[Difference]) -> Vec<&str> {
    let paths = differences.iter().map(|difference| &*difference.path);
    paths.collect()
}

#[test]
fn an_edit_shows_exactly_the_paths_that_it_changes() {
    let before = checked(TOML);
    for edit in OF_THE_ANSWER.iter().chain(&OF_THE_QUESTION) {
        let found = differences(&before, &edited([edit]));
        assert_eq!(paths(&found), edit.paths, "{}", edit.to);
    }
}

#[test]
fn a_difference_holds_both_values_as_the_canonical_form_prints_them() {
    let edit = Edit {
        from: "sessions = 9",
        to: "blocks = 4\nmin-gap = \"1.5 h\"\nsessions = 12",
        paths: &[],
    };
    let line = |path: &str, before: Option<&str>, after: Option<&str>| Difference {
        path: path.to_owned(),
        before: before.map(str::to_owned),
        after: after.map(str::to_owned),
    };
    let expected = [
        line("protocol.blocks", None, Some("4")),
        line("protocol.min-gap", None, Some("5400000000000 ns")),
        line("protocol.sessions", Some("9"), Some("12")),
    ];
    assert_eq!(differences(&checked(TOML), &edited([&edit])), expected);
}

#[test]
fn the_way_back_shows_the_same_paths_with_the_values_exchanged() {
    let before = checked(TOML);
    for edit in &OF_THE_QUESTION {
        let after = edited([edit]);
        let back = differences(&after, &before).into_iter();
        let exchanged: Vec<Difference> = back
            .map(|difference| Difference {
                before: difference.after,
                after: difference.before,
                path: difference.path,
            })
            .collect();
        assert_eq!(exchanged, differences(&before, &after), "{}", edit.to);
    }
}

proptest! {
    #[test]
    fn spelling_comments_and_order_are_no_difference(toml in respelled()) {
        prop_assert_eq!(differences(&checked(TOML), &checked(&toml)), []);
    }
}
