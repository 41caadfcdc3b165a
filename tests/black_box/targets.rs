//! `prereg targets`: where experiments can run, and what is here.

use crate::study::TempStudy;

#[test]
fn targets_that_are_not_here_say_what_was_looked_for_and_what_was_found() {
    let targets = TempStudy::new().prereg(["targets"]).exits(0);
    targets
        .says("this machine: ")
        .says("looked for ")
        .says("NVIDIA H100 80GB HBM3")
        .says("peak_bandwidth 3.35 TB/s (datasheet)");
}

#[test]
fn json_says_of_every_target_whether_it_is_here() {
    let document = TempStudy::new()
        .prereg(["targets", "--json"])
        .exits(0)
        .json();
    assert_eq!(document["schema"], "prereg-targets/1");
    let here: Vec<_> = document["targets"]
        .as_array()
        .unwrap()
        .iter()
        .map(|target| {
            (
                target["target"].as_str().unwrap(),
                target["here"].as_bool().unwrap(),
            )
        })
        .collect();
    assert_eq!(here, [("cpu", true), ("h100", false)]);
}

#[test]
fn a_processor_of_another_name_is_not_the_target() {
    let study = TempStudy::new();
    study.write(
        "experiments/targets.toml",
        "[cpu]\ndevice = \"cpu\"\nname = \"Abacus 9000\"\ncores = 3\n",
    );
    let document = study.prereg(["targets", "--json"]).exits(0).json();
    assert_eq!(document["targets"][0]["here"], false);
    assert!(
        document["targets"][0]["found"]
            .as_str()
            .unwrap()
            .contains("Abacus 9000")
    );
}
