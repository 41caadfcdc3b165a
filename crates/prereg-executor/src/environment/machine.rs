//! Readings from the kernel's own files.

use std::fs;
use std::path::{Path, PathBuf};

use prereg_runs::{Cache, Limits};

use super::{caches, limits, list};

/// The machine as its kernel's files describe it.
#[derive(Clone, Debug)]
pub struct Machine {
    root: PathBuf,
}

impl Machine {
    /// The machine that this process runs on.
    #[must_use]
    pub fn here() -> Self {
        Self::at(Path::new("/"))
    }

    /// A machine described by files under `root` (`root/proc/cpuinfo`, `root/sys/…`).
    #[must_use]
    pub fn at(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
        }
    }

    /// Text of a file, its path given without the leading `/`.
    pub(crate) fn text(&self, path: impl AsRef<Path>) -> Option<String> {
        fs::read_to_string(self.root.join(path)).ok()
    }

    /// Names in a folder, sorted.
    pub(crate) fn names(&self, path: &str) -> Vec<String> {
        let entries = fs::read_dir(self.root.join(path))
            .into_iter()
            .flatten()
            .flatten();
        let mut names: Vec<String> = entries
            .filter_map(|entry| entry.file_name().into_string().ok())
            .collect();
        names.sort();
        names
    }

    /// Model name of the first processor. ARM kernels give numbers instead of a name; they are given as such.
    #[must_use]
    pub fn cpu_model(&self) -> Option<String> {
        let text = self.text("proc/cpuinfo")?;
        field(&text, "model name").map(str::to_owned).or_else(|| {
            let (implementer, part) = (field(&text, "CPU implementer")?, field(&text, "CPU part")?);
            Some(format!("implementer {implementer} part {part}"))
        })
    }

    /// Logical processors that are online, ascending.
    #[must_use]
    pub fn processors(&self) -> Vec<u32> {
        self.text("sys/devices/system/cpu/online")
            .and_then(|text| list::parse(&text))
            .unwrap_or_default()
    }

    /// Processors that this process may run on, ascending.
    #[must_use]
    pub fn affinity(&self) -> Vec<u32> {
        let status = self.text("proc/self/status");
        status
            .and_then(|text| list::parse(field(&text, "Cpus_allowed_list")?))
            .unwrap_or_default()
    }

    /// Caches of the first processor, innermost first.
    pub(crate) fn caches(&self) -> Vec<Cache> {
        caches::read(self)
    }

    /// Limits of the control groups that this process is in.
    pub(crate) fn limits(&self) -> Limits {
        limits::read(self)
    }

    /// Name and release of the kernel.
    pub(crate) fn kernel(&self) -> Option<String> {
        let name = self.text("proc/sys/kernel/ostype")?;
        let release = self.text("proc/sys/kernel/osrelease")?;
        Some(format!("{} {}", name.trim(), release.trim()))
    }

    /// Main memory, bytes.
    pub(crate) fn memory_bytes(&self) -> Option<u64> {
        kibibytes(&self.text("proc/meminfo")?, "MemTotal")
    }

    /// Memory that can be had without swapping, bytes.
    #[must_use]
    pub fn memory_available_bytes(&self) -> Option<u64> {
        kibibytes(&self.text("proc/meminfo")?, "MemAvailable")
    }

    /// Anonymous huge pages of this process, bytes.
    pub(crate) fn anon_huge_pages_bytes(&self) -> Option<u64> {
        kibibytes(&self.text("proc/self/smaps_rollup")?, "AnonHugePages")
    }

    /// Largest resident size of this process so far, bytes.
    pub(crate) fn peak_resident_bytes(&self) -> Option<u64> {
        kibibytes(&self.text("proc/self/status")?, "VmHWM")
    }

    /// System setting of transparent huge pages: the word in brackets.
    pub(crate) fn transparent_huge_pages(&self) -> Option<String> {
        let text = self.text("sys/kernel/mm/transparent_hugepage/enabled")?;
        let (_, rest) = text.split_once('[')?;
        Some(rest.split_once(']')?.0.to_owned())
    }

    /// Runnable processes averaged over 1, 5 and 15 minutes.
    pub(crate) fn load(&self) -> Option<[f64; 3]> {
        let text = self.text("proc/loadavg")?;
        let mut words = text
            .split_whitespace()
            .map(|word| word.parse::<f64>().ok().filter(|load| load.is_finite()));
        Some([words.next()??, words.next()??, words.next()??])
    }

    /// Time stolen by the hypervisor since the machine started, milliseconds over all processors.
    pub(crate) fn steal_ms(&self) -> Option<u64> {
        let text = self.text("proc/stat")?;
        let ticks: u64 = text
            .lines()
            .find(|line| line.starts_with("cpu "))?
            .split_whitespace()
            .nth(8)?
            .parse()
            .ok()?;
        // The kernel counts in USER_HZ, which is 100 on every architecture that decode runs on.
        Some(ticks * 10)
    }

    /// Frequency governors of the processors, distinct and sorted; empty where there are none.
    pub(crate) fn governors(&self) -> Vec<String> {
        let mut governors: Vec<String> = self
            .processors()
            .iter()
            .filter_map(|cpu| {
                self.text(format!(
                    "sys/devices/system/cpu/cpu{cpu}/cpufreq/scaling_governor"
                ))
            })
            .map(|text| text.trim().to_owned())
            .collect();
        governors.sort();
        governors.dedup();
        governors
    }
}

/// Value of the first `name: value` line.
fn field<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let mut pairs = text.lines().filter_map(|line| line.split_once(':'));
    pairs
        .find(|(key, _)| key.trim() == name)
        .map(|(_, value)| value.trim())
}

/// Value of a `name: number kB` line, in bytes.
fn kibibytes(text: &str, name: &str) -> Option<u64> {
    let number: u64 = field(text, name)?.strip_suffix("kB")?.trim().parse().ok()?;
    number.checked_mul(1024)
}

#[cfg(test)]
pub(crate) mod fake {
    //! A machine made of prepared files.

    use std::ops::Deref;

    use tempfile::TempDir;

    use super::*;

    pub(crate) struct Fake {
        machine: Machine,
        _folder: TempDir,
    }

    impl Deref for Fake {
        type Target = Machine;

        fn deref(&self) -> &Machine {
            &self.machine
        }
    }

    #[expect(clippy::disallowed_methods, reason = "prepared files of a test")]
    pub(crate) fn machine(files: &[(&str, &str)]) -> Fake {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        Fake {
            machine: Machine::at(folder.path()),
            _folder: folder,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::fake::machine;
    use super::*;

    #[test]
    fn the_model_name_is_the_first_processors() {
        let text = "processor\t: 0\nmodel name\t: Some CPU @ 2 GHz\n\nprocessor\t: 1\nmodel name\t: Other\n";
        assert_eq!(
            machine(&[("proc/cpuinfo", text)]).cpu_model().as_deref(),
            Some("Some CPU @ 2 GHz")
        );
    }

    #[test]
    fn an_arm_processor_is_named_by_its_numbers() {
        let text = "processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd4f\n";
        assert_eq!(
            machine(&[("proc/cpuinfo", text)]).cpu_model().as_deref(),
            Some("implementer 0x41 part 0xd4f")
        );
    }

    #[test]
    fn a_machine_without_files_has_no_readings() {
        let bare = machine(&[]);
        assert_eq!(bare.cpu_model(), None);
        assert_eq!(bare.processors(), Vec::<u32>::new());
        assert_eq!(bare.load(), None);
        assert_eq!(bare.steal_ms(), None);
        assert_eq!(bare.memory_available_bytes(), None);
        assert_eq!(bare.governors(), Vec::<String>::new());
        assert_eq!(bare.limits(), Limits::default());
    }

    #[test]
    fn the_setting_of_huge_pages_is_the_word_in_brackets() {
        let set = machine(&[(
            "sys/kernel/mm/transparent_hugepage/enabled",
            "always [madvise] never\n",
        )]);
        assert_eq!(set.transparent_huge_pages().as_deref(), Some("madvise"));
    }

    #[test]
    fn memory_is_given_in_bytes() {
        let text = "MemTotal:       1000 kB\nMemFree: 1 kB\nMemAvailable:    500 kB\n";
        let some = machine(&[("proc/meminfo", text)]);
        assert_eq!(
            (some.memory_bytes(), some.memory_available_bytes()),
            (Some(1_024_000), Some(512_000))
        );
    }

    #[test]
    fn steal_is_the_eighth_count_of_all_processors() {
        let text = "cpu  1 2 3 4 5 6 7 88 9 10\ncpu0 0 0 0 0 0 0 0 1 0 0\n";
        assert_eq!(machine(&[("proc/stat", text)]).steal_ms(), Some(880));
    }

    #[test]
    fn governors_of_online_processors_are_given_once_each() {
        let some = machine(&[
            ("sys/devices/system/cpu/online", "0-2\n"),
            (
                "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
                "powersave\n",
            ),
            (
                "sys/devices/system/cpu/cpu1/cpufreq/scaling_governor",
                "performance\n",
            ),
            (
                "sys/devices/system/cpu/cpu2/cpufreq/scaling_governor",
                "powersave\n",
            ),
        ]);
        assert_eq!(some.governors(), ["performance", "powersave"]);
    }

    #[test]
    fn affinity_is_the_processes_own() {
        let some = machine(&[(
            "proc/self/status",
            "Name:\tx\nCpus_allowed:\t5\nCpus_allowed_list:\t0,2\n",
        )]);
        assert_eq!(some.affinity(), [0, 2]);
    }
}
