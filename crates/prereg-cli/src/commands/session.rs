//! `prereg session`: the process of one session. Not for people.

use crate::exit::Exit;

/// Arguments of `prereg session`: none, its plan comes on standard input.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {}

pub(crate) fn execute(_: &Arguments) -> Exit {
    // The executor has said on standard error what went wrong; the parent reads the exit code only.
    if prereg_executor::session::main() == std::process::ExitCode::SUCCESS {
        Exit::Success
    } else {
        Exit::Internal
    }
}
