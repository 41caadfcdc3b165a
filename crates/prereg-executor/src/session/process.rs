//! The process of a session: standard input in, a session folder out.

use std::io::{self, Read};
use std::os::unix::process::parent_id;
use std::path::Path;
use std::process::ExitCode;

use prereg_runs::{Outcome, SessionFolder};

use super::error::SessionError;
use super::{command, work};
use crate::cause::chain;
use crate::spec::{SESSION_SCHEMA, SessionSpec, WorkloadSpec};

/// Longest specification; one that is longer is not one.
const LONGEST: u64 = 1 << 20;

/// Runs the session that standard input specifies, in the working folder, which is the study's root. What it says goes
/// to the session's folder; a failure also to standard error.
#[must_use]
pub fn main() -> ExitCode {
    end_with_parent();
    let specified = read(&mut io::stdin().lock()).and_then(with_parent);
    match specified.and_then(|spec| run(&spec, Path::new("."))) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{}", chain(&error));
            ExitCode::FAILURE
        }
    }
}

fn read(input: &mut impl Read) -> Result<SessionSpec, SessionError> {
    let spec: SessionSpec =
        serde_json::from_reader(input.take(LONGEST)).map_err(SessionError::Specification)?;
    if spec.schema == SESSION_SCHEMA {
        Ok(spec)
    } else {
        Err(SessionError::Schema { found: spec.schema })
    }
}

fn run(spec: &SessionSpec, study: &Path) -> Result<(), SessionError> {
    let folder = SessionFolder::claimed(study.join(&spec.folder), spec.index);
    let worked = match &spec.workload {
        WorkloadSpec::Decode(decode) => work::measure(spec, decode, &folder, study),
        WorkloadSpec::Command(command) => command::measure(spec, command, &folder, study),
    };
    let outcome = match &worked {
        Ok(()) => Outcome::Complete,
        Err(SessionError::TimedOut) => Outcome::TimedOut,
        Err(error) => Outcome::Failed {
            message: chain(error),
        },
    };
    folder.finish(outcome, spec.order.clone(), spec.seeds)?;
    worked
}

/// A session whose parent died before [`end_with_parent`] was asked: nothing else would end it.
fn with_parent(spec: SessionSpec) -> Result<SessionSpec, SessionError> {
    if parent_id() == spec.parent {
        Ok(spec)
    } else {
        Err(SessionError::Orphaned)
    }
}

/// A session without its parent would measure for nobody: the kernel ends it when the thread that started it is gone.
pub(super) fn end_with_parent() {
    #[cfg(target_os = "linux")]
    // Where the kernel refuses, the session only lives longer than it should.
    let _refused =
        rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_specification_of_another_version_is_refused() {
        let text = r#"{"schema":"prereg-session/1","parent":1,"folder":"f","index":0,
            "workload":{"kind":"decode","model":"m","weights":"random","context":1,"arms":{},"warmup_steps":0},"order":[],
            "slot_steps":1,"threads":1,"affinity":[],"seeds":{"weights":"Z","prompt":"Z","kv":"Z","order":"Z"}}"#;
        let text = text.replace('Z', &"0".repeat(64));
        let error = read(&mut text.as_bytes()).unwrap_err();
        assert!(
            matches!(error, SessionError::Schema { ref found } if found == "prereg-session/1"),
            "{error}"
        );
    }

    #[test]
    fn input_that_is_no_specification_is_refused() {
        assert!(matches!(
            read(&mut "".as_bytes()),
            Err(SessionError::Specification(_))
        ));
    }

    #[test]
    fn a_session_whose_parent_is_gone_does_not_begin() {
        let spec = |parent: u32| {
            let text = format!(
                r#"{{"schema":"prereg-session/2","parent":{parent},"folder":"f","index":0,
                "workload":{{"kind":"decode","model":"m","weights":"random","context":1,"arms":{{}},"warmup_steps":0}},"order":[],
                "slot_steps":1,"threads":1,"affinity":[],"seeds":{{"weights":"Z","prompt":"Z","kv":"Z","order":"Z"}}}}"#
            );
            read(&mut text.replace('Z', &"0".repeat(64)).as_bytes()).unwrap()
        };
        assert!(with_parent(spec(parent_id())).is_ok());
        let gone = with_parent(spec(u32::MAX));
        assert!(matches!(gone, Err(SessionError::Orphaned)));
    }
}
