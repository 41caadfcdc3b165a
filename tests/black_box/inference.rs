//! `[inference]` and `blocks`: other intervals, other stopping, other units, end to end.

use crate::study::{Plan, Scripted, Simulation, TempStudy};

const INFERENCE: &str = "[inference]\n";

fn declared(inference: &str) -> Plan {
    Plan::default().with(INFERENCE, &format!("{INFERENCE}{inference}\n"))
}

fn analysis(study: &TempStudy) -> serde_json::Value {
    let finished = study.prereg(["analyze", "plan", "--json"]);
    assert!(finished.code < Some(3), "{finished:#?}");
    finished.json()
}

/// Intervals, each with what a declaration says of it.
const INTERVALS: [(&str, &str); 5] = [
    ("student-t", "estimand = \"geometric-mean\""),
    ("student-t", "estimand = \"mean\"\nscale = \"linear\""),
    ("bootstrap-percentile", "estimand = \"median\""),
    ("bootstrap-bca", "estimand = \"geometric-mean\""),
    ("bootstrap-t", "estimand = \"mean\"\nscale = \"linear\""),
];

#[test]
fn every_declared_interval_decides_and_is_reported() {
    for (interval, rest) in INTERVALS {
        let plan = declared(&format!("interval = \"{interval}\"\n{rest}"));
        for (speedup, verdict, code) in [(1.26, "pass", 0), (1.02, "falsified", 1)] {
            let (study, run) = TempStudy::judged(&plan, speedup, |_, _| ());
            run.exits(code);
            let document = analysis(&study);
            assert_eq!(
                document["claims"]["faster"]["verdict"], verdict,
                "{interval}"
            );
            let metric = &document["runs"][0]["judgement"]["metrics"]["speedup"];
            assert!(
                metric["declared"]["lower"].is_number(),
                "{interval}: {metric}"
            );
            let report = study.read("reports/plan.md");
            assert!(report.contains(interval), "{interval} is not in {report}");
        }
    }
}

#[test]
fn a_bootstrap_interval_has_its_measured_coverage_beside_it() {
    let plan = declared("interval = \"bootstrap-percentile\"");
    let (study, _) = TempStudy::judged(&plan, 1.26, |_, _| ());
    let document = analysis(&study);
    let coverage =
        &document["runs"][0]["judgement"]["metrics"]["speedup"]["declared"]["measured_coverage"];
    let (worst, best) = (
        coverage["worst"].as_f64().unwrap(),
        coverage["best"].as_f64().unwrap(),
    );
    assert!(0.5 < worst && worst <= best && best <= 1.0, "{coverage}");
}

#[test]
fn check_says_how_often_an_approximate_interval_covers() {
    TempStudy::with(&declared("interval = \"bootstrap-percentile\""))
        .prereg(["check", "plan"])
        .exits(0)
        .says("intervals of nominal 95 % covered 93");
}

#[test]
fn an_interval_that_cannot_count_missing_sessions_abstains_when_one_is_missing() {
    let study = TempStudy::locked(&declared(
        "interval = \"student-t\"\nestimand = \"geometric-mean\"",
    ));
    study
        .simulate(1.26, |session, figures| match session {
            4 => Scripted::Torn,
            _ => Scripted::Complete(figures),
        })
        .exits(2);
    let document = analysis(&study);
    let reason = &document["claims"]["faster"]["reasons"]["cpu"][0];
    assert_eq!(reason["cause"], "missing-sessions", "{document}");
}

#[test]
fn combinations_that_mean_nothing_are_refused_with_the_nearest_spelling() {
    for (inference, says) in [
        ("interval = \"student-t\"", "geometric-mean"),
        ("scale = \"linear\"", "median"),
        ("interval = \"bootstrap-t\"", "geometric-mean"),
        (
            "stopping = \"sequence\"\ninterval = \"student-t\"\nestimand = \"geometric-mean\"",
            "order-statistic",
        ),
        ("alpha-pass = 0", "alpha-pass"),
        ("alpha-falsified = 1", "alpha-falsified"),
    ] {
        TempStudy::with(&declared(inference))
            .prereg(["check", "plan"])
            .exits(65)
            .says(says);
    }
}

#[test]
fn a_sequence_stops_once_it_is_decided_and_says_after_how_many_sessions() {
    let study = TempStudy::locked(&declared("stopping = \"sequence\""));
    let run = Simulation::announce(&study);
    for session in 0..8 {
        run.write(
            session,
            Scripted::Complete(crate::study::Figures::speedup(
                1.26 + 0.001 * f64::from(session),
            )),
        );
    }
    run.resume()
        .exits(0)
        .says("8 sessions complete, 0 missing, 5 not needed");
    let document = analysis(&study);
    assert_eq!(document["claims"]["faster"]["verdict"], "pass");
    assert_eq!(document["runs"][0]["judgement"]["sessions"], 8);
    study.prereg(["verify"]).exits(0).says("nothing found");
    study.prereg(["list"]).exits(0).says("decided after 8");
    let report = study.read("reports/plan.md");
    assert!(
        report.contains("stopped after 8 of at most 13 sessions"),
        "{report}"
    );
}

#[test]
fn a_sequence_really_stops_a_run() {
    let plan = declared("stopping = \"sequence\"")
        .with("speedup < 1.15", "speedup < 0.01")
        .with("rival = { speedup = 1.02 }", "rival = { speedup = 0.001 }");
    let study = TempStudy::locked(&plan);
    study
        .prereg(["run", "plan", "--on", "cpu"])
        .exits(0)
        .says("7 sessions complete, 0 missing, 6 not needed");
    assert_eq!(study.history().runs()[0].stopped, Some(7));
}

#[test]
fn a_run_of_a_fixed_plan_says_nothing_about_its_numbers_before_the_seal() {
    let study = TempStudy::locked(&Plan::default());
    let run = Simulation::announce(&study);
    for session in 0..12 {
        run.write(
            session,
            Scripted::Complete(crate::study::Figures::speedup(1.2637)),
        );
    }
    for command in [
        vec!["analyze", "plan"],
        vec!["show", "plan"],
        vec!["list"],
        vec!["report", "plan"],
    ] {
        let finished = crate::study::prereg(study.root(), &command);
        let said = format!("{}{}", finished.stdout, finished.stderr);
        assert!(!said.contains("1.2637"), "{said}");
    }
    let report = study.read("reports/plan.md");
    assert!(!report.contains("1.2637"), "{report}");
}

fn blocks(min_gap: &str) -> Plan {
    Plan::default().with(
        "sessions = 13",
        &format!("sessions = 12\nblocks = 6\nmin-gap = \"{min_gap}\""),
    )
}

#[test]
fn blocks_are_what_inference_counts() {
    let study = TempStudy::locked(&blocks("1 s"));
    study.prereg(["run", "plan", "--on", "cpu"]);
    let document = analysis(&study);
    let metric = &document["runs"][0]["judgement"]["metrics"]["speedup"];
    assert_eq!(metric["values"].as_array().unwrap().len(), 12);
    assert_eq!(metric["blocks"].as_array().unwrap().len(), 6);
    study.prereg(["verify"]).exits(0).says("nothing found");
}

#[test]
fn a_block_that_began_before_the_gap_had_passed_is_found() {
    let study = TempStudy::locked(&blocks("1 h"));
    study
        .simulate(1.26, |_, figures| Scripted::Complete(figures))
        .exits(3);
    study.prereg(["verify"]).exits(3).says("session-gap");
}
