//! The numbers of one metric, session by session.

use prereg_declaration::Metric;
use prereg_stats::{Sample, Sessions, estimate};
use prereg_units::Dimension;

use crate::evaluate::{Reader, SessionReader, Unreadable};
use crate::method::Reading;

/// One number a session, where there is one.
pub(crate) struct Values {
    pub(crate) dimension: Dimension,
    /// By session; `None` where the session is missing or the metric could not be read in it.
    pub(crate) by_session: Vec<Option<f64>>,
    /// By block, where blocks count.
    pub(crate) by_block: Option<Vec<Option<f64>>>,
    /// Why a session that is there has no number, for the first such session.
    pub(crate) unreadable: Option<Unreadable>,
}

impl Values {
    /// Finite numbers of `dimension`.
    pub(crate) fn new(
        dimension: Dimension,
        by_session: Vec<Option<f64>>,
        reading: Reading,
    ) -> Self {
        Self {
            dimension,
            by_block: reading.blocks(&by_session),
            by_session,
            unreadable: None,
        }
    }

    /// Reads the metric in every session that is there.
    pub(crate) fn read(
        name: &str,
        metric: &Metric,
        sessions: &mut [Option<SessionReader<'_>>],
        reading: Reading,
    ) -> Self {
        let read: Vec<_> = sessions
            .iter_mut()
            .map(|session| session.as_mut().map(|reader| reader.metric(name)))
            .collect();
        let unreadable = read.iter().flatten().find_map(|value| value.err());
        let by_session = read
            .into_iter()
            .map(|value| Some(value?.ok()?.value()))
            .collect();
        Self {
            unreadable,
            ..Self::new(metric.dimension, by_session, reading)
        }
    }

    /// The same without what is missing: as if the plan had had only the units that have a number.
    pub(crate) fn without_missing(&self) -> Self {
        let present = self.units().iter().filter(|value| value.is_some());
        Self {
            dimension: self.dimension,
            by_session: present.copied().collect(),
            by_block: None,
            unreadable: None,
        }
    }

    /// The sessions' numbers that there are.
    pub(crate) fn present(&self) -> Vec<f64> {
        self.by_session.iter().copied().flatten().collect()
    }

    /// What inference counts: blocks or sessions, in the order in which they were taken.
    pub(crate) fn units(&self) -> &[Option<f64>] {
        self.by_block.as_deref().unwrap_or(&self.by_session)
    }

    /// The same for inference: a unit without a number is missing.
    pub(crate) fn counted(&self) -> Sessions {
        let units = self.units();
        let present: Vec<f64> = units.iter().copied().flatten().collect();
        // Numbers are finite: they come from quantities.
        Sessions::new(&present, units.len() - present.len())
            .unwrap_or_else(|_| Sessions::all_missing(units.len()))
    }

    /// Whether more than one unit has a number and all are equal to rounding.
    pub(crate) fn is_degenerate(&self) -> bool {
        let present: Vec<f64> = self.units().iter().copied().flatten().collect();
        present.len() > 1
            && Sample::new(&present).is_ok_and(|sample| estimate::is_degenerate(sample) == Ok(true))
    }

    /// Whether a block has all of its sessions and still no number.
    pub(crate) fn has_block_without_summary(&self) -> bool {
        let Some(blocks) = &self.by_block else {
            return false;
        };
        let length = (self.by_session.len() / blocks.len().max(1)).max(1);
        let sessions = self.by_session.chunks(length);
        blocks
            .iter()
            .zip(sessions)
            .any(|(block, sessions)| block.is_none() && sessions.iter().all(Option::is_some))
    }
}
