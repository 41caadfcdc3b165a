//! What a decoder promises whatever its weights: reproducible steps, a graph that proves itself, refusals that run
//! nothing.

#![expect(clippy::unwrap_used, reason = "a failed set-up fails the test")]

use prereg_decode::plan::PlanKind;
use prereg_decode::shape::Shape;
use prereg_decode::weights::RandomWeights;
use prereg_decode::{Affinity, Decoder, LaunchMode, NewError, Options, Path, RunError};

const CONTEXT: usize = 70;
const ROWS: usize = 4;

/// Grouped heads, sizes that no vector divides, more positions than one block of attention.
fn shape() -> Shape {
    let mut shape = Shape::named("qwen2.5-0.5b").unwrap();
    (
        shape.hidden,
        shape.layers,
        shape.heads,
        shape.kv_heads,
        shape.head_dim,
    ) = (45, 3, 6, 2, 18);
    (shape.intermediate, shape.vocab) = (101, 203);
    shape
}

fn options(plan: PlanKind, threads: usize) -> Options {
    Options {
        plan,
        context: CONTEXT,
        rows: ROWS,
        threads,
        affinity: Affinity::None,
        path: Path::best(),
    }
}

fn decoder(options: &Options) -> Decoder {
    let mut decoder = Decoder::new(&RandomWeights::new(shape(), [5; 32]), options).unwrap();
    decoder.fill_context([6; 32], 7).unwrap();
    decoder
}

/// Logits of all rows as bits, and tokens.
fn outputs(decoder: &Decoder) -> (Vec<u32>, Vec<u32>) {
    let logits = (0..ROWS)
        .flat_map(|step| decoder.logits(step))
        .map(|logit| logit.to_bits())
        .collect();
    (logits, (0..ROWS).map(|step| decoder.token(step)).collect())
}

#[test]
fn steps_from_one_place_give_the_same_bits_in_both_modes_and_on_any_number_of_threads() {
    for plan in PlanKind::ALL {
        let mut expected = None;
        for threads in [1, 2, 3] {
            let mut decoder = decoder(&options(plan, threads));
            decoder.capture();
            let place = decoder.snapshot();
            for mode in [LaunchMode::Eager, LaunchMode::Graph, LaunchMode::Eager] {
                decoder.restore(place);
                decoder.run(mode, &mut [0; ROWS]).unwrap();
                let outputs = outputs(&decoder);
                assert!(
                    *expected.get_or_insert(outputs.clone()) == outputs,
                    "{plan}, {threads} threads, {mode}"
                );
            }
        }
    }
}

#[test]
fn both_plans_compute_the_same_logits_within_rounding() {
    let [fused, op_by_op] = PlanKind::ALL.map(|plan| {
        let mut decoder = decoder(&options(plan, 2));
        decoder.run(LaunchMode::Eager, &mut [0]).unwrap();
        decoder.logits(0).to_vec()
    });
    let largest = fused
        .iter()
        .fold(0.0_f32, |largest, logit| largest.max(logit.abs()));
    assert!(largest > 0.01, "logits too small to compare: {largest}");
    for (a, b) in fused.iter().zip(&op_by_op) {
        assert!((a - b).abs() <= 1e-3 * largest, "{a} and {b}");
    }
}

#[test]
fn changing_the_plan_keeps_weights_and_place_and_drops_the_graph() {
    let mut changed = decoder(&options(PlanKind::Fused, 2));
    changed.capture();
    changed.use_plan(PlanKind::OpByOp);
    assert_eq!(changed.graph_proof(), None);
    changed.run(LaunchMode::Eager, &mut [0; ROWS]).unwrap();
    let mut made = decoder(&options(PlanKind::OpByOp, 2));
    made.run(LaunchMode::Eager, &mut [0; ROWS]).unwrap();
    assert!(outputs(&changed) == outputs(&made));
}

#[test]
fn each_step_takes_in_the_token_that_the_one_before_chose() {
    let mut decoder = decoder(&options(PlanKind::Fused, 1));
    let place = decoder.snapshot();
    decoder.run(LaunchMode::Eager, &mut [0; ROWS]).unwrap();
    let (logits, tokens) = outputs(&decoder);
    decoder.restore(place);
    for step in 0..ROWS {
        decoder.run(LaunchMode::Eager, &mut [0]).unwrap();
        assert_eq!(decoder.token(0), tokens[step]);
        let bits: Vec<u32> = decoder
            .logits(0)
            .iter()
            .map(|logit| logit.to_bits())
            .collect();
        assert_eq!(bits, logits[step * bits.len()..(step + 1) * bits.len()]);
    }
    assert_eq!(decoder.position(), CONTEXT + ROWS);
}

#[test]
fn the_chosen_token_has_the_largest_logit() {
    let mut decoder = decoder(&options(PlanKind::OpByOp, 3));
    decoder.run(LaunchMode::Eager, &mut [0]).unwrap();
    let chosen = decoder.logits(0)[decoder.token(0) as usize];
    assert!(decoder.logits(0).iter().all(|logit| *logit <= chosen));
}

#[test]
fn other_seeds_give_other_logits() {
    let logits = |weights: u8, cache: u8| {
        let source = RandomWeights::new(shape(), [weights; 32]);
        let mut decoder = Decoder::new(&source, &options(PlanKind::Fused, 1)).unwrap();
        decoder.fill_context([cache; 32], 7).unwrap();
        decoder.run(LaunchMode::Eager, &mut [0]).unwrap();
        decoder.logits(0).to_vec()
    };
    assert_ne!(logits(1, 1), logits(2, 1));
    assert_ne!(logits(1, 1), logits(1, 2));
}

#[test]
fn marks_never_step_back() {
    let mut decoder = decoder(&options(PlanKind::Fused, 2));
    let mut marks = [0; ROWS];
    let start = decoder.run(LaunchMode::Eager, &mut marks).unwrap();
    assert!(start > 0 && start < marks[0] && marks.is_sorted());
    let start = decoder.read_sweep(&mut marks);
    assert!(start < marks[0] && marks.is_sorted());
}

#[test]
fn a_graph_proves_its_launches_and_replays() {
    let mut decoder = decoder(&options(PlanKind::Fused, 2));
    assert_eq!(decoder.graph_proof(), None);
    assert_eq!(
        decoder.run(LaunchMode::Graph, &mut [0]),
        Err(RunError::NotCaptured)
    );
    decoder.capture();
    decoder.run(LaunchMode::Eager, &mut [0]).unwrap();
    let place = decoder.snapshot();
    assert_eq!(decoder.graph_proof().unwrap().replays, 0);
    for runs in 1..=3 {
        decoder.restore(place);
        decoder.run(LaunchMode::Graph, &mut [0; 2]).unwrap();
        let proof = decoder.graph_proof().unwrap();
        assert_eq!(
            (proof.captured_launches, proof.replays),
            (decoder.plan().launches().len(), 2 * runs)
        );
    }
}

#[test]
fn kernels_take_no_longer_than_the_steps_they_are_part_of() {
    let mut decoder = decoder(&options(PlanKind::OpByOp, 1));
    let before = std::time::Instant::now();
    let kernels = decoder.kernel_time(LaunchMode::Eager, ROWS).unwrap();
    assert!(kernels > 0 && u128::from(kernels) <= before.elapsed().as_nanos());
}

#[test]
fn a_run_that_does_not_fit_is_refused_and_changes_nothing() {
    let mut decoder = decoder(&options(PlanKind::Fused, 1));
    let place = decoder.snapshot();
    let too_many = RunError::TooManySteps {
        steps: ROWS + 1,
        rows: ROWS,
    };
    assert_eq!(
        decoder.run(LaunchMode::Eager, &mut [0; ROWS + 1]),
        Err(too_many)
    );
    let full = |steps| RunError::CacheFull {
        steps,
        position: CONTEXT,
        capacity: CONTEXT + ROWS,
    };
    assert_eq!(decoder.prefill(&[1; ROWS + 2]), Err(full(ROWS + 1)));
    assert_eq!(decoder.prefill(&[]), Err(RunError::EmptyPrompt));
    assert_eq!(
        decoder.prefill(&[1, 203]),
        Err(RunError::UnknownToken {
            token: 203,
            vocab: 203
        })
    );
    assert_eq!(decoder.snapshot(), place);
    decoder.run(LaunchMode::Eager, &mut [0; ROWS]).unwrap();
    assert!(matches!(
        decoder.run(LaunchMode::Eager, &mut [0]),
        Err(RunError::CacheFull { .. })
    ));
}

#[test]
fn options_that_cannot_be_met_are_refused() {
    let new = |options: Options| {
        Decoder::new(&RandomWeights::new(shape(), [0; 32]), &options)
            .err()
            .unwrap()
    };
    let fits = options(PlanKind::Fused, 1);
    let none = new(Options {
        threads: 0,
        ..fits.clone()
    });
    assert_eq!(none.to_string(), "the number of threads must be at least 1");
    let long = new(Options {
        context: 40_000,
        ..fits.clone()
    });
    assert_eq!(
        long.to_string(),
        "a context of 40000 and 4 steps need 40004 positions, but `qwen2.5-0.5b` is declared for 32768; shorten the context"
    );
    let unpinned = new(Options {
        affinity: Affinity::Cpus(vec![0, 1]),
        ..fits
    });
    assert!(
        matches!(unpinned, NewError::Threads { threads: 1, .. }),
        "{unpinned}"
    );
}

#[test]
fn memory_is_what_the_shape_needs() {
    let decoder = decoder(&options(PlanKind::Fused, 2));
    let report = decoder.memory();
    // Each tensor starts on a boundary of its own.
    let padding = 128 * shape().tensors().len() as u64;
    assert!(
        (shape().weight_bytes()..=shape().weight_bytes() + padding).contains(&report.weights),
        "{report:?}"
    );
    // Keys are cached in blocks of 16 positions.
    let kv = shape().kv_bytes((CONTEXT + ROWS).next_multiple_of(16));
    assert!((kv..kv + 128).contains(&report.kv), "{report:?}");
}
