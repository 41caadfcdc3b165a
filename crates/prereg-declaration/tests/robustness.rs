//! No input makes the reader panic, and every problem can be printed.

#![expect(
    clippy::unwrap_used,
    reason = "a test ends where its fixtures cannot be read"
)]

use std::fs;
use std::path::Path;

use prereg_declaration::{Targets, check};
use proptest::prelude::*;

fn read(name: &str) -> Vec<u8> {
    fs::read(
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests")
            .join(name),
    )
    .unwrap()
}

fn targets() -> Targets {
    Targets::parse("targets.toml", &read("declarations/targets.toml")).unwrap()
}

/// Checks, and prints in every way what is wrong.
fn print(toml: &[u8], targets: &Targets) {
    if let Err(problems) = check("tried.toml", toml, targets) {
        assert!(!problems.is_empty());
        assert!(!problems.render(true).is_empty());
        assert!(serde_json::to_string(&problems).is_ok());
    }
    if let Err(problems) = Targets::parse("tried.toml", toml) {
        assert!(!problems.to_string().is_empty());
    }
}

/// A text in which one part was cut out and another put there.
fn mutated(name: &'static str) -> impl Strategy<Value = Vec<u8>> {
    let original = read(name);
    let length = original.len();
    let piece = prop_oneof![
        prop::collection::vec(any::<u8>(), 0..4),
        "[\\[\\]{}()\"'=.,@<>*/+\\-#\\\\ \n\u{e9}\u{1F3B2}0-9a-z%]{0,6}"
            .prop_map(String::into_bytes),
    ];
    (0..length, 0..12_usize, piece).prop_map(move |(at, cut, piece)| {
        let mut text = original.clone();
        text.splice(at..(at + cut).min(length), piece);
        text
    })
}

proptest! {
    #[test]
    fn arbitrary_bytes_are_refused_in_words(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        print(&bytes, &targets());
    }

    #[test]
    fn arbitrary_characters_are_refused_in_words(text in "\\PC{0,200}") {
        print(text.as_bytes(), &targets());
    }

    #[test]
    fn a_damaged_declaration_is_read_or_refused_in_words(toml in prop_oneof![mutated("vectors/floor.toml"), mutated("vectors/over_days.toml")]) {
        print(&toml, &targets());
    }

    #[test]
    fn a_damaged_targets_file_is_read_or_refused_in_words(toml in mutated("declarations/targets.toml")) {
        print(&toml, &targets());
    }
}

#[test]
fn deeply_nested_values_are_refused_in_words() {
    let toml = format!("schema = {}{}", "[".repeat(100_000), "]".repeat(100_000));
    print(toml.as_bytes(), &targets());
    let toml = format!(
        "metrics = {{ m = \"{}1{}\" }}",
        "-(".repeat(900),
        ")".repeat(900)
    );
    print(toml.as_bytes(), &targets());
    let toml = format!("[{}x]", "a.".repeat(100_000));
    print(toml.as_bytes(), &targets());
}
