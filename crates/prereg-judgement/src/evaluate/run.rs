//! The run as a whole: statistics of metrics over its sessions.

use std::collections::BTreeMap;

use prereg_declaration::{ConstantName, Statistic};
use prereg_units::Quantity;

use super::statistic::{Spread, statistic};
use super::{Reader, Unreadable};
use crate::constants::Constants;
use crate::metric::Values;

/// Reads all sessions that have numbers.
pub(crate) struct RunReader<'a> {
    pub(crate) metrics: &'a BTreeMap<String, Values>,
    pub(crate) constants: &'a Constants,
}

impl Reader for RunReader<'_> {
    fn constant(&self, name: &ConstantName) -> Result<Quantity, Unreadable> {
        self.constants.get(name).ok_or(Unreadable::NotObserved)
    }

    /// A metric that could not be read in a session that is there is not observed, whatever the
    /// other sessions say; only the count is.
    fn over_sessions(&self, name: Statistic, metric: &str) -> Result<Quantity, Unreadable> {
        let values = self.metrics.get(metric).ok_or(Unreadable::NotObserved)?;
        if let Some(unreadable) = values.unreadable
            && name != Statistic::Count
        {
            return Err(unreadable);
        }
        statistic(name, &values.present(), values.dimension, Spread::Log)
    }
}
