//! The monotonic clock.

use rustix::time::{ClockId, clock_gettime};

/// Nanoseconds of `CLOCK_MONOTONIC`, which starts at an arbitrary point and never steps back.
pub(super) fn monotonic_ns() -> u64 {
    let now = clock_gettime(ClockId::Monotonic);
    now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64
}
