//! Why a declaration that is not locked as it stands is refused, with the difference from its lock.

use std::fmt::Write as _;

use prereg_declaration::Declaration;
use prereg_declaration::meaning_digest;
use prereg_ledger::{Frozen, History};
use similar::{ChangeTag, TextDiff};

use crate::error::CommandError;
use crate::exit::Exit;
use crate::find::DeclarationFile;

/// The refusal to run `file`, which no lock holds.
pub(super) fn refusal(
    history: &History,
    file: &DeclarationFile,
    declaration: &Declaration,
) -> CommandError {
    let Some(lock) = history.locks_of(&declaration.id).last() else {
        let message = format!("{} is not locked", file.name);
        return CommandError::new(Exit::Declaration, message)
            .hint(format!("prereg lock {}", file.name));
    };
    let short = lock.event.lock.prefix(12);
    let Frozen::Whole {
        lock: frozen,
        declaration_toml,
    } = &lock.frozen
    else {
        let message = format!(
            "{} is not what lock {short} holds, and that lock cannot be read",
            file.name
        );
        return CommandError::new(Exit::Inconsistent, message).hint("prereg verify");
    };
    let same_meaning = frozen.meaning == meaning_digest(declaration);
    let what = if same_meaning {
        "bytes differ, meaning same"
    } else {
        "its meaning differs"
    };
    let before = String::from_utf8_lossy(&declaration_toml[..]);
    let now = String::from_utf8_lossy(&file.bytes);
    CommandError::rendered(
        Exit::Declaration,
        format!(
            "{} was changed after it was locked as {short}: {what}",
            file.name
        ),
        difference(&before, &now),
    )
    .hint(format!(
        "restore it: cp prereg/locks/{}/declaration.toml {}",
        lock.event.lock.prefix(16),
        file.name
    ))
    .hint(format!(
        "or prereg amend {} --reason \"…\": lock the changed plan as its successor",
        file.name
    ))
}

/// Changed lines with three lines around them.
fn difference(before: &str, now: &str) -> String {
    let diff = TextDiff::from_lines(before, now);
    let mut text = String::from("--- locked\n+++ now\n");
    for hunk in diff.unified_diff().context_radius(3).iter_hunks() {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{}", hunk.header());
        for change in hunk.iter_changes() {
            let sign = match change.tag() {
                ChangeTag::Delete => '-',
                ChangeTag::Insert => '+',
                ChangeTag::Equal => ' ',
            };
            let _ = writeln!(text, "{sign}{}", change.value().trim_end_matches('\n'));
        }
    }
    text
}
