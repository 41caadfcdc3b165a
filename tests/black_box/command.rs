//! `kind = "command"`: any program as workload, from its lock to a verified record.

use prereg_ledger::{RunId, write_atomic};
use prereg_runs::{RunFolder, StepLine};
use serde_json::Value;

use crate::study::{Program, TempStudy, binary};

fn run_of(study: &TempStudy) -> RunFolder {
    let history = study.history();
    let id: &RunId = &history.runs()[0].id;
    RunFolder::open(&study.study(), "plan", id).unwrap()
}

#[test]
fn a_program_is_measured_judged_and_reported() {
    let study = Program::default().locked();
    study
        .prereg(["run", "plan", "--on", "cpu"])
        .exits(0)
        .says("session 12 complete, 13 of 13 over")
        .says("reports/plan.md");
    study.prereg(["verify"]).exits(0).says("nothing found");
    study.prereg(["analyze", "plan"]).exits(0);
    let report = study.read("reports/plan.md");
    assert!(report.contains("as reported by the program"), "{report}");
}

#[test]
fn every_observation_and_the_wall_time_of_every_process_are_recorded() {
    let study = Program::default().locked();
    study.prereg(["run", "plan", "--on", "cpu"]).exits(0);
    let lines = run_of(&study).session(3).steps().unwrap();
    let (mut observations, mut slots) = (0, 0);
    for line in lines {
        match line {
            StepLine::Observation(step) => {
                let time = if step.arm == "slow" { 1263 } else { 1003 };
                assert_eq!(step.step_ns, Some(time));
                assert_eq!(step.values["tokens"], 1.0);
                assert!(step.output.is_some());
                observations += 1;
            }
            StepLine::Slot(slot) => {
                // Starting a process takes a tenth of a millisecond at least.
                assert!(slot.slot_ns > 100_000, "{slot:?}");
                slots += 1;
            }
            StepLine::Step(step) => panic!("{step:?}"),
        }
    }
    assert_eq!((observations, slots), (24, 4));
}

#[test]
fn a_slot_is_a_process_of_its_own_and_gets_its_values() {
    let script = r#"extra() { echo "$$ $session $slot $arm $time $steps" >> seen; }"#;
    let study = Program::default()
        .with("sessions = 13", "sessions = 7")
        .script(script)
        .locked();
    study.prereg(["run", "plan", "--on", "cpu"]);
    let seen = study.read("seen");
    let rows: Vec<Vec<&str>> = seen.lines().map(|row| row.split(' ').collect()).collect();
    assert_eq!(rows.len(), 28);
    let mut processes: Vec<&str> = rows.iter().map(|row| row[0]).collect();
    processes.sort_unstable();
    processes.dedup();
    assert_eq!(processes.len(), 28);
    for (index, row) in rows.iter().enumerate() {
        assert_eq!(
            row[1..3],
            [(index / 4).to_string(), (index % 4).to_string()]
        );
        let time = if row[3] == "slow" { "126" } else { "100" };
        assert_eq!(row[4..], [time, "6"]);
    }
}

#[test]
fn both_arms_of_a_session_get_its_seed_and_another_session_another() {
    let study = Program::default()
        .with("\"{arm}\"]", "\"{arm}\", \"{seed}\"]")
        .with("sessions = 13", "sessions = 7")
        .script("extra() { echo $session $seed >> seen; }\nseed=$6")
        .locked();
    study.prereg(["run", "plan", "--on", "cpu"]);
    let mut seeds: Vec<String> = study.read("seen").lines().map(str::to_owned).collect();
    assert_eq!(seeds.len(), 28);
    seeds.dedup();
    assert_eq!(seeds.len(), 7, "{seeds:?}");
    assert!(seeds[0].split(' ').nth(1).unwrap().parse::<u64>().is_ok());
}

#[test]
fn a_program_sees_the_declared_environment_and_no_other() {
    let study = Program::default()
        .with(
            "slot-time",
            "environment = { MODE = \"{arm}-{steps}\" }\nslot-time",
        )
        .with(
            "environment = [\"PATH\"]",
            "environment = [\"PATH\", \"PASSED\"]",
        )
        .with("sessions = 13", "sessions = 7")
        .script(r#"extra() { echo "$MODE|$PASSED|$SECRET|$LC_ALL|$TZ" >> seen; }"#)
        .locked();
    let mut command = binary(study.root());
    command.envs([
        ("PASSED", "yes"),
        ("SECRET", "no"),
        ("LC_ALL", "de_DE.UTF-8"),
        ("TZ", "Asia/Tokyo"),
    ]);
    command
        .args(["run", "plan", "--on", "cpu"])
        .output()
        .unwrap();
    let seen = study.read("seen");
    assert_eq!(seen.lines().count(), 28);
    for line in seen.lines() {
        assert!(
            line == "slow-6|yes||C|UTC" || line == "fast-6|yes||C|UTC",
            "{line}"
        );
    }
}

#[test]
fn facts_are_asked_in_the_environment_of_the_program() {
    let study = Program::default()
        .with(
            "slot-time",
            "environment = { MODE = \"new\" }\nfacts = { mode = [\"sh\", \"-c\", \"echo $MODE\"] }\nslot-time",
        )
        .locked();
    study.prereg(["run", "plan", "--on", "cpu"]).exits(0);
    let environment = run_of(&study).session(0).environment().unwrap();
    assert_eq!(environment.program.unwrap().facts["mode"], "new");
}

#[test]
fn the_error_stream_is_kept_beside_the_record_and_sealed() {
    let study = Program::default()
        .script("extra() { echo trouble >&2; }")
        .locked();
    study.prereg(["run", "plan", "--on", "cpu"]).exits(0);
    let kept = run_of(&study).path().join("sessions/0/output/0.stderr");
    assert_eq!(std::fs::read_to_string(&kept).unwrap(), "trouble\n");
    write_atomic(&kept, b"nothing\n").unwrap();
    study.prereg(["verify"]).exits(3).says("output/0.stderr");
}

#[test]
fn facts_and_the_program_are_recorded_in_every_session() {
    let study = Program::default()
        .with(
            "slot-time",
            "facts = { tool = [\"echo\", \"tool 1.2\"] }\nslot-time",
        )
        .locked();
    study.prereg(["run", "plan", "--on", "cpu"]).exits(0);
    let environment = run_of(&study).session(12).environment().unwrap();
    let program = environment.program.unwrap();
    assert_eq!(program.name, "sh");
    assert!(program.digest.is_some());
    assert_eq!(program.facts["tool"], "tool 1.2");
}

#[test]
fn a_column_that_the_program_reports_decides_a_claim() {
    let script = r#"begin() { echo '{"prereg":"prereg-observations/1","units":{"rate":"token/s"}}'; }
step() { echo "{\"rate\":$((1000 + time + session))}"; }"#;
    let study = Program::default()
        .with("slot-time", "columns = { rate = \"token/s\" }\nslot-time")
        .with("median(step_time[slow])", "median(rate[slow])")
        .with("median(step_time[fast])", "median(rate[fast])")
        .with(
            "expected = { speedup = 1.26 }",
            "expected = { speedup = 1.2 }",
        )
        .with("speedup < 1.15", "speedup < 1.1")
        .script(script)
        .locked();
    study.prereg(["run", "plan", "--on", "cpu"]).exits(1);
    let document = study.prereg(["analyze", "plan", "--json"]).json();
    let estimate = &document["runs"][0]["judgement"]["metrics"]["speedup"]["estimate"];
    // Session 6 of 0 to 12: 1132 / 1106.
    assert!(
        (estimate.as_f64().unwrap() - 1132.0 / 1106.0).abs() < 1e-4,
        "{estimate}"
    );
}

#[test]
fn a_pilot_takes_the_baseline_for_every_arm() {
    let study = Program::default()
        .with(
            "data-seen = \"none\"",
            "data-seen = \"pilot\"\ndata-seen-figures = \"none yet\"",
        )
        .script("extra() { echo $time >> seen; }")
        .locked();
    let study_text = study.read("experiments/plan.toml");
    study.write(
        "experiments/plan.toml",
        &study_text.replace("\"1\"", "\"2\""),
    );
    study
        .prereg(["run", "plan", "--on", "cpu", "--pilot"])
        .exits(0);
    assert!(study.read("seen").lines().all(|time| time == "126"));
}

#[test]
fn the_same_plan_with_another_command_is_another_question() {
    let digest = |program: &Program| -> Value {
        let study = program.locked();
        study.prereg(["check", "plan", "--json"]).json()["question"].clone()
    };
    let (one, other) = (
        Program::default(),
        Program::default().with("\"{slot}\"", "\"{slot}\", \"-x\""),
    );
    assert_ne!(digest(&one), digest(&other));
}
