//! The CPU device: holds weights, cache and activations, and runs a step plan on a fixed set of threads.
//!
//! How the parts fit:
//! - [`region`] gives anonymous memory on huge pages; [`weights`], [`cache`] and [`activations`] lay it out.
//! - [`shared`] is how several threads see that memory: within one launch each thread writes only its own share and
//!   reads nothing that another writes; between launches stands a [`pool`] hand-over or a [`barrier`].
//! - [`device`] turns a plan's kernel into pointers ([`work`]), [`kernels`] run it, [`launch`] issues a whole plan.
//! - [`Decoder`] is the public face, made by [`setup`]; [`read_bandwidth`] reads memory without one.

mod activations;
mod affinity;
mod barrier;
mod buffer;
mod cache;
mod clock;
mod counters;
mod decoder;
mod device;
mod error;
mod kernels;
mod launch;
mod memory;
mod pool;
mod region;
mod setup;
mod shared;
mod weights;
mod work;

pub use affinity::Affinity;
pub use buffer::{BufferError, BufferPass, read_bandwidth};
pub use decoder::{Decoder, Snapshot};
pub use error::{NewError, RunError};
pub use launch::{GraphProof, LaunchMode};
pub use memory::MemoryReport;
pub use setup::Options;
