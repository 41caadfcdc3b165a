//! Clock frequency of the processors.

use crate::environment::Machine;

/// Mean frequency over the processors that are online, Hz. A mean over some of them would follow whichever answered, so
/// one that does not answer makes the reading absent.
pub(crate) fn mean_hz(machine: &Machine) -> Option<f64> {
    let processors = machine.processors();
    let total = processors
        .iter()
        .map(|&processor| hz(machine, processor))
        .sum::<Option<f64>>()?;
    (!processors.is_empty()).then(|| total / processors.len() as f64)
}

/// The average over the last milliseconds where the kernel has it, which it does not for an idle processor; else what
/// the kernel believes to be set. Files in kHz.
fn hz(machine: &Machine, processor: u32) -> Option<f64> {
    ["cpuinfo_avg_freq", "scaling_cur_freq"]
        .into_iter()
        .find_map(|name| {
            let path = format!("sys/devices/system/cpu/cpu{processor}/cpufreq/{name}");
            let khz: u32 = machine.text(path)?.trim().parse().ok()?;
            (khz > 0).then(|| f64::from(khz) * 1e3)
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::environment::fake::machine;

    /// Processors 0 to 2, of which `online` are; `files` are relative to the folder of all processors.
    fn read(online: &str, files: &[(&str, &str)]) -> Option<f64> {
        let folder = "sys/devices/system/cpu";
        let paths: Vec<String> = files
            .iter()
            .map(|(path, _)| format!("{folder}/{path}"))
            .collect();
        let texts = files.iter().map(|(_, text)| *text);
        let mut files: Vec<(&str, &str)> = paths.iter().map(String::as_str).zip(texts).collect();
        files.push(("sys/devices/system/cpu/online", online));
        mean_hz(&machine(&files))
    }

    const BIG: (&str, &str) = ("cpu0/cpufreq/scaling_cur_freq", "3000000\n");
    const LITTLE: (&str, &str) = ("cpu1/cpufreq/scaling_cur_freq", "1000000\n");
    const OFFLINE: (&str, &str) = ("cpu2/cpufreq/scaling_cur_freq", "600000\n");

    #[test]
    fn unequal_processors_count_alike_and_offline_ones_not_at_all() {
        assert_eq!(read("0-1\n", &[BIG, LITTLE, OFFLINE]), Some(2e9));
    }

    #[test]
    fn a_measured_average_goes_before_what_is_set() {
        let measured = ("cpu0/cpufreq/cpuinfo_avg_freq", "2500000\n");
        assert_eq!(read("0-1\n", &[BIG, measured, LITTLE]), Some(1.75e9));
    }

    #[test]
    fn a_processor_that_does_not_answer_makes_the_mean_absent() {
        for text in ["", "0\n", "<unknown>\n", "-1\n"] {
            let silent = ("cpu1/cpufreq/scaling_cur_freq", text);
            assert_eq!(read("0-1\n", &[BIG, silent]), None, "{text:?}");
        }
        assert_eq!(read("0-1\n", &[BIG]), None);
    }

    #[test]
    fn no_processors_have_no_mean() {
        assert_eq!(read("garbage\n", &[BIG]), None);
    }
}
