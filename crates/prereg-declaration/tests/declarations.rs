//! Every file under `declarations/valid` checks; every file under `declarations/invalid` is refused with the messages of
//! the `.stderr` beside it. Run with `BLESS=1` to write those from what is printed now.

#![expect(
    clippy::unwrap_used,
    reason = "a test ends where its fixtures cannot be read"
)]

use std::fs;
use std::path::{Path, PathBuf};

use prereg_declaration::{Declaration, Diagnostics, Targets, check};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/declarations")
}

fn files(kind: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder().join(kind))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "toml")
        })
        .collect();
    files.sort();
    files
}

fn checked(path: &Path) -> Result<Declaration, Diagnostics> {
    let targets = Targets::parse(
        "targets.toml",
        &fs::read(folder().join("targets.toml")).unwrap(),
    )
    .unwrap();
    let name = path.file_name().unwrap().to_str().unwrap();
    check(name, &fs::read(path).unwrap(), &targets)
}

#[test]
fn valid_declarations_check() {
    let files = files("valid");
    assert!(!files.is_empty());
    for file in files {
        if let Err(problems) = checked(&file) {
            panic!("{problems}");
        }
    }
}

#[test]
fn invalid_declarations_are_refused_with_the_messages_beside_them() {
    let bless = std::env::var_os("BLESS").is_some();
    let files = files("invalid");
    assert!(!files.is_empty());
    let mut wrong = Vec::new();
    for file in files {
        let Err(problems) = checked(&file) else {
            wrong.push(format!("{} checks", file.display()));
            continue;
        };
        let printed = format!("{problems}\n");
        let expected = file.with_extension("stderr");
        if bless {
            #[expect(
                clippy::disallowed_methods,
                reason = "a test rewrites its own expectations"
            )]
            fs::write(&expected, &printed).unwrap();
        } else if fs::read_to_string(&expected).unwrap_or_default() != printed {
            wrong.push(format!("{} prints\n{printed}", file.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
