//! How often the judge says something wrong: simulated experiments whose truth is known, read by the
//! code that judges ([`prereg_judgement::on_conditions`]).
//!
//! Prints the table that is committed as `evidence/error_rates.tsv` of this crate:
//!
//! ```text
//! cargo run --release -p prereg-judgement --example error_rates > crates/prereg-judgement/evidence/error_rates.tsv
//! ```
//!
//! Fails where the same arm twice makes an exact interval wrong more often than its α allows.
//!
//! The figures depend on the seed alone, neither on the machine nor on the number of threads.

mod conditions;
mod missing;
mod plan;
mod repeats;
mod row;
mod same_arm;
mod simulation;
mod stopping;

use std::fmt::Write as _;
use std::process::ExitCode;

use row::Row;

/// Simulated experiments a row, but for the same arm twice: a rate of 5 % has a standard error of
/// 0.2 %.
const EXPERIMENTS: u64 = 10_000;
/// The same arm twice, where the bound on the rate names this number.
const SAME_ARM_EXPERIMENTS: u64 = 2_000;

fn main() -> ExitCode {
    let mut rows: Vec<Row> = Vec::new();
    rows.extend(conditions::rows(EXPERIMENTS));
    rows.extend(missing::rows(EXPERIMENTS));
    rows.extend(repeats::rows(EXPERIMENTS));
    rows.extend(stopping::rows(EXPERIMENTS));
    let same_arm = same_arm::rows(SAME_ARM_EXPERIMENTS);
    let broken: Vec<&Row> = same_arm
        .iter()
        .filter(|row| same_arm::is_exact(row) && !row.keeps())
        .collect();
    for row in &broken {
        eprintln!("more often wrong than allowed: {row:?}");
    }
    let failed = !broken.is_empty();
    rows.extend(same_arm);
    print!("{}", table(&rows));
    if failed {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}

/// The whole file.
fn table(rows: &[Row]) -> String {
    let mut text = "# cargo run --release -p prereg-judgement --example error_rates\n\
                    # what\tinterval\tsessions\tnominal\trate\texperiments\n"
        .to_owned();
    for row in rows {
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "{}\t{}\t{}\t{}\t{:.4}\t{}",
            row.what, row.interval, row.sessions, row.nominal, row.rate, row.experiments
        );
    }
    text
}
