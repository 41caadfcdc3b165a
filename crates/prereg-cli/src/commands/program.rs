//! `prereg program`: becomes the program of a slot. Not for people.

use std::ffi::OsString;

use crate::exit::Exit;

/// Arguments of `prereg program`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Program and arguments.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<OsString>,
}

pub(crate) fn execute(arguments: &Arguments) -> Exit {
    let error = prereg_executor::session::become_program(&arguments.words);
    // For the error stream that the session keeps.
    eprintln!("the program cannot be run: {error}");
    Exit::Internal
}
