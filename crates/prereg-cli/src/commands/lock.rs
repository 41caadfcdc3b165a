//! `prereg lock`: freezes a declaration before any data exists.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;

use prereg_declaration::{
    DataSeen, Declaration, Digest, Targets, Weights, meaning_digest, question_digest,
};
use prereg_decode::shape::Shape;
use prereg_executor::model;
use prereg_judgement::lint;
use prereg_ledger::{Cell, History, Lock, PlannedSession, Study};

use super::check::accept;
use crate::code;
use crate::constants;
use crate::error::CommandError;
use crate::exit::Exit;
use crate::find::{DeclarationFile, lock_of_file};
use crate::open;
use crate::output::say;

/// Arguments of `prereg lock`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  prereg lock experiments/replay_tax.toml\n\n\
    The lock's id is the SHA-256 of its lock.json. Commit prereg/ before the first run.")]
pub(crate) struct Arguments {
    /// A declaration: a path, or a name under experiments/.
    file: String,
}

pub(crate) fn execute(arguments: &Arguments) -> Result<Exit, CommandError> {
    let study = open::study()?;
    let targets = open::targets(&study)?;
    let file = DeclarationFile::read(&study, &arguments.file)?;
    let declaration = file.check(&targets)?;
    accept(&file, &lint(&declaration))?;
    let lock = build(&study, &targets, &file, &declaration)?;

    let mut writer = open::writer(&study)?;
    let history = open::history(&study)?;
    if let Some(locked) = lock_of_file(&history, &file) {
        let message = format!(
            "{} is locked already, as {}",
            file.name,
            locked.event.lock.prefix(12)
        );
        return Err(CommandError::new(Exit::Missing, message).hint(format!(
            "prereg run {} --on {}",
            arguments.file,
            declaration.targets.join(" | ")
        )));
    }
    refuse_second_lock(&history, &declaration)?;
    refuse_unseen(&history, &declaration, lock.question)?;
    let asked_before: Vec<String> = history
        .locks()
        .iter()
        .filter(|other| other.event.question == lock.question)
        .map(|other| {
            format!(
                "{} ({})",
                other.event.experiment,
                other.event.lock.prefix(12)
            )
        })
        .collect();
    let (id, _) = writer
        .lock(&lock, &file.bytes)
        .map_err(|error| CommandError::io(&error))?;

    say!("locked {} as {}", declaration.id, id.prefix(12));
    say!("  lock         {id}");
    say!("  declaration  {}", lock.declaration);
    say!("  meaning      {}", lock.meaning);
    say!("  question     {}", lock.question);
    if !asked_before.is_empty() {
        say!("  asked before by {}", asked_before.join(", "));
    }
    say!("  evidence     {}", history.evidence_level().as_str());
    say!(
        "\ncommit prereg/ now, then: prereg run {} --on {}",
        arguments.file,
        declaration.targets.join(" | ")
    );
    Ok(Exit::Success)
}

/// A changed plan is another experiment: under the same id, its report would take the place of the first one's.
fn refuse_second_lock(history: &History, declaration: &Declaration) -> Result<(), CommandError> {
    let id = &declaration.id;
    match history.locks_of(id).last() {
        None => Ok(()),
        Some(lock) => Err(CommandError::new(
            Exit::Declaration,
            format!(
                "experiment `{id}` is locked already, as {}, with other content",
                lock.event.lock.prefix(12)
            ),
        )
        .hint("give the changed plan an id of its own: it is another experiment")),
    }
}

/// Whoever asks again what a run in this ledger has answered has seen its data.
fn refuse_unseen(
    history: &History,
    declaration: &Declaration,
    question: Digest,
) -> Result<(), CommandError> {
    if declaration.data_seen == DataSeen::ThisData {
        return Ok(());
    }
    let measured = history.runs().iter().find(|run| {
        let asked = history.lock(run.announced.lock);
        asked.is_some_and(|lock| lock.event.question == question)
            && !(run.begun.is_empty() && run.sessions.is_empty())
    });
    match measured {
        None => Ok(()),
        Some(run) => Err(CommandError::new(
            Exit::Declaration,
            format!(
                "run {} of {} has measured the same question, and data-seen is \"{}\"",
                run.id,
                run.announced.experiment,
                declaration.data_seen.name()
            ),
        )
        .hint("write data-seen = \"this-data\" and quote its figures in data-seen-figures")),
    }
}

fn build(
    study: &Study,
    targets: &Targets,
    file: &DeclarationFile,
    declaration: &Declaration,
) -> Result<Lock, CommandError> {
    let shape = model::shape(study.root(), &declaration.workload.model)
        .map_err(|error| CommandError::caused(Exit::Missing, &error))?;
    let entries = declaration.targets.iter().filter_map(|name| {
        let target = targets.get(name)?;
        Some((name.clone(), target.canonical()))
    });
    Ok(Lock {
        schema: Lock::SCHEMA.to_owned(),
        rules: Lock::RULES.to_owned(),
        experiment: declaration.id.clone(),
        declaration: file.digest(),
        meaning: meaning_digest(declaration),
        question: question_digest(declaration),
        files: files(study, declaration)?,
        targets: entries.collect(),
        kernels: code::kernels(),
        version: code::VERSION.to_owned(),
        constants: constants::resolve(declaration, targets, &shape),
        sessions: (0..declaration.protocol.sessions)
            .map(|index| PlannedSession {
                index,
                cell: Cell::default(),
            })
            .collect(),
    })
}

/// Digests of the files that the declaration names: of a model's folder, the parts that are read.
fn files(
    study: &Study,
    declaration: &Declaration,
) -> Result<BTreeMap<String, Digest>, CommandError> {
    let workload = &declaration.workload;
    if Shape::named(&workload.model).is_some() {
        return Ok(BTreeMap::new());
    }
    let folder = study
        .resolve(&workload.model)
        .map_err(|error| CommandError::caused(Exit::Missing, &error))?;
    let io = |name: &str, error: io::Error| {
        CommandError::new(Exit::Io, format!("{}/{name}: {error}", workload.model))
    };
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(&folder).map_err(|error| io("", error))? {
        let entry = entry.map_err(|error| io("", error))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if is_read(&name, workload.weights) {
            let digest = File::open(entry.path())
                .and_then(Digest::read)
                .map_err(|error| io(&name, error))?;
            files.insert(
                format!("{}/{name}", workload.model.trim_end_matches('/')),
                digest,
            );
        }
    }
    Ok(files)
}

/// Whether a session reads the file of this name in a model's folder.
fn is_read(name: &str, weights: Weights) -> bool {
    let of_weights = name.ends_with(".safetensors") || name.ends_with(".safetensors.index.json");
    name == "config.json" || (weights == Weights::Checkpoint && of_weights)
}
