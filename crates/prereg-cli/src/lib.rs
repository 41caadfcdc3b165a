//! The command line: arguments, messages, exit codes. Each command is one file with one argument
//! struct and one function; the stages themselves live in the other crates and are composed here.

mod analysis;
mod code;
mod commands;
mod constants;
mod cost;
mod draft;
mod error;
mod exit;
mod find;
mod open;
mod output;
mod progress;
mod reading;
mod record;
mod seen;
mod summary;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser};

use crate::commands::Command;
use crate::exit::Exit;

/// The referee for performance claims.
///
/// A claim is written down with the conditions that would kill it, locked before any data exists,
/// measured, judged and reported, whatever comes out.
#[derive(Debug, Parser)]
#[command(name = "prereg", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// Runs the command line of this process and gives its exit code.
#[must_use]
pub fn main() -> ExitCode {
    let parsed = Cli::command()
        .try_get_matches()
        .and_then(|matches| Cli::from_arg_matches(&matches));
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) => {
            // A closed pipe is the only way in which this fails, and then nobody reads it.
            let _ = error.print();
            return match error.exit_code() {
                0 => Exit::Success,
                _ => Exit::Usage,
            }
            .into();
        }
    };
    let executed = cli.command.execute().and_then(|exit| match output::lost() {
        Some(lost) => Err(lost),
        None => Ok(exit),
    });
    match executed {
        Ok(exit) => exit.into(),
        Err(error) => {
            error.print();
            error.exit().into()
        }
    }
}
