//! Which CPUs the threads run on.

use std::{fmt, io};

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// Where the decode's threads may run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Affinity {
    /// Wherever the scheduler puts them.
    #[default]
    None,
    /// Thread i on the i-th CPU of the list alone; the list has one CPU a thread.
    Cpus(Vec<usize>),
}

impl Affinity {
    /// Restricts the calling thread, worker `index`, to its CPU.
    pub(super) fn pin(&self, index: usize) -> io::Result<()> {
        let Self::Cpus(cpus) = self else {
            return Ok(());
        };
        let cpu = cpus
            .get(index)
            .copied()
            .filter(|&cpu| cpu < CpuSet::MAX_CPU)
            .ok_or(io::ErrorKind::InvalidInput)?;
        let mut set = CpuSet::new();
        set.set(cpu);
        Ok(sched_setaffinity(None, &set)?)
    }
}

impl fmt::Display for Affinity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("none"),
            Self::Cpus(cpus) => write!(f, "{cpus:?}"),
        }
    }
}

/// The CPUs that the calling thread had before it was pinned; given back when dropped.
pub(super) struct Unpin(CpuSet);

impl Unpin {
    /// Remembers the calling thread's CPUs.
    pub(super) fn new() -> io::Result<Self> {
        Ok(Self(sched_getaffinity(None)?))
    }
}

impl Drop for Unpin {
    fn drop(&mut self) {
        // A thread that may no longer run where it once could stays where it is.
        let _ = sched_setaffinity(None, &self.0);
    }
}
