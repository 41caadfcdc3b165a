//! One run of a program: started, watched, ended with all that it started.

use std::fs::{self, File};
use std::io::{self, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use prereg_declaration::{Digest, has_placeholder};
use prereg_ledger::write_atomic;
use prereg_readers::{Format, Reading};

use super::error::ProgramError;
use super::placeholder::Values;
use super::watched::Watched;
use crate::environment::monotonic_ns;
use crate::spec::CommandSpec;
use crate::tree;

/// The argument by which this executable becomes a program.
pub(super) const PROGRAM: &str = "program";

/// Where programs are looked for when the declaration passes no `PATH`.
pub(crate) const DEFAULT_PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// A slot before its program runs.
pub(super) struct Slot {
    words: Vec<String>,
    environment: Vec<(String, String)>,
    format: Format,
    /// The result file, where the reader reads one.
    file: Option<PathBuf>,
}

/// A slot after its program has run.
pub(super) struct Ran {
    pub(super) reading: Reading,
    pub(super) start_ns: u64,
    /// From just before the start of the process to its end.
    pub(super) wall_ns: u64,
}

impl Slot {
    pub(super) fn of(
        command: &CommandSpec,
        format: Format,
        values: &Values<'_>,
    ) -> Result<Self, ProgramError> {
        let fill = |text: &String| {
            let text = text.clone();
            values.fill(&text).ok_or(ProgramError::Placeholder { text })
        };
        let words = command.words.iter().map(fill).collect::<Result<_, _>>()?;
        let variable = |(name, text): (&String, &String)| Ok((name.clone(), fill(text)?));
        let environment = command.environment.iter().map(variable);
        let texts = || command.words.iter().chain(command.environment.values());
        let writes_file = texts().any(|text| has_placeholder(text, "out"));
        Ok(Self {
            words,
            environment: environment.collect::<Result<_, ProgramError>>()?,
            format,
            file: writes_file.then(|| values.out.clone()),
        })
    }

    /// The program, by way of [`become_program`](super::become_program) in a process of this executable.
    fn command(&self) -> io::Result<Command> {
        let (word, path) = (self.word(), self.path());
        let file = find_program(Path::new("."), word, path.as_deref());
        let file = file.ok_or(io::ErrorKind::NotFound)?;
        let mut command = Command::new(std::env::current_exe()?);
        with_path(&mut command);
        command
            .args([PROGRAM, "--"])
            .arg(file)
            .args(&self.words)
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        Ok(command)
    }

    fn word(&self) -> &str {
        self.words.first().map_or("", String::as_str)
    }

    fn path(&self) -> Option<String> {
        let own = self.environment.iter().find(|(name, _)| name == "PATH");
        own.map(|(_, path)| path.clone())
            .or_else(|| std::env::var("PATH").ok())
    }

    /// The program's name and the digest of its file.
    pub(super) fn program(&self) -> (String, Option<Digest>) {
        let word = self.word();
        let name = match word.rsplit('/').next() {
            Some(file) if word.starts_with('/') => file,
            _ => word,
        };
        let file = find_program(Path::new("."), word, self.path().as_deref());
        let digest = file.and_then(|file| Digest::read(File::open(file).ok()?).ok());
        (name.to_owned(), digest)
    }

    /// Runs the program to its end, and ends what it left running. Its error stream goes to `stderr`.
    pub(super) fn run(&self, deadline: Instant, stderr: &Path) -> Result<Ran, ProgramError> {
        let start_ns = monotonic_ns();
        let started = self
            .command()
            .and_then(|mut command| Watched::spawn(&mut command, deadline));
        let mut watched = started.map_err(|source| ProgramError::Start {
            program: self.word().to_owned(),
            source,
        })?;
        let errors = watched.stderr_tail();
        let printed = if self.file.is_none() {
            Some(watched.read(self.format))
        } else {
            watched.discard_stdout();
            None
        };
        let ended = watched.wait();
        let left = tree::clear();
        let errors = errors.join().unwrap_or_default();
        if !errors.is_empty() {
            write_atomic(stderr, &errors)?;
        }
        let printed = printed.and_then(|printed| printed.join().ok());
        let ended = ended?;
        if ended.refused
            && let Some(Err(error)) = printed
        {
            // It was ended for what it printed, so how it ended says nothing.
            return Err(error.into());
        }
        if !ended.status.success() {
            let status = ended.status.to_string();
            return Err(ProgramError::Status { status });
        }
        if left > 0 {
            return Err(ProgramError::LeftBehind { processes: left });
        }
        let reading = match (printed, &self.file) {
            (Some(reading), _) => reading?,
            (None, Some(file)) => {
                prereg_readers::read(self.format, BufReader::new(open_result(file)?))?
            }
            (None, None) => prereg_readers::read(self.format, io::empty())?,
        };
        Ok(Ran {
            reading,
            start_ns,
            wall_ns: ended.end_ns.saturating_sub(start_ns),
        })
    }
}

/// Opens a result file; what is no file, such as a pipe, would be waited for.
fn open_result(path: &Path) -> Result<File, ProgramError> {
    let metadata = fs::symlink_metadata(path).map_err(ProgramError::NoResult)?;
    if !metadata.is_file() {
        return Err(ProgramError::NoResult(io::Error::other("not a file")));
    }
    File::open(path).map_err(ProgramError::NoResult)
}

/// The file of a program: a path as it stands from `study`, a name as the first file in `path` that may be executed.
/// Folders of `path` are looked for from `study` too.
#[must_use]
pub fn find_program(study: &Path, program: &str, path: Option<&str>) -> Option<PathBuf> {
    let is_program = |file: &PathBuf| {
        let metadata = fs::metadata(file);
        metadata.is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
    };
    if program.contains('/') {
        return Some(study.join(program)).filter(is_program);
    }
    let folders = path.unwrap_or(DEFAULT_PATH).split(':');
    let mut files = folders.map(|folder| study.join(folder).join(program));
    files.find(is_program)
}

/// A process has a `PATH`, whether the declaration passes one or not.
pub(super) fn with_path(command: &mut Command) {
    if std::env::var_os("PATH").is_none() {
        command.env("PATH", DEFAULT_PATH);
    }
}

/// Pins this process, and with it every process that it starts.
pub(super) fn pin(processors: &[u32]) {
    if processors.is_empty() {
        return;
    }
    let mut set = rustix::thread::CpuSet::new();
    for &processor in processors {
        set.set(processor as usize);
    }
    // That the processors are there was checked before; what the session ran on stands in its record.
    let _refused = rustix::thread::sched_setaffinity(None, &set);
}
