//! The KV cache: bf16, one stretch a layer, half and head.
//!
//! A head's positions lie together, so that attention reads one stream a head. Values are `[position][head_dim]`; keys
//! are `[position / 16][head_dim][16]`, which is how [`Path::score`](crate::Path) wants them. Positions are rounded up
//! to whole blocks of keys.

use std::io;
use std::ops::Range;

use super::pool::Pool;
use super::region::{Layout, Region};
use super::shared::Shared;
use crate::arithmetic::KEY_BLOCK;
use crate::normals::Normals;
use crate::shape::Shape;

/// Cached keys and values of every layer, for a fixed number of positions.
pub(super) struct Cache {
    pub(super) region: Region,
    all: Shared<u16>,
    /// Elements of one head of one half of one layer.
    head: usize,
    heads: usize,
    head_dim: usize,
}

impl Cache {
    /// Room for `capacity` positions, resident at once.
    pub(super) fn new(shape: &Shape, capacity: usize, pool: &mut Pool) -> io::Result<Self> {
        let head = capacity.next_multiple_of(KEY_BLOCK) * shape.head_dim;
        let mut layout = Layout::default();
        let part = layout.reserve::<u16>(2 * shape.layers * shape.kv_heads * head);
        let region = Region::new(layout.len())?;
        let all = region.part(part);
        let cache = Self {
            region,
            all,
            head,
            heads: shape.kv_heads,
            head_dim: shape.head_dim,
        };
        cache.each_head(pool, |_, head| head.fill(0));
        Ok(cache)
    }

    /// The keys of one layer.
    pub(super) fn keys(&self, layer: usize) -> Keys {
        Keys(self.half(2 * layer))
    }

    /// The values of one layer.
    pub(super) fn values(&self, layer: usize) -> Values {
        Values(self.half(2 * layer + 1))
    }

    fn half(&self, place: usize) -> Half {
        let len = self.heads * self.head;
        let elements = self.all.part(place * len..(place + 1) * len);
        Half {
            elements,
            head: self.head,
            head_dim: self.head_dim,
        }
    }

    /// Fills the first `positions` positions with standard normals; each head of each half of each layer is a stream.
    pub(super) fn fill(&self, positions: usize, seed: [u8; 32], pool: &mut Pool) {
        let normals = Normals::new(0.0, 1.0);
        let elements = positions.next_multiple_of(KEY_BLOCK) * self.head_dim;
        self.each_head(pool, |stream, head| {
            normals.write(seed, stream as u64, 0..elements, &mut head[..elements]);
        });
    }

    fn each_head(&self, pool: &mut Pool, job: impl Fn(usize, &mut [u16]) + Sync) {
        pool.run(&|worker| {
            for stream in worker.share(self.all.len() / self.head) {
                let head = self.all.part(stream * self.head..(stream + 1) * self.head);
                // SAFETY: each head belongs to one worker, and no step runs during this job.
                job(stream, unsafe { head.write() });
            }
        });
    }
}

/// One half of one layer, head by head.
#[derive(Clone, Copy)]
struct Half {
    elements: Shared<u16>,
    head: usize,
    head_dim: usize,
}

impl Half {
    fn of(self, head: usize, elements: Range<usize>) -> Shared<u16> {
        self.elements
            .part(head * self.head..(head + 1) * self.head)
            .part(elements)
    }
}

/// The cached keys of one layer.
#[derive(Clone, Copy)]
pub(super) struct Keys(Half);

impl Keys {
    /// Blocks of one head: `[block][head_dim][KEY_BLOCK]`.
    pub(super) fn blocks(self, head: usize, blocks: Range<usize>) -> Shared<u16> {
        let len = KEY_BLOCK * self.0.head_dim;
        self.0.of(head, blocks.start * len..blocks.end * len)
    }
}

/// The cached values of one layer.
#[derive(Clone, Copy)]
pub(super) struct Values(Half);

impl Values {
    /// Positions of one head: `[position][head_dim]`.
    pub(super) fn positions(self, head: usize, positions: Range<usize>) -> Shared<u16> {
        let len = self.0.head_dim;
        self.0.of(head, positions.start * len..positions.end * len)
    }
}
