//! The commands, one file each.

mod amend;
mod analyze;
mod check;
mod decode;
mod diff;
mod explain;
mod init;
mod inspect;
mod list;
mod lock;
mod program;
mod report;
mod run;
mod session;
mod show;
mod targets;
mod trace;
mod verify;
mod withdraw;

use clap::Subcommand;

use crate::error::CommandError;
use crate::exit::Exit;

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Write a new study with an example, or draft a declaration from a result file of a tool.
    Init(init::Arguments),
    /// Show what a result file of a tool holds, and what it cannot support.
    Inspect(inspect::Arguments),
    /// Check a declaration: is it well formed, and can it lose and win?
    Check(check::Arguments),
    /// Freeze a declaration before any data exists.
    Lock(lock::Arguments),
    /// Lock a changed plan as the successor of the one before, with the reason.
    Amend(amend::Arguments),
    /// Give a locked plan up, with the reason.
    Withdraw(withdraw::Arguments),
    /// Show what changed in meaning: draft against lock, first lock against last.
    Diff(diff::Arguments),
    /// Measure locked experiments on a target, judge and report them.
    Run(run::Arguments),
    /// Judge a locked experiment from its sealed runs.
    Analyze(analyze::Arguments),
    /// Write the report of a locked experiment.
    Report(report::Arguments),
    /// Check the whole record: ledger, locks, seals, tables, seeds and verdicts.
    Verify(verify::Arguments),
    /// List every lock and every run.
    List(list::Arguments),
    /// Show a lock or a run.
    Show(show::Arguments),
    /// Show where the number of a metric comes from: every part, its value and its source.
    Trace(trace::Arguments),
    /// Say what a reason, a finding or a refusal means, by its code.
    Explain(explain::Arguments),
    /// Show where experiments can run and what is here.
    Targets(targets::Arguments),
    /// Run the decode workload by hand; prints tokens and logits, no times.
    Decode(decode::Arguments),
    /// Measure one session; started by `run`, with its plan on standard input.
    #[command(hide = true)]
    Session(session::Arguments),
    /// Become the program of a slot; started by sessions.
    #[command(hide = true)]
    Program(program::Arguments),
}

impl Command {
    pub(crate) fn execute(self) -> Result<Exit, CommandError> {
        match self {
            Self::Init(arguments) => init::execute(&arguments),
            Self::Inspect(arguments) => inspect::execute(&arguments),
            Self::Check(arguments) => check::execute(&arguments),
            Self::Lock(arguments) => lock::execute(&arguments),
            Self::Amend(arguments) => amend::execute(&arguments),
            Self::Withdraw(arguments) => withdraw::execute(&arguments),
            Self::Diff(arguments) => diff::execute(&arguments),
            Self::Run(arguments) => run::execute(&arguments),
            Self::Analyze(arguments) => analyze::execute(&arguments),
            Self::Report(arguments) => report::execute(&arguments),
            Self::Verify(arguments) => verify::execute(&arguments),
            Self::List(arguments) => list::execute(&arguments),
            Self::Show(arguments) => show::execute(&arguments),
            Self::Trace(arguments) => trace::execute(&arguments),
            Self::Explain(arguments) => explain::execute(&arguments),
            Self::Targets(arguments) => targets::execute(&arguments),
            Self::Decode(arguments) => decode::execute(&arguments),
            Self::Session(arguments) => Ok(session::execute(&arguments)),
            Self::Program(arguments) => Ok(program::execute(&arguments)),
        }
    }
}
