//! Reads of a buffer that holds nothing, for workloads whose memory is not this crate's: the bandwidth is that of
//! [`Decoder::read_sweep`](super::Decoder::read_sweep), by the same kernel and partition.

use std::array;
use std::hint::black_box;
use std::io;

use super::affinity::Affinity;
use super::clock::monotonic_ns;
use super::pool::Pool;
use super::region::{Layout, Region};
use crate::arithmetic::Path;

/// Passes that count; one before them is discarded.
const PASSES: usize = 3;

/// One pass over a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BufferPass {
    /// Bytes read.
    pub bytes: u64,
    /// Start, nanoseconds of `CLOCK_MONOTONIC`.
    pub start_ns: u64,
    /// Duration, nanoseconds; kept as read even when it is not positive.
    pub duration_ns: i64,
}

/// Reads a fresh buffer of `bytes` bytes (rounded down to whole pairs) with `threads` threads, each its contiguous
/// share, which it has written first. Three passes, after one that brings threads and memory into the state that the
/// others find. Passes over a buffer that fits into the last-level cache tell the cache's bandwidth.
///
/// # Errors
/// [`BufferError`]: nothing to read, no threads, no memory.
pub fn read_bandwidth(bytes: usize, threads: usize) -> Result<[BufferPass; PASSES], BufferError> {
    let elements = bytes / size_of::<u16>();
    if elements == 0 || threads == 0 {
        return Err(BufferError::Nothing { bytes, threads });
    }
    let mut pool = Pool::new(threads, &Affinity::None)
        .map_err(|source| BufferError::Threads { threads, source })?;
    let mut layout = Layout::default();
    let part = layout.reserve::<u16>(elements);
    let region =
        Region::new(layout.len()).map_err(|source| BufferError::Memory { bytes, source })?;
    let buffer = region.part::<u16>(part);
    pool.run(&|worker| {
        // SAFETY: shares are disjoint, and nobody reads before this job is over. Pages that nobody has written would all
        // be one page of zeros.
        unsafe { buffer.part(worker.share(elements)).write() }.fill(1);
    });
    let path = Path::best();
    let mut pass = || {
        pool.run(&|worker| {
            // SAFETY: nothing writes the buffer any more.
            black_box(path.sweep(unsafe { buffer.part(worker.share(elements)).read() }));
        });
    };
    pass();
    let mut marks = [monotonic_ns(); PASSES + 1];
    for mark in &mut marks[1..] {
        pass();
        *mark = monotonic_ns();
    }
    Ok(array::from_fn(|index| BufferPass {
        bytes: (elements * size_of::<u16>()) as u64,
        start_ns: marks[index],
        duration_ns: marks[index + 1].wrapping_sub(marks[index]).cast_signed(),
    }))
}

/// A buffer could not be read.
#[derive(Debug, thiserror::Error)]
pub enum BufferError {
    /// Nothing to read, or nobody to read it.
    #[error("{bytes} B cannot be read by {threads} threads; give at least 2 B and 1 thread")]
    Nothing {
        /// Bytes asked for.
        bytes: usize,
        /// Threads asked for.
        threads: usize,
    },
    /// Threads could not be started.
    #[error("{threads} threads could not be started; ask for fewer")]
    Threads {
        /// Threads asked for.
        threads: usize,
        /// The system's answer.
        source: io::Error,
    },
    /// Memory could not be had.
    #[error("a buffer of {bytes} B could not be had; ask for a smaller one")]
    Memory {
        /// Bytes asked for.
        bytes: usize,
        /// The system's answer.
        source: io::Error,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_follow_each_other_and_read_whole_pairs() {
        for threads in [1, 3] {
            let passes = read_bandwidth((1 << 20) + 1, threads).unwrap();
            assert!(passes.iter().all(|pass| pass.bytes == 1 << 20));
            assert!(passes.is_sorted_by(
                |a, b| a.start_ns.checked_add_signed(a.duration_ns) == Some(b.start_ns)
            ));
        }
    }

    #[test]
    fn nothing_to_read_and_nobody_to_read_it_are_refused() {
        for (bytes, threads) in [(0, 1), (1, 1), (1 << 20, 0)] {
            let refused = read_bandwidth(bytes, threads);
            assert!(
                matches!(refused, Err(BufferError::Nothing { .. })),
                "{bytes} {threads}"
            );
        }
    }

    #[test]
    fn a_buffer_larger_than_memory_is_refused() {
        assert!(matches!(
            read_bandwidth(1 << 60, 1),
            Err(BufferError::Memory { .. })
        ));
    }
}
