//! A run whose numbers are made up, in a folder that is removed at the end.

use std::fs;
use std::path::PathBuf;

use prereg_declaration::Digest;
use prereg_ledger::{Origin, RunId, RunSeeds, Study};
use prereg_runs::{
    Conditions, ENVIRONMENT_SCHEMA, EnvironmentRecord, GraphRecord, Host, Limits, Outcome,
    RunFolder, RunRecord, SampleRecord, SeedRecord, SlotRecord, Source, StepLine, StepRecord,
    SweepRecord, TelemetryLine,
};
use prereg_tables::{Planned, write_tables};

pub(crate) const ARMS: [&str; 2] = ["eager", "graphed"];

/// The lines of one session.
#[derive(Clone, Debug)]
pub(crate) struct Lines {
    pub(crate) steps: Vec<StepLine>,
    pub(crate) telemetry: Vec<TelemetryLine>,
}

/// A simulated run of the two arms of [`ARMS`].
pub(crate) struct SimulatedRun {
    pub(crate) folder: RunFolder,
    steps_per_slot: u32,
    seeds: RunSeeds,
    _root: tempfile::TempDir,
}

impl SimulatedRun {
    /// An announced run in which no session began.
    pub(crate) fn new(sessions: u32, steps_per_slot: u32) -> Self {
        let root = tempfile::tempdir().unwrap();
        Study::create_layout(root.path()).unwrap();
        prereg_ledger::write_atomic(&root.path().join("experiments/targets.toml"), b"").unwrap();
        let (lock, announcement) = (Digest::of(b"lock"), Digest::of(b"announcement"));
        let record = RunRecord {
            schema: RunRecord::SCHEMA.into(),
            run: RunId::new("cpu", announcement).unwrap(),
            lock,
            experiment: "simulated".into(),
            target: "cpu".into(),
            origin: Origin::Simulated,
            announcement,
            announced: "2026-01-01T00:00:00Z".into(),
            sessions,
            version: "0.1.0".into(),
            executable: Digest::of(b"executable"),
            launcher: "local".into(),
        };
        let folder = RunFolder::create(&Study::open(root.path()).unwrap(), record).unwrap();
        Self {
            folder,
            steps_per_slot,
            seeds: RunSeeds::new(lock, "seed", announcement),
            _root: root,
        }
    }

    /// A run whose sessions are all complete.
    pub(crate) fn complete(sessions: u32, steps_per_slot: u32) -> Self {
        let run = Self::new(sessions, steps_per_slot);
        (0..sessions).for_each(|session| run.complete_session(session, |_| ()));
        run
    }

    /// Records a complete session, its lines changed by `edit`.
    pub(crate) fn complete_session(&self, session: u32, edit: impl FnOnce(&mut Lines)) {
        self.end_session(session, Outcome::Complete, edit);
    }

    /// Records a session that ended with `outcome`.
    pub(crate) fn end_session(
        &self,
        session: u32,
        outcome: Outcome,
        edit: impl FnOnce(&mut Lines),
    ) {
        let mut lines = self.lines(session);
        edit(&mut lines);
        let folder = self.folder.claim(session).unwrap();
        let mut file = folder.write_steps().unwrap();
        lines
            .steps
            .iter()
            .for_each(|line| file.write(line).unwrap());
        file.finish().unwrap();
        let mut file = folder.write_telemetry().unwrap();
        lines
            .telemetry
            .iter()
            .for_each(|line| file.write(line).unwrap());
        file.finish().unwrap();
        folder.write_environment(&environment()).unwrap();
        folder
            .finish(
                outcome,
                self.order(session),
                SeedRecord::of(&self.seeds, session),
            )
            .unwrap();
    }

    /// What lock and announcement plan.
    pub(crate) fn planned(&self) -> Planned {
        Planned {
            orders: (0..self.folder.record().sessions)
                .map(|session| self.order(session))
                .collect(),
            announced: self.folder.record().sessions,
            steps_per_slot: self.steps_per_slot,
            reported: false,
            sparse: false,
        }
    }

    /// Writes the tables and seals.
    pub(crate) fn seal(&self) -> Digest {
        write_tables(&self.folder).unwrap();
        self.folder.seal().unwrap()
    }

    /// A file of the run.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Bytes of a file of the run.
    pub(crate) fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    /// Replaces a file of the run, whatever the seal says.
    pub(crate) fn replace(&self, name: &str, bytes: &[u8]) {
        prereg_ledger::write_atomic(&self.path(name), bytes).unwrap();
    }

    fn order(&self, session: u32) -> Vec<String> {
        self.seeds.mirror_order(ARMS, session)
    }

    fn lines(&self, session: u32) -> Lines {
        let order = self.order(session);
        let mut lines = Lines {
            steps: Vec::new(),
            telemetry: vec![last_level_cache(), sweep(0)],
        };
        let mut start_ns = 1_000_000_000;
        for (slot, arm) in (0..).zip(&order) {
            let mut slot_ns = 0;
            for step in 0..self.steps_per_slot {
                let jitter = (session * 7_919 + slot * 104_729 + step * 1_299_709) % 50_000;
                let step_ns =
                    if arm == "eager" { 1_200_000 } else { 1_000_000 } + i64::from(jitter);
                slot_ns += step_ns.unsigned_abs();
                let logits = Digest::of(&[session.to_le_bytes(), step.to_le_bytes()].concat());
                lines.steps.push(StepLine::Step(StepRecord {
                    slot,
                    arm: arm.clone(),
                    step,
                    step_ns,
                    tokens: 1,
                    token: step % 32_000,
                    logits,
                }));
            }
            let graph = (arm == "graphed").then_some(GraphRecord {
                captured_launches: 181,
                replays: self.steps_per_slot,
            });
            lines.steps.push(StepLine::Slot(SlotRecord {
                slot,
                arm: arm.clone(),
                steps: self.steps_per_slot,
                start_ns,
                slot_ns,
                rejected: 0,
                invalid: None,
                graph,
            }));
            start_ns += 2 * slot_ns;
            if slot + 1 == ARMS.len() as u32 || slot + 1 == order.len() as u32 {
                lines.telemetry.push(sweep(slot + 1));
            }
        }
        lines
    }
}

fn last_level_cache() -> TelemetryLine {
    let column = "last_level_cache".into();
    TelemetryLine::Sample(SampleRecord {
        column,
        slot: None,
        value: 33_554_432.0,
        at_ns: None,
    })
}

/// A pass at 20 GB/s.
fn sweep(before: u32) -> TelemetryLine {
    TelemetryLine::Sweep(SweepRecord {
        before,
        bytes: 1_000_000_000,
        start_ns: 500_000_000,
        duration_ns: 50_000_000,
    })
}

fn environment() -> EnvironmentRecord {
    let host = Host {
        cpu_model: None,
        architecture: "x86_64".into(),
        processors: 2,
        caches: Vec::new(),
        kernel: None,
        memory_bytes: None,
        kernels: "simulated".into(),
        weights_bytes: 1_000_000_000,
        version: "0.1.0".into(),
        executable: None,
    };
    let conditions = Conditions {
        time: "2026-01-01T00:00:00Z".into(),
        monotonic_ns: 0,
        wall_offset_ns: 0,
        load: None,
        steal_ms: None,
        memory_available_bytes: None,
        anon_huge_pages_bytes: None,
        peak_resident_bytes: None,
        transparent_huge_pages: None,
        affinity: Vec::new(),
        governors: Vec::new(),
        limits: Limits::default(),
        source: Source::Unknown {
            reason: "simulated".into(),
        },
    };
    EnvironmentRecord {
        schema: ENVIRONMENT_SCHEMA.into(),
        host,
        start: conditions.clone(),
        end: conditions,
        program: None,
    }
}
