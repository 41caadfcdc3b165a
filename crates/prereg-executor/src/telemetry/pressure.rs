//! `/proc/pressure/cpu`: how long tasks waited for a processor.

use std::time::Duration;

use crate::environment::Machine;

/// Time since the machine started in which at least one task waited for a processor. A kernel that does not account for
/// pressure gives none.
pub(super) fn waited(machine: &Machine) -> Option<Duration> {
    let text = machine.text("proc/pressure/cpu")?;
    let some = text.lines().find_map(|line| line.strip_prefix("some "))?;
    let total = some
        .split_whitespace()
        .find_map(|word| word.strip_prefix("total="))?;
    total.parse().ok().map(Duration::from_micros)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::environment::fake::machine;

    fn read(text: &str) -> Option<Duration> {
        waited(&machine(&[("proc/pressure/cpu", text)]))
    }

    #[test]
    fn the_time_is_that_in_which_some_task_waited() {
        let text = "some avg10=0.33 avg60=1.57 avg300=0.85 total=2500000\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=7\n";
        assert_eq!(read(text), Some(Duration::from_millis(2500)));
    }

    #[test]
    fn text_that_is_not_understood_gives_nothing() {
        for text in [
            "",
            "full total=7\n",
            "some avg10=0.33\n",
            "some total=-1\n",
            "some total=1.5\n",
        ] {
            assert_eq!(read(text), None, "{text:?}");
        }
    }
}
