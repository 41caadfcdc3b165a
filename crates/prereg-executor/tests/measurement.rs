//! What a run does with the ends of its sessions: a scripted launcher in place of real processes, a real ledger.

#![expect(
    clippy::unwrap_used,
    reason = "a scripted study that cannot be built fails its test"
)]

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::time::Duration;

use prereg_declaration::{Digest, Targets, check, meaning_digest, question_digest};
use prereg_executor::{
    Advance, Decided, Ending, Finished, Interrupt, LaunchError, Launcher, MeasureError,
    Measurement, Progress, SessionSpec, Tally, WorkloadSpec,
};
use prereg_ledger::clock::rfc3339_ns;
use prereg_ledger::{
    Announcement, Cell, History, Lock, Locked, MissingReason, Origin, PlannedSession, Run,
    RunSeeds, SessionOutcome, Study, Writer, write_atomic,
};
use prereg_runs::{
    Conditions, ENVIRONMENT_SCHEMA, EnvironmentRecord, Host, Limits, Outcome, RunFolder, RunRecord,
    SeedRecord, SessionFolder, SessionState, Source,
};
use tempfile::TempDir;

const TARGETS: &str = "[cpu]\ndevice = \"cpu\"\nname = \"any\"\n";

const DECLARATION: &str = r#"
schema = "prereg/1"
id = "scripted"
title = "Does the executor keep its word?"
data-seen = "none"
targets = ["cpu"]
baseline = "eager"

[workload]
kind = "decode"
model = "smollm2-135m"
weights = "random"
plan = "fused"
context = 16

[protocol]
sessions = 6
order = "mirror"
warmup-steps = 3
measured-steps = 20
sync = "per-step"
seed = "7244"
threads = 2
timeout = "90 s"

[inference]
assumed-cv = { speedup = "1 %" }

[arms]
eager = { launch = "eager" }
graphed = { launch = "graph" }

[metrics]
speedup = "median(step_time[eager]) / median(step_time[graphed])"

[gates]
same_output = { each-session = "logits[eager] == logits[graphed]", otherwise = "abstain" }

[claims.faster]
text = "Replay is faster."
on = ["cpu"]
expected = { speedup = 1.5 }
rival = { speedup = 1.0 }
kill = ["speedup < 1.2"]
"#;

const SESSIONS: u32 = 6;

/// An announced run in a study of its own.
struct Announced {
    study: Study,
    locked: Locked,
    writer: Writer,
    folder: RunFolder,
    _keep: TempDir,
}

fn announced() -> Announced {
    announced_of(DECLARATION)
}

/// The same of another declaration of six sessions.
fn announced_of(toml: &str) -> Announced {
    let keep = tempfile::tempdir().unwrap();
    Study::create_layout(keep.path()).unwrap();
    write_atomic(
        &keep.path().join("experiments/targets.toml"),
        TARGETS.as_bytes(),
    )
    .unwrap();
    let study = Study::open(keep.path()).unwrap();
    let targets = Targets::parse("targets.toml", TARGETS.as_bytes()).unwrap();
    let declaration = check("scripted.toml", toml.as_bytes(), &targets).unwrap();
    let mut writer = Writer::open(&study).unwrap();
    let lock = Lock {
        schema: Lock::SCHEMA.to_owned(),
        rules: Lock::RULES.to_owned(),
        experiment: declaration.id.clone(),
        declaration: Digest::of(toml.as_bytes()),
        meaning: meaning_digest(&declaration),
        question: question_digest(&declaration),
        files: BTreeMap::new(),
        targets: targets
            .iter()
            .map(|target| (target.name.clone(), target.canonical()))
            .collect(),
        kernels: Digest::ZERO,
        version: "0".to_owned(),
        constants: vec![],
        sessions: (0..SESSIONS)
            .map(|index| PlannedSession {
                index,
                cell: Cell::default(),
            })
            .collect(),
        pilot: None,
    };
    let (lock, _) = writer.lock(&lock, toml.as_bytes()).unwrap();
    let locked = Locked::load(&History::read(&study).unwrap(), lock).unwrap();
    let announcement = Announcement {
        lock,
        experiment: declaration.id.clone(),
        target: "cpu".to_owned(),
        origin: Origin::Simulated,
        launcher: "scripted".to_owned(),
        sessions: SESSIONS,
        version: "0".to_owned(),
        kernels: Digest::ZERO,
        executable: Digest::ZERO,
    };
    let announced = writer.announce(announcement.clone()).unwrap();
    let folder =
        RunFolder::create(&study, RunRecord::of_announced(&announced, &announcement)).unwrap();
    Announced {
        study,
        locked,
        writer,
        folder,
        _keep: keep,
    }
}

impl Announced {
    fn measure(
        &mut self,
        launcher: &dyn Launcher,
        interrupt: &Interrupt,
    ) -> Result<Tally, MeasureError> {
        self.watch(launcher, interrupt, &mut Heard::default())
    }

    /// Measures with what the ledger says by now.
    fn watch(
        &mut self,
        launcher: &dyn Launcher,
        interrupt: &Interrupt,
        progress: &mut dyn Progress,
    ) -> Result<Tally, MeasureError> {
        self.decide(launcher, interrupt, progress, &|_| {
            panic!("a run of a fixed number of sessions asked whether it is decided")
        })
    }

    /// The same, with an answer to whether the claims are decided.
    fn decide(
        &mut self,
        launcher: &dyn Launcher,
        interrupt: &Interrupt,
        progress: &mut dyn Progress,
        decided: &Decided<'_>,
    ) -> Result<Tally, MeasureError> {
        let run = self.run();
        let Self {
            study,
            locked,
            folder,
            writer,
            ..
        } = self;
        Measurement {
            study,
            locked,
            folder,
            run: &run,
            launcher,
            interrupt,
            decided,
        }
        .run(writer, progress)
    }

    /// What the ledger says of the run.
    fn run(&self) -> Run {
        let history = History::read(&self.study).unwrap();
        assert!(history.findings().is_empty(), "{:?}", history.findings());
        history.run(&self.folder.record().run).unwrap().clone()
    }

    fn recorded(&self) -> BTreeMap<u32, SessionOutcome> {
        self.run().sessions
    }

    /// Why each session is missing, as the ledger says; `None` for complete ones.
    fn reasons(&self) -> Vec<Option<MissingReason>> {
        let reason = |outcome: SessionOutcome| match outcome {
            SessionOutcome::Complete { .. } => None,
            SessionOutcome::Missing { reason, .. } => Some(reason),
        };
        self.recorded().into_values().map(reason).collect()
    }
}

/// Plays the part of the session with the given index.
type Part<'a> = dyn Fn(u32, &SessionSpec, &SessionFolder) -> Result<Ending, LaunchError> + 'a;

struct Scripted<'a> {
    study: Study,
    part: Box<Part<'a>>,
    seen: RefCell<Vec<(SessionSpec, Duration)>>,
}

impl<'a> Scripted<'a> {
    fn new(
        run: &Announced,
        part: impl Fn(u32, &SessionSpec, &SessionFolder) -> Result<Ending, LaunchError> + 'a,
    ) -> Self {
        Self {
            study: run.study.clone(),
            part: Box::new(part),
            seen: RefCell::default(),
        }
    }

    /// Indices of the sessions that were started, in order.
    fn started(&self) -> Vec<u32> {
        self.seen
            .borrow()
            .iter()
            .map(|(spec, _)| spec.index)
            .collect()
    }
}

impl Launcher for Scripted<'_> {
    fn name(&self) -> &'static str {
        "scripted"
    }

    fn launch(
        &self,
        spec: &SessionSpec,
        limit: Duration,
        _: &Interrupt,
    ) -> Result<Ending, LaunchError> {
        self.seen.borrow_mut().push((spec.clone(), limit));
        let folder = SessionFolder::claimed(self.study.root().join(&spec.folder), spec.index);
        (self.part)(spec.index, spec, &folder)
    }
}

/// Ends a session as its own process would.
fn complete(spec: &SessionSpec, folder: &SessionFolder) {
    folder.write_steps().unwrap().finish().unwrap();
    folder.write_telemetry().unwrap().finish().unwrap();
    folder.write_environment(&environment()).unwrap();
    folder
        .finish(Outcome::Complete, spec.order.clone(), spec.seeds)
        .unwrap();
}

fn environment() -> EnvironmentRecord {
    let host = Host {
        cpu_model: None,
        architecture: "none".to_owned(),
        processors: 1,
        caches: vec![],
        kernel: None,
        memory_bytes: None,
        kernels: "none".to_owned(),
        weights_bytes: 0,
        version: "0".to_owned(),
        executable: None,
    };
    let conditions = Conditions {
        time: "2026-01-01T00:00:00Z".to_owned(),
        monotonic_ns: 0,
        wall_offset_ns: 0,
        load: None,
        steal_ms: None,
        memory_available_bytes: None,
        anon_huge_pages_bytes: None,
        peak_resident_bytes: None,
        transparent_huge_pages: None,
        affinity: vec![],
        governors: vec![],
        limits: Limits::default(),
        source: Source::Unknown {
            reason: "simulated".to_owned(),
        },
    };
    EnvironmentRecord {
        schema: ENVIRONMENT_SCHEMA.to_owned(),
        host,
        start: conditions.clone(),
        end: conditions,
        program: None,
    }
}

/// Completes every session.
fn completing<'a>(run: &Announced) -> Scripted<'a> {
    Scripted::new(run, |_, spec, folder| {
        complete(spec, folder);
        Ok(Ending::Finished)
    })
}

fn failed() -> Ending {
    Ending::Failed {
        status: "signal: 9 (SIGKILL)".to_owned(),
        stderr: "said in private".to_owned(),
    }
}

#[test]
fn every_session_is_started_once_and_recorded_with_the_digest_of_its_end() {
    let mut run = announced();
    let launcher = Scripted::new(&run, |_, spec, folder| {
        complete(spec, folder);
        Ok(Ending::Finished)
    });
    let tally = run.measure(&launcher, &Interrupt::new()).unwrap();
    assert_eq!(
        tally,
        Tally {
            complete: SESSIONS,
            missing: 0,
            spared: 0
        }
    );
    assert_eq!(launcher.started(), [0, 1, 2, 3, 4, 5]);
    for (session, outcome) in run.recorded() {
        let SessionState::Done { digest, .. } = run.folder.session(session).state().unwrap() else {
            panic!()
        };
        assert_eq!(outcome, SessionOutcome::Complete { done: digest });
    }
}

#[test]
fn a_session_is_told_what_was_locked_and_what_the_announcement_seeds() {
    let mut run = announced();
    let launcher = Scripted::new(&run, |_, spec, folder| {
        complete(spec, folder);
        Ok(Ending::Finished)
    });
    run.measure(&launcher, &Interrupt::new()).unwrap();
    let record = run.folder.record();
    let seeds = RunSeeds::new(record.lock, "7244", record.announcement);
    for (spec, limit) in launcher.seen.borrow().iter() {
        assert_eq!(spec.seeds, SeedRecord::of(&seeds, spec.index));
        assert_eq!(
            spec.order,
            seeds.mirror_order(["eager", "graphed"], spec.index)
        );
        let WorkloadSpec::Decode(decode) = &spec.workload else {
            panic!("{:?}", spec.workload)
        };
        assert_eq!(
            (decode.warmup_steps, spec.slot_steps, spec.threads),
            (3, 10, 2)
        );
        assert_eq!(*limit, Duration::from_secs(90));
        assert_eq!(
            spec.folder,
            format!("runs/scripted/{}/sessions/{}", record.run, spec.index)
        );
    }
}

#[test]
fn each_way_to_end_without_a_number_has_its_reason() {
    let mut run = announced();
    let launcher = Scripted::new(&run, |session, spec, folder| {
        Ok(match session {
            0 => failed(),
            1 => Ending::TimedOut,
            2 => {
                let outcome = Outcome::Failed {
                    message: "no such model".to_owned(),
                };
                folder
                    .finish(outcome, spec.order.clone(), spec.seeds)
                    .unwrap();
                failed()
            }
            // Says that it finished, and left nothing.
            3 => Ending::Finished,
            _ => {
                complete(spec, folder);
                Ending::Finished
            }
        })
    });
    let tally = run.measure(&launcher, &Interrupt::new()).unwrap();
    assert_eq!(
        tally,
        Tally {
            complete: 2,
            missing: 4,
            spared: 0
        }
    );
    let (torn, timed_out, failed) = (
        MissingReason::Torn,
        MissingReason::TimedOut,
        MissingReason::Failed,
    );
    assert_eq!(
        run.reasons(),
        [
            Some(torn),
            Some(timed_out),
            Some(failed),
            Some(torn),
            None,
            None
        ]
    );
    let state = run.folder.session(1).state().unwrap();
    assert!(
        matches!(state, SessionState::Done { record, .. } if record.outcome == Outcome::TimedOut)
    );
}

#[test]
fn a_whole_record_counts_whatever_the_launcher_says() {
    let mut run = announced();
    let launcher = Scripted::new(&run, |session, spec, folder| {
        complete(spec, folder);
        Ok(if session % 2 == 0 {
            failed()
        } else {
            Ending::TimedOut
        })
    });
    let tally = run.measure(&launcher, &Interrupt::new()).unwrap();
    assert_eq!(
        tally,
        Tally {
            complete: SESSIONS,
            missing: 0,
            spared: 0
        }
    );
}

#[test]
fn a_request_to_stop_leaves_a_torn_session_and_the_rest_unstarted() {
    let mut run = announced();
    let interrupt = Interrupt::new();
    let launcher = Scripted::new(&run, |session, spec, folder| {
        if session == 2 {
            interrupt.raise();
            return Ok(Ending::Interrupted);
        }
        complete(spec, folder);
        Ok(Ending::Finished)
    });
    let error = run.measure(&launcher, &interrupt).unwrap_err();
    assert!(
        matches!(
            error,
            MeasureError::Interrupted {
                over: 3,
                total: SESSIONS
            }
        ),
        "{error}"
    );
    assert!(error.to_string().contains("--resume"), "{error}");
    assert_eq!(run.reasons(), [None, None, Some(MissingReason::Torn)]);
    assert_eq!(
        run.folder.session(3).state().unwrap(),
        SessionState::NeverStarted
    );
}

#[test]
fn measuring_on_starts_only_what_never_began() {
    let mut run = announced();
    let interrupt = Interrupt::new();
    let stopped = Scripted::new(&run, |session, spec, folder| {
        if session == 2 {
            interrupt.raise();
            return Ok(Ending::Interrupted);
        }
        complete(spec, folder);
        Ok(Ending::Finished)
    });
    run.measure(&stopped, &interrupt).unwrap_err();
    let resumed = Scripted::new(&run, |_, spec, folder| {
        complete(spec, folder);
        Ok(Ending::Finished)
    });
    let tally = run.measure(&resumed, &Interrupt::new()).unwrap();
    assert_eq!(resumed.started(), [3, 4, 5]);
    assert_eq!(
        tally,
        Tally {
            complete: 5,
            missing: 1,
            spared: 0
        }
    );
}

#[test]
fn a_session_that_is_over_and_lost_its_folder_is_not_measured_again() {
    let mut run = announced();
    let interrupt = Interrupt::new();
    let stopped = Scripted::new(&run, |_, _, _| {
        interrupt.raise();
        Ok(Ending::Interrupted)
    });
    run.measure(&stopped, &interrupt).unwrap_err();
    std::fs::remove_dir_all(run.folder.session(0).path()).unwrap();
    let again = Scripted::new(&run, |_, _, _| panic!("measured again"));
    let error = run.measure(&again, &Interrupt::new()).unwrap_err();
    assert!(
        matches!(error, MeasureError::Vanished { session: 0 }),
        "{error}"
    );
}

#[test]
fn the_ledger_says_that_a_session_begins_before_it_is_started() {
    let mut run = announced();
    let study = run.study.clone();
    let launcher = Scripted::new(&run, |session, spec, folder| {
        let history = History::read(&study).unwrap();
        assert_eq!(history.runs()[0].begun.keys().last(), Some(&session));
        complete(spec, folder);
        Ok(Ending::Finished)
    });
    run.measure(&launcher, &Interrupt::new()).unwrap();
}

#[test]
fn a_request_to_stop_before_a_session_burns_none() {
    let mut run = announced();
    let interrupt = Interrupt::new();
    interrupt.raise();
    let launcher = Scripted::new(&run, |_, _, _| panic!("started"));
    let error = run.measure(&launcher, &interrupt).unwrap_err();
    assert!(
        matches!(error, MeasureError::Interrupted { over: 0, .. }),
        "{error}"
    );
    assert_eq!(
        run.folder.session(0).state().unwrap(),
        SessionState::NeverStarted
    );
}

#[test]
fn sessions_whose_end_was_never_recorded_are_recorded_and_not_repeated() {
    let mut run = announced();
    // What a killed parent leaves: a torn session and a whole one that the ledger knows nothing of.
    run.folder.claim(0).unwrap();
    let whole = run.folder.claim(1).unwrap();
    let launcher = Scripted::new(&run, |_, spec, folder| {
        complete(spec, folder);
        Ok(Ending::Finished)
    });
    let record = run.folder.record();
    let seeds = RunSeeds::new(record.lock, "7244", record.announcement);
    whole.write_steps().unwrap().finish().unwrap();
    whole.write_telemetry().unwrap().finish().unwrap();
    whole.write_environment(&environment()).unwrap();
    let order = seeds.mirror_order(["eager", "graphed"], 1);
    whole
        .finish(Outcome::Complete, order, SeedRecord::of(&seeds, 1))
        .unwrap();

    let tally = run.measure(&launcher, &Interrupt::new()).unwrap();
    assert_eq!(launcher.started(), [2, 3, 4, 5]);
    assert_eq!(
        tally,
        Tally {
            complete: 5,
            missing: 1,
            spared: 0
        }
    );
    assert_eq!(
        run.reasons(),
        [Some(MissingReason::Torn), None, None, None, None, None]
    );
}

#[test]
fn a_session_that_cannot_be_started_ends_the_sitting_and_says_so() {
    let mut run = announced();
    let launcher = Scripted::new(&run, |session, _, _| {
        Err(LaunchError::Start {
            session,
            source: std::io::ErrorKind::OutOfMemory.into(),
        })
    });
    let error = run.measure(&launcher, &Interrupt::new()).unwrap_err();
    assert!(matches!(error, MeasureError::Launch(_)), "{error}");
    assert_eq!(launcher.started(), [0]);
    let state = run.folder.session(0).state().unwrap();
    assert!(
        matches!(state, SessionState::Done { record, .. } if matches!(record.outcome, Outcome::Failed { .. }))
    );
}

/// Keeps what it hears.
#[derive(Default)]
struct Heard {
    over: Vec<u32>,
    estimates: Vec<bool>,
    finished: Vec<Finished>,
    waits: Vec<(u32, u32, Duration)>,
}

impl Progress for Heard {
    fn started(&mut self, advance: Advance) {
        self.over.push(advance.over);
        self.estimates.push(advance.remaining.is_some());
        assert_eq!(advance.total, SESSIONS);
    }

    fn waiting(&mut self, block: u32, blocks: u32, left: Duration) {
        self.waits.push((block, blocks, left));
    }

    fn finished(&mut self, advance: Advance, session: &Finished) {
        self.over.push(advance.over);
        self.finished.push(session.clone());
    }
}

#[test]
fn progress_counts_sessions_and_estimates_after_the_first() {
    let mut run = announced();
    let launcher = Scripted::new(&run, |session, spec, folder| {
        if session == 1 {
            return Ok(failed());
        }
        complete(spec, folder);
        Ok(Ending::Finished)
    });
    let mut heard = Heard::default();
    run.watch(&launcher, &Interrupt::new(), &mut heard).unwrap();
    assert_eq!(heard.over, [0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6]);
    assert_eq!(heard.estimates, [false, true, true, true, true, true]);
    let Finished::Missing { why, stderr } = &heard.finished[1] else {
        panic!("{:?}", heard.finished)
    };
    assert_eq!(
        (why.as_str(), stderr.as_str()),
        (
            "its process ended with signal: 9 (SIGKILL)",
            "said in private"
        )
    );
}

/// The declaration with the rest of `[inference]` and `[protocol]` set by these lines.
fn declared(inference: &str, protocol: &str) -> String {
    DECLARATION
        .replace("[inference]\n", &format!("[inference]\n{inference}\n"))
        .replace("[protocol]\n", &format!("[protocol]\n{protocol}\n"))
}

fn sequence() -> Announced {
    announced_of(&declared("stopping = \"sequence\"", ""))
}

#[test]
fn a_sequence_ends_as_soon_as_its_claims_are_decided_and_the_ledger_says_after_how_many() {
    let mut run = sequence();
    let launcher = completing(&run);
    let asked = RefCell::new(Vec::new());
    let decided = |over| {
        asked.borrow_mut().push(over);
        Ok(over == 4)
    };
    let tally = run
        .decide(
            &launcher,
            &Interrupt::new(),
            &mut Heard::default(),
            &decided,
        )
        .unwrap();
    assert_eq!(
        tally,
        Tally {
            complete: 4,
            missing: 0,
            spared: 2
        }
    );
    assert_eq!(*asked.borrow(), [1, 2, 3, 4]);
    assert_eq!(run.run().stopped, Some(4));
}

#[test]
fn a_sequence_that_has_stopped_starts_nothing_when_it_is_resumed() {
    let mut run = sequence();
    let launcher = completing(&run);
    let mut measure = |launcher: &dyn Launcher| {
        run.decide(
            launcher,
            &Interrupt::new(),
            &mut Heard::default(),
            &|over| Ok(over == 2),
        )
        .unwrap()
    };
    let first = measure(&launcher);
    assert_eq!(measure(&launcher), first);
    assert_eq!(launcher.started(), [0, 1]);
}

#[test]
fn a_sequence_that_is_never_decided_runs_all_its_sessions() {
    let mut run = sequence();
    let launcher = completing(&run);
    let tally = run
        .decide(&launcher, &Interrupt::new(), &mut Heard::default(), &|_| {
            Ok(false)
        })
        .unwrap();
    assert_eq!((tally.complete, tally.spared), (SESSIONS, 0));
    assert_eq!(run.run().stopped, None);
}

#[test]
fn a_block_begins_only_after_the_locked_gap() {
    let mut run = announced_of(&declared("", "blocks = 3\nmin-gap = \"1 s\""));
    let launcher = completing(&run);
    let mut heard = Heard::default();
    run.watch(&launcher, &Interrupt::new(), &mut heard).unwrap();
    let waits: Vec<(u32, u32)> = heard
        .waits
        .iter()
        .map(|(block, blocks, _)| (*block, *blocks))
        .collect();
    assert_eq!(waits, [(1, 3), (2, 3)]);
    let run = run.run();
    let second = |times: &BTreeMap<u32, String>, session| {
        rfc3339_ns(&times[&session]).unwrap() / 1_000_000_000
    };
    for first in [2, 4] {
        assert!(
            second(&run.begun, first) > second(&run.ended, first - 1),
            "{run:?}"
        );
    }
}

#[test]
fn a_request_to_stop_ends_the_wait_for_a_block() {
    let mut run = announced_of(&declared("", "blocks = 2\nmin-gap = \"1 h\""));
    let interrupt = Interrupt::new();
    let launcher = Scripted::new(&run, |session, spec, folder| {
        complete(spec, folder);
        if session == 2 {
            interrupt.raise();
        }
        Ok(Ending::Finished)
    });
    let error = run.measure(&launcher, &interrupt).unwrap_err();
    assert!(
        matches!(error, MeasureError::Interrupted { over: 3, total: 6 }),
        "{error:?}"
    );
}

#[test]
fn what_a_process_wrote_to_its_error_stream_is_never_recorded() {
    let mut run = announced();
    let launcher = Scripted::new(&run, |_, _, _| Ok(failed()));
    run.measure(&launcher, &Interrupt::new()).unwrap();
    let recorded = format!("{:?}", run.recorded());
    assert!(
        recorded.contains("SIGKILL") && !recorded.contains("private"),
        "{recorded}"
    );
}
