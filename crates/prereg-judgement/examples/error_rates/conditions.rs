//! One, two and three conditions whose truth lies on the threshold: wrong either way at most at α,
//! with α split over the conditions as the judge does, and without for contrast.

use prereg_judgement::Verdict;

use crate::plan::{Plan, independent};
use crate::row::Row;
use crate::simulation::{lognormals, rate};

const ALPHA: f64 = 0.05;

/// Interval, what `[inference]` says of it, and sessions at which it is read.
const INTERVALS: [(&str, &str, u32); 3] = [
    ("order-statistic", "", 10),
    ("order-statistic", "", 13),
    (
        "student-t",
        "interval = \"student-t\"\nestimand = \"geometric-mean\"\n",
        10,
    ),
];

pub(crate) fn rows(experiments: u64) -> Vec<Row> {
    let mut rows = Vec::new();
    for (interval, inference, sessions) in INTERVALS {
        for conditions in 1..=3 {
            for split in [true, false] {
                // One condition has nothing to split.
                if conditions == 1 && !split {
                    continue;
                }
                rows.extend([Wrong::Falsified, Wrong::Pass].map(|wrong| {
                    row(
                        wrong,
                        interval,
                        inference,
                        sessions,
                        conditions,
                        split,
                        experiments,
                    )
                }));
            }
        }
    }
    rows
}

/// What the judge could say wrongly.
#[derive(Clone, Copy, PartialEq)]
enum Wrong {
    /// No condition holds, and one is shown true.
    Falsified,
    /// All conditions hold, and each is shown false.
    Pass,
}

fn row(
    wrong: Wrong,
    interval: &'static str,
    inference: &str,
    sessions: u32,
    conditions: usize,
    split: bool,
    experiments: u64,
) -> Row {
    // The true value is 1 in every session: `< 1` does not hold, `<= 1` does.
    let comparisons: Vec<String> = ["x", "y", "z"][..conditions]
        .iter()
        .map(|metric| match wrong {
            Wrong::Falsified => format!("{metric} < 1"),
            Wrong::Pass => format!("{metric} <= 1"),
        })
        .collect();
    // A disjunction splits the α of falsified, a conjunction that of pass. Without the split means with an α as many
    // times as large.
    let (kill, key, verdict) = match wrong {
        Wrong::Falsified => (comparisons, "alpha-falsified", Verdict::Falsified),
        Wrong::Pass => (vec![comparisons.join(" and ")], "alpha-pass", Verdict::Pass),
    };
    let alpha = if split {
        ALPHA
    } else {
        ALPHA * conditions as f64
    };
    let kill: Vec<&str> = kill.iter().map(String::as_str).collect();
    let plan = Plan::new(
        sessions,
        &kill,
        &format!("{inference}{key} = {alpha}\n"),
        "",
    );
    let said = match wrong {
        Wrong::Falsified => "false falsified",
        Wrong::Pass => "false pass",
    };
    let how = match (conditions, split) {
        (1, _) => "1 condition".to_owned(),
        (_, true) => format!("{conditions} conditions, α split"),
        (_, false) => format!("{conditions} conditions, α not split"),
    };
    let what = format!("{said}, {how}");
    let name = format!("{what} {interval} {sessions}");
    Row {
        rate: rate(&name, experiments, |generator| {
            plan.verdict(&independent(generator, sessions, lognormals)) == verdict
        }),
        what,
        interval,
        sessions,
        nominal: ALPHA,
        experiments,
    }
}
