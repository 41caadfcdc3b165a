//! Runs, headline and the record around them.

use std::collections::BTreeMap;

use prereg_declaration::Declaration;
use prereg_judgement::{Headline, Reason, RunJudgement, Verdict};
use prereg_ledger::{
    Announcement, Cell, EvidenceLevel, Head, KeptHead, Lock, LockedConstant, Origin,
    PlannedSession, Run, Standing, Status,
};
use prereg_report::{Attempt, LockFacts, ReportInput, RunFacts, SessionEnvironment};
use prereg_runs::{
    Cache, CacheKind, Conditions, ENVIRONMENT_SCHEMA, EnvironmentRecord, Host, Limits, Source,
};

use super::{CLAIM, digest};

const WRITER: &str = "0f1e2d3c4b5a";

/// A sealed run of simulated data; of record.
pub(crate) fn run(id: &str, target: &str, judgement: RunJudgement) -> RunFacts {
    let time = "2026-11-30T22:00:00Z".to_owned();
    RunFacts {
        run: Run {
            id: id.parse().unwrap(),
            writer: WRITER.parse().unwrap(),
            time: time.clone(),
            announcement: digest("announcement"),
            announced: Announcement {
                lock: digest("lock"),
                experiment: "replay_tax".to_owned(),
                target: target.to_owned(),
                origin: Origin::Simulated,
                launcher: "local".to_owned(),
                sessions: 10,
                version: "0.1.0".to_owned(),
                kernels: digest("kernels"),
                executable: digest("executable"),
            },
            status: Status::Sealed {
                seal: digest(id),
                time,
            },
            begun: BTreeMap::new(),
            ended: BTreeMap::new(),
            sessions: BTreeMap::new(),
            stopped: None,
            verdicts: Vec::new(),
            standing: Standing::OfRecord,
        },
        deviations: Vec::new(),
        preflight: None,
        environments: vec![environment(0), environment(9)],
        telemetry: BTreeMap::new(),
        judgement: Some(judgement),
    }
}

fn environment(session: usize) -> SessionEnvironment {
    let conditions = |minute: usize| Conditions {
        time: format!("2026-11-30T22:{minute:02}:00Z"),
        monotonic_ns: 60_000_000_000 * minute as u64,
        wall_offset_ns: 1_000,
        load: Some([1.5, 1.25, 0.75]),
        steal_ms: Some(40),
        memory_available_bytes: Some(12_000_000_000),
        anon_huge_pages_bytes: Some(268_435_456),
        peak_resident_bytes: Some(402_653_184),
        transparent_huge_pages: Some("madvise".to_owned()),
        affinity: vec![0, 1],
        governors: Vec::new(),
        limits: Limits::default(),
        source: Source::Read {
            commit: Some("0123456789abcdef0123456789abcdef01234567".to_owned()),
            changed: Vec::new(),
            untracked: vec!["experiments/draft.toml".to_owned()],
            unnamed: 0,
        },
    };
    SessionEnvironment {
        session,
        record: EnvironmentRecord {
            schema: ENVIRONMENT_SCHEMA.to_owned(),
            host: Host {
                cpu_model: Some("Made-up CPU 3000".to_owned()),
                architecture: "x86_64".to_owned(),
                processors: 2,
                caches: vec![Cache {
                    level: 3,
                    kind: CacheKind::Unified,
                    bytes: 33_554_432,
                    shared_by: 2,
                }],
                kernel: Some("Linux 6.1.0".to_owned()),
                memory_bytes: Some(16_000_000_000),
                kernels: "avx2".to_owned(),
                weights_bytes: 268_000_000,
                version: "0.1.0".to_owned(),
                executable: Some(digest("executable")),
            },
            start: conditions(2 * session),
            end: conditions(2 * session + 1),
            program: None,
        },
    }
}

/// A headline over targets.
pub(crate) fn headline(
    text: &str,
    verdict: Verdict,
    targets: Vec<(&str, Verdict, Vec<Reason>)>,
) -> Headline {
    Headline {
        headline: text.to_owned(),
        verdict,
        targets: targets
            .iter()
            .map(|(target, verdict, _)| ((*target).to_owned(), *verdict))
            .collect(),
        reasons: targets
            .into_iter()
            .map(|(target, _, reasons)| (target.to_owned(), reasons))
            .collect(),
    }
}

/// The record around a declaration and its runs.
pub(crate) fn input(
    declaration: &Declaration,
    headline: Headline,
    runs: Vec<RunFacts>,
) -> ReportInput<'_> {
    let lock = digest("lock");
    ReportInput {
        name: "replay_tax".to_owned(),
        declaration,
        lock: LockFacts {
            id: lock,
            time: "2026-11-30T21:00:00Z".to_owned(),
            lock: Lock {
                schema: Lock::SCHEMA.to_owned(),
                rules: Lock::RULES.to_owned(),
                experiment: declaration.id.clone(),
                version: "0.1.0".to_owned(),
                declaration: digest("declaration"),
                meaning: digest("meaning"),
                question: digest("question"),
                kernels: digest("kernels"),
                files: BTreeMap::new(),
                targets: BTreeMap::from([(
                    "cpu".to_owned(),
                    "device = \"cpu\"\nname = \"any\"\n".to_owned(),
                )]),
                constants: vec![LockedConstant {
                    target: None,
                    name: "weights_bytes".to_owned(),
                    arm: Some("eager".to_owned()),
                    value: 269_030_000.0,
                    unit: "B".to_owned(),
                    formula: "sum of the weight bytes that the step plan streams".to_owned(),
                }],
                sessions: (0..10)
                    .map(|index| PlannedSession {
                        index,
                        cell: Cell::default(),
                    })
                    .collect(),
                pilot: None,
            },
            attempts: vec![Attempt {
                lock,
                experiment: "replay_tax".to_owned(),
                time: "2026-11-30T21:00:00Z".to_owned(),
                fate: "run".to_owned(),
                reason: None,
                seen: "nothing".to_owned(),
                withdrawn: None,
            }],
            differences: Vec::new(),
            pilots: Vec::new(),
            withdrawn: None,
        },
        headlines: BTreeMap::from([(CLAIM.to_owned(), headline)]),
        runs,
        preflights: Vec::new(),
        findings: Vec::new(),
        heads: vec![KeptHead {
            writer: WRITER.parse().unwrap(),
            head: Head {
                count: 16,
                digest: digest("head"),
            },
        }],
        evidence: EvidenceLevel::SelfAsserted,
        tool_version: "0.1.0".to_owned(),
    }
}
