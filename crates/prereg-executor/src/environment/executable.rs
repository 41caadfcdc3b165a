//! Digest of the program that runs.

use std::fs::File;

use prereg_declaration::Digest;

/// SHA-256 of this process's executable. On Linux the file is the one that was started, even when another has taken
/// its name since.
#[must_use]
pub fn executable_digest() -> Option<Digest> {
    let path = if cfg!(target_os = "linux") {
        "/proc/self/exe".into()
    } else {
        std::env::current_exe().ok()?
    };
    Digest::read(File::open(path).ok()?).ok()
}
