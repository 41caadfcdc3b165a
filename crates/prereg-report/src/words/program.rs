//! The program of a command workload as the sessions of a run found it, and its facts, as markdown.

use prereg_declaration::Command;
use prereg_runs::Program;

use crate::input::SessionEnvironment;
use crate::markdown::code;

/// Name, digest and facts, each with what the sessions found; none where no session is complete.
#[must_use]
pub fn program(command: &Command, sessions: &[SessionEnvironment]) -> Vec<(String, String)> {
    if sessions.is_empty() {
        return Vec::new();
    }
    let row =
        |name: String, read: &dyn Fn(&Program) -> Option<String>| (name, found(sessions, read));
    let mut rows = vec![
        row("program".to_owned(), &|program| Some(program.name.clone())),
        row("SHA-256 of its file".to_owned(), &|program| {
            program.digest.map(|digest| digest.to_string())
        }),
    ];
    rows.extend(command.facts.keys().map(|fact| {
        row(format!("fact {}", code(fact)), &|program| {
            program.facts.get(fact).cloned()
        })
    }));
    rows
}

/// What all sessions found, or each answer with its sessions.
fn found(sessions: &[SessionEnvironment], read: &dyn Fn(&Program) -> Option<String>) -> String {
    let mut answers: Vec<(String, Vec<usize>)> = Vec::new();
    for session in sessions {
        let answer = session.record.program.as_ref().and_then(read);
        let answer = answer.map_or_else(|| "not read".to_owned(), |text| code(&text));
        match answers.iter_mut().find(|(known, _)| *known == answer) {
            Some((_, of)) => of.push(session.session),
            None => answers.push((answer, vec![session.session])),
        }
    }
    if let [(answer, _)] = answers.as_slice() {
        return format!("{answer}, the same in every session");
    }
    let listed = answers.iter().map(|(answer, of)| {
        let plural = if of.len() == 1 { "" } else { "s" };
        let of: Vec<String> = of.iter().map(usize::to_string).collect();
        format!("{answer} in session{plural} {}", of.join(", "))
    });
    let listed: Vec<String> = listed.collect();
    format!("**NOT the same in every session**: {}", listed.join("; "))
}
