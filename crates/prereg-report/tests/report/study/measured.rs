//! What a run of the program recorded beside its steps, and what was judged from that.

use std::collections::BTreeMap;

use prereg_judgement::{
    ClaimResult, ColumnSummary, ControlResult, GateResult, GateState, RangeResult,
};
use prereg_ledger::{InstrumentReading, PreflightEvent, PreflightReadings};
use prereg_report::{PreflightFacts, RunFacts};
use prereg_runs::Program;

use super::judged::metric;
use super::{SPEEDUPS, digest, judgement, quantity, run};

/// A run of the program: control and range held, one fact that changed between sessions, telemetry and a preflight.
pub(crate) fn run_of_a_program(result: ClaimResult, summary: [f64; 3]) -> RunFacts {
    let speedups: Vec<Option<f64>> = SPEEDUPS.map(Some).into();
    let mut facts = run(
        "cpu-3f2a91c07d55",
        "cpu",
        judgement("cpu", &speedups, summary, result),
    );
    if let Some(judged) = &mut facts.judgement {
        let ratios = SPEEDUPS.map(|speedup| Some(1.0 + 0.1 * (speedup - 1.235)));
        let clocks = SPEEDUPS.map(|speedup| Some(1.5e9 + 1e9 * (speedup - 1.235)));
        judged.metrics.extend([
            (
                "same_arm_twice".to_owned(),
                metric(
                    "median(step_time[eager]) / median(step_time[eager_again])",
                    "1",
                    ratios.into(),
                    [0.9955, 1.0, 1.0045],
                ),
            ),
            (
                "clock".to_owned(),
                metric(
                    "median(cpu_clock)",
                    "Hz",
                    clocks.into(),
                    [1.455e9, 1.5e9, 1.545e9],
                ),
            ),
        ]);
        for (gate, expression) in [
            ("same_output", "output[eager] == output[graphed]"),
            ("python", "fact[python] == \"Python 3.11.2\""),
        ] {
            judged.gates.insert(gate.to_owned(), held(expression));
        }
        judged.controls.insert("eager_twice".to_owned(), control());
        judged.calibrated_range.insert("clock".to_owned(), range());
    }
    facts.preflight = Some(preflight("2026-11-30T21:59:00Z", None));
    for session in &mut facts.environments {
        let driver = if session.session == 0 {
            "535.1"
        } else {
            "535.2"
        };
        session.record.program = Some(Program {
            name: "python3".to_owned(),
            digest: Some(digest("python3")),
            facts: BTreeMap::from([
                ("driver".to_owned(), driver.to_owned()),
                ("python".to_owned(), "Python 3.11.2".to_owned()),
            ]),
        });
    }
    facts.telemetry = BTreeMap::from([
        (
            "cpu_clock".to_owned(),
            column(60, [1.41e9, 1.5e9, 1.61e9], None),
        ),
        (
            "gpu_util".to_owned(),
            column(4800, [0.71, 0.93, 0.98], Some(2.02)),
        ),
        ("steal".to_owned(), column(60, [0.0, 0.001, 0.012], None)),
    ]);
    facts
}

fn held(expression: &str) -> GateResult {
    GateResult {
        expression: expression.to_owned(),
        scope: "each-session",
        otherwise: "abstain",
        state: GateState::Held,
        sessions: vec![Some(true); SPEEDUPS.len()],
        observed: Vec::new(),
    }
}

/// It held.
fn control() -> ControlResult {
    ControlResult {
        metric: "same_arm_twice".to_owned(),
        within: 0.02,
        state: GateState::Held,
        lower: Some(0.9955),
        upper: Some(1.0045),
        alpha: 0.05,
        unbounded: None,
    }
}

/// Every session kept to it.
fn range() -> RangeResult {
    RangeResult {
        from: quantity("1.2 GHz"),
        to: quantity("1.9 GHz"),
        state: GateState::Held,
        outside: Vec::new(),
        unobserved: Vec::new(),
    }
}

fn column(readings: usize, values: [f64; 3], update_rate: Option<f64>) -> ColumnSummary {
    let [smallest, median, largest] = values;
    ColumnSummary {
        sessions: SPEEDUPS.len(),
        readings,
        smallest,
        median,
        largest,
        update_rate,
    }
}

/// A look at the machine.
pub(crate) fn preflight(time: &str, refusal: Option<&str>) -> PreflightFacts {
    PreflightFacts {
        time: time.to_owned(),
        event: PreflightEvent {
            lock: digest("lock"),
            target: "cpu".to_owned(),
            refusal: refusal.map(str::to_owned),
            readings: PreflightReadings {
                identity: "Made-up CPU 3000, 2 processors".to_owned(),
                timer_resolution_ns: 30,
                timer_overhead_ns: 24.6,
                memory_available_bytes: Some(12_000_000_000),
                disk_available_bytes: Some(80_000_000_000),
                read_bandwidth: Some(11.2e9),
                counters: vec!["cpu_clock".to_owned(), "steal".to_owned()],
                instruments: vec![InstrumentReading {
                    column: "gpu_util".to_owned(),
                    readings: 100,
                    updates: 4,
                    period_ns: Some(495_000_000),
                    followed_ns: 2_000_000_000,
                }],
            },
        },
    }
}
