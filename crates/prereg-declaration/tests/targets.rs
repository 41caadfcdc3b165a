//! The targets file: what is read, what is refused, and the canonical entry that a lock holds.

#![expect(
    clippy::unwrap_used,
    reason = "a test ends where its fixtures cannot be read"
)]

use std::fs;
use std::path::Path;

use prereg_declaration::{Device, Targets};
use prereg_units::{Dimension, Quantity};

fn fixture() -> Targets {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/declarations/targets.toml");
    Targets::parse("targets.toml", &fs::read(path).unwrap()).unwrap()
}

fn refusal(toml: &str) -> String {
    Targets::parse("targets.toml", toml.as_bytes())
        .unwrap_err()
        .to_string()
}

#[test]
fn a_target_holds_what_its_entry_says() {
    let targets = fixture();
    let names: Vec<&str> = targets.iter().map(|target| target.name.as_str()).collect();
    assert_eq!(names, ["cpu", "h100", "h200", "l4"]);
    let h100 = targets.get("h100").unwrap();
    assert_eq!(h100.device, Device::Cuda);
    assert_eq!(h100.compute_capability.unwrap().to_string(), "9.0");
    assert_eq!(
        h100.constant("peak_bandwidth"),
        Quantity::new(3.35e12, Dimension::BANDWIDTH).ok()
    );
    assert_eq!(h100.constant("weights_bytes"), None);
    assert_eq!(targets.get("cpu").unwrap().constant("peak_bandwidth"), None);
}

#[test]
fn the_canonical_entry_reads_back_as_the_same_target() {
    for target in fixture().iter() {
        let read = Targets::parse("lock", target.canonical().as_bytes()).unwrap();
        assert_eq!(read.get(&target.name), Some(target));
    }
}

#[test]
fn the_canonical_entry_is_one_text() {
    let spelled = r#"
        l4 = { rated-sm-clock = { source = "a \"sheet\"", value = "2.04 GHz" }, mig = false, memory = "22e9 B", name = 'NVIDIA L4', compute-capability = "8.9", device = "cuda" }
    "#;
    let targets = Targets::parse("targets.toml", spelled.trim().as_bytes()).unwrap();
    let expected = r#"[l4]
compute-capability = "8.9"
device = "cuda"
memory = "2.2e10 B"
name = "NVIDIA L4"
rated-sm-clock = { value = "2.04e9 1/s", source = "a \"sheet\"" }
"#;
    assert_eq!(targets.get("l4").unwrap().canonical(), expected);
}

#[test]
fn every_problem_of_an_entry_is_named() {
    let printed = refusal(
        r#"
[CPU]
device = "cpu"
name = "any"
rated-sm-clock = { value = "1 GHz", source = "x" }

[gpu]
device = "cuda"
name = "any"
memory = "80 GHz"
peak-bandwidth = { value = "0 B/s" }
hourly-rate = "3 USD/h"
cores = 4
colour = "red"
"#,
    );
    for message in [
        "targets.toml:2:2",
        "`CPU` is not an id",
        "`CPU.rated-sm-clock` is a key of a `cuda` target",
        "`[gpu]` has no `compute-capability`",
        "`gpu.name` fits every device",
        "`gpu.memory` is in `B`, and this is in `1/s`",
        "`gpu.peak-bandwidth.value` is not above zero",
        "`[gpu.peak-bandwidth]` has no `source`",
        "`gpu.hourly-rate` is text",
        "`gpu.cores` is a key of a `cpu` target",
        "unknown key `colour` in `[gpu]`",
    ] {
        assert!(printed.contains(message), "{message}\n{printed}");
    }
}

#[test]
fn a_misspelled_device_is_not_also_judged_by_its_kind() {
    let printed = refusal("[gpu]\ndevice = \"cud\"\nname = \"NVIDIA L4\"\nmig = true\n");
    assert!(printed.contains("did you mean `cuda`?"), "{printed}");
    assert_eq!(printed.matches("error[").count(), 1, "{printed}");
}
