//! A small version of the example `error_rates`, against the committed table of its full run.

#![expect(
    clippy::unwrap_used,
    reason = "a committed table that cannot be read fails its test"
)]

#[path = "../examples/error_rates/conditions.rs"]
mod conditions;
#[path = "../examples/error_rates/missing.rs"]
mod missing;
#[path = "../examples/error_rates/plan.rs"]
mod plan;
#[path = "../examples/error_rates/repeats.rs"]
mod repeats;
#[path = "../examples/error_rates/row.rs"]
mod row;
#[path = "../examples/error_rates/same_arm.rs"]
mod same_arm;
#[path = "../examples/error_rates/simulation.rs"]
mod simulation;
#[path = "../examples/error_rates/stopping.rs"]
mod stopping;

use row::Row;

const TABLE: &str = include_str!("../evidence/error_rates.tsv");

/// The committed rate and number of experiments of the same row.
fn committed(row: &Row) -> (f64, f64) {
    let key = format!("{}\t{}\t{}\t", row.what, row.interval, row.sessions);
    let line = TABLE.lines().find(|line| line.starts_with(&key));
    let fields: Vec<&str> = line
        .unwrap_or_else(|| panic!("no row {key}"))
        .split('\t')
        .collect();
    (fields[4].parse().unwrap(), fields[5].parse().unwrap())
}

/// The row as committed.
fn full(row: Row) -> Row {
    let (rate, experiments) = committed(&row);
    Row {
        rate,
        experiments: experiments as u64,
        ..row
    }
}

/// Both rates are estimates of one: they differ by at most five standard errors.
#[track_caller]
fn agrees(row: &Row) {
    let (rate, experiments) = committed(row);
    let pooled = (rate * experiments + row.rate * row.experiments as f64)
        / (experiments + row.experiments as f64);
    let error =
        (pooled * (1.0 - pooled) * (1.0 / experiments + 1.0 / row.experiments as f64)).sqrt();
    assert!(
        (row.rate - rate).abs() <= 5.0 * error,
        "{row:?}, committed {rate}"
    );
}

#[test]
fn with_alpha_split_no_number_of_conditions_is_wrong_more_often_than_alpha() {
    for row in conditions::rows(300) {
        agrees(&row);
        // The simulated logarithms are normal, so Student's t is exact too.
        let splits = !row.what.contains("not split");
        assert!(!splits || full(row.clone()).keeps(), "{row:?}");
        // Thirteen sessions and Student's t use the level best, so that leaving it unsplit shows.
        let uses_level = row.sessions == 13 || row.interval == "student-t";
        assert!(
            splits || !uses_level || !full(row.clone()).keeps(),
            "{row:?}"
        );
    }
}

#[test]
fn losing_sessions_helps_nobody_unless_they_are_renumbered_or_taken_again() {
    let rows = missing::rows(2_000);
    rows.iter().for_each(agrees);
    let keeps: Vec<bool> = rows.iter().map(Row::keeps).collect();
    assert_eq!(keeps, [true, false, true, false], "{rows:?}");
}

#[test]
fn only_the_first_run_keeps_its_alpha() {
    let rows = repeats::rows(500);
    rows.iter().for_each(agrees);
    let keeps: Vec<bool> = rows.iter().map(Row::keeps).collect();
    assert_eq!(keeps, [true, false, false], "{rows:?}");
}

#[test]
fn only_the_sequence_may_be_looked_at_after_every_session() {
    let rows = stopping::rows(500);
    rows.iter().for_each(agrees);
    let keeps: Vec<bool> = rows.iter().map(Row::keeps).collect();
    assert_eq!(keeps, [true, false, false], "{rows:?}");
}

#[test]
fn the_same_arm_twice_is_told_apart_at_most_at_alpha() {
    for row in same_arm::rows(60) {
        agrees(&row);
        if same_arm::is_exact(&row) {
            assert!(full(row.clone()).keeps(), "{row:?}");
        }
    }
}
