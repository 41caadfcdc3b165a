//! Sessions of a tiny checkpoint, really measured.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use prereg_declaration::Digest;
use prereg_decode::LaunchMode;
use prereg_decode::plan::{PlanKind, StepPlan};
use prereg_runs::{SeedRecord, SessionFolder, SlotRecord, StepLine, StepRecord, TelemetryLine};
use tempfile::TempDir;

use super::error::SessionError;
use super::work::measure;

use crate::model::checkpoint_weights;
use crate::spec::{ArmSpec, DecodeSpec, SESSION_SCHEMA, SessionSpec, WeightsSpec, WorkloadSpec};

const ORDER: [&str; 6] = ["fused", "replayed", "fine", "fine", "replayed", "fused"];
const STEPS: u32 = 5;

/// Committed tiny checkpoints; the folder plays the study.
fn study() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../prereg-decode/tests/fixtures")
}

fn spec() -> SessionSpec {
    let arm = |launch, plan| ArmSpec { launch, plan };
    let arms = [
        ("fused", arm(LaunchMode::Eager, PlanKind::Fused)),
        ("replayed", arm(LaunchMode::Graph, PlanKind::Fused)),
        ("fine", arm(LaunchMode::Graph, PlanKind::OpByOp)),
    ];
    let seed = |byte| Digest::of(&[byte]);
    SessionSpec {
        schema: SESSION_SCHEMA.to_owned(),
        parent: std::process::id(),
        folder: String::new(),
        index: 0,
        workload: WorkloadSpec::Decode(DecodeSpec {
            model: "llama".to_owned(),
            weights: WeightsSpec::Checkpoint,
            context: 8,
            arms: arms.map(|(name, arm)| (name.to_owned(), arm)).into(),
            warmup_steps: 2,
        }),
        order: ORDER.map(str::to_owned).into(),
        slot_steps: STEPS,
        threads: 1,
        affinity: vec![],
        seeds: SeedRecord {
            weights: seed(0),
            prompt: seed(1),
            kv: seed(2),
            order: seed(3),
        },
    }
}

fn decode(spec: &SessionSpec) -> &DecodeSpec {
    match &spec.workload {
        WorkloadSpec::Decode(decode) => decode,
        WorkloadSpec::Command(_) => unreachable!("these sessions decode"),
    }
}

struct Measured {
    steps: Vec<StepRecord>,
    slots: Vec<SlotRecord>,
    folder: SessionFolder,
    _keep: TempDir,
}

fn measured(spec: &SessionSpec) -> Measured {
    let keep = tempfile::tempdir().unwrap();
    let folder = SessionFolder::claimed(keep.path().to_owned(), spec.index);
    measure(spec, decode(spec), &folder, &study()).unwrap();
    let (mut steps, mut slots) = (vec![], vec![]);
    for line in folder.steps().unwrap() {
        match line {
            StepLine::Step(step) => steps.push(step),
            StepLine::Slot(slot) => slots.push(slot),
            StepLine::Observation(_) => unreachable!("steps of decode are timed here"),
        }
    }
    Measured {
        steps,
        slots,
        folder,
        _keep: keep,
    }
}

/// Logit digests of each slot.
fn outputs(measured: &Measured) -> BTreeMap<u32, Vec<Digest>> {
    let mut outputs: BTreeMap<u32, Vec<Digest>> = BTreeMap::new();
    for step in &measured.steps {
        outputs.entry(step.slot).or_default().push(step.logits);
    }
    outputs
}

#[test]
fn every_slot_is_recorded_with_its_arm_and_all_its_steps() {
    let measured = measured(&spec());
    let arms: Vec<&str> = measured
        .slots
        .iter()
        .map(|slot| slot.arm.as_str())
        .collect();
    assert_eq!(arms, ORDER);
    assert!(
        measured
            .slots
            .iter()
            .zip(0..)
            .all(|(slot, index)| slot.slot == index && slot.steps == STEPS)
    );
    assert_eq!(measured.steps.len(), ORDER.len() * STEPS as usize);
}

#[test]
fn every_slot_starts_from_the_same_state() {
    let outputs = outputs(&measured(&spec()));
    for (first, second) in [(0, 5), (1, 4), (2, 3)] {
        assert_eq!(
            outputs[&first], outputs[&second],
            "slots {first} and {second}"
        );
    }
}

#[test]
fn steps_of_a_slot_differ_in_their_logits() {
    let outputs = outputs(&measured(&spec()));
    let mut digests = outputs[&0].clone();
    digests.sort();
    digests.dedup();
    assert_eq!(digests.len(), STEPS as usize);
}

#[test]
fn launch_modes_of_one_plan_give_the_same_logits() {
    let outputs = outputs(&measured(&spec()));
    assert_eq!(outputs[&0], outputs[&1]);
}

#[test]
fn the_seeds_decide_the_logits() {
    let changed = |change: fn(&mut SeedRecord)| {
        let mut spec = spec();
        change(&mut spec.seeds);
        outputs(&measured(&spec))
    };
    let same = changed(|_| {});
    assert_eq!(same, outputs(&measured(&spec())));
    assert_ne!(same, changed(|seeds| seeds.kv = Digest::of(b"kv")));
    assert_ne!(same, changed(|seeds| seeds.prompt = Digest::of(b"prompt")));
}

#[test]
fn steps_add_up_to_the_host_time_of_their_slot() {
    let measured = measured(&spec());
    for slot in &measured.slots {
        let sum: i64 = measured
            .steps
            .iter()
            .filter(|step| step.slot == slot.slot)
            .map(|step| step.step_ns)
            .sum();
        assert_eq!(u64::try_from(sum), Ok(slot.slot_ns));
    }
}

#[test]
fn graph_arms_prove_their_capture_and_eager_arms_have_none() {
    let measured = measured(&spec());
    for slot in &measured.slots {
        assert_eq!(slot.invalid, None);
        let replays = slot.graph.map(|graph| graph.replays);
        assert_eq!(
            replays,
            (slot.arm != "fused").then_some(STEPS),
            "{}",
            slot.arm
        );
    }
    let launches = |slot: usize| {
        measured.slots[slot]
            .graph
            .map(|graph| graph.captured_launches)
    };
    assert!(
        launches(2) > launches(1),
        "the finer plan has more launches"
    );
}

#[test]
fn sweeps_stand_between_all_slots_and_read_the_streamed_weights() {
    let spec = spec();
    let measured = measured(&spec);
    let sweeps: Vec<_> = measured
        .folder
        .telemetry()
        .unwrap()
        .into_iter()
        .filter_map(|line| match line {
            TelemetryLine::Sweep(sweep) => Some(sweep),
            TelemetryLine::Sample(_) => None,
        })
        .collect();
    let before: Vec<u32> = sweeps.iter().map(|sweep| sweep.before).collect();
    let expected: Vec<u32> = (0..=ORDER.len() as u32)
        .flat_map(|slot| [slot; 3])
        .collect();
    assert_eq!(before, expected);
    let weights = checkpoint_weights(&study(), "llama").unwrap();
    let streamed = StepPlan::new(weights.shape(), PlanKind::Fused, 8).weight_bytes();
    assert!(sweeps.iter().all(|sweep| sweep.bytes == streamed));
}

#[test]
fn no_sweep_overlaps_a_slot() {
    let measured = measured(&spec());
    for line in measured.folder.telemetry().unwrap() {
        let TelemetryLine::Sweep(sweep) = line else {
            continue;
        };
        let end = sweep.start_ns + sweep.duration_ns.unsigned_abs();
        for slot in &measured.slots {
            let apart = end <= slot.start_ns || slot.start_ns + slot.slot_ns <= sweep.start_ns;
            assert!(
                apart && (sweep.start_ns > slot.start_ns) == (sweep.before > slot.slot),
                "{sweep:?} {slot:?}"
            );
        }
    }
}

#[test]
fn readings_of_the_host_surround_every_slot() {
    let measured = measured(&spec());
    let telemetry = measured.folder.telemetry().unwrap();
    for slot in &measured.slots {
        let readings: Vec<_> = telemetry
            .iter()
            .filter_map(|line| match line {
                TelemetryLine::Sample(sample) if sample.slot == Some(slot.slot) => Some(sample),
                _ => None,
            })
            .collect();
        // Every Linux counts these.
        assert!(
            readings
                .iter()
                .any(|sample| sample.column == "context_switches"),
            "slot {}",
            slot.slot
        );
        let end = slot.start_ns + slot.slot_ns;
        assert!(readings.iter().all(|sample| sample.at_ns >= Some(end)));
    }
}

#[test]
fn the_environment_is_captured_at_both_ends() {
    let measured = measured(&spec());
    let environment = measured.folder.environment().unwrap();
    let (first, last) = (&measured.slots[0], &measured.slots[ORDER.len() - 1]);
    assert!(environment.start.monotonic_ns <= first.start_ns);
    assert!(environment.end.monotonic_ns >= last.start_ns + last.slot_ns);
    assert!(environment.host.weights_bytes > 0);
}

#[test]
fn an_order_that_names_an_unknown_arm_is_refused() {
    let mut spec = spec();
    spec.order[3] = "other".to_owned();
    let keep = tempfile::tempdir().unwrap();
    let folder = SessionFolder::claimed(keep.path().to_owned(), 0);
    assert!(
        matches!(measure(&spec, decode(&spec), &folder, &study()), Err(SessionError::Arm { arm }) if arm == "other")
    );
}
