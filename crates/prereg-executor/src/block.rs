//! Blocks of sessions, spread over time so that a claim covers more than one sitting.

use std::thread;
use std::time::Duration;

use prereg_declaration::Protocol;
use prereg_ledger::Run;
use prereg_ledger::clock::{rfc3339_ns, wall_ns};

use crate::interrupt::Interrupt;
use crate::progress::Progress;

/// How often a wait looks for a request to stop.
const LOOK: Duration = Duration::from_millis(200);

/// The blocks of a run and the end of the latest session.
pub(crate) struct Blocks {
    count: u32,
    sessions_per_block: u32,
    min_gap: Duration,
    /// When the session before ended, on the wall clock: the clock of the ledger, which is what shows the gap.
    ended_ns: Option<i64>,
}

impl Blocks {
    pub(crate) fn new(protocol: &Protocol, run: &Run) -> Self {
        let last = run.ended.values().last();
        Self {
            count: protocol.blocks,
            sessions_per_block: (protocol.sessions / protocol.blocks.max(1)).max(1),
            min_gap: protocol.min_gap,
            ended_ns: last.and_then(|time| rfc3339_ns(time)),
        }
    }

    /// The session before the next one has ended now.
    pub(crate) fn ended(&mut self) {
        self.ended_ns = Some(wall_ns());
    }

    /// Waits until `session` may begin; false where a request to stop came first.
    pub(crate) fn wait(
        &self,
        session: u32,
        interrupt: &Interrupt,
        progress: &mut dyn Progress,
    ) -> bool {
        let left = self.left(session, wall_ns());
        if left.is_zero() {
            return true;
        }
        progress.waiting(session / self.sessions_per_block, self.count, left);
        while !interrupt.is_raised() {
            let left = self.left(session, wall_ns());
            if left.is_zero() {
                return true;
            }
            thread::sleep(left.min(LOOK));
        }
        false
    }

    /// Time until `session` may begin: none inside a block, what is left of the gap at the start of one.
    fn left(&self, session: u32, now_ns: i64) -> Duration {
        let starts_block = session > 0 && session.is_multiple_of(self.sessions_per_block);
        match self.ended_ns {
            Some(ended_ns) if starts_block && self.count > 1 => {
                let passed = u64::try_from(now_ns.saturating_sub(ended_ns)).unwrap_or(0);
                self.min_gap.saturating_sub(Duration::from_nanos(passed))
            }
            _ => Duration::ZERO,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND_NS: i64 = 1_000_000_000;

    fn blocks() -> Blocks {
        Blocks {
            count: 3,
            sessions_per_block: 2,
            min_gap: Duration::from_mins(1),
            ended_ns: Some(100 * SECOND_NS),
        }
    }

    #[test]
    fn only_the_first_session_of_a_later_block_waits() {
        let now_ns = 110 * SECOND_NS;
        let left: Vec<u64> = (0..6)
            .map(|session| blocks().left(session, now_ns).as_secs())
            .collect();
        assert_eq!(left, [0, 0, 50, 0, 50, 0]);
    }

    #[test]
    fn nothing_is_left_once_the_gap_has_passed() {
        assert_eq!(blocks().left(2, 160 * SECOND_NS), Duration::ZERO);
        assert_eq!(blocks().left(2, 500 * SECOND_NS), Duration::ZERO);
    }

    #[test]
    fn a_clock_that_went_back_waits_the_whole_gap() {
        assert_eq!(blocks().left(2, 0), Duration::from_mins(1));
    }
}
