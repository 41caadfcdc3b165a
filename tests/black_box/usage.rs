//! Wrong use of the command line, and commands outside a study.

use crate::study::{self, Finished, Plan, TempStudy, binary, temporary_folder};

fn prereg(arguments: &[&str]) -> Finished {
    let folder = temporary_folder();
    study::prereg(folder.path(), arguments)
}

#[test]
fn an_unknown_command_is_a_usage_error() {
    prereg(&["frobnicate"])
        .exits(64)
        .says("unrecognized subcommand 'frobnicate'");
}

#[test]
fn an_unknown_flag_is_a_usage_error() {
    prereg(&["list", "--frobnicate"])
        .exits(64)
        .says("unexpected argument '--frobnicate'");
}

#[test]
fn no_command_is_a_usage_error_that_shows_the_commands() {
    prereg(&[]).exits(64).says("verify").says("decode");
}

#[test]
fn a_run_without_a_target_is_a_usage_error() {
    prereg(&["run", "plan"]).exits(64).says("--on");
}

#[test]
fn a_malformed_head_is_a_usage_error() {
    prereg(&["verify", "--expect-head", "nonsense"])
        .exits(64)
        .says("nonsense");
}

#[test]
fn every_command_of_a_study_says_when_there_is_none() {
    for arguments in [
        &["check", "plan"][..],
        &["lock", "plan"],
        &["run", "plan", "--on", "cpu"],
        &["analyze", "plan"],
        &["report", "plan"],
        &["verify"],
        &["list"],
        &["show", "plan"],
        &["targets"],
    ] {
        prereg(arguments)
            .exits(66)
            .says("no study at")
            .says("prereg init DIR");
    }
}

#[test]
fn a_study_is_found_from_a_folder_inside_it() {
    let study = TempStudy::with(&Plan::default());
    study::prereg(&study.path("runs"), &["check", "plan"]).exits(0);
}

#[test]
fn colours_are_written_only_where_they_are_wanted() {
    let study = TempStudy::locked(&Plan::default());
    let forced = |no_color: bool| {
        let mut command = binary(study.root());
        command
            .args(["analyze", "plan"])
            .env("CLICOLOR_FORCE", "1")
            .env_remove("NO_COLOR");
        if no_color {
            command.env_remove("CLICOLOR_FORCE").env("NO_COLOR", "1");
        }
        Finished::of(command.output().unwrap()).exits(2).stdout
    };
    assert!(forced(false).contains('\u{1b}'));
    assert!(!forced(true).contains('\u{1b}'));
}
