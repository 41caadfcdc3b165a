//! How often nominal 95 % intervals cover the true value: five populations of session numbers,
//! 5, 10, 20 and 30 sessions, eight intervals.
//!
//! Writes `evidence/coverage.tsv` of this crate. Run it with
//!
//! ```text
//! cargo run --release -p prereg-stats --example coverage
//! ```
//!
//! Cost: 200 000 data sets with three bootstrap laws each, 2 · 10^10 draws. The figures depend on
//! the constants of `simulation` alone, neither on the machine nor on the number of threads.

mod cell;
mod interval;
mod population;
mod row;
mod simulation;
mod table;

use std::error::Error;
use std::path::Path;
use std::thread;

use cell::Cell;
use prereg_stats::Alpha;
use row::Row;
use simulation::{ALPHA, DATA_SETS};

/// The figures do not depend on it.
const THREADS: usize = 2;

#[expect(
    clippy::disallowed_methods,
    reason = "a table that another run of this program writes again"
)]
fn main() -> Result<(), Box<dyn Error>> {
    let alpha = Alpha::new(ALPHA)?;
    let cells = Cell::all();
    let mut found: Vec<Vec<Row>> = vec![Vec::new(); cells.len()];
    // A cell costs what its sessions cost, so the sizes take turns on the threads.
    thread::scope(|scope| {
        let mut shares: Vec<Vec<_>> = (0..THREADS).map(|_| Vec::new()).collect();
        for (index, work) in cells.iter().zip(&mut found).enumerate() {
            shares[(index + index / simulation::SIZES.len()) % THREADS].push(work);
        }
        for share in shares {
            scope.spawn(move || {
                for (cell, rows) in share {
                    *rows = cell.coverages(alpha, DATA_SETS);
                }
            });
        }
    });
    let text = table::write(&found.concat());
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("evidence/coverage.tsv");
    std::fs::write(file, &text)?;
    print!("{text}");
    Ok(())
}
