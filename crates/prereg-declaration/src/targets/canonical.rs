//! A target's entry as one text.

use super::{Sourced, Target};
use crate::canonical::quoted;

pub(super) fn canonical(target: &Target) -> String {
    // Sorted by key, like every canonical form.
    let lines = [
        target
            .compute_capability
            .map(|value| ("compute-capability", format!("\"{value}\""))),
        target.cores.map(|value| ("cores", value.to_string())),
        Some(("device", quoted(target.device.name()))),
        target
            .hourly_rate
            .as_ref()
            .map(|value| ("hourly-rate", sourced(value))),
        target
            .memory
            .map(|value| ("memory", quoted(&value.canonical()))),
        target.mig.then(|| ("mig", "true".to_owned())),
        Some(("name", quoted(&target.pattern.to_string()))),
        target
            .peak_bandwidth
            .as_ref()
            .map(|value| ("peak-bandwidth", sourced(value))),
        target
            .rated_sm_clock
            .as_ref()
            .map(|value| ("rated-sm-clock", sourced(value))),
    ];
    let mut text = format!("[{}]\n", target.name);
    for (key, value) in lines.into_iter().flatten() {
        text.extend([key, " = ", &value, "\n"]);
    }
    text
}

fn sourced(sourced: &Sourced) -> String {
    let (value, source) = (quoted(&sourced.value.canonical()), quoted(&sourced.source));
    format!("{{ value = {value}, source = {source} }}")
}
