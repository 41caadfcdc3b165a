//! `prereg diff`: what changed in meaning, from lock to draft or from attempt to attempt.

use prereg_declaration::{Declaration, Difference, differences};
use prereg_ledger::{History, LockKind, Locked, LockedExperiment, Study};
use serde::Serialize;

use crate::error::CommandError;
use crate::exit::Exit;
use crate::find::{self, DeclarationFile};
use crate::open;
use crate::output::{self, say};

/// Arguments of `prereg diff`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  prereg diff replay_tax          the draft against its lock, and the first lock against the last\n  \
    prereg diff 60c0c634 9a1f22d0   two locks\n\n\
    Differences are those of the meaning: spelling, comments and order of a file have none."
)]
pub(crate) struct Arguments {
    /// A declaration or an experiment's id; with BEFORE and AFTER, also the beginning of a lock's id.
    before: String,
    /// A second declaration or lock.
    after: Option<String>,
    /// Print one JSON object (prereg-diff/1).
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document {
    schema: &'static str,
    comparisons: Vec<Comparison>,
}

/// Two versions of a plan.
#[derive(Serialize)]
struct Comparison {
    before: String,
    after: String,
    /// Why the later one was locked, for amendments.
    reasons: Vec<String>,
    same_bytes: bool,
    differences: Vec<Difference>,
}

pub(crate) fn execute(arguments: &Arguments) -> Result<Exit, CommandError> {
    let study = open::study()?;
    let history = open::history(&study)?;
    let comparisons = match &arguments.after {
        Some(after) => {
            let before = Version::named(&study, &history, &arguments.before)?;
            vec![before.against(&Version::named(&study, &history, after)?)]
        }
        None => of_experiment(&study, &history, &arguments.before)?,
    };
    if arguments.json {
        output::json(&Document {
            schema: "prereg-diff/1",
            comparisons,
        })?;
    } else {
        for comparison in &comparisons {
            print(comparison);
        }
    }
    Ok(Exit::Success)
}

/// The draft against its newest lock, and the first lock against the newest where there are several.
fn of_experiment(
    study: &Study,
    history: &History,
    argument: &str,
) -> Result<Vec<Comparison>, CommandError> {
    let draft = DeclarationFile::exists(study, argument)
        .then(|| Version::of_file(study, argument))
        .transpose()?;
    let id = draft
        .as_ref()
        .map_or(argument, |draft| draft.declaration.id.as_str());
    let locks: Vec<&LockedExperiment> = history.locks_of(id).collect();
    let (Some(first), Some(newest)) = (locks.first(), locks.last()) else {
        let message = format!("`{argument}` has no lock to compare with");
        return Err(CommandError::new(Exit::Missing, message)
            .hint("prereg list shows the locks; prereg diff BEFORE AFTER compares any two"));
    };
    let newest = Version::of_lock(history, newest)?;
    let mut comparisons = Vec::new();
    if locks.len() > 1 {
        let mut whole = Version::of_lock(history, first)?.against(&newest);
        whole.reasons = locks.iter().filter_map(|lock| reason(lock)).collect();
        comparisons.push(whole);
    }
    comparisons.extend(draft.map(|draft| newest.against(&draft)));
    Ok(comparisons)
}

fn reason(lock: &LockedExperiment) -> Option<String> {
    match &lock.kind {
        LockKind::Amendment { reason, .. } => Some(reason.clone()),
        LockKind::First | LockKind::Pilot { .. } => None,
    }
}

/// One version of a plan, with the name that the comparison prints.
struct Version {
    name: String,
    bytes: Vec<u8>,
    declaration: Declaration,
}

impl Version {
    fn named(study: &Study, history: &History, argument: &str) -> Result<Self, CommandError> {
        if DeclarationFile::exists(study, argument) {
            Self::of_file(study, argument)
        } else {
            Self::of_lock(history, find::lock(study, history, argument)?)
        }
    }

    fn of_file(study: &Study, argument: &str) -> Result<Self, CommandError> {
        let file = DeclarationFile::read(study, argument)?;
        let declaration = file.check(&open::targets(study)?)?;
        Ok(Self {
            name: file.name,
            bytes: file.bytes,
            declaration,
        })
    }

    fn of_lock(history: &History, lock: &LockedExperiment) -> Result<Self, CommandError> {
        let locked =
            Locked::load(history, lock.event.lock).map_err(|error| open::not_loaded(&error))?;
        Ok(Self {
            name: format!("lock {} ({})", locked.id().prefix(12), lock.time),
            bytes: locked.declaration_toml().to_vec(),
            declaration: locked.declaration().clone(),
        })
    }

    fn against(&self, after: &Self) -> Comparison {
        Comparison {
            before: self.name.clone(),
            after: after.name.clone(),
            reasons: Vec::new(),
            same_bytes: self.bytes == after.bytes,
            differences: differences(&self.declaration, &after.declaration),
        }
    }
}

fn print(comparison: &Comparison) {
    say!("--- {}\n+++ {}", comparison.before, comparison.after);
    for reason in &comparison.reasons {
        say!("amended: {reason}");
    }
    if comparison.differences.is_empty() {
        say!(
            "{}",
            if comparison.same_bytes {
                "the same, byte for byte"
            } else {
                "bytes differ, meaning same"
            }
        );
    }
    for difference in &comparison.differences {
        let line = |sign: char, value: &Option<String>| {
            if let Some(value) = value {
                say!("{sign} {} = {value}", difference.path);
            }
        };
        line('-', &difference.before);
        line('+', &difference.after);
    }
}
