//! A process of this executable that becomes the program of a slot.

use std::ffi::OsString;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::Command;

/// Asks the kernel to end this process with the session that started it, then becomes the program whose file is the
/// first of `words`, the others being its name and its arguments: a program would otherwise outlive a session that is
/// killed. Returns only where that fails, with why.
#[must_use]
pub fn become_program(words: &[OsString]) -> io::Error {
    super::super::process::end_with_parent();
    let [file, name, arguments @ ..] = words else {
        return io::ErrorKind::InvalidInput.into();
    };
    Command::new(file).arg0(name).args(arguments).exec()
}
