//! The real binary, in a cleared environment.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use super::redact::redacted;

/// The binary, to be run in `folder`, without anything of the environment of the tests but the path to `git`.
pub(crate) fn binary(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_prereg"));
    command.env_clear().current_dir(folder);
    command.envs(std::env::var_os("PATH").map(|path| ("PATH", path)));
    command.envs([("LC_ALL", "C"), ("TZ", "UTC"), ("NO_COLOR", "1")]);
    command
}

/// Runs the binary in `folder` to its end.
pub(crate) fn prereg(folder: &Path, arguments: &[&str]) -> Finished {
    Finished::of(binary(folder).args(arguments).output().unwrap())
}

/// A command that ended.
#[derive(Debug)]
pub(crate) struct Finished {
    /// Exit code; none when a signal ended it.
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Finished {
    pub(crate) fn of(output: Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// The same, having ended with `code`.
    #[track_caller]
    pub(crate) fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{self:#?}");
        assert!(!self.stderr.contains("panicked"), "{}", self.stderr);
        self
    }

    /// The same, having said `text` on standard output or standard error.
    #[track_caller]
    pub(crate) fn says(self, text: &str) -> Self {
        assert!(
            self.stdout.contains(text) || self.stderr.contains(text),
            "`{text}` is not in {self:#?}"
        );
        self
    }

    /// Standard output as one JSON value.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:#?}"))
    }

    /// Standard output, then standard error, with what changes from run to run redacted.
    pub(crate) fn redacted(&self) -> String {
        redacted(&format!("{}{}", self.stdout, self.stderr))
    }
}
