//! The same arm twice, in mirror order, under what machines do: sessions that differ, drift from
//! slot to slot, drift from session to session, spikes. The true ratio is 1, so `ratio < 1` does
//! not hold and `ratio <= 1` does.

use std::collections::BTreeMap;

use prereg_judgement::{Observations, Samples, Session, Verdict};
use prereg_stats::Generator;

use crate::plan::{Plan, slot};
use crate::row::Row;
use crate::simulation::{gaussian, rate};

const SESSIONS: u32 = 13;
const STEPS: usize = 10;
const ALPHA: f64 = 0.05;

/// What a machine does to step times, relative to them.
#[derive(Clone, Copy)]
struct Machine {
    name: &'static str,
    /// Log standard deviation of what a whole session shares.
    session: f64,
    /// Growth from one slot to the next.
    per_slot: f64,
    /// Growth from one session to the next.
    per_session: f64,
    /// Share of steps that take half as long again.
    spikes: f64,
}

const MACHINES: [Machine; 4] = [
    Machine {
        name: "steady machine",
        session: 0.0,
        per_slot: 0.0,
        per_session: 0.0,
        spikes: 0.0,
    },
    Machine {
        name: "sessions differ by 5 %",
        session: 0.05,
        per_slot: 0.0,
        per_session: 0.0,
        spikes: 0.0,
    },
    Machine {
        name: "drift of 2 % a slot, spikes",
        session: 0.05,
        per_slot: 0.02,
        per_session: 0.0,
        spikes: 0.1,
    },
    Machine {
        name: "drift of 1 % a session",
        session: 0.02,
        per_slot: 0.0,
        per_session: 0.01,
        spikes: 0.0,
    },
];

/// Interval, and what `[inference]` says of it.
const INTERVALS: [(&str, &str); 6] = [
    ("order-statistic", ""),
    ("sequence", "stopping = \"sequence\"\n"),
    (
        "student-t",
        "interval = \"student-t\"\nestimand = \"geometric-mean\"\n",
    ),
    (
        "bootstrap-percentile",
        "interval = \"bootstrap-percentile\"\n",
    ),
    (
        "bootstrap-bca",
        "interval = \"bootstrap-bca\"\nestimand = \"geometric-mean\"\n",
    ),
    (
        "bootstrap-t",
        "interval = \"bootstrap-t\"\nestimand = \"geometric-mean\"\n",
    ),
];

pub(crate) fn rows(experiments: u64) -> Vec<Row> {
    let mut rows = Vec::new();
    for machine in MACHINES {
        for (interval, inference) in INTERVALS {
            for (kill, said, verdict) in [
                ("ratio < 1", "false falsified", Verdict::Falsified),
                ("ratio <= 1", "false pass", Verdict::Pass),
            ] {
                let plan = Plan::new(SESSIONS, &[kill], inference, "");
                let what = format!("{said}, the same arm twice, {}", machine.name);
                rows.push(Row {
                    rate: rate(&format!("{what} {interval}"), experiments, |generator| {
                        said_at_the_end(&plan, interval, &samples(generator, machine)) == verdict
                    }),
                    what,
                    interval,
                    sessions: SESSIONS,
                    nominal: ALPHA,
                    experiments,
                });
            }
        }
    }
    rows
}

/// The verdict of an experiment: of a sequence, the first that is one; else on all its sessions.
fn said_at_the_end(plan: &Plan, interval: &str, samples: &Samples) -> Verdict {
    if interval != "sequence" {
        return plan.verdict(samples);
    }
    let looks = (1..=samples.sessions.len()).map(|over| Samples {
        sessions: samples.sessions[..over].to_vec(),
    });
    looks
        .map(|so_far| plan.verdict(&so_far))
        .find(|verdict| *verdict != Verdict::Abstained)
        .unwrap_or(Verdict::Abstained)
}

/// Whether the rate of an exact interval must keep its α.
pub(crate) fn is_exact(row: &Row) -> bool {
    matches!(row.interval, "order-statistic" | "sequence")
}

fn samples(generator: &mut Generator, machine: Machine) -> Samples {
    let mut starts_with_a = false;
    let sessions = (0..SESSIONS).map(|session| {
        // A permutation for two sessions, the second one reversed.
        starts_with_a = if session.is_multiple_of(2) {
            generator.below(2) == 0
        } else {
            !starts_with_a
        };
        let order = if starts_with_a {
            ["a", "b", "b", "a"]
        } else {
            ["b", "a", "a", "b"]
        };
        let shared =
            machine.session * gaussian(generator) + machine.per_session * f64::from(session);
        let slots = (0_u32..).zip(order).map(|(place, arm)| {
            let pace = (shared + machine.per_slot * f64::from(place)).exp();
            let step = |_| {
                let spike = if f64::from(generator.below(1000)) < 1000.0 * machine.spikes {
                    1.5
                } else {
                    1.0
                };
                pace * spike * (0.02 * gaussian(generator)).exp()
            };
            slot(arm, (0..STEPS).map(step).collect())
        });
        Session::Complete(Observations {
            slots: slots.collect(),
            columns: BTreeMap::new(),
            facts: BTreeMap::new(),
        })
    });
    Samples {
        sessions: sessions.collect(),
    }
}
