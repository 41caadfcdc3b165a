//! A process that is ended when its time is over, or when what it prints cannot be read.

use std::io::{self, BufReader, Read};
use std::process::{Child, Command, ExitStatus};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use prereg_readers::{Format, ReadError, Reading};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, waitid};

use super::error::ProgramError;
use crate::environment::monotonic_ns;

/// Time between the request to end and the end.
const TERMINATION: Duration = Duration::from_secs(2);

/// Time that a process has to end by itself once what it printed cannot be read.
const OWN_END: Duration = Duration::from_millis(200);

/// Bytes of an error stream that are kept: its end.
const STDERR: usize = 16 << 10;

/// A process that is watched. What it starts is [`tree`](crate::tree)'s.
pub(crate) struct Watched {
    child: Child,
    pid: Pid,
    watch: Arc<Watch>,
    guard: JoinHandle<()>,
}

/// How a process ended.
pub(crate) struct Ended {
    pub(crate) status: ExitStatus,
    pub(crate) end_ns: u64,
    /// Whether it was ended because of what it printed.
    pub(crate) refused: bool,
}

impl Watched {
    pub(crate) fn spawn(command: &mut Command, deadline: Instant) -> io::Result<Self> {
        let child = command.spawn()?;
        let pid = Pid::from_child(&child);
        let watch = Arc::<Watch>::default();
        let guard = thread::spawn({
            let watch = Arc::clone(&watch);
            move || watch.guard(pid, deadline)
        });
        Ok(Self {
            child,
            pid,
            watch,
            guard,
        })
    }

    /// Reads what it prints while it runs. A process that prints what cannot be read is ended.
    pub(crate) fn read(&mut self, format: Format) -> JoinHandle<Result<Reading, ReadError>> {
        self.on_stdout(move |stdout, watch| {
            let mut input = BufReader::new(stdout);
            let reading = prereg_readers::read(format, &mut input);
            if reading.is_err() {
                watch.set(State::Refused);
                // Not closed before its end, so that it ends for what it did and not for a broken pipe.
                let _drained = io::copy(&mut input, &mut io::sink());
            }
            reading
        })
    }

    /// What it prints, up to a limit at which it is ended.
    pub(crate) fn stdout_bytes(&mut self, limit: u64) -> JoinHandle<Vec<u8>> {
        self.on_stdout(move |stdout, watch| {
            let mut bytes = Vec::new();
            // What could be read until an error is what it printed.
            let _read = stdout.take(limit).read_to_end(&mut bytes);
            if bytes.len() as u64 == limit {
                watch.set(State::Refused);
            }
            bytes
        })
    }

    /// Lets it print without keeping anything.
    pub(crate) fn discard_stdout(&mut self) {
        // What cannot be read any more needs no room.
        self.on_stdout(|mut stdout, _| drop(io::copy(&mut stdout, &mut io::sink())));
    }

    fn on_stdout<T: Send + 'static>(
        &mut self,
        read: impl FnOnce(Box<dyn Read + Send>, &Watch) -> T + Send + 'static,
    ) -> JoinHandle<T> {
        let stdout: Box<dyn Read + Send> = match self.child.stdout.take() {
            Some(stdout) => Box::new(stdout),
            None => Box::new(io::empty()),
        };
        let watch = Arc::clone(&self.watch);
        thread::spawn(move || read(stdout, &watch))
    }

    /// The end of its error stream.
    pub(crate) fn stderr_tail(&mut self) -> JoinHandle<Vec<u8>> {
        let stderr = self.child.stderr.take();
        thread::spawn(move || {
            let mut kept = Vec::new();
            let mut piece = [0; 4096];
            if let Some(mut stderr) = stderr {
                while let Ok(length @ 1..) = stderr.read(&mut piece) {
                    kept.extend_from_slice(&piece[..length]);
                    let excess = kept.len().saturating_sub(STDERR);
                    kept.drain(..excess);
                }
            }
            kept
        })
    }

    /// Waits for its end.
    pub(crate) fn wait(mut self) -> Result<Ended, ProgramError> {
        // It is not collected yet, so that its id is still its own while the guard may end it.
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        let waited = rustix::io::retry_on_intr(|| waitid(WaitId::Pid(self.pid), options));
        let end_ns = monotonic_ns();
        let state = self.watch.over();
        let _ended = self.guard.join();
        let status = self.child.wait();
        if state == State::TimedOut {
            return Err(ProgramError::TimedOut);
        }
        let status = waited.map_err(io::Error::from).and(status);
        Ok(Ended {
            status: status.map_err(ProgramError::Wait)?,
            end_ns,
            refused: state == State::Stopped,
        })
    }
}

#[derive(Default)]
struct Watch {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Running,
    /// What it printed cannot be read.
    Refused,
    /// Told to end for what it printed.
    Stopped,
    /// To be ended because its time is over.
    TimedOut,
    Over,
}

impl Watch {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, state: State) {
        let mut current = self.lock();
        if *current == State::Running {
            *current = state;
            self.changed.notify_all();
        }
    }

    /// Says that the process is over, and gives what was said before.
    fn over(&self) -> State {
        let before = std::mem::replace(&mut *self.lock(), State::Over);
        self.changed.notify_all();
        before
    }

    /// Ends the process once there is a reason to, unless it is over before.
    fn guard(&self, process: Pid, deadline: Instant) {
        let mut state = self.lock();
        while *state == State::Running {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                *state = State::TimedOut;
                break;
            }
            state = self.wait(state, left);
        }
        if *state == State::Refused {
            // The end of the stream that cannot be read may be that of a process which just ends by itself.
            state = self.wait_for_end(state, OWN_END);
            if *state == State::Refused {
                *state = State::Stopped;
            }
        }
        if *state == State::Over {
            return;
        }
        let _gone = kill_process(process, Signal::TERM);
        if *self.wait_for_end(state, TERMINATION) != State::Over {
            let _gone = kill_process(process, Signal::KILL);
        }
    }

    /// Waits until the process is over, for so long at most.
    fn wait_for_end<'s>(
        &self,
        mut state: MutexGuard<'s, State>,
        time: Duration,
    ) -> MutexGuard<'s, State> {
        let patience = Instant::now() + time;
        while *state != State::Over {
            let left = patience.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            state = self.wait(state, left);
        }
        state
    }

    fn wait<'s>(&self, state: MutexGuard<'s, State>, time: Duration) -> MutexGuard<'s, State> {
        let waited = self.changed.wait_timeout(state, time);
        waited.unwrap_or_else(PoisonError::into_inner).0
    }
}
