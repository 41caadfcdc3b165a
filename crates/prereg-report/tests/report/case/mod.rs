//! One input for each way that a verdict can come out.

mod abstained;
mod decided;
mod plan;
mod program;
mod unusual;

use prereg_declaration::Declaration;
use prereg_judgement::{ClaimResult, Headline};
use prereg_report::{ReportInput, RunFacts};

use crate::study::{SPEEDUPS, declaration, headline, judgement, kill, run};

pub(crate) use abstained::{degenerate, gate_failed, missing_sessions, undetermined};
pub(crate) use decided::{falsified, pass};
pub(crate) use plan::{amended, blocks, sequence, student_t};
pub(crate) use program::{
    census, command, control_failed, outside_range, outside_range_to_no_effect,
};
pub(crate) use unusual::{
    disagreement, hostile, inconsistent, joined_condition, long_names, many_sessions, no_data,
    two_conditions,
};

/// A declaration, and what the record holds about it.
pub(crate) struct Case {
    pub(crate) declaration: Declaration,
    build: fn(&Declaration) -> ReportInput<'_>,
}

impl Case {
    pub(crate) fn input(&self) -> ReportInput<'_> {
        (self.build)(&self.declaration)
    }
}

const HEADLINE: &str = "speedup is at least 1.15 on cpu";
const SUMMARY: [f64; 3] = [1.19, 1.235, 1.28];
const LIMIT: (&str, &str, &str) = ("speedup", "<", "1.15");

fn shifted(by: f64) -> Vec<Option<f64>> {
    SPEEDUPS.iter().map(|speedup| Some(speedup + by)).collect()
}

fn at_least() -> Declaration {
    declaration(&["cpu"], vec![kill("speedup", "<", "1.15")])
}

fn one_target(
    result: ClaimResult,
    values: &[Option<f64>],
    summary: [f64; 3],
) -> (RunFacts, Headline) {
    let head = headline(
        HEADLINE,
        result.verdict,
        vec![("cpu", result.verdict, result.reasons.clone())],
    );
    (
        run(
            "cpu-3f2a91c07d55",
            "cpu",
            judgement("cpu", values, summary, result),
        ),
        head,
    )
}
