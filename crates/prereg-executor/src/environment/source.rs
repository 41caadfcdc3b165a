//! State of the study's git working tree.

use std::path::Path;
use std::process::{Command, Output};

use prereg_runs::{SOURCE_NAMES, Source};

/// A session's own environment is cleared; git is looked for here.
const SEARCH_PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// What a run itself writes, relative to the study.
const WRITTEN_BY_RUNS: [&str; 3] = ["runs/", "prereg/ledger/", "reports/"];

/// Reads the state of the working tree that holds `study`. Nothing is written, not even git's index.
pub(crate) fn source(study: &Path) -> Source {
    match read(study) {
        Ok(source) => source,
        Err(reason) => Source::Unknown { reason },
    }
}

fn read(study: &Path) -> Result<Source, String> {
    let prefix = git(study, &["rev-parse", "--show-prefix"])?;
    let prefix = String::from_utf8_lossy(&prefix.stdout)
        .trim_end_matches('\n')
        .to_owned();
    let status = git(
        study,
        &[
            "status",
            "--porcelain=v2",
            "--branch",
            "-z",
            "--untracked-files=all",
        ],
    )?;
    Ok(parse(&String::from_utf8_lossy(&status.stdout), &prefix))
}

fn git(study: &Path, arguments: &[&str]) -> Result<Output, String> {
    let mut command = Command::new("git");
    command
        .env_clear()
        .env("PATH", SEARCH_PATH)
        .env("LC_ALL", "C")
        .env("GIT_OPTIONAL_LOCKS", "0");
    command
        .arg("-C")
        .arg(study)
        .args(["-c", "core.fsmonitor=false"])
        .args(arguments);
    let output = command
        .output()
        .map_err(|error| format!("git could not be started: {}", error.kind()))?;
    // Git's own message would name the absolute path.
    if output.status.success() {
        Ok(output)
    } else {
        Err("not a git working tree that this user may read".to_owned())
    }
}

/// Reads `git status --porcelain=v2 --branch -z`. `prefix` is the study's path inside the working tree, empty or ending
/// in `/`.
fn parse(status: &str, prefix: &str) -> Source {
    let (mut commit, mut changed, mut untracked, mut unnamed) = (None, Vec::new(), Vec::new(), 0);
    let mut entries = status.split('\0');
    while let Some(entry) = entries.next() {
        let Some((kind, rest)) = entry.split_once(' ') else {
            continue;
        };
        // Columns before the path; a path may hold spaces.
        let columns = match kind {
            "#" => {
                let oid = rest
                    .strip_prefix("branch.oid ")
                    .filter(|oid| *oid != "(initial)");
                commit = commit.or_else(|| oid.map(str::to_owned));
                continue;
            }
            "1" => 7,
            "2" => 8,
            "u" => 9,
            "?" => 0,
            _ => continue,
        };
        if kind == "2" {
            // The path before the renaming stands in an entry of its own.
            entries.next();
        }
        let Some(path) = rest.splitn(columns + 1, ' ').nth(columns) else {
            continue;
        };
        let Some(name) = path.strip_prefix(prefix) else {
            unnamed += 1;
            continue;
        };
        if WRITTEN_BY_RUNS
            .iter()
            .any(|folder| name.starts_with(folder))
        {
            continue;
        }
        let names = if kind == "?" {
            &mut untracked
        } else {
            &mut changed
        };
        if names.len() < SOURCE_NAMES {
            names.push(name.to_owned());
        } else {
            unnamed += 1;
        }
    }
    Source::Read {
        commit,
        changed,
        untracked,
        unnamed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OID: &str = "0123456789abcdef0123456789abcdef01234567";

    #[test]
    fn changed_renamed_and_untracked_files_are_told_apart() {
        let status = format!(
            "# branch.oid {OID}\0# branch.head main\0\
             1 .M N... 100644 100644 100644 {OID} {OID} src/a file.rs\0\
             2 R. N... 100644 100644 100644 {OID} {OID} R100 new.rs\0old.rs\0\
             ? notes.txt\0"
        );
        let expected = Source::Read {
            commit: Some(OID.to_owned()),
            changed: vec!["src/a file.rs".to_owned(), "new.rs".to_owned()],
            untracked: vec!["notes.txt".to_owned()],
            unnamed: 0,
        };
        assert_eq!(parse(&status, ""), expected);
    }

    #[test]
    fn what_a_run_writes_is_left_out() {
        let status = "# branch.oid (initial)\0? runs/e/cpu-1/run.json\0? prereg/ledger/a.jsonl\0? prereg/locks/x\0? reports/e.md\0";
        let expected = Source::Read {
            commit: None,
            changed: vec![],
            untracked: vec!["prereg/locks/x".to_owned()],
            unnamed: 0,
        };
        assert_eq!(parse(status, ""), expected);
    }

    #[test]
    fn files_outside_the_study_are_counted_and_not_named() {
        let status = "? study/experiments/a.toml\0? elsewhere/secret.txt\0";
        let expected = Source::Read {
            commit: None,
            changed: vec![],
            untracked: vec!["experiments/a.toml".to_owned()],
            unnamed: 1,
        };
        assert_eq!(parse(status, "study/"), expected);
    }

    #[test]
    fn names_beyond_the_limit_are_counted() {
        let status = "? file\0".repeat(SOURCE_NAMES + 5);
        let Source::Read {
            untracked, unnamed, ..
        } = parse(&status, "")
        else {
            panic!("not read")
        };
        assert_eq!((untracked.len(), unnamed), (SOURCE_NAMES, 5));
    }

    #[test]
    fn a_folder_without_git_says_why_and_names_no_path() {
        let folder = tempfile::tempdir().unwrap();
        let Source::Unknown { reason } = source(folder.path()) else {
            panic!("read")
        };
        assert!(
            !reason.contains(folder.path().to_str().unwrap()),
            "{reason}"
        );
    }

    #[test]
    fn a_working_tree_without_a_commit_has_untracked_files_only() {
        let folder = tempfile::tempdir().unwrap();
        let init = Command::new("git")
            .arg("-C")
            .arg(folder.path())
            .args(["init", "-q"])
            .status();
        if !init.is_ok_and(|status| status.success()) {
            eprintln!("skipped: git cannot make a working tree here");
            return;
        }
        std::fs::create_dir_all(folder.path().join("experiments")).unwrap();
        prereg_ledger::write_atomic(&folder.path().join("experiments/a.toml"), b"x").unwrap();
        let expected = Source::Read {
            commit: None,
            changed: vec![],
            untracked: vec!["experiments/a.toml".to_owned()],
            unnamed: 0,
        };
        assert_eq!(source(folder.path()), expected);
    }
}
