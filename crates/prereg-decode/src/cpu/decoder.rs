//! The decoder: a model on this device, ready to step.

use std::hint::black_box;

use super::clock::monotonic_ns;
use super::device::Device;
use super::error::RunError;
use super::launch::{Graph, GraphProof, KernelTime, LaunchMode, NoProbe, Probe, issue};
use super::memory::{MemoryReport, anon_huge_pages};
use super::pool::Pool;
use crate::arithmetic::Path;
use crate::plan::{PlanKind, StepPlan};

/// A place to return to: position and next token. Steps write behind the position only, so the cache below it stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Snapshot {
    position: usize,
    token: usize,
}

/// A model with its weights, cache and threads on this CPU.
///
/// The thread that makes it is one of its workers and is pinned along with them until it is dropped; it must be the one
/// that runs it. Weights are held once. Between [`Decoder::run`]'s start mark and its return nothing is allocated.
pub struct Decoder {
    // Dropped in this order: threads end before the memory goes.
    pub(super) pool: Pool,
    pub(super) graph: Option<Graph>,
    pub(super) device: Device,
    pub(super) plan: StepPlan,
    pub(super) rows: usize,
    pub(super) capacity: usize,
    pub(super) streamed: Vec<usize>,
}

impl Decoder {
    /// Cuts the step anew, on the same weights and cache. A graph captured before is dropped with the plan it came from.
    pub fn use_plan(&mut self, kind: PlanKind) {
        self.plan = StepPlan::new(&self.device.shape, kind, self.plan.context());
        self.streamed = self.plan.streamed();
        self.graph = None;
    }

    /// The step's plan, with the bytes that it declares at the context of [`Options`](super::Options).
    #[must_use]
    pub fn plan(&self) -> &StepPlan {
        &self.plan
    }

    /// The instruction set of the kernels.
    #[must_use]
    pub fn path(&self) -> Path {
        self.device.path
    }

    /// Positions cached so far.
    #[must_use]
    pub fn position(&self) -> usize {
        self.device.counters.position()
    }

    /// What is held, and on which pages.
    #[must_use]
    pub fn memory(&self) -> MemoryReport {
        let device = &self.device;
        let regions = [
            &device.weights.region,
            &device.cache.region,
            &device.activations.region,
        ];
        let addresses = regions.map(super::region::Region::addresses);
        let [weights, kv, other] = addresses.each_ref().map(|range| range.len() as u64);
        MemoryReport {
            weights,
            kv,
            other,
            anon_huge_pages: anon_huge_pages(&addresses),
        }
    }

    /// Fills the positions of the context with seeded normal keys and values, and makes `token` the next one.
    ///
    /// # Errors
    /// [`RunError::UnknownToken`].
    pub fn fill_context(&mut self, seed: [u8; 32], token: u32) -> Result<(), RunError> {
        self.check_tokens(&[token])?;
        self.device
            .cache
            .fill(self.plan.context(), seed, &mut self.pool);
        self.device.counters.set_position(self.plan.context());
        self.device.counters.set_token(token as usize);
        Ok(())
    }

    /// Steps through a prompt from the current position: all but its last token are taken in here, and the last becomes
    /// the next token, so that the first step of [`Decoder::run`] is chosen by the logits after it.
    ///
    /// # Errors
    /// [`RunError`]: an empty prompt, a token outside the vocabulary, no room in the cache.
    pub fn prefill(&mut self, tokens: &[u32]) -> Result<(), RunError> {
        let [taken_in @ .., last] = tokens else {
            return Err(RunError::EmptyPrompt);
        };
        self.check_tokens(tokens)?;
        self.check_room(taken_in.len())?;
        for &token in taken_in {
            self.device.counters.set_token(token as usize);
            self.device.counters.set_row(0);
            issue(&self.device, &self.plan, &mut self.pool, &NoProbe);
        }
        self.device.counters.set_token(*last as usize);
        Ok(())
    }

    /// The current place.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            position: self.device.counters.position(),
            token: self.device.counters.token(),
        }
    }

    /// Goes back to a place. Steps since then, and the positions they cached, are forgotten.
    pub fn restore(&mut self, to: Snapshot) {
        self.device.counters.set_position(to.position);
        self.device.counters.set_token(to.token);
    }

    /// Prepares the plan for [`LaunchMode::Graph`]: resolves every launch once. An earlier capture is replaced.
    pub fn capture(&mut self) {
        self.graph = Some(Graph::capture(&self.device, &self.plan, self.pool.count()));
    }

    /// What was captured and how often it was replayed; `None` before a capture.
    #[must_use]
    pub fn graph_proof(&self) -> Option<GraphProof> {
        self.graph.as_ref().map(Graph::proof)
    }

    /// Runs as many steps as there are marks, each taking in the token that the one before chose (greedy), and writes
    /// the time of each step's end. Returns the start mark. Times are nanoseconds of `CLOCK_MONOTONIC`.
    ///
    /// Logits and tokens of step i are then at [`Decoder::logits`] and [`Decoder::token`], until the next run.
    ///
    /// # Errors
    /// [`RunError`]: no graph where one was asked for, more steps than rows, no room in the cache.
    pub fn run(&mut self, mode: LaunchMode, marks: &mut [u64]) -> Result<u64, RunError> {
        self.run_with(mode, marks, &NoProbe)
    }

    /// Runs `steps` steps as [`Decoder::run`] does and returns the nanoseconds that workers spent inside kernels, the
    /// mean over workers: what is left of the steps' time is dispatch, argument preparation and waiting. Reading the
    /// clock around every launch adds to the steps, so measured steps are never run this way.
    ///
    /// # Errors
    /// As [`Decoder::run`].
    pub fn kernel_time(&mut self, mode: LaunchMode, steps: usize) -> Result<u64, RunError> {
        let probe = KernelTime::new(self.pool.count());
        self.run_with(mode, &mut vec![0; steps], &probe)?;
        Ok(probe.mean_ns())
    }

    fn run_with(
        &mut self,
        mode: LaunchMode,
        marks: &mut [u64],
        probe: &impl Probe,
    ) -> Result<u64, RunError> {
        if marks.len() > self.rows {
            return Err(RunError::TooManySteps {
                steps: marks.len(),
                rows: self.rows,
            });
        }
        self.check_room(marks.len())?;
        let Self {
            pool,
            graph,
            device,
            plan,
            ..
        } = self;
        if mode == LaunchMode::Graph && graph.is_none() {
            return Err(RunError::NotCaptured);
        }
        device.counters.set_row(0);
        // Wakes sleeping workers, so that no step pays for that.
        pool.run(&|_| {});
        let start = monotonic_ns();
        for mark in marks {
            match (mode, graph.as_mut()) {
                (LaunchMode::Graph, Some(graph)) => graph.replay(device, pool, probe),
                _ => issue(device, plan, pool, probe),
            }
            *mark = monotonic_ns();
        }
        Ok(start)
    }

    /// The logits of step `step` of the last run, `[vocab]`.
    ///
    /// # Panics
    /// Where `step` is not below the rows of [`Options`](super::Options).
    #[must_use]
    pub fn logits(&self, step: usize) -> &[f32] {
        let vocab = self.device.shape.vocab;
        // SAFETY: no step runs while the decoder is borrowed.
        unsafe {
            self.device
                .activations
                .logits
                .part(step * vocab..(step + 1) * vocab)
                .read()
        }
    }

    /// The token that step `step` of the last run chose: the lowest of those with the largest logit.
    ///
    /// # Panics
    /// Where `step` is not below the rows of [`Options`](super::Options).
    #[must_use]
    pub fn token(&self, step: usize) -> u32 {
        // SAFETY: no step runs while the decoder is borrowed.
        unsafe { self.device.activations.tokens.read()[step] }
    }

    /// Reads every weight that a step streams, once a mark, with the threads and the partition of a step, and writes the
    /// time of each pass's end. Returns the start mark. [`StepPlan::weight_bytes`] over a pass's time is the bandwidth.
    pub fn read_sweep(&mut self, marks: &mut [u64]) -> u64 {
        let Self {
            pool,
            device,
            streamed,
            ..
        } = self;
        pool.run(&|_| {});
        let start = monotonic_ns();
        for mark in marks {
            pool.run(&|worker| {
                let mut all = 0;
                for &index in &*streamed {
                    let (_, share) = device.weights.share(device.weights.tensor(index).0, worker);
                    // SAFETY: weights are never written.
                    all ^= device.path.sweep(unsafe { share.read() });
                }
                black_box(all);
            });
            *mark = monotonic_ns();
        }
        start
    }

    fn check_tokens(&self, tokens: &[u32]) -> Result<(), RunError> {
        let vocab = self.device.shape.vocab;
        match tokens.iter().find(|&&token| token as usize >= vocab) {
            Some(&token) => Err(RunError::UnknownToken { token, vocab }),
            None => Ok(()),
        }
    }

    fn check_room(&self, steps: usize) -> Result<(), RunError> {
        let (position, capacity) = (self.position(), self.capacity);
        if steps > capacity - position {
            Err(RunError::CacheFull {
                steps,
                position,
                capacity,
            })
        } else {
            Ok(())
        }
    }
}
