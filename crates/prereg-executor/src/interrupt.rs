//! A request to stop, from the terminal or from a test.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag::register_conditional_default;
use signal_hook::iterator::{Handle, Signals};

/// A request to stop, shared between the thread that hears it and the one that waits for a session.
///
/// The first signal only raises the request; a second one ends the process at once, as does any signal after the
/// [`SignalGuard`] is gone.
#[derive(Clone, Debug, Default)]
pub struct Interrupt {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    raised: Mutex<bool>,
    changed: Condvar,
}

impl Interrupt {
    /// A request that only [`Interrupt::raise`] makes.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A request that the signals of Ctrl-C, `kill` and a closed terminal make as long as the guard lives.
    ///
    /// # Errors
    /// The operating system refuses to install a handler.
    pub fn on_signals() -> io::Result<(Self, SignalGuard)> {
        let interrupt = Self::new();
        let default = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            register_conditional_default(signal, Arc::clone(&default))?;
        }
        let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
        let handle = signals.handle();
        let (heard, second) = (interrupt.clone(), Arc::clone(&default));
        thread::spawn(move || {
            for _ in &mut signals {
                second.store(true, Ordering::SeqCst);
                heard.raise();
            }
        });
        Ok((interrupt, SignalGuard { default, handle }))
    }

    /// Makes the request.
    pub fn raise(&self) {
        *self.lock() = true;
        self.shared.changed.notify_all();
    }

    /// Whether the request was made.
    #[must_use]
    pub fn is_raised(&self) -> bool {
        *self.lock()
    }

    /// Wakes whoever waits, so that it looks at its own condition again.
    pub(crate) fn wake(&self) {
        let _raised = self.lock();
        self.shared.changed.notify_all();
    }

    /// Sleeps until the request is made, `done` is set and [`Interrupt::wake`] called, or the deadline has passed;
    /// without a single wake-up before that, so that nothing takes a processor from a session.
    pub(crate) fn wait(&self, done: &AtomicBool, deadline: Instant) -> Woken {
        let mut raised = self.lock();
        loop {
            if done.load(Ordering::SeqCst) {
                return Woken::Done;
            }
            if *raised {
                return Woken::Raised;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Woken::Deadline;
            }
            raised = self
                .shared
                .changed
                .wait_timeout(raised, left)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
    }

    fn lock(&self) -> MutexGuard<'_, bool> {
        // A boolean cannot be left half-written.
        self.shared
            .raised
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// Why a wait ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Woken {
    /// What was waited for happened.
    Done,
    /// The request to stop was made.
    Raised,
    /// Neither happened in time.
    Deadline,
}

/// Gives the signals back their default action when dropped.
#[derive(Debug)]
pub struct SignalGuard {
    default: Arc<AtomicBool>,
    handle: Handle,
}

impl Drop for SignalGuard {
    fn drop(&mut self) {
        self.default.store(true, Ordering::SeqCst);
        self.handle.close();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn far() -> Instant {
        Instant::now() + Duration::from_mins(10)
    }

    #[test]
    fn a_raised_request_ends_the_wait() {
        let interrupt = Interrupt::new();
        let other = interrupt.clone();
        thread::spawn(move || other.raise());
        assert_eq!(
            interrupt.wait(&AtomicBool::new(false), far()),
            Woken::Raised
        );
        assert!(interrupt.is_raised());
    }

    #[test]
    fn an_end_that_was_announced_ends_the_wait() {
        let interrupt = Interrupt::new();
        let done = Arc::new(AtomicBool::new(false));
        let (other, flag) = (interrupt.clone(), Arc::clone(&done));
        thread::spawn(move || {
            flag.store(true, Ordering::SeqCst);
            other.wake();
        });
        assert_eq!(interrupt.wait(&done, far()), Woken::Done);
    }

    #[test]
    fn a_deadline_in_the_past_ends_the_wait() {
        assert_eq!(
            Interrupt::new().wait(&AtomicBool::new(false), Instant::now()),
            Woken::Deadline
        );
    }

    #[test]
    fn a_signal_makes_the_request() {
        let (interrupt, _guard) = Interrupt::on_signals().unwrap();
        signal_hook::low_level::raise(SIGHUP).unwrap();
        assert_eq!(
            interrupt.wait(&AtomicBool::new(false), far()),
            Woken::Raised
        );
    }
}
