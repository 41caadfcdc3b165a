//! Measured coverage of the intervals that are not exact.
//!
//! The table is the committed result of the example `coverage`: after a line of `#` remarks, rows
//! `interval estimand law n coverage` between tabs, at nominal 95 %.

const TABLE: &str = include_str!("../evidence/coverage.tsv");

/// The worst and the best coverage over the laws of the table, at the largest tabulated number of
/// sessions that is at most `sessions`.
pub(crate) fn measured(interval: &str, estimand: &str, sessions: usize) -> Option<(f64, f64)> {
    range(TABLE, interval, estimand, sessions)
}

fn range(table: &str, interval: &str, estimand: &str, sessions: usize) -> Option<(f64, f64)> {
    let rows = || {
        rows(table).filter(|row| {
            row.interval == interval && row.estimand == estimand && row.sessions <= sessions
        })
    };
    let nearest = rows().map(|row| row.sessions).max()?;
    let at_nearest = rows().filter(|row| row.sessions == nearest);
    at_nearest.fold(None, |range, row| {
        let (worst, best) = range.unwrap_or((row.coverage, row.coverage));
        Some((row.coverage.min(worst), row.coverage.max(best)))
    })
}

struct Row<'a> {
    interval: &'a str,
    estimand: &'a str,
    sessions: usize,
    coverage: f64,
}

fn rows(table: &str) -> impl Iterator<Item = Row<'_>> {
    table
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(row)
}

fn row(line: &str) -> Option<Row<'_>> {
    let mut fields = line.split('\t');
    let (interval, estimand, _law) = (fields.next()?, fields.next()?, fields.next()?);
    Some(Row {
        interval,
        estimand,
        sessions: fields.next()?.parse().ok()?,
        coverage: fields.next()?.parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    const SMALL: &str = "# a remark\n\
        a\tmean\tflat\t5\t0.9\n\
        a\tmean\tsteep\t5\t0.8\n\
        a\tmean\tflat\t10\t0.95\n\
        a\tmedian\tflat\t5\t0.7\n\
        b\tmean\tflat\t5\tinf\n";

    #[test]
    fn the_range_is_over_the_laws_of_one_interval_estimand_and_count() {
        assert_eq!(range(SMALL, "a", "mean", 5), Some((0.8, 0.9)));
        assert_eq!(range(SMALL, "a", "median", 5), Some((0.7, 0.7)));
    }

    #[test]
    fn counts_between_tabulated_ones_take_the_smaller() {
        let at = |sessions| range(SMALL, "a", "mean", sessions);
        assert_eq!(at(4), None);
        assert_eq!(at(9), at(5));
        assert_eq!(at(1000), Some((0.95, 0.95)));
        assert_eq!(range(SMALL, "c", "mean", 5), None);
    }

    #[test]
    fn every_line_of_the_table_is_a_row_and_every_cell_has_five_laws() {
        let mut laws = BTreeMap::new();
        for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
            let row = row(line).expect(line);
            assert!(row.coverage > 0.0, "{line}");
            let cell = (row.interval, row.estimand, row.sessions);
            *laws.entry(cell).or_insert(0) += 1;
        }
        assert!(
            !laws.is_empty() && laws.values().all(|laws| *laws == 5),
            "{laws:?}"
        );
    }
}
