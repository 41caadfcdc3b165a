//! `prereg report`: the file, its figures, and templates of a study's own.

use crate::study::{Plan, TempStudy, flip};

fn sealed(speedup: f64) -> TempStudy {
    TempStudy::judged(&Plan::default(), speedup, |_, _| ()).0
}

#[test]
fn the_report_says_the_verdict_the_authors_words_and_that_the_numbers_are_made_up() {
    let report = sealed(1.02).read("reports/plan.md");
    for text in [
        "falsified",
        "speedup is at least 1.15 on cpu",
        "Replay makes a step at least 1.15 times as fast.",
        "self-asserted",
        "prereg verify",
    ] {
        assert!(report.contains(text), "`{text}` is not in {report}");
    }
    assert!(report.to_lowercase().contains("simulated"), "{report}");
}

#[test]
fn every_figure_of_the_report_is_there_and_every_figure_that_is_there_is_shown() {
    let study = sealed(1.26);
    let report = study.read("reports/plan.md");
    let figures = study.files("reports/plan");
    assert!(!figures.is_empty());
    for figure in &figures {
        let name = format!("plan/{}", figure.file_name().unwrap().to_str().unwrap());
        assert!(report.contains(&name), "{name}");
        assert!(std::fs::read_to_string(figure).unwrap().contains("<title"));
    }
    assert_eq!(report.matches(".svg").count(), figures.len());
}

#[test]
fn the_report_is_the_same_whenever_it_is_written() {
    let study = sealed(1.26);
    let written = study.contents("reports");
    study
        .prereg(["report", "plan"])
        .exits(0)
        .says("wrote reports/plan.md");
    assert_eq!(study.contents("reports"), written);
}

#[test]
fn a_lock_that_was_never_run_has_a_report_that_says_so() {
    let study = TempStudy::locked(&Plan::default());
    study.prereg(["report", "plan"]).exits(0);
    assert!(
        study
            .read("reports/plan.md")
            .contains("no sealed run of record"),
        "{}",
        study.read("reports/plan.md")
    );
}

#[test]
fn an_inconsistent_record_has_a_report_without_a_verdict() {
    let study = sealed(1.26);
    flip(&study.run_folder().join("sessions/0/steps.jsonl"));
    study.prereg(["report", "plan"]).exits(0);
    let report = study.read("reports/plan.md");
    assert!(report.contains("no verdict"), "{report}");
}

#[test]
fn a_template_of_the_studys_own_is_used_and_cannot_hide_the_verdict() {
    let study = sealed(1.02);
    study.write("templates/report.md.j2", "nothing to see here\n");
    study.prereg(["report", "plan"]).exits(0);
    let report = study.read("reports/plan.md");
    assert!(
        report.contains("nothing to see here") && report.contains("falsified"),
        "{report}"
    );
}

#[test]
fn a_template_that_names_what_is_not_there_is_refused_with_its_line_and_the_old_report_stays() {
    let study = sealed(1.26);
    let before = study.contents("reports");
    study.write("templates/report.md.j2", "fine\n{{ no_such_thing }}\n");
    study
        .prereg(["report", "plan"])
        .exits(65)
        .says("report.md.j2")
        .says("line 2");
    assert_eq!(study.contents("reports"), before);
}

#[test]
fn verify_says_that_an_edited_report_is_not_what_the_record_gives() {
    let study = sealed(1.02);
    let report = study.read("reports/plan.md");
    assert!(!study.prereg(["verify"]).exits(0).stdout.contains("stale"));
    study.write("reports/plan.md", &report.replace("falsified", "pass"));
    study
        .prereg(["verify"])
        .exits(0)
        .says("stale report: reports/plan.md is not what the record gives now");
    study.prereg(["report", "plan"]).exits(0);
    assert!(!study.prereg(["verify"]).exits(0).stdout.contains("stale"));
}
