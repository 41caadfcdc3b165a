//! Readings of a slot on prepared hosts.

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::sample::select;

use super::{CpuTime, HostCounters, between};
use crate::environment::Machine;
use crate::environment::fake::machine;

const SECOND: u64 = 1_000_000_000;

type Files<'a> = BTreeMap<&'a str, &'a str>;

/// A machine of two processors that has everything, before the slot.
fn everything_before() -> Files<'static> {
    Files::from([
        ("sys/devices/system/cpu/online", "0-1\n"),
        (
            "sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq",
            "2000000\n",
        ),
        (
            "sys/devices/system/cpu/cpu1/cpufreq/scaling_cur_freq",
            "1000000\n",
        ),
        ("sys/class/thermal/thermal_zone0/temp", "41850\n"),
        ("sys/class/powercap/intel-rapl:0/name", "package-0\n"),
        ("sys/class/powercap/intel-rapl:0/energy_uj", "900000000\n"),
        (
            "sys/class/powercap/intel-rapl:0/max_energy_range_uj",
            "262143328850\n",
        ),
        (
            "proc/stat",
            "cpu  1000 0 500 9000 0 0 0 20 0 0\ncpu0 1 0 0 0 0 0 0 0 0 0\ncpu1 1 0 0 0 0 0 0 0 0 0\nctxt 5000\n",
        ),
        (
            "proc/pressure/cpu",
            "some avg10=0.00 avg60=0.00 avg300=0.00 total=1000000\n",
        ),
        (
            "proc/self/stat",
            "7 (prereg) R 1 1 1 0 -1 0 0 0 0 0 100 20 0 0 20 0 1 0 5\n",
        ),
    ])
}

/// The same machine after four seconds in which the session used 5.2 s of CPU time and others 0.8 s.
fn everything_after() -> Files<'static> {
    let mut files = everything_before();
    files.extend([
        ("sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "3000000\n"),
        ("sys/devices/system/cpu/cpu1/cpufreq/scaling_cur_freq", "2000000\n"),
        ("sys/class/thermal/thermal_zone0/temp", "51850\n"),
        ("sys/class/powercap/intel-rapl:0/energy_uj", "1300000000\n"),
        (
            "proc/stat",
            "cpu  1500 0 600 9120 0 0 0 60 0 0\ncpu0 1 0 0 0 0 0 0 0 0 0\ncpu1 1 0 0 0 0 0 0 0 0 0\nctxt 7000\n",
        ),
        ("proc/pressure/cpu", "some avg10=0.00 avg60=0.00 avg300=0.00 total=2000000\n"),
        ("proc/self/stat", "7 (prereg) R 1 1 1 0 -1 0 0 0 0 0 500 40 90 10 20 0 1 0 5\n"),
    ]);
    files
}

fn counters(files: &Files<'_>, at_ns: u64) -> HostCounters {
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, *text)).collect();
    let machine = machine(&files);
    HostCounters::at(at_ns, &machine, CpuTime::read(&machine))
}

/// Readings of a slot of four seconds.
fn readings(before: &Files<'_>, after: &Files<'_>) -> BTreeMap<String, f64> {
    let (before, after) = (counters(before, 10 * SECOND), counters(after, 14 * SECOND));
    let samples = between(&before, &after, 3).into_iter();
    samples
        .map(|sample| (sample.column, sample.value))
        .collect()
}

/// Columns that have a reading when `path` holds `text` after the slot.
fn columns_with(path: &'static str, text: &'static str) -> Vec<String> {
    let mut after = everything_after();
    after.insert(path, text);
    readings(&everything_before(), &after).into_keys().collect()
}

/// All columns but `absent`, in order.
fn all_but(absent: &[&str]) -> Vec<String> {
    let all = [
        "context_switches",
        "cpu_clock",
        "cpu_pressure",
        "foreign_load",
        "power",
        "steal",
        "temperature",
    ];
    let present = all.into_iter().filter(|column| !absent.contains(column));
    present.map(str::to_owned).collect()
}

#[track_caller]
fn assert_close(readings: &BTreeMap<String, f64>, column: &str, expected: f64) {
    let value = readings[column];
    assert!(
        (value / expected - 1.0).abs() < 1e-12,
        "{column}: {value}, not {expected}"
    );
}

#[test]
fn a_host_with_everything_has_every_reading_in_base_units() {
    let readings = readings(&everything_before(), &everything_after());
    let expected = [
        ("cpu_clock", 2e9),
        ("temperature", 325.0),
        ("power", 100.0),
        // 0.4 s of the eight that two processors have in four seconds.
        ("steal", 0.05),
        ("cpu_pressure", 0.25),
        ("context_switches", 500.0),
        ("foreign_load", 0.2),
    ];
    for (column, value) in expected {
        assert_close(&readings, column, value);
    }
    assert_eq!(readings.len(), expected.len());
}

#[test]
fn readings_belong_to_the_slot_and_to_the_second_instant() {
    let (before, after) = (
        counters(&everything_before(), SECOND),
        counters(&everything_after(), 2 * SECOND),
    );
    let samples = between(&before, &after, 3);
    assert!(!samples.is_empty());
    for sample in samples {
        assert_eq!(
            (sample.slot, sample.at_ns),
            (Some(3), Some(2 * SECOND)),
            "{}",
            sample.column
        );
    }
}

#[test]
fn a_virtual_machine_with_processor_counts_alone_has_what_follows_from_them() {
    let only = |mut files: Files<'static>| {
        files.retain(|path, _| path.starts_with("proc/s"));
        files
    };
    let readings = readings(&only(everything_before()), &only(everything_after()));
    let columns: Vec<&str> = readings.keys().map(String::as_str).collect();
    assert_eq!(columns, ["context_switches", "foreign_load", "steal"]);
}

#[test]
fn a_host_without_files_has_no_readings() {
    let bare = Files::new();
    assert!(readings(&bare, &bare).is_empty());
}

#[test]
fn instants_without_time_between_them_give_no_readings() {
    for (before, after) in [(SECOND, SECOND), (2 * SECOND, SECOND)] {
        let (before, after) = (
            counters(&everything_before(), before),
            counters(&everything_after(), after),
        );
        assert!(between(&before, &after, 0).is_empty());
    }
}

#[test]
fn a_counter_that_runs_backwards_takes_its_own_reading_away_and_no_other() {
    let stat = |user, steal, switches| {
        let text = format!(
            "cpu  {user} 0 600 9120 0 0 0 {steal} 0 0\ncpu0 1 0 0 0 0 0 0 0 0 0\ncpu1 1 0 0 0 0 0 0 0 0 0\nctxt {switches}\n"
        );
        &*text.leak()
    };
    let cases = [
        ("proc/stat", stat(800, 60, 7000), "foreign_load"),
        ("proc/stat", stat(1500, 19, 7000), "steal"),
        ("proc/stat", stat(1500, 60, 4999), "context_switches"),
        ("proc/pressure/cpu", "some total=999999\n", "cpu_pressure"),
        ("sys/class/powercap/intel-rapl:0/energy_uj", "1\n", "power"),
        (
            "proc/self/stat",
            "7 (prereg) R 1 1 1 0 -1 0 0 0 0 0 90 20 0 0 20 0 1 0 5\n",
            "foreign_load",
        ),
    ];
    for (path, text, absent) in cases {
        assert_eq!(
            columns_with(path, text),
            all_but(&[absent]),
            "{path}: {text}"
        );
    }
}

#[test]
fn garbage_in_a_file_takes_its_own_readings_away_and_no_other() {
    let cases: [(&str, &[&str]); 7] = [
        ("sys/devices/system/cpu/online", &["cpu_clock"]),
        (
            "sys/devices/system/cpu/cpu1/cpufreq/scaling_cur_freq",
            &["cpu_clock"],
        ),
        ("sys/class/thermal/thermal_zone0/temp", &["temperature"]),
        ("sys/class/powercap/intel-rapl:0/energy_uj", &["power"]),
        ("proc/stat", &["steal", "context_switches", "foreign_load"]),
        ("proc/pressure/cpu", &["cpu_pressure"]),
        ("proc/self/stat", &["foreign_load"]),
    ];
    for (path, absent) in cases {
        for text in ["", "x\n", "99999999999999999999999999\n", "-\n\n1 2 3"] {
            assert_eq!(
                columns_with(path, text),
                all_but(absent),
                "{path}: {text:?}"
            );
        }
    }
}

#[test]
fn a_file_that_cannot_be_read_takes_its_own_readings_away_and_no_other() {
    let cases: [(&str, &str, &[&str]); 3] = [
        (
            "sys/class/powercap/intel-rapl:0/energy_uj",
            "sys/class/powercap/intel-rapl:0/energy_uj/x",
            &["power"],
        ),
        (
            "proc/pressure/cpu",
            "proc/pressure/cpu/x",
            &["cpu_pressure"],
        ),
        (
            "proc/stat",
            "proc/stat/x",
            &["steal", "context_switches", "foreign_load"],
        ),
    ];
    for (path, folder, absent) in cases {
        let mut after = everything_after();
        after.remove(path);
        // A folder stands where the file should.
        after.insert(folder, "");
        let readings = readings(&everything_before(), &after);
        assert_eq!(
            readings.into_keys().collect::<Vec<_>>(),
            all_but(absent),
            "{path}"
        );
    }
}

#[test]
fn processors_that_come_or_go_take_the_share_of_stolen_time_away() {
    let three = "cpu  1500 0 600 9120 0 0 0 60 0 0\ncpu0 1 0\ncpu1 1 0\ncpu2 1 0\nctxt 7000\n";
    assert_eq!(columns_with("proc/stat", three), all_but(&["steal"]));
}

/// Foreign load where the session used `own` ticks more than all processors together were busy.
fn load_below_zero_by(own: u64) -> Option<f64> {
    let mut after = everything_after();
    // Busy for 600 ticks between the instants; 120 of the session's own were before them.
    let text = format!(
        "7 (prereg) R 1 1 1 0 -1 0 0 0 0 0 {} 0 0 0 20 0 1 0 5\n",
        120 + 600 + own
    );
    after.insert("proc/self/stat", &text);
    readings(&everything_before(), &after)
        .get("foreign_load")
        .copied()
}

#[test]
fn a_load_below_zero_by_no_more_than_rounding_reads_zero() {
    // Nine parts that are rounded, and two processors.
    assert_eq!(load_below_zero_by(11), Some(0.0));
}

#[test]
fn a_load_further_below_zero_is_absent() {
    assert_eq!(load_below_zero_by(12), None);
}

#[test]
fn readings_of_this_host_are_finite_and_not_negative() {
    let here = Machine::here();
    let before = HostCounters::now(&here, super::own_cpu_time());
    let after = HostCounters::now(&here, super::own_cpu_time());
    for sample in between(&before, &after, 0) {
        assert!(
            sample.value.is_finite() && sample.value >= 0.0,
            "{sample:?}"
        );
    }
}

/// Numbers of a file, in its own form: every run of digits in it may become any other, or something that is no number.
fn scrambled(text: &'static str) -> impl Strategy<Value = String> {
    let number = prop_oneof![
        6 => (0_u64..20_000).prop_map(|number| number.to_string()),
        2 => any::<u64>().prop_map(|number| number.to_string()),
        1 => select(vec!["-3", "1e9", "nan", "", "\n"]).prop_map(str::to_owned),
    ];
    let words = text.split_inclusive(|c: char| !c.is_ascii_digit());
    let words: Vec<BoxedStrategy<String>> = words
        .map(
            |word| match word.trim_end_matches(|c: char| !c.is_ascii_digit()) {
                "" => Just(word.to_owned()).boxed(),
                digits => {
                    let rest = &word[digits.len()..];
                    let kept = Just(digits.to_owned());
                    prop_oneof![8 => kept, 1 => number.clone()]
                        .prop_map(move |digits| digits + rest)
                        .boxed()
                }
            },
        )
        .collect();
    words.prop_map(|words| words.concat())
}

fn any_host(files: Files<'static>) -> impl Strategy<Value = BTreeMap<&'static str, String>> {
    let files: Vec<_> = files
        .into_iter()
        .map(|(path, text)| (Just(path), scrambled(text)))
        .collect();
    files.prop_map(|files| files.into_iter().collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(50))]

    #[test]
    fn whatever_the_files_hold_readings_are_finite_and_not_negative(
        before in any_host(everything_before()),
        after in any_host(everything_after()),
        elapsed in 1_u64..100 * SECOND,
    ) {
        let counters = |files: &BTreeMap<&str, String>, at| {
            counters(&files.iter().map(|(path, text)| (*path, &**text)).collect(), at)
        };
        let (before, after) = (counters(&before, SECOND), counters(&after, SECOND + elapsed));
        for sample in between(&before, &after, 0) {
            prop_assert!(sample.value.is_finite() && sample.value >= 0.0, "{sample:?}");
        }
    }
}
