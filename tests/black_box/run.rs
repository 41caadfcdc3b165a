//! `prereg run`: what it measures and records, and what it refuses.

use prereg_ledger::{Origin, Standing, Status};
use prereg_runs::RunFolder;

use crate::study::{Plan, Simulation, TempStudy, flip};

/// A real run of the tiny model: nothing is asserted of its times.
#[test]
fn a_run_announces_measures_seals_judges_and_reports() {
    let study = TempStudy::locked(&Plan::default());
    let run = study.prereg(["run", "plan", "--on", "cpu"]);
    assert!(matches!(run.code, Some(0..=2)), "{run:#?}");
    let run = run
        .says(": the run of record")
        .says("session 12 complete, 13 of 13 over")
        .says("reports/plan.md");

    let history = study.history();
    let [recorded] = history.runs() else {
        panic!("{:?}", history.runs())
    };
    assert!(matches!(recorded.status, Status::Sealed { .. }));
    assert_eq!(recorded.standing, Standing::OfRecord);
    assert_eq!(recorded.announced.origin, Origin::Measured);
    assert_eq!(recorded.sessions.len(), 13);
    let kinds: Vec<String> = history
        .records()
        .map(|(_, record)| record.event.kind().to_owned())
        .collect();
    let mut expected = vec!["locked", "preflight", "announced"];
    expected.extend(["session-begun", "session-finished"].repeat(13));
    expected.extend(["sealed", "verdict"]);
    assert_eq!(kinds, expected);

    let folder = RunFolder::open(&study.study(), "plan", &recorded.id).unwrap();
    for session in 0..13 {
        // Four slots of two steps, and a line for each slot.
        assert_eq!(folder.session(session).steps().unwrap().len(), 12);
    }
    for table in [
        "steps.parquet",
        "slots.parquet",
        "telemetry.parquet",
        "seal.json",
    ] {
        assert!(folder.path().join(table).is_file(), "{table}");
    }
    study.prereg(["verify"]).exits(0).says("nothing found");
    assert_eq!(study.prereg(["analyze", "plan"]).code, run.code);
}

#[test]
fn both_arms_of_a_real_run_give_the_same_logits() {
    let study = TempStudy::locked(&Plan::default());
    study.prereg(["run", "plan", "--on", "cpu"]);
    let document = study.prereg(["analyze", "plan", "--json"]).json();
    assert_eq!(
        document["runs"][0]["judgement"]["gates"]["same_output"]["state"],
        "held"
    );
}

#[test]
fn progress_tells_sessions_and_no_times_of_steps() {
    let study = TempStudy::locked(&Plan::default());
    let run = study.prereg(["run", "plan", "--on", "cpu"]);
    for line in run.stderr.lines().filter(|line| line.contains("session ")) {
        assert!(
            !line.contains("eager") && !line.contains("graphed") && !line.contains("ms"),
            "{line}"
        );
    }
}

#[test]
fn an_experiment_that_is_not_locked_is_refused() {
    let study = TempStudy::with(&Plan::default());
    study
        .prereg(["run", "plan", "--on", "cpu"])
        .exits(65)
        .says("experiments/plan.toml is not locked")
        .says("prereg lock experiments/plan.toml");
    assert!(study.files("runs").is_empty());
}

#[test]
fn a_declaration_that_was_changed_after_its_lock_is_refused_with_the_difference() {
    let study = TempStudy::locked(&Plan::default());
    study.declare(&Plan::default().with("speedup < 1.15", "speedup < 1.05"));
    let refusal = study
        .prereg(["run", "experiments/plan.toml", "--on", "cpu"])
        .exits(65);
    insta::assert_snapshot!(refusal.redacted(), @r#"
    --- locked
    +++ now
    @@ -42,4 +42,4 @@
     on = ["cpu"]
     expected = { speedup = 1.26 }
     rival = { speedup = 1.02 }
    -kill = ["speedup < 1.15"]
    +kill = ["speedup < 1.05"]

    error: experiments/plan.toml was changed after it was locked as <12 hex>: its meaning differs
      help: restore it: cp prereg/locks/<16 hex>/declaration.toml experiments/plan.toml
      help: or prereg amend experiments/plan.toml --reason "…": lock the changed plan as its successor
    "#);
    assert!(study.files("runs").is_empty());
}

#[test]
fn a_comment_that_was_added_after_the_lock_is_refused_as_other_bytes_of_the_same_meaning() {
    let study = TempStudy::locked(&Plan::default());
    study.declare(&Plan::default().with("sessions = 13", "sessions = 13 # enough"));
    study
        .prereg(["run", "experiments/plan.toml", "--on", "cpu"])
        .exits(65)
        .says("bytes differ, meaning same")
        .says("+sessions = 13 # enough");
}

#[test]
fn an_input_that_was_changed_after_the_lock_is_refused() {
    let study = TempStudy::locked(&Plan::default());
    flip(&study.path("models/tiny/model.safetensors"));
    study
        .prereg(["run", "plan", "--on", "cpu"])
        .exits(65)
        .says("models/tiny/model.safetensors");
    assert!(study.files("runs").is_empty());
}

#[test]
fn a_target_that_is_not_here_is_unavailable_and_nothing_is_announced() {
    let plan = Plan::default().with(r#"targets = ["cpu"]"#, r#"targets = ["cpu", "h100"]"#);
    let study = TempStudy::locked(&plan);
    study
        .prereg(["run", "plan", "--on", "h100"])
        .exits(69)
        .says("NVIDIA H100 80GB HBM3")
        .says("logical processors");
    assert!(study.history().runs().is_empty());
}

#[test]
fn a_target_that_the_declaration_does_not_name_is_a_usage_error() {
    let study = TempStudy::locked(&Plan::default());
    study
        .prereg(["run", "plan", "--on", "h100"])
        .exits(64)
        .says("does not name target `h100`")
        .says("it names cpu");
}

#[test]
fn more_threads_than_processors_are_refused_before_the_announcement() {
    let study = TempStudy::locked(&Plan::default().with("threads = 1", "threads = 1000"));
    study
        .prereg(["run", "plan", "--on", "cpu"])
        .exits(69)
        .says("1000");
    assert!(study.history().runs().is_empty());
}

#[test]
fn a_second_run_while_one_is_unsealed_is_refused_and_names_resume() {
    let study = TempStudy::locked(&Plan::default());
    Simulation::announce(&study);
    study
        .prereg(["run", "plan", "--on", "cpu"])
        .exits(64)
        .says("is not sealed")
        .says("prereg run plan --on cpu --resume");
    assert_eq!(study.history().runs().len(), 1);
}

#[test]
fn without_a_file_the_pending_experiments_are_run_in_lock_order() {
    let study = TempStudy::locked(&Plan::default());
    study.write(
        "experiments/another.toml",
        Plan::default()
            .with("id = \"plan\"", "id = \"another\"")
            .text(),
    );
    study.prereg(["lock", "another"]).exits(0);
    let plan = study.prereg(["run", "--on", "cpu", "--dry-run"]).exits(0);
    assert_eq!(
        plan.stdout,
        "pending on cpu: plan\npending on cpu: another\n"
    );
    assert!(study.history().runs().is_empty());

    let run = study.prereg(["run", "--on", "cpu"]);
    assert!(matches!(run.code, Some(0..=2)), "{run:#?}");
    let experiments: Vec<String> = study
        .history()
        .runs()
        .iter()
        .map(|run| run.announced.experiment.clone())
        .collect();
    assert_eq!(experiments, ["plan", "another"]);
    study
        .prereg(["run", "--on", "cpu"])
        .exits(66)
        .says("nothing to run on cpu");
}

#[test]
fn a_session_that_runs_past_its_time_is_missing() {
    let plan = Plan::default()
        .slow()
        .with("threads = 1", "threads = 1\ntimeout = \"1 ms\"");
    let study = TempStudy::locked(&plan);
    study
        .prereg(["run", "plan", "--on", "cpu"])
        .exits(2)
        .says("0 sessions complete, 5 missing");
    let document = study.prereg(["analyze", "plan", "--json"]).exits(2).json();
    assert_eq!(
        document["runs"][0]["judgement"]["missing"][4],
        serde_json::json!({ "session": 4, "reason": "timed-out" })
    );
    study.prereg(["verify"]).exits(0);
}
