//! A small declaration and simulated samples for this crate's tests.

use std::collections::BTreeMap;
use std::time::Duration;

use prereg_declaration::{
    Arithmetic, Arm, Claim, Column, Comparison, Condition, DataSeen, Declaration, Decode,
    DecodeArm, Estimand, Gate, Inference, Interval, KillCondition, Launch, Metric, Number, Order,
    Outcome, Plan, Predicate, Protocol, Scale, Scope, Statistic, Stopping, Sync, Weights, Workload,
};
use prereg_stats::Seed;
use prereg_units::{Dimension, Quantity};

use crate::samples::{Observations, Reading, Samples, Session, Slot};

pub(crate) const SPEEDUPS: [f64; 10] = [1.21, 1.24, 1.19, 1.30, 1.26, 1.22, 1.28, 1.25, 1.17, 1.23];

pub(crate) fn seed(_metric: &str) -> Seed {
    Seed([5; 32])
}

pub(crate) fn plain(value: f64) -> Quantity {
    Quantity::new(value, Dimension::NONE).unwrap()
}

pub(crate) fn compare(metric: &str, comparison: Comparison, threshold: f64) -> Condition {
    Condition::Compare {
        metric: metric.to_owned(),
        comparison,
        threshold: plain(threshold),
    }
}

pub(crate) fn kill(condition: Condition) -> KillCondition {
    KillCondition {
        source: format!("{condition:?}"),
        condition,
    }
}

pub(crate) fn claim(kills: Vec<Condition>, expected: f64, rival: f64) -> Claim {
    Claim {
        text: "Replay is faster.".to_owned(),
        on: vec!["cpu".to_owned()],
        expected: BTreeMap::from([("speedup".to_owned(), plain(expected))]),
        rival: BTreeMap::from([("speedup".to_owned(), plain(rival))]),
        kill: kills.into_iter().map(kill).collect(),
    }
}

pub(crate) fn step_time(statistic: Statistic, arm: &str) -> Number {
    let column = Column {
        name: "step_time".to_owned(),
        arm: Some(arm.to_owned()),
        dimension: Dimension::TIME,
    };
    Number::OverSteps(statistic, column)
}

pub(crate) fn clock(statistic: Statistic) -> Number {
    Number::OverSteps(
        statistic,
        Column {
            name: "sm_clock".to_owned(),
            arm: None,
            dimension: Dimension::FREQUENCY,
        },
    )
}

pub(crate) fn gate(scope: Scope, predicate: Predicate, otherwise: Outcome) -> Gate {
    Gate {
        source: "gate".to_owned(),
        scope,
        predicate,
        otherwise,
    }
}

pub(crate) fn at_least(left: Number, right: f64, dimension: Dimension) -> Predicate {
    let literal = Number::Literal(Quantity::new(right, dimension).unwrap());
    Predicate::Compare(
        Comparison::GreaterOrEqual,
        Box::new(left),
        Box::new(literal),
    )
}

/// `speedup` of `graph` over `eager`, ten sessions, killed below 1.15.
pub(crate) fn declaration() -> Declaration {
    let metric = |expression, dimension| Metric {
        source: "metric".to_owned(),
        expression,
        dimension,
    };
    let speedup = Number::Binary(
        Arithmetic::Divide,
        Box::new(Number::Metric("eager_step".to_owned())),
        Box::new(step_time(Statistic::Median, "graph")),
    );
    Declaration {
        id: "example".to_owned(),
        title: "An example".to_owned(),
        data_seen: DataSeen::None,
        data_seen_figures: None,
        targets: vec!["cpu".to_owned()],
        baseline: "eager".to_owned(),
        workload: Workload::Decode(Decode {
            model: "smollm2-135m".to_owned(),
            weights: Weights::Random,
            context: 16,
        }),
        protocol: Protocol {
            sessions: 10,
            order: Order::Mirror,
            warmup_steps: 1,
            measured_steps: 2,
            sync: Some(Sync::PerStep),
            seed: "1".to_owned(),
            threads: Some(1),
            affinity: Vec::new(),
            environment: Vec::new(),
            timeout: Duration::from_mins(10),
            same_code: false,
            blocks: 1,
            min_gap: Duration::ZERO,
        },
        inference: Inference {
            interval: Interval::OrderStatistic,
            estimand: Estimand::Median,
            scale: Scale::Log,
            stopping: Stopping::Fixed,
            alpha_pass: 0.05,
            alpha_falsified: 0.05,
            assumed_cv: BTreeMap::from([("speedup".to_owned(), 0.03)]),
        },
        arms: BTreeMap::from([
            (
                "eager".to_owned(),
                Arm::Decode(DecodeArm {
                    launch: Launch::Eager,
                    plan: Plan::Fused,
                }),
            ),
            (
                "graph".to_owned(),
                Arm::Decode(DecodeArm {
                    launch: Launch::Graph,
                    plan: Plan::Fused,
                }),
            ),
        ]),
        metrics: BTreeMap::from([
            (
                "eager_step".to_owned(),
                metric(step_time(Statistic::Median, "eager"), Dimension::TIME),
            ),
            ("speedup".to_owned(), metric(speedup, Dimension::NONE)),
        ]),
        gates: BTreeMap::new(),
        controls: BTreeMap::new(),
        calibrated_range: BTreeMap::new(),
        claims: BTreeMap::from([(
            "faster".to_owned(),
            claim(vec![compare("speedup", Comparison::Less, 1.15)], 1.25, 1.02),
        )]),
    }
}

/// A session whose `speedup` is as given.
pub(crate) fn session(speedup: f64) -> Observations {
    let slot = |arm: &str, step_time: f64| Slot {
        arm: arm.to_owned(),
        invalid: None,
        step_time: vec![step_time],
        tokens: vec![1.0],
        logits: vec![[1; 32]],
        columns: BTreeMap::new(),
    };
    let (eager, graph) = (slot("eager", speedup), slot("graph", 1.0));
    Observations {
        slots: vec![eager.clone(), graph.clone(), graph, eager],
        columns: BTreeMap::from([("sm_clock".to_owned(), vec![reading(1.5e9)])]),
        facts: BTreeMap::new(),
    }
}

/// A reading of the first slot.
pub(crate) fn reading(value: f64) -> Reading {
    Reading {
        slot: Some(0),
        value,
        at_ns: None,
    }
}

pub(crate) fn samples(speedups: &[f64]) -> Samples {
    Samples {
        sessions: speedups
            .iter()
            .map(|value| Session::Complete(session(*value)))
            .collect(),
    }
}
