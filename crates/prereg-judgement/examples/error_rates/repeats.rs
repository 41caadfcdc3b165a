//! Runs that are repeated: the first one counts, or the best of several, or the first that decides.
//! The true value lies on the threshold.

use prereg_judgement::Verdict;
use prereg_stats::Generator;

use crate::plan::{Plan, one_metric};
use crate::row::Row;
use crate::simulation::{lognormals, rate};

const SESSIONS: u32 = 10;
const RUNS: usize = 10;

pub(crate) fn rows(experiments: u64) -> Vec<Row> {
    let plan = Plan::new(SESSIONS, &["x < 1"], "", "");
    let run = |generator: &mut Generator| {
        plan.verdict(&one_metric(
            lognormals(generator, SESSIONS).into_iter().map(Some),
        ))
    };
    let row = |what: String, happens: &(dyn Fn(&mut Generator) -> bool + Sync)| Row {
        rate: rate(&what, experiments, happens),
        what,
        interval: "order-statistic",
        sessions: SESSIONS,
        nominal: 0.05,
        experiments,
    };
    vec![
        row(
            "false pass, the first run counts".to_owned(),
            &|generator| run(generator) == Verdict::Pass,
        ),
        row(
            format!("false pass, any of {RUNS} runs counts"),
            &|generator| (0..RUNS).any(|_| run(generator) == Verdict::Pass),
        ),
        row(
            "false pass, repeated until a run decides".to_owned(),
            &|generator| loop {
                match run(generator) {
                    Verdict::Abstained => {}
                    verdict => return verdict == Verdict::Pass,
                }
            },
        ),
    ]
}
