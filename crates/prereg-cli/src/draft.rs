//! A declaration with everything that freezing it takes: what `lock`, `amend` and a pilot start from.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;

use prereg_declaration::{
    Arm, Command, Declaration, Decode, Digest, Targets, Weights, Workload, fill, meaning_digest,
    question_digest,
};
use prereg_decode::shape::Shape;
use prereg_executor::{check_positions, model};
use prereg_judgement::{LintFinding, lint};
use prereg_ledger::{Cell, Lock, PlannedSession, Study};
use prereg_readers::Format;

use crate::error::CommandError;
use crate::exit::Exit;
use crate::find::DeclarationFile;
use crate::{code, constants, open};

/// A checked declaration and the `lock.json` that would freeze it.
pub(crate) struct Draft {
    pub(crate) file: DeclarationFile,
    pub(crate) declaration: Declaration,
    pub(crate) lock: Lock,
}

impl Draft {
    /// Reads and checks the declaration that `argument` names.
    pub(crate) fn read(study: &Study, argument: &str) -> Result<Self, CommandError> {
        let targets = open::targets(study)?;
        let file = DeclarationFile::read(study, argument)?;
        let declaration = file.check(&targets)?;
        Self::of(study, &targets, file, declaration)
    }

    /// A declaration that was read and checked.
    pub(crate) fn of(
        study: &Study,
        targets: &Targets,
        file: DeclarationFile,
        declaration: Declaration,
    ) -> Result<Self, CommandError> {
        let lock = lock(study, targets, &file, &declaration)?;
        Ok(Self {
            file,
            declaration,
            lock,
        })
    }

    /// The same, where the plan can lose and can win.
    pub(crate) fn accepted(study: &Study, argument: &str) -> Result<Self, CommandError> {
        let draft = Self::read(study, argument)?;
        accept(&draft.file, &lint(&draft.declaration))?;
        Ok(draft)
    }
}

/// Refuses a plan that has findings, each with what to do.
pub(crate) fn accept(file: &DeclarationFile, findings: &[LintFinding]) -> Result<(), CommandError> {
    if findings.is_empty() {
        return Ok(());
    }
    let refusal = CommandError::new(
        Exit::Declaration,
        format!("the plan of {} is refused", file.name),
    );
    Err(findings.iter().fold(refusal, |refusal, finding| {
        refusal.because(finding.to_string())
    }))
}

fn lock(
    study: &Study,
    targets: &Targets,
    file: &DeclarationFile,
    declaration: &Declaration,
) -> Result<Lock, CommandError> {
    let shape = match &declaration.workload {
        Workload::Decode(decode) => Some(shape(study, declaration, decode)?),
        Workload::Command(_) => None,
    };
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
        constants: constants::resolve(declaration, targets, shape.as_ref()),
        sessions: (0..declaration.protocol.sessions)
            .map(|index| PlannedSession {
                index,
                cell: Cell::default(),
            })
            .collect(),
        pilot: None,
    })
}

/// The shape of the model, where a slot fits into it.
fn shape(study: &Study, declaration: &Declaration, decode: &Decode) -> Result<Shape, CommandError> {
    let shape = model::shape(study.root(), &decode.model)
        .map_err(|error| CommandError::caused(Exit::Missing, &error))?;
    check_positions(declaration, decode, &shape)
        .map_err(|error| CommandError::caused(Exit::Declaration, &error))?;
    Ok(shape)
}

/// Digests of the files that the declaration names.
pub(crate) fn files(
    study: &Study,
    declaration: &Declaration,
) -> Result<BTreeMap<String, Digest>, CommandError> {
    match &declaration.workload {
        Workload::Decode(decode) => model_files(study, decode),
        Workload::Command(command) => command_files(study, command, declaration),
    }
}

/// A result file is written where the reader needs one.
fn check_reader(command: &Command) -> Result<(), CommandError> {
    let name = command.reader.name();
    let prints = Format::named(name).is_some_and(Format::writes_to_stdout);
    if prints || command.writes_file() {
        return Ok(());
    }
    let message = format!("the reader `{name}` reads a result file, and the command writes none");
    Err(CommandError::new(Exit::Declaration, message)
        .hint("write `{out}` in `command` where the tool takes the path of its result file"))
}

/// The inputs, and every word that is the path of a file of the study.
fn command_files(
    study: &Study,
    command: &Command,
    declaration: &Declaration,
) -> Result<BTreeMap<String, Digest>, CommandError> {
    check_reader(command)?;
    let digest = |path: &str| {
        let file = study.resolve(path);
        let digest = file.map(|file| File::open(file).and_then(Digest::read));
        match digest {
            Ok(Ok(digest)) => Ok(digest),
            Ok(Err(error)) => Err(CommandError::new(Exit::Missing, format!("{path}: {error}"))),
            Err(error) => Err(CommandError::caused(Exit::Missing, &error)),
        }
    };
    let mut files = BTreeMap::new();
    for input in &command.inputs {
        files.insert(input.clone(), digest(input)?);
    }
    for word in words(command, declaration) {
        let is_file = study.resolve(&word).is_ok_and(|path| path.is_file());
        if is_file {
            let digest = digest(&word)?;
            files.insert(word.trim_start_matches("./").to_owned(), digest);
        }
    }
    Ok(files)
}

/// Every word that may be the path of a file: those of the command as each arm fills them in, of facts and probe, and
/// programs that a `PATH` of the declaration leads to.
fn words(command: &Command, declaration: &Declaration) -> Vec<String> {
    let mut words: Vec<String> = command.facts.values().flatten().cloned().collect();
    words.extend(command.probe.iter().flatten().cloned());
    for (name, arm) in &declaration.arms {
        let value = |key: &str| match (key, arm) {
            ("arm", _) => Some(name.clone()),
            (key, Arm::Command(values)) => values.get(key).cloned(),
            (_, Arm::Decode(_)) => None,
        };
        let texts = command.words.iter().chain(command.environment.values());
        words.extend(texts.filter_map(|text| fill(text, value)));
        if let Arm::Command(values) = arm {
            words.extend(values.values().cloned());
        }
    }
    let folders = command.environment.get("PATH").into_iter();
    let folders = folders
        .flat_map(|path| path.split(':'))
        .filter(|path| !path.is_empty());
    let found = folders.flat_map(|folder| words.iter().map(move |word| format!("{folder}/{word}")));
    let found: Vec<String> = found.collect();
    words.extend(found);
    words.retain(|word| !word.is_empty());
    words
}

/// Of a model's folder, the parts that are read.
fn model_files(study: &Study, workload: &Decode) -> Result<BTreeMap<String, Digest>, CommandError> {
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
