//! A process of this executable that becomes the program of a slot.

use std::ffi::OsString;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::Command;

/// Asks the kernel to end this process with the session that started it, then becomes the program that `words` name:
/// a program would otherwise outlive a session that is killed. Returns only where that fails, with why.
#[must_use]
pub fn become_program(words: &[OsString]) -> io::Error {
    super::super::process::end_with_parent();
    let Some((program, arguments)) = words.split_first() else {
        return io::ErrorKind::InvalidInput.into();
    };
    Command::new(program).args(arguments).exec()
}
