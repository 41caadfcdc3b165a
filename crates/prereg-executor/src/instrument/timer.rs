//! The clock that steps are timed with.

use crate::environment::monotonic_ns;

/// What the monotonic clock resolves and costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timer {
    /// Smallest positive difference of consecutive reads, ns: no shorter time can be told from zero.
    pub resolution_ns: u64,
    /// Mean cost of a read, ns.
    pub overhead_ns: f64,
}

/// Reads in a row. A few milliseconds where a read is no system call.
const READS: u32 = 100_000;

/// Reads the clock in a row, until it has been read often and has moved.
#[must_use]
pub fn timer() -> Timer {
    timed(monotonic_ns, READS)
}

fn timed(mut clock: impl FnMut() -> u64, reads: u32) -> Timer {
    let first = clock();
    let (mut last, mut taken, mut smallest) = (first, 0_u32, None);
    loop {
        let now = clock();
        let step = now.checked_sub(last).filter(|&step| step > 0);
        smallest = smallest.into_iter().chain(step).min();
        (last, taken) = (now, taken.saturating_add(1));
        if let Some(resolution_ns) = smallest.filter(|_| taken >= reads) {
            return Timer {
                resolution_ns,
                overhead_ns: last.saturating_sub(first) as f64 / f64::from(taken),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A clock of which a read costs `cost` ns and that moves in steps of `step` ns.
    fn clock(cost: u64, step: u64) -> impl FnMut() -> u64 {
        let mut now = 0;
        move || {
            now += cost;
            now / step * step
        }
    }

    #[test]
    fn a_coarse_clock_resolves_its_steps_and_costs_what_a_read_costs() {
        let timer = timed(clock(30, 1000), 10_000);
        assert_eq!(
            timer,
            Timer {
                resolution_ns: 1000,
                overhead_ns: 30.0
            }
        );
    }

    #[test]
    fn a_fine_clock_resolves_no_less_than_a_read() {
        assert_eq!(timed(clock(25, 1), 100).resolution_ns, 25);
    }

    #[test]
    fn a_clock_that_has_not_moved_yet_is_read_on() {
        let timer = timed(clock(1, 400_000), 100);
        assert_eq!(timer.resolution_ns, 400_000);
    }

    #[test]
    fn the_clock_of_this_host_moves() {
        let timer = timer();
        assert!(
            timer.resolution_ns > 0 && timer.overhead_ns > 0.0,
            "{timer:?}"
        );
    }
}
