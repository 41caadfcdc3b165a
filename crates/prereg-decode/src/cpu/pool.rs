//! A fixed set of threads that run one job together. The caller is worker 0, so one thread means no other at all.
//!
//! A waiting worker polls for about a millisecond, so that the next job of a running step finds it awake, and then
//! sleeps until it is called.

use std::cell::UnsafeCell;
use std::io;
use std::ops::Range;
use std::process::abort;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread::{self, JoinHandle};

use super::affinity::{Affinity, Unpin};
use super::barrier::{Padded, wait_until};

/// Offers of the CPU before a worker that waits for a job goes to sleep.
const YIELDS: usize = 2000;

/// One of the workers that run a job together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Worker {
    /// From 0 to `count` − 1.
    pub(super) index: usize,
    /// Number of workers.
    pub(super) count: usize,
}

impl Worker {
    /// This worker's share of `total` units: contiguous, disjoint from the others', together all of them, in sizes that
    /// differ by at most one. The one partition of the whole device.
    pub(super) fn share(self, total: usize) -> Range<usize> {
        total * self.index / self.count..total * (self.index + 1) / self.count
    }
}

type Job<'a> = &'a (dyn Fn(Worker) + Sync);

/// What the caller and the other workers meet over.
struct Mailbox {
    /// Goes up by one with every job.
    issued: Padded<AtomicUsize>,
    /// Workers that have finished the current job.
    finished: Padded<AtomicUsize>,
    /// The current job; written by the caller while every worker waits, read by workers after `issued` went up.
    job: UnsafeCell<Option<Job<'static>>>,
    stop: AtomicBool,
    asleep: Vec<Padded<AtomicBool>>,
}

// SAFETY: `job` is the only part that is not already `Sync`. It is written only while all workers wait for `issued` and
// read only after they saw it go up: the release store and acquire load of `issued` order the two.
unsafe impl Sync for Mailbox {}
// SAFETY: a job may be called from any thread (`Sync`), and the rest is plain data.
unsafe impl Send for Mailbox {}

/// The threads; they end when it is dropped.
pub(super) struct Pool {
    mailbox: Arc<Mailbox>,
    threads: Vec<JoinHandle<()>>,
    _unpin: Unpin,
}

impl Pool {
    /// Starts `count` − 1 threads and pins them and the caller as `affinity` says.
    pub(super) fn new(count: usize, affinity: &Affinity) -> io::Result<Self> {
        let mailbox = Arc::new(Mailbox {
            issued: Padded::default(),
            finished: Padded::default(),
            job: UnsafeCell::new(None),
            stop: AtomicBool::new(false),
            asleep: (1..count).map(|_| Padded::default()).collect(),
        });
        let unpin = Unpin::new()?;
        affinity.pin(0)?;
        let mut pool = Self {
            mailbox,
            threads: Vec::with_capacity(count - 1),
            _unpin: unpin,
        };
        let (report, reports) = mpsc::channel();
        for index in 1..count {
            let (mailbox, affinity, report) =
                (Arc::clone(&pool.mailbox), affinity.clone(), report.clone());
            let thread = thread::Builder::new()
                .name(format!("decode-{index}"))
                .spawn(move || {
                    // Where nobody listens any more the pool has failed already. Sent, then dropped: the caller listens until
                    // the last sender is gone.
                    let _ = report.send(affinity.pin(index));
                    drop(report);
                    serve(&mailbox, Worker { index, count });
                })?;
            pool.threads.push(thread);
        }
        drop(report);
        reports.iter().collect::<io::Result<()>>()?;
        Ok(pool)
    }

    /// Number of workers, the caller included.
    pub(super) fn count(&self) -> usize {
        self.threads.len() + 1
    }

    /// Runs `job` on every worker and returns when all have finished. All that one job writes is visible to the next.
    pub(super) fn run(&mut self, job: Job<'_>) {
        let worker = Worker {
            index: 0,
            count: self.count(),
        };
        if self.threads.is_empty() {
            return job(worker);
        }
        let mailbox = &*self.mailbox;
        mailbox.finished.0.store(0, Ordering::Relaxed);
        // SAFETY: every worker waits for `issued` (the last `run` saw them all finish, and `&mut self` excludes a second
        // caller), so nobody reads the cell now. The lifetime is extended only until this function returns, which it
        // does not before every worker has finished with the job: `Finish` waits even if the caller's share panics.
        unsafe { *mailbox.job.get() = Some(std::mem::transmute::<Job<'_>, Job<'static>>(job)) };
        // Sequentially consistent, as are the accesses to `asleep`: either this sees a worker asleep, or that worker
        // sees the new job before it sleeps.
        mailbox.issued.0.fetch_add(1, Ordering::SeqCst);
        for (asleep, thread) in mailbox.asleep.iter().zip(&self.threads) {
            if asleep.0.load(Ordering::SeqCst) {
                thread.thread().unpark();
            }
        }
        let finish = Finish {
            mailbox,
            others: self.threads.len(),
        };
        job(worker);
        drop(finish);
    }
}

/// Waits, when dropped, until every other worker has finished.
struct Finish<'a> {
    mailbox: &'a Mailbox,
    others: usize,
}

impl Drop for Finish<'_> {
    fn drop(&mut self) {
        wait_until(usize::MAX, || {
            self.mailbox.finished.0.load(Ordering::Acquire) == self.others
        });
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.mailbox.stop.store(true, Ordering::SeqCst);
        for thread in self.threads.drain(..) {
            thread.thread().unpark();
            // A worker that panicked has ended the process.
            let _ = thread.join();
        }
    }
}

/// A worker's life: wait for a job, run it, say so.
fn serve(mailbox: &Mailbox, worker: Worker) {
    let asleep = &mailbox.asleep[worker.index - 1].0;
    let mut served = 0;
    loop {
        let called = || {
            mailbox.issued.0.load(Ordering::SeqCst) != served || mailbox.stop.load(Ordering::SeqCst)
        };
        while !wait_until(YIELDS, called) {
            asleep.store(true, Ordering::SeqCst);
            if !called() {
                thread::park();
            }
            asleep.store(false, Ordering::SeqCst);
        }
        if mailbox.stop.load(Ordering::SeqCst) {
            return;
        }
        served = mailbox.issued.0.load(Ordering::SeqCst);
        let bomb = AbortOnPanic;
        // SAFETY: `issued` went up, so the caller has written the job and waits for this worker before it writes again.
        if let Some(job) = unsafe { *mailbox.job.get() } {
            job(worker);
        }
        std::mem::forget(bomb);
        mailbox.finished.0.fetch_add(1, Ordering::Release);
    }
}

/// A worker that panicked can neither finish its share nor tell the others, who would wait for ever: end the process,
/// the message being printed by then.
struct AbortOnPanic;

impl Drop for AbortOnPanic {
    fn drop(&mut self) {
        abort();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use proptest::prelude::*;

    use super::super::barrier::Barrier;
    use super::{Affinity, Pool, Worker};

    proptest! {
        #[test]
        fn shares_are_a_balanced_partition(total in 0_usize..10_000, count in 1_usize..70) {
            let mut next = 0;
            for index in 0..count {
                let share = Worker { index, count }.share(total);
                prop_assert_eq!(share.start, next);
                prop_assert!(share.len() == total / count || share.len() == total / count + 1);
                next = share.end;
            }
            prop_assert_eq!(next, total);
        }
    }

    #[test]
    fn every_worker_runs_every_job_once() {
        for count in [1, 2, 5] {
            let mut pool = Pool::new(count, &Affinity::None).unwrap();
            let calls: Vec<AtomicUsize> = (0..count).map(|_| AtomicUsize::new(0)).collect();
            for _ in 0..1000 {
                pool.run(&|worker| {
                    calls[worker.index].fetch_add(1, Ordering::Relaxed);
                });
            }
            assert!(
                calls
                    .iter()
                    .all(|calls| calls.load(Ordering::Relaxed) == 1000),
                "{count} workers"
            );
        }
    }

    #[test]
    fn a_sleeping_worker_wakes_for_the_next_job() {
        let mut pool = Pool::new(3, &Affinity::None).unwrap();
        let calls = AtomicUsize::new(0);
        for _ in 0..3 {
            std::thread::sleep(Duration::from_millis(60));
            pool.run(&|_| {
                calls.fetch_add(1, Ordering::Relaxed);
            });
        }
        assert_eq!(calls.load(Ordering::Relaxed), 9);
    }

    #[test]
    fn nobody_passes_a_barrier_early() {
        let mut pool = Pool::new(4, &Affinity::None).unwrap();
        let (barrier, arrived) = (Barrier::new(4), AtomicUsize::new(0));
        pool.run(&|_| {
            for round in 1..=500 {
                arrived.fetch_add(1, Ordering::Relaxed);
                barrier.wait();
                assert_eq!(arrived.load(Ordering::Relaxed), 4 * round);
                barrier.wait();
            }
        });
    }

    #[test]
    fn a_cpu_that_is_not_there_is_refused() {
        assert!(Pool::new(1, &Affinity::Cpus(vec![100_000])).is_err());
        assert!(Pool::new(2, &Affinity::Cpus(vec![0])).is_err());
    }
}
