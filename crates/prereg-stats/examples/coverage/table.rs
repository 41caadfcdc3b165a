//! The table.

use std::fmt::Write as _;

use crate::row::Row;
use crate::simulation::{DATA_SETS, ENUMERATED, RESAMPLES, SEED};

/// The whole file.
pub(crate) fn write(rows: &[Row]) -> String {
    let mut text = format!(
        "# cargo run --release -p prereg-stats --example coverage; nominal 0.95, {DATA_SETS} data \
         sets a row, B = {RESAMPLES} resamples (enumerated up to N = {ENUMERATED}), seed {SEED}; \
         inf: no bound exists at this N\n"
    );
    for row in rows {
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "{}\t{}\t{}\t{}\t{:.4}",
            row.interval,
            row.estimand,
            row.cell.population.name(),
            row.cell.sessions,
            row.coverage()
        );
    }
    text
}
