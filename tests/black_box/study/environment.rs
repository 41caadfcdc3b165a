//! The environment that a simulated session records: a machine that does not exist.

use prereg_runs::{Conditions, ENVIRONMENT_SCHEMA, EnvironmentRecord, Host, Limits, Source};

pub(super) fn simulated() -> EnvironmentRecord {
    let host = Host {
        cpu_model: Some("Simulated CPU".into()),
        architecture: "x86_64".into(),
        processors: 2,
        caches: Vec::new(),
        kernel: None,
        memory_bytes: None,
        kernels: "simulated".into(),
        weights_bytes: 1_000_000_000,
        version: env!("CARGO_PKG_VERSION").into(),
        executable: None,
    };
    let conditions = Conditions {
        time: "2026-01-01T00:00:00Z".into(),
        monotonic_ns: 0,
        wall_offset_ns: 0,
        load: None,
        steal_ms: None,
        memory_available_bytes: None,
        anon_huge_pages_bytes: None,
        peak_resident_bytes: None,
        transparent_huge_pages: None,
        affinity: Vec::new(),
        governors: Vec::new(),
        limits: Limits::default(),
        source: Source::Unknown {
            reason: "simulated".into(),
        },
    };
    EnvironmentRecord {
        schema: ENVIRONMENT_SCHEMA.into(),
        host,
        start: conditions.clone(),
        end: conditions,
        program: None,
    }
}
