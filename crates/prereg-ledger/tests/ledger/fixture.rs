//! A study in a temporary folder, and the events that the tests write to it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use prereg_declaration::Digest;
use prereg_ledger::{
    AbortEvent, Announced, Announcement, Cell, Event, Finding, History, LifeProblem, Lock,
    NoteEvent, Origin, PlannedSession, RunId, SealEvent, SessionEvent, SessionOutcome,
    SessionStart, Study, VerdictEvent, WithdrawalEvent, Writer, write_atomic,
};

/// A study that goes away with its folder.
pub(crate) struct Fixture {
    pub(crate) study: Study,
    _folder: tempfile::TempDir,
}

impl Fixture {
    pub(crate) fn new() -> Self {
        // In memory where there is such a folder: the tests flush thousands of times.
        let memory = Path::new("/dev/shm");
        let folder = tempfile::tempdir_in(memory)
            .or_else(|_| tempfile::tempdir())
            .unwrap();
        Self {
            study: layout(folder.path()),
            _folder: folder,
        }
    }

    /// What `git clone` gives: all files but the untracked ones.
    pub(crate) fn clone_of(other: &Self) -> Self {
        let fixture = Self::new();
        copy(other.study.root(), fixture.study.root(), &|name| {
            name == ".writer" || name == ".lock"
        });
        fixture
    }

    /// What `cp -r` gives: all files.
    pub(crate) fn copy_of(other: &Self) -> Self {
        let fixture = Self::new();
        copy(other.study.root(), fixture.study.root(), &|_| false);
        fixture
    }

    /// What `git pull` gives: locks and runs of both, and of each chain that is not one's own the
    /// newer version, which has more finished lines, or as many and no torn one.
    pub(crate) fn pull(&self, other: &Self) {
        assert_ne!(self.study, other.study);
        let own = self.own_chain();
        for chain in other.files(".jsonl") {
            let here = self.study.ledger().join(chain.file_name().unwrap());
            let age = |path: &Path| {
                let bytes = fs::read(path).unwrap_or_default();
                (
                    bytes.split(|byte| *byte == b'\n').count(),
                    bytes.last() == Some(&b'\n'),
                )
            };
            if own.as_deref() != chain.file_stem().unwrap().to_str() && age(&chain) > age(&here) {
                fs::copy(&chain, &here).unwrap();
                let _ = fs::copy(chain.with_extension("head"), here.with_extension("head"));
            }
        }
        copy(&other.study.locks(), &self.study.locks(), &|_| false);
    }

    /// Name of this folder's own chain, if it has one.
    pub(crate) fn own_chain(&self) -> Option<String> {
        let text = fs::read_to_string(self.study.ledger().join(".writer")).ok()?;
        let own: serde_json::Value = serde_json::from_str(&text).unwrap();
        Some(own["writer"].as_str().unwrap().to_owned())
    }

    pub(crate) fn writer(&self) -> Writer {
        Writer::open(&self.study).unwrap()
    }

    pub(crate) fn history(&self) -> History {
        History::read(&self.study).unwrap()
    }

    /// The one chain of this study.
    pub(crate) fn only_chain(&self) -> PathBuf {
        let chains: Vec<PathBuf> = self.files(".jsonl");
        assert_eq!(chains.len(), 1, "{chains:?}");
        chains[0].clone()
    }

    pub(crate) fn only_head(&self) -> PathBuf {
        self.only_chain().with_extension("head")
    }

    pub(crate) fn files(&self, suffix: &str) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.study.ledger()).unwrap();
        let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        files.retain(|path| path.to_string_lossy().ends_with(suffix));
        files.sort();
        files
    }
}

pub(crate) fn layout(root: &Path) -> Study {
    Study::create_layout(root).unwrap();
    write_atomic(&root.join("experiments/targets.toml"), b"").unwrap();
    Study::open(root).unwrap()
}

fn copy(from: &Path, to: &Path, skip: &dyn Fn(&str) -> bool) {
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        let target = to.join(&name);
        if skip(&name) {
        } else if entry.file_type().unwrap().is_dir() {
            fs::create_dir_all(&target).unwrap();
            copy(&entry.path(), &target, skip);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

pub(crate) const DECLARATION: &[u8] = b"schema = \"prereg/1\"\n";

pub(crate) fn a_lock() -> Lock {
    Lock {
        schema: Lock::SCHEMA.into(),
        rules: Lock::RULES.into(),
        experiment: "replay_tax".into(),
        declaration: Digest::of(DECLARATION),
        meaning: Digest::of(b"meaning"),
        question: Digest::of(b"question"),
        files: BTreeMap::new(),
        targets: BTreeMap::from([(
            "cpu".into(),
            "[cpu]\ndevice = \"cpu\"\nname = \"any\"\n".into(),
        )]),
        kernels: Digest::of(b"kernels"),
        version: "0.1.0".into(),
        constants: Vec::new(),
        sessions: (0..3)
            .map(|index| PlannedSession {
                index,
                cell: Cell::default(),
            })
            .collect(),
        pilot: None,
    }
}

pub(crate) fn lock(writer: &mut Writer) -> Digest {
    writer.lock(&a_lock(), DECLARATION).unwrap().0
}

/// Another lock of the same experiment that asks the same question.
pub(crate) fn a_variant(name: &str) -> Lock {
    Lock {
        meaning: Digest::of(name.as_bytes()),
        ..a_lock()
    }
}

/// A lock of the same experiment that asks another question.
pub(crate) fn asking(question: &str) -> Lock {
    Lock {
        question: Digest::of(question.as_bytes()),
        ..a_variant(question)
    }
}

/// The same lock under another experiment's id.
pub(crate) fn of_experiment(experiment: &str, lock: Lock) -> Lock {
    Lock {
        experiment: experiment.into(),
        ..lock
    }
}

pub(crate) fn amend(writer: &mut Writer, parent: Digest, lock: &Lock) -> Digest {
    let amended = writer.amend(lock, DECLARATION, parent, "fewer sessions decide as well");
    amended.unwrap().0
}

pub(crate) fn withdraw(lock: Digest) -> Event {
    Event::Withdrawn(WithdrawalEvent {
        lock,
        reason: "the machine is gone".into(),
    })
}

pub(crate) fn announcement(lock: Digest) -> Announcement {
    Announcement {
        lock,
        experiment: "replay_tax".into(),
        target: "cpu".into(),
        origin: Origin::Simulated,
        launcher: "local".into(),
        sessions: 3,
        version: "0.1.0".into(),
        kernels: Digest::of(b"kernels"),
        executable: Digest::of(b"executable"),
    }
}

pub(crate) fn announce(writer: &mut Writer, lock: Digest) -> Announced {
    writer.announce(announcement(lock)).unwrap()
}

pub(crate) fn note(text: &str) -> Event {
    Event::Note(NoteEvent {
        text: text.into(),
        run: None,
    })
}

pub(crate) fn begin(run: &RunId, session: u32) -> Event {
    Event::SessionBegun(SessionStart {
        run: run.clone(),
        session,
    })
}

pub(crate) fn session(run: &RunId, session: u32) -> Event {
    let outcome = SessionOutcome::Complete {
        done: Digest::of(&session.to_le_bytes()),
    };
    Event::SessionFinished(SessionEvent {
        run: run.clone(),
        session,
        outcome,
    })
}

pub(crate) fn seal(run: &RunId) -> Event {
    Event::Sealed(SealEvent {
        run: run.clone(),
        seal: Digest::of(run.as_str().as_bytes()),
    })
}

pub(crate) fn verdict(run: &RunId) -> Event {
    Event::Verdict(VerdictEvent {
        run: run.clone(),
        claim: "replay_pays".into(),
        rules: "1".into(),
        verdict: "pass".into(),
        reasons: vec![serde_json::json!({ "code": "all-conditions-false" })],
        conditions: vec![
            serde_json::json!({ "bounds": { "lower": 1.190_000_000_000_000_3, "upper": null } }),
        ],
    })
}

/// What is wrong with records that do not fit, where nothing else is wrong.
pub(crate) fn problems(history: &History) -> Vec<LifeProblem> {
    let problems = history.findings().iter().map(|finding| match finding {
        Finding::OutOfPlace { problem, .. } => problem.clone(),
        other => panic!("{other}"),
    });
    problems.collect()
}

pub(crate) fn abort(run: &RunId) -> Event {
    Event::Aborted(AbortEvent {
        run: run.clone(),
        reason: "the target is not here".into(),
    })
}
