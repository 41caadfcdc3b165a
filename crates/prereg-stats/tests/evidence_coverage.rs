//! A small version of the example `coverage`, against the committed table of its full run.

#![expect(
    clippy::unwrap_used,
    reason = "a committed table that cannot be read fails its test"
)]

#[path = "../examples/coverage/cell.rs"]
mod cell;
#[path = "../examples/coverage/interval.rs"]
mod interval;
#[path = "../examples/coverage/population.rs"]
mod population;
#[path = "../examples/coverage/row.rs"]
mod row;
#[path = "../examples/coverage/simulation.rs"]
mod simulation;

use cell::Cell;
use prereg_stats::Alpha;
use row::Row;
use simulation::{ALPHA, DATA_SETS};

const TABLE: &str = include_str!("../evidence/coverage.tsv");

/// Data sets of a cell here; few, since every one resamples five laws.
const FEW: u64 = 100;

fn committed(row: &Row) -> f64 {
    let key = format!(
        "{}\t{}\t{}\t{}\t",
        row.interval,
        row.estimand,
        row.cell.population.name(),
        row.cell.sessions
    );
    let found = TABLE.lines().find_map(|line| line.strip_prefix(&key));
    let coverage = found.unwrap_or_else(|| panic!("no row {key}"));
    coverage.parse().unwrap()
}

#[test]
fn a_small_run_gives_the_committed_coverages_within_its_error() {
    for cell in Cell::all() {
        for row in cell.coverages(Alpha::new(ALPHA).unwrap(), FEW) {
            let (found, expected) = (row.coverage(), committed(&row));
            if expected.is_infinite() {
                assert_eq!(found, expected, "{row:?}");
                continue;
            }
            // The small run is the beginning of the full one, so they differ by less than two
            // runs would: five standard errors are ample.
            let error = (expected * (1.0 - expected) / FEW as f64).sqrt();
            assert!(
                (found - expected).abs() <= 5.0 * error,
                "{found}, committed {expected}: {row:?}"
            );
        }
    }
}

#[test]
fn the_exact_interval_covers_at_its_level_under_every_law_in_the_committed_table() {
    let exact = TABLE
        .lines()
        .filter_map(|line| line.strip_prefix("order-statistic\tmedian\t"));
    let coverages: Vec<f64> = exact
        .map(|line| line.rsplit_once('\t').unwrap().1.parse().unwrap())
        .filter(|coverage: &f64| coverage.is_finite())
        .collect();
    assert_eq!(coverages.len(), 15);
    let error = (0.95 * 0.05 / DATA_SETS as f64).sqrt();
    assert!(
        coverages
            .iter()
            .all(|coverage| *coverage > 0.95 - 3.0 * error),
        "{coverages:?}"
    );
}
