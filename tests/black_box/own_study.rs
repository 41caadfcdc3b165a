//! This repository is the tool and its own first study: its record is checked like any other.

use std::fs;
use std::path::Path;

use crate::study::{self, Finished};

fn prereg(arguments: &[&str]) -> Finished {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR"));
    study::prereg(repository, arguments)
}

#[test]
fn every_declaration_of_this_repository_is_accepted() {
    let experiments = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments");
    for entry in fs::read_dir(experiments).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() && !path.ends_with("targets.toml") {
            prereg(&["check", path.to_str().unwrap()]).exits(0);
        }
    }
}

#[test]
fn the_record_of_this_repository_is_sound() {
    prereg(&["verify"]).exits(0);
}
