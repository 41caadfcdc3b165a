//! A run of made-up numbers, written through the public interfaces of ledger and run folders.

use prereg_declaration::Digest;
use prereg_ledger::{Announcement, Locked, Origin, RunSeeds, Writer};
use prereg_runs::{
    GraphRecord, Outcome, RunFolder, RunRecord, SampleRecord, SeedRecord, SessionFolder,
    SlotRecord, StepLine, StepRecord, SweepRecord, TelemetryLine,
};

use super::command::Finished;
use super::environment;
use super::folder::TempStudy;
use super::plan::Plan;

/// Time of a graphed step, nanoseconds.
const GRAPHED_NS: f64 = 1e6;

/// What a session is made to say.
#[derive(Clone, Debug)]
pub(crate) enum Scripted {
    /// It is complete.
    Complete(Figures),
    /// It began, and its process died.
    Torn,
    /// It ran past its time.
    TimedOut,
    /// It gave up.
    Failed(&'static str),
}

/// The numbers of a complete session.
#[derive(Clone, Debug)]
pub(crate) struct Figures {
    /// Time of an eager step over that of a graphed one.
    pub(crate) speedup: f64,
    /// Factor on the times of both arms.
    pub(crate) pace: f64,
    /// How many steps of the first slot have a duration that is not positive.
    pub(crate) rejected: u32,
    /// Whether the graphed arm gives other logits.
    pub(crate) other_logits: bool,
    /// Why the graphed arm did not run as asked.
    pub(crate) invalid: Option<&'static str>,
    /// Read bandwidth in B/s; none when no sweep was recorded.
    pub(crate) bandwidth: Option<f64>,
    /// Read bandwidth before the last slot as a share of that before.
    pub(crate) last_bandwidth: f64,
    /// Further readings, one in each slot: column and value in base units.
    pub(crate) readings: Vec<(&'static str, f64)>,
}

impl Figures {
    pub(crate) fn speedup(speedup: f64) -> Self {
        Self {
            speedup,
            pace: 1.0,
            rejected: 0,
            other_logits: false,
            invalid: None,
            bandwidth: Some(20e9),
            last_bandwidth: 1.0,
            readings: Vec::new(),
        }
    }
}

/// A simulated run of `plan` that was announced.
pub(crate) struct Simulation<'s> {
    study: &'s TempStudy,
    folder: RunFolder,
    seeds: RunSeeds,
    steps_per_slot: u32,
    target: String,
}

impl<'s> Simulation<'s> {
    /// Announces a run of the newest lock of `plan` on `cpu`.
    pub(crate) fn announce(study: &'s TempStudy) -> Self {
        let history = study.history();
        let lock = history.locks_of("plan").last().unwrap().event.lock;
        let locked = Locked::load(&history, lock).unwrap();
        let protocol = &locked.declaration().protocol;
        let announcement = Announcement {
            lock,
            experiment: "plan".into(),
            target: "cpu".into(),
            origin: Origin::Simulated,
            launcher: "simulation".into(),
            sessions: protocol.sessions,
            version: locked.lock().version.clone(),
            kernels: locked.lock().kernels,
            executable: Digest::of(b"no executable"),
        };
        let mut writer = Writer::open(&study.study()).unwrap();
        let announced = writer.announce(announcement.clone()).unwrap();
        let record = RunRecord::of_announced(&announced, &announcement);
        Self {
            study,
            folder: RunFolder::create(&study.study(), record).unwrap(),
            seeds: locked.seeds(announced.record.digest),
            steps_per_slot: protocol.measured_steps / 2,
            target: announcement.target,
        }
    }

    /// Writes a session.
    pub(crate) fn write(&self, session: u32, scripted: Scripted) {
        let folder = self.folder.claim(session).unwrap();
        let outcome = match scripted {
            Scripted::Complete(figures) => {
                self.measure(&folder, &figures);
                Outcome::Complete
            }
            Scripted::Torn => return,
            Scripted::TimedOut => Outcome::TimedOut,
            Scripted::Failed(message) => Outcome::Failed {
                message: message.into(),
            },
        };
        folder
            .finish(
                outcome,
                self.order(session),
                SeedRecord::of(&self.seeds, session),
            )
            .unwrap();
    }

    /// Lets the binary seal, judge and report it.
    pub(crate) fn resume(self) -> Finished {
        self.study
            .prereg(["run", "plan", "--on", &self.target, "--resume"])
    }

    fn order(&self, session: u32) -> Vec<String> {
        self.seeds.mirror_order(["eager", "graphed"], session)
    }

    fn measure(&self, folder: &SessionFolder, figures: &Figures) {
        let session = folder.session();
        let mut lines = folder.write_steps().unwrap();
        let mut telemetry = folder.write_telemetry().unwrap();
        let mut start_ns = 1_000_000_000;
        for (slot, arm) in (0..).zip(self.order(session)) {
            if let Some(bandwidth) = figures.bandwidth {
                let share = if slot == 3 {
                    figures.last_bandwidth
                } else {
                    1.0
                };
                telemetry.write(&sweep(slot, share * bandwidth)).unwrap();
            }
            for (column, value) in &figures.readings {
                let sample = SampleRecord {
                    column: (*column).to_owned(),
                    slot: Some(slot),
                    value: *value,
                    at_ns: Some(start_ns),
                };
                telemetry.write(&TelemetryLine::Sample(sample)).unwrap();
            }
            let mut slot_ns = 0;
            let mut rejected = 0;
            for step in 0..self.steps_per_slot {
                let record = Self::step(slot, &arm, step, session, figures);
                rejected += u32::from(record.step_ns <= 0);
                slot_ns += record.step_ns.unsigned_abs();
                lines.write(&StepLine::Step(record)).unwrap();
            }
            lines
                .write(&StepLine::Slot(
                    self.slot(slot, &arm, start_ns, slot_ns, rejected, figures),
                ))
                .unwrap();
            start_ns += 2 * slot_ns;
        }
        lines.finish().unwrap();
        telemetry.finish().unwrap();
        folder.write_environment(&environment::simulated()).unwrap();
    }

    fn step(slot: u32, arm: &str, step: u32, session: u32, figures: &Figures) -> StepRecord {
        let factor = if arm == "eager" { figures.speedup } else { 1.0 };
        let is_rejected = slot == 0 && step < figures.rejected;
        let step_ns = if is_rejected {
            0
        } else {
            (GRAPHED_NS * figures.pace * factor).round() as i64
        };
        let other = u8::from(figures.other_logits && arm == "graphed");
        let logits =
            Digest::of(&[&session.to_le_bytes()[..], &step.to_le_bytes(), &[other]].concat());
        StepRecord {
            slot,
            arm: arm.into(),
            step,
            step_ns,
            tokens: 1,
            token: step,
            logits,
        }
    }

    fn slot(
        &self,
        slot: u32,
        arm: &str,
        start_ns: u64,
        slot_ns: u64,
        rejected: u32,
        figures: &Figures,
    ) -> SlotRecord {
        let is_graph = arm == "graphed";
        let graph = GraphRecord {
            captured_launches: 183,
            replays: self.steps_per_slot,
        };
        SlotRecord {
            slot,
            arm: arm.into(),
            steps: self.steps_per_slot,
            start_ns,
            slot_ns,
            rejected,
            invalid: figures.invalid.filter(|_| is_graph).map(Into::into),
            graph: is_graph.then_some(graph),
        }
    }
}

fn sweep(before: u32, bandwidth: f64) -> TelemetryLine {
    let duration_ns = 50_000_000;
    let bytes = (bandwidth * duration_ns as f64 / 1e9) as u64;
    TelemetryLine::Sweep(SweepRecord {
        before,
        bytes,
        start_ns: 500_000_000,
        duration_ns,
    })
}

/// Offsets that keep the values of the sessions apart, without drift and without a pattern from one to the next.
const SPREAD: [f64; 13] = [
    0.0, -0.002, 0.01, 0.008, -0.008, -0.01, 0.004, -0.006, 0.006, -0.004, -0.012, 0.002, 0.012,
];

impl TempStudy {
    /// A study whose plan is locked and has a sealed simulated run: sessions around `speedup`, each changed by `edit`.
    pub(crate) fn judged(
        plan: &Plan,
        speedup: f64,
        edit: impl Fn(u32, &mut Figures),
    ) -> (Self, Finished) {
        let study = Self::locked(plan);
        let finished = study.simulate(speedup, |session, mut figures| {
            edit(session, &mut figures);
            Scripted::Complete(figures)
        });
        (study, finished)
    }

    /// Announces a simulated run of the plan, writes its sessions by `script`, and lets the binary seal and judge it.
    pub(crate) fn simulate(
        &self,
        speedup: f64,
        script: impl Fn(u32, Figures) -> Scripted,
    ) -> Finished {
        let run = Simulation::announce(self);
        for session in 0..run.folder.record().sessions {
            let figures = Figures::speedup(speedup + SPREAD[session as usize % SPREAD.len()]);
            run.write(session, script(session, figures));
        }
        run.resume()
    }
}
