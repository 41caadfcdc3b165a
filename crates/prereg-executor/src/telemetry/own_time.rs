//! CPU time of the session itself.

use crate::environment::Machine;

/// CPU time that a session has used: that of its process with all threads, and that of the children it has waited for
/// with theirs. Counted in ticks of 10 ms, each of its four parts rounded down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CpuTime {
    ticks: u64,
}

/// CPU time that this process and the children it has waited for have used so far; absent where the kernel does not say.
#[must_use]
pub fn own_cpu_time() -> Option<CpuTime> {
    CpuTime::read(&Machine::here())
}

impl CpuTime {
    /// Reads `proc/self/stat`, fields 14 to 17.
    pub(super) fn read(machine: &Machine) -> Option<Self> {
        let text = machine.text("proc/self/stat")?;
        // The second field is the program's name in parentheses, which may hold spaces and parentheses itself.
        let (_, fields) = text.rsplit_once(')')?;
        let parts: Vec<u64> = fields
            .split_whitespace()
            .skip(11)
            .take(4)
            .map(|word| word.parse().ok())
            .collect::<Option<_>>()?;
        (parts.len() == 4).then_some(())?;
        let ticks = parts.into_iter().try_fold(0, u64::checked_add)?;
        Some(Self { ticks })
    }

    /// Ticks used since `earlier`.
    pub(super) fn since(self, earlier: Self) -> Option<u64> {
        self.ticks.checked_sub(earlier.ticks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::environment::fake::machine;

    fn ticks(text: &str) -> Option<u64> {
        CpuTime::read(&machine(&[("proc/self/stat", text)])).map(|time| time.ticks)
    }

    #[test]
    fn the_four_times_are_found_behind_any_program_name() {
        for name in ["prereg", "a b", "a) 9 9 (b"] {
            let text = format!("42 ({name}) R 1 1 1 0 -1 0 9 9 9 9 1000 200 30 4 20 0 1 0 77\n");
            assert_eq!(ticks(&text), Some(1234), "{name}");
        }
    }

    #[test]
    fn text_that_is_not_understood_gives_nothing() {
        for text in [
            "",
            "42 (a) R 1 1",
            "42 (a) R 1 1 1 0 -1 0 9 9 9 9 1000 200 x 4",
            "42 a R 1",
        ] {
            assert_eq!(ticks(text), None, "{text:?}");
        }
    }

    #[test]
    fn time_that_this_process_spends_is_counted() {
        let before = own_cpu_time().unwrap();
        // Far more ticks than can be rounded away, however slow the machine: it ends when they are there.
        while own_cpu_time().unwrap().since(before).unwrap() < 3 {
            std::hint::black_box((0..100_000_u64).fold(0, |sum, term| sum ^ term));
        }
    }
}
