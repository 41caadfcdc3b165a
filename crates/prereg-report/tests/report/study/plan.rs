//! The declaration.

use std::collections::BTreeMap;
use std::time::Duration;

use prereg_declaration::{
    Arithmetic, Arm, Claim, Column, Comparison, Condition, DataSeen, Declaration, Decode,
    DecodeArm, Estimand, Gate, Inference, Interval, KillCondition, Launch, Metric, Number, Order,
    Outcome, Plan, Predicate, Protocol, Scale, Scope, Statistic, Stopping, Sync, Weights, Workload,
};
use prereg_units::Dimension;

use super::{CLAIM, quantity};

/// One kill condition on one metric.
pub(crate) fn kill(metric: &str, comparison: &str, threshold: &str) -> KillCondition {
    KillCondition {
        source: format!("{metric} {comparison} {threshold}"),
        condition: Condition::Compare {
            metric: metric.to_owned(),
            comparison: match comparison {
                "<" => Comparison::Less,
                "<=" => Comparison::LessOrEqual,
                ">" => Comparison::Greater,
                _ => Comparison::GreaterOrEqual,
            },
            threshold: quantity(threshold),
        },
    }
}

/// The median step time of an arm.
pub(super) fn median_step(arm: &str) -> Number {
    Number::OverSteps(
        Statistic::Median,
        Column {
            name: "step_time".to_owned(),
            arm: Some(arm.to_owned()),
            dimension: Dimension::TIME,
        },
    )
}

/// `replay_tax`: two arms, two metrics, two gates, one claim on `targets`.
pub(crate) fn declaration(targets: &[&str], kill: Vec<KillCondition>) -> Declaration {
    let targets: Vec<String> = targets.iter().map(|&target| target.to_owned()).collect();
    let arm = |launch| {
        Arm::Decode(DecodeArm {
            launch,
            plan: Plan::OpByOp,
        })
    };
    Declaration {
        id: "replay_tax".to_owned(),
        title: "Does replaying a prepared plan beat a dispatch per kernel?".to_owned(),
        data_seen: DataSeen::Pilot,
        data_seen_figures: Some("speedup 1.21 in one trial on another machine".to_owned()),
        targets: targets.clone(),
        baseline: "eager".to_owned(),
        workload: Workload::Decode(Decode {
            model: "smollm2-135m".to_owned(),
            weights: Weights::Random,
            context: 512,
        }),
        protocol: Protocol {
            sessions: 10,
            order: Order::Mirror,
            warmup_steps: 5,
            measured_steps: 30,
            sync: Some(Sync::PerStep),
            seed: "7244".to_owned(),
            threads: Some(2),
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
            assumed_cv: BTreeMap::from([("speedup".to_owned(), 0.015)]),
        },
        arms: BTreeMap::from([
            ("eager".to_owned(), arm(Launch::Eager)),
            ("graphed".to_owned(), arm(Launch::Graph)),
        ]),
        metrics: metrics(),
        gates: gates(),
        controls: BTreeMap::new(),
        calibrated_range: BTreeMap::new(),
        claims: BTreeMap::from([(
            CLAIM.to_owned(),
            Claim {
                text: "Replaying the plan alone speeds up decode by at least 1.15×.".to_owned(),
                on: targets,
                expected: BTreeMap::from([("speedup".to_owned(), quantity("1.26"))]),
                rival: BTreeMap::from([("speedup".to_owned(), quantity("1.02"))]),
                kill,
            },
        )]),
    }
}

fn metrics() -> BTreeMap<String, Metric> {
    BTreeMap::from([
        (
            "eager_step".to_owned(),
            Metric {
                source: "median(step_time[eager])".to_owned(),
                expression: median_step("eager"),
                dimension: Dimension::TIME,
            },
        ),
        (
            "speedup".to_owned(),
            Metric {
                source: "eager_step / median(step_time[graphed])".to_owned(),
                expression: Number::Binary(
                    Arithmetic::Divide,
                    Box::new(Number::Metric("eager_step".to_owned())),
                    Box::new(median_step("graphed")),
                ),
                dimension: Dimension::NONE,
            },
        ),
    ])
}

fn gates() -> BTreeMap<String, Gate> {
    BTreeMap::from([
        (
            "same_output".to_owned(),
            Gate {
                source: "logits[eager] == logits[graphed]".to_owned(),
                scope: Scope::EachSession,
                predicate: Predicate::SameLogits("eager".to_owned(), "graphed".to_owned()),
                otherwise: Outcome::Abstain,
            },
        ),
        (
            "steady".to_owned(),
            Gate {
                source: "cv(eager_step) <= 4 %".to_owned(),
                scope: Scope::AcrossSessions,
                predicate: Predicate::Compare(
                    Comparison::LessOrEqual,
                    Box::new(Number::OverSessions(Statistic::Cv, "eager_step".to_owned())),
                    Box::new(Number::Literal(quantity("4 %"))),
                ),
                otherwise: Outcome::Abstain,
            },
        ),
    ])
}
