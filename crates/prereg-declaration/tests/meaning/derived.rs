//! What is derived from a checked declaration.

use prereg_declaration::differences;

use crate::example::{Edit, TOML, checked, edited};

const BLOCKS: Edit = Edit {
    from: "sessions = 9",
    to: "sessions = 9\nblocks = 3",
    paths: &[],
};

#[test]
fn inference_counts_sessions_until_there_are_blocks() {
    assert_eq!(checked(TOML).protocol.units(), 9);
    assert_eq!(edited([&BLOCKS]).protocol.units(), 3);
}

#[test]
fn with_every_arm_as_the_baseline_only_the_other_arms_change() {
    let declaration = checked(TOML);
    let alike = declaration.with_every_arm_as_baseline();
    assert_eq!(alike.arms["graphed"], declaration.arms["eager"]);
    let changed = differences(&declaration, &alike);
    let changed: Vec<&str> = changed.iter().map(|line| &*line.path).collect();
    assert_eq!(changed, ["arms.graphed.launch"]);
}
