//! Which code this program is: what locks and announcements record of it.

use prereg_declaration::Digest;

/// The version that this program calls itself.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Digest of the sources that a decode step runs through.
pub(crate) fn kernels() -> Digest {
    Digest::of(prereg_decode::kernel_sources().as_bytes())
}
