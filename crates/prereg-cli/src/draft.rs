//! A declaration with everything that freezing it takes: what `lock`, `amend` and a pilot start from.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;

use prereg_declaration::{Declaration, Digest, Targets, Weights, meaning_digest, question_digest};
use prereg_decode::shape::Shape;
use prereg_executor::{check_positions, model};
use prereg_judgement::{LintFinding, lint};
use prereg_ledger::{Cell, Lock, PlannedSession, Study};

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
    let shape = model::shape(study.root(), &declaration.workload.model)
        .map_err(|error| CommandError::caused(Exit::Missing, &error))?;
    check_positions(declaration, &shape)
        .map_err(|error| CommandError::caused(Exit::Declaration, &error))?;
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
        pilot: None,
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
