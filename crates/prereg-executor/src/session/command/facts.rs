//! Answers to the facts of a command.

use std::collections::BTreeMap;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use prereg_declaration::fill;

use super::super::error::SessionError;
use super::program::with_path;
use super::watched::Watched;
use crate::spec::CommandSpec;
use crate::tree;

/// Time that a fact has.
const PATIENCE: Duration = Duration::from_mins(1);

/// Bytes that are read of what it prints.
const LONGEST: usize = 4_096;

/// The first line of what each command prints, trimmed. One that cannot be asked, fails or prints no text has no answer.
/// They are asked in the environment of the program, as far as it is the same in every slot.
pub(super) fn answers(
    asked: &CommandSpec,
    deadline: Instant,
) -> Result<BTreeMap<String, String>, SessionError> {
    let mut answers = BTreeMap::new();
    for (name, words) in &asked.facts {
        let answer = answer(words, asked, deadline.min(Instant::now() + PATIENCE));
        if Instant::now() >= deadline {
            return Err(SessionError::TimedOut);
        }
        answers.extend(answer.map(|answer| (name.clone(), answer)));
    }
    Ok(answers)
}

fn answer(words: &[String], asked: &CommandSpec, deadline: Instant) -> Option<String> {
    let (program, arguments) = words.split_first()?;
    let mut command = Command::new(program);
    with_path(&mut command);
    let environment = asked.environment.iter();
    command.envs(environment.filter_map(|(name, text)| Some((name, fill(text, |_| None)?))));
    command
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut watched = Watched::spawn(&mut command, deadline).ok()?;
    let printed = watched.stdout_bytes(LONGEST as u64);
    let ended = watched.wait();
    let _left = tree::clear();
    let printed = printed.join().ok()?;
    // A longer text is cut off, and its program ended; its first line is an answer all the same.
    if !ended.is_ok_and(|ended| ended.refused || ended.status.success()) {
        return None;
    }
    let text = String::from_utf8_lossy(&printed);
    let line = text.lines().next()?.trim();
    let is_answer = !line.is_empty() && !line.contains(char::is_control);
    is_answer.then(|| line.to_owned())
}
