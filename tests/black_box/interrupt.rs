//! Ctrl-C, kill -9 and two commands at once, in the middle of a session that is really measured.

use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use prereg_ledger::{MissingReason, SessionOutcome, Status};
use rustix::process::{Pid, Signal, kill_process};

use crate::study::{Finished, Plan, TempStudy, binary};

/// Starts a run of the slow plan and waits until a session of it has begun.
fn measuring() -> (TempStudy, Child) {
    let study = TempStudy::locked(&Plan::default().slow());
    let mut command = binary(study.root());
    command
        .args(["run", "plan", "--on", "cpu"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    let limit = Instant::now() + Duration::from_mins(1);
    while !study
        .files("runs/plan")
        .iter()
        .any(|run| run.join("sessions/0").is_dir())
    {
        assert!(Instant::now() < limit, "no session began");
        sleep(Duration::from_millis(2));
    }
    (study, child)
}

fn stop(child: Child, signal: Signal) -> Finished {
    let process = Pid::from_raw(child.id().try_into().unwrap()).unwrap();
    kill_process(process, signal).unwrap();
    Finished::of(child.wait_with_output().unwrap())
}

/// The run goes on where it was stopped: one session is torn, the others are complete, and the record is sound.
fn resumes(study: &TempStudy) {
    let resumed = study.prereg(["run", "plan", "--on", "cpu", "--resume"]);
    assert!(matches!(resumed.code, Some(0..=2)), "{resumed:#?}");
    resumed
        .says("measured: 4 sessions complete, 1 missing")
        .says("session 0 is missing");
    let history = study.history();
    let run = &history.runs()[0];
    assert!(matches!(run.status, Status::Sealed { .. }));
    assert!(matches!(
        run.sessions[&0],
        SessionOutcome::Missing {
            reason: MissingReason::Torn,
            ..
        }
    ));
    study.prereg(["verify"]).exits(0);
}

#[test]
fn ctrl_c_leaves_the_run_announced_with_a_torn_session_and_resume_completes_it() {
    let (study, child) = measuring();
    let stopped = stop(child, Signal::INT).exits(130);
    stopped
        .says("stopped with 1 of 5 sessions over")
        .says("prereg run plan --on cpu --resume");
    assert_eq!(study.history().runs()[0].status, Status::Announced);
    study.prereg(["verify"]).exits(0);
    resumes(&study);
}

#[test]
fn a_killed_run_leaves_a_sound_record_and_resume_completes_it() {
    let (study, child) = measuring();
    assert_eq!(stop(child, Signal::KILL).code, None);
    study.prereg(["verify"]).exits(0);
    study
        .prereg(["run", "plan", "--on", "cpu"])
        .exits(64)
        .says("--resume");
    resumes(&study);
}

#[test]
fn a_second_command_that_writes_waits_for_nobody_and_changes_nothing() {
    let (study, child) = measuring();
    let second = study.prereg(["run", "plan", "--on", "cpu"]).exits(74);
    second
        .says("another")
        .says("wait until the other command has ended");
    study.prereg(["lock", "plan"]).exits(74);
    // Reading is possible meanwhile.
    study
        .prereg(["list"])
        .exits(0)
        .says("announced, run of record");
    let first = Finished::of(child.wait_with_output().unwrap());
    assert!(matches!(first.code, Some(0..=2)), "{first:#?}");
    assert_eq!(study.history().runs().len(), 1);
    study.prereg(["verify"]).exits(0);
}
