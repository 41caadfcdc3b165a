//! Every path against sums in double precision, at sizes that leave tails.

use proptest::prelude::*;

use super::{KEY_BLOCK, Path};
use crate::bf16::{narrow, widen};

/// Deterministic values in ±2 without structure that a wrong lane could hide in.
fn values(count: usize, salt: u32) -> Vec<f32> {
    (0..count as u32)
        .map(|i| ((i ^ salt).wrapping_mul(2_654_435_761) >> 8) as f32 / (1 << 22) as f32 - 2.0)
        .collect()
}

fn halves(count: usize, salt: u32) -> Vec<u16> {
    values(count, salt).into_iter().map(narrow).collect()
}

/// Relative to the sum of magnitudes, rounding of `f32` sums stays far below this at the sizes tested.
const TOLERANCE: f64 = 1e-5;

proptest! {
    #[test]
    fn project_is_the_dot_product_of_every_row(columns in 1_usize..300, rows in 1_usize..6, salt: u32) {
        let (matrix, x) = (halves(rows * columns, salt), values(columns, !salt));
        for path in Path::available() {
            let mut out = vec![f32::NAN; rows];
            path.project(&matrix, &x, &mut out);
            for (row, out) in matrix.chunks_exact(columns).zip(&out) {
                let terms = row.iter().zip(&x).map(|(weight, x)| f64::from(widen(*weight)) * f64::from(*x));
                let (sum, size) = terms.fold((0.0, 0.0), |(sum, size), term| (sum + term, size + term.abs()));
                prop_assert!((f64::from(*out) - sum).abs() <= TOLERANCE * size, "{path}: {out} for {sum}");
            }
        }
    }

    #[test]
    fn score_is_the_dot_product_of_each_query_with_each_key(
        heads in 1_usize..10, head_dim in 1_usize..70, blocks in 0_usize..4, salt: u32,
    ) {
        let (keys, queries) = (halves(blocks * KEY_BLOCK * head_dim, salt), values(heads * head_dim, !salt));
        let positions = blocks * KEY_BLOCK;
        for path in Path::available() {
            let mut out = vec![f32::NAN; heads * positions];
            path.score(&keys, &queries, head_dim, &mut out);
            for (index, out) in out.iter().enumerate() {
                let (head, position) = (index / positions, index % positions);
                let key = |element| {
                    keys[(position / KEY_BLOCK * head_dim + element) * KEY_BLOCK + position % KEY_BLOCK]
                };
                let (sum, size) = (0..head_dim)
                    .map(|element| f64::from(widen(key(element))) * f64::from(queries[head * head_dim + element]))
                    .fold((0.0, 0.0), |(sum, size), term: f64| (sum + term, size + term.abs()));
                prop_assert!((f64::from(*out) - sum).abs() <= TOLERANCE * size, "{path}: {out} for {sum}");
            }
        }
    }

    #[test]
    fn weigh_adds_the_values_by_each_heads_weights(
        heads in 1_usize..10, head_dim in 1_usize..70, positions in 0_usize..9, spare in 0_usize..3, salt: u32,
    ) {
        let stride = positions + spare;
        let (cached, weights) = (halves(positions * head_dim, salt), values(heads * stride, salt ^ 1));
        let start = values(heads * head_dim, !salt);
        for path in Path::available() {
            let mut out = start.clone();
            path.weigh(&weights, &cached, head_dim, &mut out);
            for (index, out) in out.iter().enumerate() {
                let (head, column) = (index / head_dim, index % head_dim);
                let begin = f64::from(start[index]);
                let (sum, size) = (0..positions)
                    .map(|at| f64::from(weights[head * stride + at]) * f64::from(widen(cached[at * head_dim + column])))
                    .fold((begin, begin.abs()), |(sum, size), term: f64| (sum + term, size + term.abs()));
                prop_assert!((f64::from(*out) - sum).abs() <= TOLERANCE * size, "{path}: {out} for {sum}");
            }
        }
    }

    #[test]
    fn exponentiate_gives_a_softmax(count in 1_usize..100, salt: u32) {
        let scores = values(count, salt);
        let largest = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let total: f64 = scores.iter().map(|score| f64::from(score - largest).exp()).sum();
        for path in Path::available() {
            let mut out = scores.clone();
            let sum = path.exponentiate(&mut out, largest);
            prop_assert!((f64::from(sum) / total - 1.0).abs() < TOLERANCE, "{path}");
            for (out, score) in out.iter().zip(&scores) {
                prop_assert!((f64::from(*out) / f64::from(score - largest).exp() - 1.0).abs() < TOLERANCE, "{path}");
            }
        }
    }

    #[test]
    fn sweep_reads_every_element(count in 0_usize..600, salt: u32) {
        let elements = halves(count, salt);
        let folded = elements.iter().fold(0, |all, element| all ^ element);
        for path in Path::available() {
            prop_assert_eq!(path.sweep(&elements), u64::from(folded), "{}", path);
        }
    }
}

#[test]
fn silu_is_its_definition() {
    let inputs: Vec<f32> = (-400..=400_i16).map(|step| f32::from(step) / 8.0).collect();
    for path in Path::available() {
        let mut out = inputs.clone();
        path.silu(&mut out);
        for (out, input) in out.iter().zip(&inputs) {
            let exact = f64::from(*input) / (1.0 + (-f64::from(*input)).exp());
            assert!(
                (f64::from(*out) - exact).abs() <= 1e-6 * exact.abs().max(1e-6),
                "{path}: silu({input}) = {out}"
            );
        }
    }
}

#[test]
fn the_portable_path_is_always_there() {
    assert_eq!(Path::available().last().unwrap().name(), "portable");
}
