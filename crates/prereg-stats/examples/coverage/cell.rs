//! One population at one number of sessions.

use prereg_stats::{Alpha, Generator, Seed};

use crate::interval::{self, Estimand};
use crate::population::Population;
use crate::row::Row;
use crate::simulation::{SEED, SIZES};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cell {
    pub(crate) population: Population,
    pub(crate) sessions: usize,
}

impl Cell {
    pub(crate) fn all() -> Vec<Self> {
        let of = |population| {
            SIZES.map(|sessions| Self {
                population,
                sessions,
            })
        };
        Population::ALL.into_iter().flat_map(of).collect()
    }

    /// The coverage of every interval at two-sided `alpha`, over the first `data_sets` data sets.
    pub(crate) fn coverages(self, alpha: Alpha, data_sets: u64) -> Vec<Row> {
        let mut rows: Vec<Row> = Vec::new();
        for data_set in 0..data_sets {
            let values = self.values(data_set);
            let found = interval::all(&values, alpha, self.resampling_seed(data_set));
            if rows.is_empty() {
                rows = found.iter().map(|found| Row::new(found, self)).collect();
            }
            for (row, found) in rows.iter_mut().zip(&found) {
                row.count(found.interval, self.truth(found.estimand));
            }
        }
        rows
    }

    fn truth(self, estimand: Estimand) -> f64 {
        match estimand {
            Estimand::Mean => self.population.mean(),
            Estimand::Median => self.population.median(),
        }
    }

    fn values(self, data_set: u64) -> Vec<f64> {
        let mut generator = Generator::stream(self.seed(), data_set);
        (0..self.sessions)
            .map(|_| self.population.draw(&mut generator))
            .collect()
    }

    fn seed(self) -> Seed {
        let mut seed = [0; 32];
        seed[0] = SEED;
        seed[1] = self.population as u8;
        seed[2] = self.sessions as u8;
        Seed(seed)
    }

    /// Another seed for every data set, none of them that of the data.
    fn resampling_seed(self, data_set: u64) -> Seed {
        let Seed(mut seed) = self.seed();
        seed[3] = 1;
        seed[8..16].copy_from_slice(&data_set.to_le_bytes());
        Seed(seed)
    }
}
