//! Captures what surrounds a session: the types are those of [`prereg_runs`], the readings come from the kernel's own
//! files, from git and from the running executable.
//!
//! Every reading goes through [`Machine`], whose root a test can point at a folder of prepared files. A file that is
//! missing or that does not parse makes its reading absent; capturing never fails a session.

mod caches;
mod capture;
mod executable;
mod limits;
mod list;
mod machine;
mod source;

pub use executable::executable_digest;
pub use machine::Machine;

pub(crate) use capture::{conditions, host, monotonic_ns};
#[cfg(test)]
pub(crate) use machine::fake;
use source::source;
