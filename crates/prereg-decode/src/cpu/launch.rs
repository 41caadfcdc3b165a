//! Two ways to issue the same plan.
//!
//! Both run the same kernels on the same threads with the same partition and the same way of waiting. They differ in
//! dispatch and argument preparation only.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

use super::barrier::{Barrier, Padded};
use super::clock::monotonic_ns;
use super::device::Device;
use super::kernels::execute;
use super::pool::Pool;
use super::work::Work;
use crate::plan::StepPlan;

/// How a step's launches are issued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaunchMode {
    /// Kernel by kernel: the caller resolves each launch's arguments, hands it to the threads and waits for them.
    Eager,
    /// The captured plan is replayed: one hand-over a step, after which the threads walk the prepared launches with a
    /// barrier between them.
    Graph,
}

impl LaunchMode {
    /// Both modes.
    pub const ALL: [Self; 2] = [Self::Eager, Self::Graph];

    /// Its name in declarations and records.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Eager => "eager",
            Self::Graph => "graph",
        }
    }

    /// The mode of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.name() == name)
    }
}

impl fmt::Display for LaunchMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What shows that a graph was captured and replayed. An arm that asked for `graph` is valid only if `replays` grew by
/// the number of its steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GraphProof {
    /// Launches that the capture prepared; those of the plan.
    pub captured_launches: usize,
    /// Steps that replayed them since the capture.
    pub replays: u64,
}

/// A plan with every argument resolved.
pub(super) struct Graph {
    work: Vec<Work>,
    barrier: Barrier,
    replays: u64,
}

impl Graph {
    /// Resolves every launch of `plan` once.
    pub(super) fn capture(device: &Device, plan: &StepPlan, workers: usize) -> Self {
        let work = plan
            .launches()
            .iter()
            .map(|launch| device.resolve(&launch.kernel))
            .collect();
        Self {
            work,
            barrier: Barrier::new(workers),
            replays: 0,
        }
    }

    pub(super) fn proof(&self) -> GraphProof {
        GraphProof {
            captured_launches: self.work.len(),
            replays: self.replays,
        }
    }

    /// One step.
    pub(super) fn replay(&mut self, device: &Device, pool: &mut Pool, probe: &impl Probe) {
        let (work, barrier) = (&self.work, &self.barrier);
        pool.run(&|worker| {
            for (index, work) in work.iter().enumerate() {
                // The pool's own hand-over stands before the first launch and after the last.
                if index > 0 {
                    barrier.wait();
                }
                // SAFETY: every worker walks the same list, kept in step by the barrier; `run` returns when all are
                // done, and the device is borrowed until then.
                probe.time(worker.index, || unsafe { execute(device, work, worker) });
            }
        });
        self.replays += 1;
    }
}

/// One step, launch by launch.
pub(super) fn issue(device: &Device, plan: &StepPlan, pool: &mut Pool, probe: &impl Probe) {
    for launch in plan.launches() {
        let work = device.resolve(&launch.kernel);
        // SAFETY: every worker runs this launch once, and `run` returns when all are done; the device is borrowed until
        // then.
        pool.run(&|worker| probe.time(worker.index, || unsafe { execute(device, &work, worker) }));
    }
}

/// Watches each worker's share of each launch.
pub(super) trait Probe: Sync {
    /// Runs `share`.
    fn time(&self, worker: usize, share: impl FnOnce());
}

/// Watches nothing: measured steps run with this one.
pub(super) struct NoProbe;

impl Probe for NoProbe {
    #[inline]
    fn time(&self, _worker: usize, share: impl FnOnce()) {
        share();
    }
}

/// Adds up the time that each worker spends inside kernels.
pub(super) struct KernelTime(Vec<Padded<AtomicU64>>);

impl KernelTime {
    pub(super) fn new(workers: usize) -> Self {
        Self((0..workers).map(|_| Padded::default()).collect())
    }

    /// Nanoseconds, the mean over workers.
    pub(super) fn mean_ns(&self) -> u64 {
        self.0
            .iter()
            .map(|busy| busy.0.load(Ordering::Relaxed))
            .sum::<u64>()
            / self.0.len() as u64
    }
}

impl Probe for KernelTime {
    fn time(&self, worker: usize, share: impl FnOnce()) {
        let start = monotonic_ns();
        share();
        self.0[worker]
            .0
            .fetch_add(monotonic_ns() - start, Ordering::Relaxed);
    }
}
