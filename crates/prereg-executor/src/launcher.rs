//! How a session's process comes to be. A launcher is local configuration: recorded, never locked.

mod local;

use std::io;
use std::time::Duration;

pub use local::LocalProcess;

use crate::interrupt::Interrupt;
use crate::spec::SessionSpec;

/// Starts one session in a fresh process and waits for its end.
///
/// A launcher's word is not evidence: whatever it says, a session counts only if its folder holds a complete record.
pub trait Launcher {
    /// Name in the announcement (`local`).
    fn name(&self) -> &str;

    /// Runs `session` until it ends, `limit` has passed or `interrupt` is raised. In the last two cases its process is
    /// gone when this returns.
    ///
    /// # Errors
    /// [`LaunchError`]: no process was started, so the session did not begin.
    fn launch(
        &self,
        session: &SessionSpec,
        limit: Duration,
        interrupt: &Interrupt,
    ) -> Result<Ending, LaunchError>;
}

/// How a session's process ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It said that it finished.
    Finished,
    /// It ended in any other way by itself.
    Failed {
        /// How it ended, fit for a record (`exit status: 101`).
        status: String,
        /// The end of its error stream; may hold paths, so it is shown and never recorded.
        stderr: String,
    },
    /// It ran past the limit and was ended.
    TimedOut,
    /// A request to stop came and it was ended.
    Interrupted,
}

/// No process could be started.
#[derive(Debug, thiserror::Error)]
pub enum LaunchError {
    /// The program's own path is unknown.
    #[error("the path of the running program is unknown, so no session can be started")]
    Program(#[source] io::Error),
    /// The operating system refused.
    #[error(
        "the process of session {session} could not be started; check limits on processes and memory"
    )]
    Start {
        /// Index of the session.
        session: u32,
        /// What the operating system said.
        source: io::Error,
    },
}
