//! `/proc/stat`: what the kernel has counted since the machine started.

use crate::environment::Machine;

/// Counts over all processors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct KernelCounts {
    /// Time in programs, in the kernel and in interrupts, ticks. Time of guests is time of the programs that run them.
    pub(super) busy: u64,
    /// Time that a hypervisor kept from the processors, ticks.
    pub(super) steal: u64,
    /// Processors that are online; at least one.
    pub(super) processors: u32,
    /// Switches from one task to another.
    pub(super) context_switches: Option<u64>,
}

impl KernelCounts {
    /// Reads the file. A kernel whose counts are all zero does not count.
    pub(super) fn read(machine: &Machine) -> Option<Self> {
        let text = machine.text("proc/stat")?;
        let value = |name: &str| {
            let mut lines = text.lines();
            lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(' '))
        };
        let ticks: Option<Vec<u64>> = value("cpu")?
            .split_whitespace()
            .map(|word| word.parse().ok())
            .collect();
        let &[
            user,
            nice,
            system,
            idle,
            _,
            interrupt,
            soft_interrupt,
            steal,
            ..,
        ] = &*ticks?
        else {
            return None;
        };
        let busy = [nice, system, interrupt, soft_interrupt]
            .into_iter()
            .try_fold(user, u64::checked_add)?;
        let processors = text
            .lines()
            .filter_map(|line| line.strip_prefix("cpu"))
            .filter(|rest| rest.starts_with(|first: char| first.is_ascii_digit()))
            .count() as u32;
        let counts = Self {
            busy,
            steal,
            processors,
            context_switches: value("ctxt")
                .and_then(|count| count.trim().parse().ok())
                .filter(|&count| count > 0),
        };
        (processors > 0 && (busy > 0 || idle > 0)).then_some(counts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::environment::fake::machine;

    fn read(text: &str) -> Option<KernelCounts> {
        KernelCounts::read(&machine(&[("proc/stat", text)]))
    }

    #[test]
    fn busy_time_is_all_that_is_neither_idle_nor_stolen_nor_a_guests() {
        let text = "cpu  1 20 300 7 9 4000 50000 88 3 3\ncpu0 1 1 1 1 1 1 1 1 1 1\ncpu7 0 0 0 0 0 0 0 0 0 0\nctxt 12\n";
        let expected = KernelCounts {
            busy: 54_321,
            steal: 88,
            processors: 2,
            context_switches: Some(12),
        };
        assert_eq!(read(text), Some(expected));
    }

    #[test]
    fn a_kernel_that_counts_nothing_gives_nothing() {
        assert_eq!(
            read("cpu  0 0 0 0 0 0 0 0 0 0\ncpu0 0 0 0 0 0 0 0 0 0 0\nctxt 0\n"),
            None
        );
    }

    #[test]
    fn text_that_is_not_understood_gives_nothing() {
        let huge = format!("cpu {0} {0} 1 1 1 1 1 1\ncpu0 1\n", u64::MAX);
        for text in [
            "",
            "cpu\n",
            "cpu 1 2 3\ncpu0 1\n",
            "cpu 1 2 x 4 5 6 7 8\ncpu0 1\n",
            "cpu 1 2 3 4 5 6 7 8\n",
            &huge,
        ] {
            assert_eq!(read(text), None, "{text:?}");
        }
    }
}
