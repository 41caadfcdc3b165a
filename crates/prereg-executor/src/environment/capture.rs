//! The two halves of `environment.json`.

use std::path::Path;

use prereg_ledger::clock;
use prereg_runs::{Conditions, Host};
use rustix::time::{ClockId, clock_gettime};

use super::{Machine, executable_digest, source};

/// What cannot change during a session. `kernels` names the instruction set that the decoder dispatched to.
pub(crate) fn host(machine: &Machine, kernels: &str, weights_bytes: u64) -> Host {
    Host {
        cpu_model: machine.cpu_model(),
        architecture: std::env::consts::ARCH.to_owned(),
        processors: machine.processors().len() as u32,
        caches: machine.caches(),
        kernel: machine.kernel(),
        memory_bytes: machine.memory_bytes(),
        kernels: kernels.to_owned(),
        weights_bytes,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        executable: executable_digest(),
    }
}

/// What can change during a session, now. `study` is the study's root.
pub(crate) fn conditions(machine: &Machine, study: &Path) -> Conditions {
    let monotonic_ns = monotonic_ns();
    Conditions {
        time: clock::now_rfc3339(),
        monotonic_ns,
        wall_offset_ns: clock::wall_ns().saturating_sub_unsigned(monotonic_ns),
        load: machine.load(),
        steal_ms: machine.steal_ms(),
        memory_available_bytes: machine.memory_available_bytes(),
        anon_huge_pages_bytes: machine.anon_huge_pages_bytes(),
        peak_resident_bytes: machine.peak_resident_bytes(),
        transparent_huge_pages: machine.transparent_huge_pages(),
        affinity: machine.affinity(),
        governors: machine.governors(),
        limits: machine.limits(),
        source: source(study),
    }
}

/// Nanoseconds of the monotonic clock, which no date and no clock step moves.
pub(crate) fn monotonic_ns() -> u64 {
    let now = clock_gettime(ClockId::Monotonic);
    now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_record_holds_an_absolute_path() {
        let study = Path::new(env!("CARGO_MANIFEST_DIR"));
        let machine = Machine::here();
        let text =
            serde_json::to_string(&(host(&machine, "portable", 1), conditions(&machine, study)))
                .unwrap();
        assert!(!text.contains(env!("CARGO_MANIFEST_DIR")), "{text}");
        assert!(!text.contains("\"/"), "{text}");
    }

    #[test]
    fn the_offset_between_the_clocks_gives_the_date_back() {
        let conditions = conditions(&Machine::here(), Path::new("."));
        let seconds = conditions
            .wall_offset_ns
            .saturating_add_unsigned(conditions.monotonic_ns)
            / 1_000_000_000;
        // 2020 to 2100: an offset that was mixed up would lie in the 1970s.
        assert!(
            (1_577_836_800..4_102_444_800).contains(&seconds),
            "{seconds}"
        );
    }
}
