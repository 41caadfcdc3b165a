//! Everything a step computes with: activations, partial results, each worker's own room, rotary angles and the rows
//! that logits go to.

use std::io;

use super::pool::Pool;
use super::region::{Layout, Part, Region};
use super::shared::Shared;
use crate::arithmetic::KEY_BLOCK;
use crate::plan::{Buffer, SPLITS};
use crate::shape::{Rope, Shape};

/// Blocks of cached keys that attention takes at a time: their keys and values stay in the nearest cache while the query
/// heads of a group use them.
pub(super) const BLOCKS: usize = 4;

/// The activations of one step, allocated once.
pub(super) struct Activations {
    pub(super) region: Region,
    pub(super) residual: Shared<f32>,
    pub(super) normed: Shared<f32>,
    pub(super) query: Shared<f32>,
    pub(super) key: Shared<f32>,
    pub(super) value: Shared<f32>,
    pub(super) attended: Shared<f32>,
    pub(super) projected: Shared<f32>,
    pub(super) gate: Shared<f32>,
    pub(super) up: Shared<f32>,
    /// `[head][position]`, with positions in whole blocks of keys.
    pub(super) scores: Shared<f32>,
    /// Weighted values of each split, `[kv_head][split][head of the group][head_dim]`.
    pub(super) partial_values: Shared<f32>,
    /// Maximum score and sum of each split, `[kv_head][split][head of the group][2]`.
    pub(super) partial_sums: Shared<f32>,
    /// Largest logit of each worker's share.
    pub(super) best_logits: Shared<f32>,
    /// Token of each worker's largest logit.
    pub(super) best_tokens: Shared<u32>,
    /// cos and sin of each rotated pair's angle, `[position][head_dim / 2][2]`.
    pub(super) angles: Shared<f32>,
    /// `[row][vocab]`.
    pub(super) logits: Shared<f32>,
    /// The token that each row's logits chose.
    pub(super) tokens: Shared<u32>,
    scratch: Vec<Scratch>,
}

/// One worker's own room.
#[derive(Clone, Copy)]
pub(super) struct Scratch {
    /// A vector as wide as the widest input that a kernel prepares for itself.
    pub(super) vector: Shared<f32>,
    /// The scores of a group of query heads against [`BLOCKS`] blocks of keys.
    pub(super) scores: Shared<f32>,
}

impl Activations {
    /// Room for `capacity` positions and `rows` rows of logits, resident at once; enough for either kind of plan.
    pub(super) fn new(
        shape: &Shape,
        capacity: usize,
        rows: usize,
        pool: &mut Pool,
    ) -> io::Result<Self> {
        let mut layout = Layout::default();
        let mut floats = |elements: usize| layout.reserve::<f32>(elements);
        let (query, kv) = (shape.query_width(), shape.kv_width());
        let sizes = [
            shape.hidden,
            shape.hidden,
            query,
            kv,
            kv,
            query,
            shape.hidden,
        ]
        .map(&mut floats);
        let [
            residual,
            normed,
            query_part,
            key,
            value,
            attended,
            projected,
        ] = sizes;
        let [gate, up] = [shape.intermediate; 2].map(&mut floats);
        let scores = floats(shape.heads * capacity.next_multiple_of(KEY_BLOCK));
        let [partial_values, partial_sums] =
            [query * SPLITS, shape.heads * SPLITS * 2].map(&mut floats);
        let best_logits = floats(pool.count());
        let angles = floats(capacity * shape.head_dim);
        let logits = floats(rows * shape.vocab);
        let scratch: Vec<[Part; 2]> = (0..pool.count())
            .map(|_| [shape.hidden.max(query), shape.group() * BLOCKS * KEY_BLOCK].map(&mut floats))
            .collect();
        let best_tokens = layout.reserve::<u32>(pool.count());
        let tokens = layout.reserve::<u32>(rows);
        let region = Region::new(layout.len())?;
        let part = |part| region.part::<f32>(part);
        let activations = Self {
            residual: part(residual),
            normed: part(normed),
            query: part(query_part),
            key: part(key),
            value: part(value),
            attended: part(attended),
            projected: part(projected),
            gate: part(gate),
            up: part(up),
            scores: part(scores),
            partial_values: part(partial_values),
            partial_sums: part(partial_sums),
            best_logits: part(best_logits),
            best_tokens: region.part(best_tokens),
            angles: part(angles),
            logits: part(logits),
            tokens: region.part(tokens),
            scratch: scratch
                .into_iter()
                .map(|[a, b]| Scratch {
                    vector: part(a),
                    scores: part(b),
                })
                .collect(),
            region,
        };
        // SAFETY: no other thread knows of this memory yet.
        fill_angles(&shape.rope, shape.head_dim, unsafe {
            activations.angles.write()
        });
        pool.run(&|worker| {
            // SAFETY: shares are disjoint. Zeros are written so that no step is the first to touch a page.
            unsafe {
                activations
                    .logits
                    .part(worker.share(activations.logits.len()))
                    .write()
            }
            .fill(0.0);
        });
        Ok(activations)
    }

    /// A plan's buffer; the logits buffer is the row `row`.
    pub(super) fn buffer(&self, buffer: Buffer) -> Shared<f32> {
        match buffer {
            Buffer::Residual => self.residual,
            Buffer::Normed => self.normed,
            Buffer::Query => self.query,
            Buffer::Key => self.key,
            Buffer::Value => self.value,
            Buffer::Attended => self.attended,
            Buffer::Projected => self.projected,
            Buffer::Gate => self.gate,
            Buffer::Up => self.up,
            Buffer::Logits => self.logits,
        }
    }

    /// The own room of worker `index`.
    pub(super) fn scratch(&self, index: usize) -> Scratch {
        self.scratch[index]
    }
}

/// Writes cos and sin of position × frequency for every position and rotated pair.
fn fill_angles(rope: &Rope, head_dim: usize, angles: &mut [f32]) {
    let frequencies: Vec<f64> = rope.frequencies(head_dim).collect();
    for (position, row) in angles.chunks_exact_mut(head_dim).enumerate() {
        for (pair, frequency) in row.as_chunks_mut::<2>().0.iter_mut().zip(&frequencies) {
            let (sin, cos) = (position as f64 * frequency).sin_cos();
            *pair = [cos as f32, sin as f32];
        }
    }
}
