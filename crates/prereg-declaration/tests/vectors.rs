//! The committed vectors of the canonical form: for every declaration under `vectors`, its canonical form, its question
//! form, and the three digests. Anyone can check the digests with `sha256sum`. Run with `BLESS=1` after a new version of
//! the format.

#![expect(
    clippy::unwrap_used,
    reason = "a test ends where its fixtures cannot be read"
)]

use std::fs;
use std::path::{Path, PathBuf};

use prereg_declaration::{
    Digest, Targets, canonical, check, meaning_digest, question, question_digest,
};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

fn compare(path: &Path, printed: &str) {
    if std::env::var_os("BLESS").is_some() {
        #[expect(
            clippy::disallowed_methods,
            reason = "a test rewrites its own expectations"
        )]
        fs::write(path, printed).unwrap();
    }
    let expected = fs::read_to_string(path).unwrap_or_default();
    assert_eq!(printed, expected, "{}", path.display());
}

fn vector(name: &str) {
    let targets = fs::read(folder().join("declarations/targets.toml")).unwrap();
    let targets = Targets::parse("targets.toml", &targets).unwrap();
    let file = folder().join("vectors").join(name).with_extension("toml");
    let toml = fs::read(&file).unwrap();
    let declaration = check(name, &toml, &targets).unwrap();
    compare(&file.with_extension("canonical"), &canonical(&declaration));
    compare(&file.with_extension("question"), &question(&declaration));
    let digests = format!(
        "bytes {}\nmeaning {}\nquestion {}\n",
        Digest::of(&toml),
        meaning_digest(&declaration),
        question_digest(&declaration)
    );
    compare(&file.with_extension("digests"), &digests);
}

#[test]
fn launch_tax_has_its_committed_forms_and_digests() {
    vector("launch_tax");
}

#[test]
fn floor_has_its_committed_forms_and_digests() {
    vector("floor");
}

#[test]
fn over_days_has_its_committed_forms_and_digests() {
    vector("over_days");
}
