//! Temperature of the processors.

use crate::environment::Machine;

/// Drivers of sensors that lie on processors.
const DRIVERS: [&str; 4] = ["coretemp", "k10temp", "zenpower", "cpu_thermal"];

/// Millidegrees Celsius.
const ABSOLUTE_ZERO: i32 = -273_150;

/// The hottest sensor of the processors, K, as the sensor gives it: some processors report with an offset of their own.
/// Where the host has no such sensor, the hottest thermal zone, whatever it is a zone of.
pub(crate) fn hottest_kelvin(machine: &Machine) -> Option<f64> {
    let files = sensors(machine);
    let hottest = hottest(machine, &files).or_else(|| hottest(machine, &zones(machine)))?;
    Some((f64::from(hottest) - f64::from(ABSOLUTE_ZERO)) * 1e-3)
}

/// Files of the processors' sensors.
fn sensors(machine: &Machine) -> Vec<String> {
    let mut files = Vec::new();
    for device in machine.names("sys/class/hwmon") {
        let folder = format!("sys/class/hwmon/{device}");
        let driver = machine.text(format!("{folder}/name"));
        if driver.is_none_or(|driver| !DRIVERS.contains(&driver.trim())) {
            continue;
        }
        let inputs = machine.names(&folder).into_iter();
        let inputs = inputs.filter(|name| name.starts_with("temp") && name.ends_with("_input"));
        files.extend(inputs.map(|name| format!("{folder}/{name}")));
    }
    files
}

fn zones(machine: &Machine) -> Vec<String> {
    let folder = "sys/class/thermal";
    let zones = machine.names(folder).into_iter();
    zones
        .filter(|name| name.starts_with("thermal_zone"))
        .map(|name| format!("{folder}/{name}/temp"))
        .collect()
}

/// Largest of the files' values, millidegrees Celsius. A zone that is switched off does not answer; what lies below
/// absolute zero is no temperature.
fn hottest(machine: &Machine, files: &[String]) -> Option<i32> {
    let values = files
        .iter()
        .filter_map(|file| machine.text(file)?.trim().parse().ok());
    values.filter(|&value| value > ABSOLUTE_ZERO).max()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::environment::fake::machine;

    const DISK: [(&str, &str); 2] = [
        ("sys/class/hwmon/hwmon0/name", "nvme\n"),
        ("sys/class/hwmon/hwmon0/temp1_input", "90000\n"),
    ];
    const CORES: [(&str, &str); 4] = [
        ("sys/class/hwmon/hwmon1/name", "coretemp\n"),
        ("sys/class/hwmon/hwmon1/temp1_input", "51000\n"),
        ("sys/class/hwmon/hwmon1/temp12_input", "54500\n"),
        ("sys/class/hwmon/hwmon1/temp12_crit", "100000\n"),
    ];
    const ZONES: [(&str, &str); 3] = [
        ("sys/class/thermal/thermal_zone0/temp", "61000\n"),
        ("sys/class/thermal/thermal_zone1/temp", "garbage\n"),
        ("sys/class/thermal/cooling_device0/temp", "99000\n"),
    ];

    /// What is read, rounded to a millikelvin.
    fn millikelvin(files: &[&[(&str, &str)]]) -> Option<i64> {
        hottest_kelvin(&machine(&files.concat())).map(|kelvin| (kelvin * 1e3).round() as i64)
    }

    #[test]
    fn the_processors_own_sensors_go_before_zones_and_other_devices() {
        assert_eq!(millikelvin(&[&DISK, &CORES, &ZONES]), Some(327_650));
    }

    #[test]
    fn without_them_the_hottest_zone_that_answers_is_read() {
        assert_eq!(millikelvin(&[&DISK, &ZONES]), Some(334_150));
    }

    #[test]
    fn frost_is_a_temperature_and_less_than_absolute_zero_is_none() {
        let zone = |text| [("sys/class/thermal/thermal_zone0/temp", text)];
        assert_eq!(millikelvin(&[&zone("-5000\n")]), Some(268_150));
        assert_eq!(millikelvin(&[&zone("-274000\n")]), None);
    }

    #[test]
    fn a_host_with_sensors_of_other_devices_only_has_no_reading() {
        assert_eq!(millikelvin(&[&DISK]), None);
    }
}
