//! A study with one lock and one announced run of three sessions of two arms.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use prereg_declaration::Digest;
use prereg_ledger::{
    Announcement, Cell, Event, History, Lock, Origin, PlannedSession, Run, RunSeeds, SealEvent,
    SessionEvent, SessionOutcome, SessionStart, StopEvent, Study, Writer, write_atomic,
};
use prereg_runs::{
    Conditions, ENVIRONMENT_SCHEMA, EnvironmentRecord, GraphRecord, Host, Limits, Outcome,
    RunFolder, RunRecord, SampleRecord, SeedRecord, SessionFolder, SlotRecord, Source, StepLine,
    StepRecord, SweepRecord, TelemetryLine,
};

pub(crate) const ARMS: [&str; 2] = ["eager", "graphed"];

pub(crate) struct Fixture {
    pub(crate) study: Study,
    pub(crate) writer: Writer,
    pub(crate) folder: RunFolder,
    pub(crate) seeds: RunSeeds,
    _folder: tempfile::TempDir,
}

impl Fixture {
    pub(crate) fn new() -> Self {
        // In memory where there is such a folder: the tests flush thousands of times.
        let memory = Path::new("/dev/shm");
        let root = tempfile::tempdir_in(memory)
            .or_else(|_| tempfile::tempdir())
            .unwrap();
        Study::create_layout(root.path()).unwrap();
        write_atomic(&root.path().join("experiments/targets.toml"), b"").unwrap();
        let study = Study::open(root.path()).unwrap();
        let mut writer = Writer::open(&study).unwrap();
        let (id, _) = writer.lock(&lock(), b"declaration").unwrap();
        let announcement = Announcement {
            lock: id,
            experiment: "replay_tax".into(),
            target: "cpu".into(),
            origin: Origin::Simulated,
            launcher: "local".into(),
            sessions: 3,
            version: "0.1.0".into(),
            kernels: Digest::of(b"kernels"),
            executable: Digest::of(b"executable"),
        };
        let announced = writer.announce(announcement.clone()).unwrap();
        let record = RunRecord::of_announced(&announced, &announcement);
        let folder = RunFolder::create(&study, record).unwrap();
        let seeds = RunSeeds::new(id, "7244", announced.record.digest);
        Self {
            study,
            writer,
            folder,
            seeds,
            _folder: root,
        }
    }

    /// Measures a session and records it.
    pub(crate) fn complete(&mut self, session: u32) {
        let folder = self.folder.claim(session).unwrap();
        self.measure(&folder);
        let done = self.finish(&folder, Outcome::Complete);
        self.record(session, SessionOutcome::Complete { done });
    }

    pub(crate) fn measure(&self, folder: &SessionFolder) {
        let mut steps = folder.write_steps().unwrap();
        for line in self.step_lines(folder.session()) {
            steps.write(&line).unwrap();
        }
        steps.finish().unwrap();
        let mut telemetry = folder.write_telemetry().unwrap();
        for line in telemetry_lines() {
            telemetry.write(&line).unwrap();
        }
        telemetry.finish().unwrap();
        folder.write_environment(&environment()).unwrap();
    }

    pub(crate) fn finish(&self, folder: &SessionFolder, outcome: Outcome) -> Digest {
        let session = folder.session();
        let order = self.seeds.mirror_order(ARMS, session);
        folder
            .finish(outcome, order, SeedRecord::of(&self.seeds, session))
            .unwrap()
    }

    /// Says in the ledger that a session begins.
    pub(crate) fn begin(&mut self, session: u32) {
        let run = self.folder.record().run.clone();
        self.writer
            .append(Event::SessionBegun(SessionStart { run, session }))
            .unwrap();
    }

    pub(crate) fn record(&mut self, session: u32, outcome: SessionOutcome) {
        let run = self.folder.record().run.clone();
        self.writer
            .append(Event::SessionFinished(SessionEvent {
                run,
                session,
                outcome,
            }))
            .unwrap();
    }

    /// Says in the ledger that the run stopped after so many sessions.
    pub(crate) fn stop(&mut self, sessions: u32) {
        let run = self.folder.record().run.clone();
        self.writer
            .append(Event::Stopped(StopEvent { run, sessions }))
            .unwrap();
    }

    pub(crate) fn seal(&mut self) {
        let seal = self.folder.seal().unwrap();
        let run = self.folder.record().run.clone();
        self.writer
            .append(Event::Sealed(SealEvent { run, seal }))
            .unwrap();
    }

    /// The run, as the ledger tells it.
    pub(crate) fn run(&self) -> Run {
        History::read(&self.study).unwrap().runs()[0].clone()
    }

    pub(crate) fn step_lines(&self, session: u32) -> Vec<StepLine> {
        let mut lines = Vec::new();
        for (slot, arm) in (0..).zip(self.seeds.mirror_order(ARMS, session)) {
            for step in 0..2 {
                lines.push(StepLine::Step(StepRecord {
                    slot,
                    arm: arm.clone(),
                    step,
                    step_ns: i64::from(step) - 1,
                    tokens: 1,
                    token: 17,
                    logits: Digest::of(&[step as u8]),
                }));
            }
            lines.push(StepLine::Slot(SlotRecord {
                slot,
                graph: (arm == "graphed").then_some(GraphRecord {
                    captured_launches: 181,
                    replays: 2,
                }),
                invalid: (slot == 3).then(|| "the graph was not captured".into()),
                arm,
                steps: 2,
                start_ns: u64::MAX,
                slot_ns: 2_000,
                rejected: 2,
            }));
        }
        lines
    }
}

pub(crate) fn telemetry_lines() -> Vec<TelemetryLine> {
    vec![
        TelemetryLine::Sweep(SweepRecord {
            before: 0,
            bytes: 270_000_000,
            start_ns: 5,
            duration_ns: 10_000_000,
        }),
        TelemetryLine::Sample(SampleRecord {
            column: "last_level_cache".into(),
            slot: None,
            value: 33_554_432.0,
            at_ns: None,
        }),
        TelemetryLine::Sample(SampleRecord {
            column: "power".into(),
            slot: Some(1),
            value: 0.1 + 0.2,
            at_ns: Some(7),
        }),
    ]
}

pub(crate) fn environment() -> EnvironmentRecord {
    let conditions = Conditions {
        time: "2026-11-30T22:07:32Z".into(),
        monotonic_ns: 1,
        wall_offset_ns: -5,
        load: Some([0.5, 0.25, 0.1]),
        steal_ms: None,
        memory_available_bytes: Some(1 << 30),
        anon_huge_pages_bytes: None,
        peak_resident_bytes: Some(1 << 20),
        transparent_huge_pages: Some("madvise".into()),
        affinity: vec![0, 1],
        governors: Vec::new(),
        limits: Limits::default(),
        source: Source::Unknown {
            reason: "not a git working tree".into(),
        },
    };
    EnvironmentRecord {
        schema: ENVIRONMENT_SCHEMA.into(),
        host: Host {
            cpu_model: Some("a processor".into()),
            architecture: "x86_64".into(),
            processors: 2,
            caches: Vec::new(),
            kernel: None,
            memory_bytes: None,
            kernels: "portable".into(),
            weights_bytes: 270_000_000,
            version: "0.1.0".into(),
            executable: None,
        },
        start: conditions.clone(),
        end: conditions,
        program: None,
    }
}

fn lock() -> Lock {
    Lock {
        schema: Lock::SCHEMA.into(),
        rules: Lock::RULES.into(),
        experiment: "replay_tax".into(),
        declaration: Digest::of(b"declaration"),
        meaning: Digest::of(b"meaning"),
        question: Digest::of(b"question"),
        files: BTreeMap::new(),
        targets: BTreeMap::new(),
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

/// Every file below a folder.
pub(crate) fn files(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push(path);
        }
    }
    found.sort();
    found
}
