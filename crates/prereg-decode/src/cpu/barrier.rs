//! Waiting for other workers: the one wait policy, and a barrier that uses it.

use std::hint::spin_loop;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::yield_now;

/// Polls before a waiting worker starts to offer its CPU to others; tens of microseconds, far above the time that a
/// hand-over takes when every worker has a CPU.
const SPINS: usize = 1000;

/// A value on a cache line (and its prefetched neighbour) of its own.
#[derive(Default)]
#[repr(align(128))]
pub(super) struct Padded<T>(pub(super) T);

/// Polls until `ready`: spins first, then yields; gives up after `yields` of those and says whether it was ready.
pub(super) fn wait_until(yields: usize, ready: impl Fn() -> bool) -> bool {
    for _ in 0..SPINS {
        if ready() {
            return true;
        }
        spin_loop();
    }
    for _ in 0..yields {
        if ready() {
            return true;
        }
        yield_now();
    }
    ready()
}

/// Lets nobody pass until everybody has arrived; reusable at once.
pub(super) struct Barrier {
    count: usize,
    arrived: Padded<AtomicUsize>,
    generation: Padded<AtomicUsize>,
}

impl Barrier {
    pub(super) fn new(count: usize) -> Self {
        Self {
            count,
            arrived: Padded::default(),
            generation: Padded::default(),
        }
    }

    /// Everything that any worker wrote before it arrived is visible to all when they pass.
    pub(super) fn wait(&self) {
        if self.count == 1 {
            return;
        }
        let generation = self.generation.0.load(Ordering::Acquire);
        if self.arrived.0.fetch_add(1, Ordering::AcqRel) + 1 == self.count {
            self.arrived.0.store(0, Ordering::Relaxed);
            self.generation
                .0
                .store(generation.wrapping_add(1), Ordering::Release);
        } else {
            wait_until(usize::MAX, || {
                self.generation.0.load(Ordering::Acquire) != generation
            });
        }
    }
}
