//! A session as a child of this process.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

use super::{Ending, LaunchError, Launcher};
use crate::interrupt::{Interrupt, Woken};
use crate::spec::SessionSpec;

/// Runs each session as a child of this process, with a cleared environment.
///
/// The child works in the study's root, reads its specification from standard input, and is a process group of its own,
/// so that Ctrl-C reaches this process alone and this process decides. A child whose parent dies is ended by the kernel
/// (see [`crate::session::main`]).
#[derive(Clone, Debug)]
pub struct LocalProcess {
    program: PathBuf,
    arguments: Vec<OsString>,
    study: PathBuf,
    environment: Vec<(String, OsString)>,
}

impl LocalProcess {
    /// The running program with the one argument `session`, in the study at `study`; of the environment it passes on
    /// the variables that `allowed` names.
    ///
    /// # Errors
    /// [`LaunchError::Program`].
    pub fn this_program(study: &Path, allowed: &[String]) -> Result<Self, LaunchError> {
        let program = std::env::current_exe().map_err(LaunchError::Program)?;
        Ok(Self::new(program, ["session"], study, allowed))
    }

    /// Any program that reads a specification from standard input.
    pub fn new<A: Into<OsString>>(
        program: PathBuf,
        arguments: impl IntoIterator<Item = A>,
        study: &Path,
        allowed: &[String],
    ) -> Self {
        let passed = allowed
            .iter()
            .filter_map(|name| Some((name.clone(), std::env::var_os(name)?)));
        let fixed = [
            ("LC_ALL".to_owned(), "C".into()),
            ("TZ".to_owned(), "UTC".into()),
        ];
        Self {
            program,
            arguments: arguments.into_iter().map(Into::into).collect(),
            study: study.to_owned(),
            environment: passed.chain(fixed).collect(),
        }
    }

    fn spawn(&self) -> io::Result<Child> {
        let mut command = Command::new(&self.program);
        command
            .args(&self.arguments)
            .current_dir(&self.study)
            .process_group(0);
        command
            .env_clear()
            .envs(self.environment.iter().map(|(name, value)| (name, value)));
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        command.spawn()
    }
}

impl Launcher for LocalProcess {
    fn name(&self) -> &'static str {
        "local"
    }

    fn launch(
        &self,
        session: &SessionSpec,
        limit: Duration,
        interrupt: &Interrupt,
    ) -> Result<Ending, LaunchError> {
        let failed = |source| LaunchError::Start {
            session: session.index,
            source,
        };
        let text = serde_json::to_vec(session).map_err(|error| failed(error.into()))?;
        let deadline = Instant::now() + limit;
        let mut child = self.spawn().map_err(failed)?;
        let stderr = Tail::follow(child.stderr.take(), interrupt);
        if let Some(mut stdin) = child.stdin.take() {
            // A child that is already gone shows in its status.
            let _gone = stdin.write_all(&text);
        }
        let ended = match interrupt.wait(&stderr.closed, deadline) {
            Woken::Done => outlast(&mut child, deadline, interrupt),
            woken => Err(woken),
        };
        match ended {
            Ok(status) if status.success() => Ok(Ending::Finished),
            Ok(status) => Ok(Ending::Failed {
                status: status.to_string(),
                stderr: stderr.text(),
            }),
            Err(woken) => {
                end(&mut child);
                Ok(if woken == Woken::Raised {
                    Ending::Interrupted
                } else {
                    Ending::TimedOut
                })
            }
        }
    }
}

/// A child that has closed its error stream is about to end; how it ends follows within milliseconds, or never.
fn outlast(
    child: &mut Child,
    deadline: Instant,
    interrupt: &Interrupt,
) -> Result<ExitStatus, Woken> {
    let never = AtomicBool::new(false);
    loop {
        if let Ok(Some(status)) = child.try_wait() {
            return Ok(status);
        }
        let look = deadline.min(Instant::now() + Duration::from_millis(5));
        if interrupt.wait(&never, look) == Woken::Raised {
            return Err(Woken::Raised);
        }
        if Instant::now() >= deadline {
            return Err(Woken::Deadline);
        }
    }
}

/// Ends a child with all that it started. It was not waited for yet, so its id is still its own and nothing here fails.
fn end(child: &mut Child) {
    let _ended = kill_process_group(Pid::from_child(child), Signal::KILL);
    let _reaped = child.wait();
}

/// The end of a child's error stream, read by a thread that sleeps until there is something.
struct Tail {
    closed: Arc<AtomicBool>,
    kept: Arc<Mutex<Vec<u8>>>,
}

/// Bytes of the error stream that are kept.
const TAIL: usize = 4096;

impl Tail {
    fn follow(stream: Option<ChildStderr>, interrupt: &Interrupt) -> Self {
        let tail = Self {
            closed: Arc::default(),
            kept: Arc::default(),
        };
        let (closed, kept, interrupt) = (
            Arc::clone(&tail.closed),
            Arc::clone(&tail.kept),
            interrupt.clone(),
        );
        thread::spawn(move || {
            let mut piece = [0; 1024];
            if let Some(mut stream) = stream {
                while let Ok(length @ 1..) = stream.read(&mut piece) {
                    let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                    kept.extend_from_slice(&piece[..length]);
                    let excess = kept.len().saturating_sub(TAIL);
                    kept.drain(..excess);
                }
            }
            closed.store(true, Ordering::SeqCst);
            interrupt.wake();
        });
        tail
    }

    fn text(&self) -> String {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&kept).trim().to_owned()
    }
}
