//! What changes a digest and what does not.

use std::collections::BTreeMap;

use prereg_declaration::{Digest, meaning_digest, question_digest};
use proptest::prelude::*;

use crate::example::{OF_THE_ANSWER, OF_THE_QUESTION, TOML, checked, edited, respelled};

#[test]
fn every_change_of_meaning_has_its_own_meaning_digest() {
    let mut seen: BTreeMap<Digest, &str> = BTreeMap::new();
    seen.insert(meaning_digest(&checked(TOML)), "no change");
    for edit in OF_THE_ANSWER.iter().chain(&OF_THE_QUESTION) {
        let digest = meaning_digest(&edited([edit]));
        assert_eq!(seen.insert(digest, edit.to), None, "{}", edit.to);
    }
}

#[test]
fn only_changes_of_what_is_asked_change_the_question_digest() {
    let question = question_digest(&checked(TOML));
    for edit in &OF_THE_ANSWER {
        assert_eq!(question_digest(&edited([edit])), question, "{}", edit.to);
    }
    let mut seen = BTreeMap::from([(question, "no change")]);
    for edit in &OF_THE_QUESTION {
        let digest = question_digest(&edited([edit]));
        assert_eq!(seen.insert(digest, edit.to), None, "{}", edit.to);
    }
}

/// Lines that give nothing but defaults, and the lines of [`TOML`] that give other values.
const DEFAULTS: [(&str, &str); 5] = [
    (
        "alpha-pass = 0.04",
        "alpha-pass = \"5 %\"\nstopping = \"fixed\"",
    ),
    (
        "alpha-falsified = 0.03",
        "interval = \"order-statistic\"\nestimand = \"median\"\nscale = \"log\"",
    ),
    ("affinity = [0, 1]", "affinity = \"none\""),
    ("environment = [\"A\", \"B\"]", "environment = []"),
    (
        "timeout = \"5 min\"",
        "timeout = \"600 s\"\nsame-code = false\nblocks = 1\nmin-gap = \"0 h\"",
    ),
];

#[test]
fn a_default_written_out_means_the_same() {
    let mut written_out = TOML
        .replace("plan = \"fused\"\n", "")
        .replace("[arms.eager]", "[arms.eager]\nplan = \"fused\"")
        .replace("[arms.graphed]", "[arms.graphed]\nplan = \"fused\"");
    let mut left_out = TOML.to_owned();
    for (given, default) in DEFAULTS {
        assert!(TOML.contains(given), "{given}");
        written_out = written_out.replace(given, default);
        left_out = left_out.replace(given, "");
    }
    assert_eq!(
        meaning_digest(&checked(&written_out)),
        meaning_digest(&checked(&left_out))
    );
}

proptest! {
    #[test]
    fn spelling_comments_and_order_leave_the_meaning_digest(toml in respelled()) {
        prop_assert_eq!(meaning_digest(&checked(&toml)), meaning_digest(&checked(TOML)));
    }

    #[test]
    fn different_sets_of_changes_have_different_meaning_digests(
        left in prop::sample::subsequence((0..14_usize).collect::<Vec<_>>(), 0..14),
        right in prop::sample::subsequence((0..14_usize).collect::<Vec<_>>(), 0..14),
    ) {
        let digest = |picked: &[usize]| {
            meaning_digest(&edited(picked.iter().map(|&index| &OF_THE_ANSWER[index])))
        };
        prop_assert_eq!(left == right, digest(&left) == digest(&right));
    }
}
