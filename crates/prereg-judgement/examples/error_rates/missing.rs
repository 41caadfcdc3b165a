//! Sessions that somebody wants to lose: dropped and renumbered, taken again, or counted against
//! both sides as the judge does. The true value lies on the threshold.

use prereg_judgement::Verdict;
use prereg_stats::Generator;

use crate::plan::{Plan, one_metric};
use crate::row::Row;
use crate::simulation::{SPREAD, gaussian, lognormals, rate};

const SESSIONS: u32 = 10;
const ALPHA: f64 = 0.05;

pub(crate) fn rows(experiments: u64) -> Vec<Row> {
    let row = |what: &str, happens: &(dyn Fn(&mut Generator) -> bool + Sync)| Row {
        what: what.to_owned(),
        interval: "order-statistic",
        sessions: SESSIONS,
        nominal: ALPHA,
        rate: rate(what, experiments, happens),
        experiments,
    };
    // A plan for every number of sessions that may be left.
    let plans: Vec<Plan> = (1..=SESSIONS)
        .map(|sessions| Plan::new(sessions, &["x < 1"], "", ""))
        .collect();
    let passes = |values: &[Option<f64>]| {
        let plan = &plans[values.len() - 1];
        plan.verdict(&one_metric(values.iter().copied())) == Verdict::Pass
    };
    let is_low = |value: &f64| *value < (-SPREAD).exp();
    vec![
        row("false pass, every session kept", &|generator| {
            let values = lognormals(generator, SESSIONS);
            passes(&values.into_iter().map(Some).collect::<Vec<_>>())
        }),
        row(
            "false pass, sessions beyond -1 sigma dropped and renumbered",
            &|generator| {
                let mut values = lognormals(generator, SESSIONS);
                values.retain(|value| !is_low(value));
                !values.is_empty() && passes(&values.into_iter().map(Some).collect::<Vec<_>>())
            },
        ),
        row(
            "false pass, sessions beyond -1 sigma missing, counted adversely",
            &|generator| {
                let values = lognormals(generator, SESSIONS);
                let kept = values
                    .into_iter()
                    .map(|value| (!is_low(&value)).then_some(value));
                passes(&kept.collect::<Vec<_>>())
            },
        ),
        row(
            "false pass, sessions below the median taken again once",
            &|generator| {
                let values = lognormals(generator, SESSIONS);
                let again = values.into_iter().map(|value| {
                    let second = (SPREAD * gaussian(generator)).exp();
                    Some(if value < 1.0 { second } else { value })
                });
                passes(&again.collect::<Vec<_>>())
            },
        ),
    ]
}
