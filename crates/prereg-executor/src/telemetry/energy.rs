//! Energy that the processor packages have used, from the counters that the kernel gives through `powercap` (RAPL).
//!
//! A counter goes up to a limit of its own and starts again at 0. One that went round once is told apart from one that
//! was reset, or that went round more often, by [`MOST_WATTS`].

use std::collections::BTreeMap;

use crate::environment::Machine;

/// More than any package draws on average over a slot.
const MOST_WATTS: f64 = 1000.0;

/// Counters of all packages at an instant; at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Energy(BTreeMap<String, Package>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Package {
    microjoules: u64,
    /// Where the counter starts again.
    range: u64,
}

impl Energy {
    /// Reads the zones `intel-rapl:N` that are called `package…`, which AMD's processors have too; the platform's zone
    /// and those inside a package would count energy twice. Only root may read the counters on most hosts; a package
    /// that cannot be read makes the whole absent.
    pub(crate) fn read(machine: &Machine) -> Option<Self> {
        let folder = "sys/class/powercap";
        let mut packages = BTreeMap::new();
        for zone in machine.names(folder) {
            let number = zone.strip_prefix("intel-rapl:").unwrap_or_default();
            if number.parse::<u32>().is_err() {
                continue;
            }
            let text = |file: &str| machine.text(format!("{folder}/{zone}/{file}"));
            if !text("name")?.starts_with("package") {
                continue;
            }
            let count = |file: &str| text(file)?.trim().parse().ok();
            let package = Package {
                microjoules: count("energy_uj")?,
                range: count("max_energy_range_uj")?,
            };
            packages.insert(zone, package);
        }
        (!packages.is_empty()).then_some(Self(packages))
    }

    /// Sum of the counters, µJ: a value that changes when any of them does.
    pub(crate) fn counted(&self) -> f64 {
        let counters = self.0.values();
        counters.map(|package| package.microjoules as f64).sum()
    }

    /// Energy used from here to `later`, `seconds` after it, J. Absent where the packages are not the same, where a
    /// counter was reset, or where one may have gone round more than once in that time.
    pub(super) fn joules_until(&self, later: &Self, seconds: f64) -> Option<f64> {
        if self.0.len() != later.0.len() {
            return None;
        }
        let each = self.0.iter().map(|(name, before)| {
            let after = later
                .0
                .get(name)
                .filter(|after| after.range == before.range)?;
            before.microjoules_until(after, MOST_WATTS * 1e6 * seconds)
        });
        Some(each.sum::<Option<f64>>()? * 1e-6)
    }
}

impl Package {
    /// Microjoules until `after`, given that they cannot be more than `most`.
    fn microjoules_until(self, after: &Self, most: f64) -> Option<f64> {
        let used = if self.microjoules <= after.microjoules {
            after.microjoules - self.microjoules
        } else {
            self.range
                .checked_sub(self.microjoules)?
                .checked_add(after.microjoules)?
        };
        (used as f64 <= most && most <= self.range as f64).then_some(used as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::environment::fake::machine;

    const RANGE: u64 = 262_143_328_850;

    fn one(microjoules: u64) -> Energy {
        let range = RANGE;
        Energy([("intel-rapl:0".to_owned(), Package { microjoules, range })].into())
    }

    fn used(before: u64, after: u64, seconds: f64) -> Option<f64> {
        one(before).joules_until(&one(after), seconds)
    }

    #[test]
    fn energy_is_the_difference_of_the_counters() {
        assert_eq!(used(1_000_000, 251_000_000, 2.0), Some(250.0));
    }

    #[test]
    fn a_counter_that_went_round_is_carried_on() {
        assert_eq!(used(RANGE - 40_000_000, 60_000_000, 1.0), Some(100.0));
    }

    #[test]
    fn a_counter_that_was_reset_gives_nothing() {
        assert_eq!(used(RANGE / 2, 60_000_000, 1.0), None);
        assert_eq!(used(RANGE + 1, 60_000_000, 1.0), None);
    }

    #[test]
    fn a_time_in_which_the_counter_may_go_round_twice_gives_nothing() {
        assert_eq!(used(0, 100_000_000, 262.0), Some(100.0));
        assert_eq!(used(0, 100_000_000, 263.0), None);
    }

    fn zone(
        name: &str,
        label: &'static str,
        microjoules: &'static str,
    ) -> [(String, &'static str); 3] {
        let file = |file: &str| format!("sys/class/powercap/{name}/{file}");
        [
            (file("name"), label),
            (file("energy_uj"), microjoules),
            (file("max_energy_range_uj"), "1000000\n"),
        ]
    }

    fn read(zones: &[[(String, &'static str); 3]]) -> Option<f64> {
        let files: Vec<(&str, &str)> = zones
            .iter()
            .flatten()
            .map(|(path, text)| (path.as_str(), *text))
            .collect();
        Energy::read(&machine(&files)).map(|energy| energy.counted())
    }

    #[test]
    fn packages_are_summed_and_nothing_is_counted_twice() {
        let zones = [
            zone("intel-rapl:0", "package-0\n", "1000\n"),
            zone("intel-rapl:0:0", "core\n", "500\n"),
            zone("intel-rapl:1", "package-1\n", "30\n"),
            zone("intel-rapl:2", "psys\n", "90000\n"),
            zone("intel-rapl-mmio:0", "package-0\n", "1000\n"),
        ];
        assert_eq!(read(&zones), Some(1030.0));
    }

    #[test]
    fn a_package_that_cannot_be_read_makes_the_sum_absent() {
        let zones = [
            zone("intel-rapl:0", "package-0\n", "1000\n"),
            zone("intel-rapl:1", "package-1\n", "garbage\n"),
        ];
        assert_eq!(read(&zones), None);
    }

    #[test]
    fn a_host_without_packages_has_no_energy() {
        assert_eq!(read(&[]), None);
        assert_eq!(read(&[zone("intel-rapl:0", "psys\n", "1\n")]), None);
    }
}
