//! The plan's sums against the shape's own totals and against published figures.

use super::{PlanKind, StepPlan};
use crate::shape::Shape;

/// GB (10⁹ bytes) to two digits, or three.
fn gigabytes(bytes: u64, digits: usize) -> String {
    format!("{:.digits$}", bytes as f64 / 1e9)
}

#[test]
fn sums_agree_with_the_published_table_at_context_2048() {
    for (name, total, streamed, kv) in [
        ("llama-3.1-8b", "16.06", "15.01", "0.268"),
        ("mistral-7b", "14.50", "14.23", "0.268"),
        ("qwen2.5-7b", "15.23", "14.14", "0.117"),
    ] {
        let shape = Shape::named(name).unwrap();
        assert_eq!(gigabytes(shape.weight_bytes(), 2), total, "{name} total");
        for kind in PlanKind::ALL {
            let plan = StepPlan::new(&shape, kind, 2048);
            assert_eq!(
                gigabytes(plan.weight_bytes(), 2),
                streamed,
                "{name} streamed, {kind}"
            );
            assert_eq!(gigabytes(plan.kv_bytes(), 3), kv, "{name} KV, {kind}");
        }
    }
}

#[test]
fn streamed_weights_are_all_weights_but_an_untied_table() {
    for name in Shape::names() {
        let shape = Shape::named(name).unwrap();
        let table = if shape.tied {
            0
        } else {
            shape.tensors()[0].bytes()
        };
        for kind in PlanKind::ALL {
            let plan = StepPlan::new(&shape, kind, 17);
            assert_eq!(
                plan.weight_bytes(),
                shape.weight_bytes() - table,
                "{name} {kind}"
            );
            assert_eq!(plan.kv_bytes(), shape.kv_bytes(17), "{name} {kind}");
            assert_eq!(
                plan.traffic().written.kv,
                shape.kv_bytes(1),
                "{name} {kind}"
            );
            assert_eq!(plan.traffic().written.weight, 0, "{name} {kind}");
        }
    }
}

#[test]
fn launches_are_six_or_twenty_a_layer_and_a_few_around_them() {
    let shape = Shape::named("qwen2.5-7b").unwrap();
    assert_eq!(
        StepPlan::new(&shape, PlanKind::Fused, 0).launches().len(),
        28 * 6 + 3
    );
    assert_eq!(
        StepPlan::new(&shape, PlanKind::OpByOp, 0).launches().len(),
        28 * 20 + 5
    );
}

#[test]
fn every_weight_of_a_tied_model_is_read_once() {
    // The sum above would not see one tensor read twice and another of the same size left out.
    let shape = Shape::named("smollm2-135m").unwrap();
    for kind in PlanKind::ALL {
        let plan = StepPlan::new(&shape, kind, 1);
        let mut seen: Vec<usize> = plan
            .launches()
            .iter()
            .flat_map(|launch| launch.kernel.tensors())
            .collect();
        seen.sort_unstable();
        // The table appears twice: one row is looked up, and all of it is projected by.
        assert_eq!(seen.iter().filter(|&&tensor| tensor == 0).count(), 2);
        seen.dedup();
        assert_eq!(seen, (0..shape.tensors().len()).collect::<Vec<_>>());
    }
}
