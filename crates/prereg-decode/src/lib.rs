//! The decode workload: one real step of a decoder-only language model, as a list of kernel launches that declares what
//! it moves, and the devices that run it.
//!
//! - [`shape`]: the sizes of a model, published ones by name.
//! - [`weights`]: where weights come from, seeded normals or a [`checkpoint`].
//! - [`plan`]: a step's launches with their declared bytes: the floor of a step is a sum over them.
//! - [`Decoder`]: a model on this CPU, its plan issued launch by launch or captured and replayed.
//! - [`read_bandwidth`]: how fast threads read memory, for workloads that hold their own.
//! - [`cuda`]: what this machine has of CUDA.
//!
//! The crate measures nothing by itself and judges nothing: it runs steps and says when each ended.
//!
//! # Examples
//! ```
//! use prereg_decode::plan::PlanKind;
//! use prereg_decode::shape::Shape;
//! use prereg_decode::weights::RandomWeights;
//! use prereg_decode::{Affinity, Decoder, LaunchMode, Options, Path};
//!
//! let mut shape = Shape::named("smollm2-135m").ok_or("no such shape")?;
//! shape.layers = 1; // Enough for an example.
//! let options = Options {
//!     plan: PlanKind::Fused,
//!     context: 2,
//!     rows: 3,
//!     threads: 1,
//!     affinity: Affinity::None,
//!     path: Path::best(),
//! };
//! let mut decoder = Decoder::new(&RandomWeights::new(shape, [0; 32]), &options)?;
//! decoder.prefill(&[3, 14, 15])?;
//! let start = decoder.snapshot();
//! let mut marks = [0; 3];
//!
//! decoder.run(LaunchMode::Eager, &mut marks)?;
//! let eager = decoder.logits(2).to_vec();
//!
//! decoder.capture();
//! decoder.restore(start);
//! decoder.run(LaunchMode::Graph, &mut marks)?;
//! assert_eq!(decoder.logits(2), eager);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod arithmetic;
mod bf16;
pub mod checkpoint;
mod cpu;
pub mod cuda;
mod kernel_source;
mod normals;
pub mod plan;
pub mod shape;
pub mod weights;

pub use arithmetic::Path;
pub use cpu::{
    Affinity, BufferError, BufferPass, Decoder, GraphProof, LaunchMode, MemoryReport, NewError,
    Options, RunError, Snapshot, read_bandwidth,
};
pub use kernel_source::kernel_sources;
