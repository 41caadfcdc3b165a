//! One decode step as an ordered list of kernel launches, independent of the device that runs it.
//!
//! Each launch states its kernel with arguments, its grid and the bytes that it must read and write, tagged weight, KV
//! or other. The floor of a step and the work of a step are sums over the same list, so they cannot drift apart.
//!
//! - [`StepPlan::new`] builds the list for a shape in one of two [`PlanKind`]s.
//! - Conventions of counting: a matrix counts once however many threads read it; a tied table counts once, where the
//!   vocabulary projection reads all of it; the one row of the embedding table that a step looks up is `other`; keys
//!   and values count as the `context` positions cached before the step, and the position that the step adds counts
//!   where it is written.

mod cost;
mod fused;
mod kernel;
mod op_by_op;
mod traffic;
mod weights;

use std::fmt;

pub(crate) use fused::SPLITS;
pub use kernel::{Buffer, Kernel, Projection};
pub use traffic::{Bytes, Traffic};

use self::cost::Cost;
use crate::shape::Shape;

/// How finely a step is cut into kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanKind {
    /// Six kernels a layer and three around them: neighbouring operations are folded together.
    Fused,
    /// Twenty kernels a layer and five around them, as an eager framework issues them.
    OpByOp,
}

impl PlanKind {
    /// Both kinds.
    pub const ALL: [Self; 2] = [Self::Fused, Self::OpByOp];

    /// Its name in declarations and records.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Fused => "fused",
            Self::OpByOp => "op-by-op",
        }
    }

    /// The kind of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

impl fmt::Display for PlanKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One kernel launch of a step.
#[derive(Clone, Debug, PartialEq)]
pub struct Launch {
    /// What runs, with its arguments.
    pub kernel: Kernel,
    /// Independent units of work that a device shares out: rows, heads, or a head's splits.
    pub grid: usize,
    /// What it must read and write.
    pub traffic: Traffic,
}

/// The launches of one decode step, in order.
#[derive(Clone, Debug, PartialEq)]
pub struct StepPlan {
    kind: PlanKind,
    context: usize,
    launches: Vec<Launch>,
}

impl StepPlan {
    /// The step of `shape` that starts with `context` cached positions.
    #[must_use]
    pub fn new(shape: &Shape, kind: PlanKind, context: usize) -> Self {
        let kernels = match kind {
            PlanKind::Fused => fused::kernels(shape),
            PlanKind::OpByOp => op_by_op::kernels(shape),
        };
        let tensors = shape.tensors();
        let cost = Cost {
            shape,
            tensors: &tensors,
            context,
        };
        let launches = kernels
            .into_iter()
            .map(|kernel| Launch {
                kernel,
                grid: cost.grid(&kernel),
                traffic: cost.traffic(&kernel),
            })
            .collect();
        Self {
            kind,
            context,
            launches,
        }
    }

    /// How finely the step is cut.
    #[must_use]
    pub fn kind(&self) -> PlanKind {
        self.kind
    }

    /// Cached positions that the declared bytes assume.
    #[must_use]
    pub fn context(&self) -> usize {
        self.context
    }

    /// The launches, in order.
    #[must_use]
    pub fn launches(&self) -> &[Launch] {
        &self.launches
    }

    /// Everything the step must read and write.
    #[must_use]
    pub fn traffic(&self) -> Traffic {
        self.launches.iter().map(|launch| launch.traffic).sum()
    }

    /// The tensors that the step streams, as places in [`Shape::tensors`], in the order in which it does.
    pub(crate) fn streamed(&self) -> Vec<usize> {
        let whole = |launch: &&Launch| !matches!(launch.kernel, Kernel::Embed { .. });
        self.launches
            .iter()
            .filter(whole)
            .flat_map(|launch| launch.kernel.tensors())
            .collect()
    }

    /// Bytes of weights that the step streams: all weights without an untied input-embedding table.
    #[must_use]
    pub fn weight_bytes(&self) -> u64 {
        self.traffic().read.weight
    }

    /// Bytes of cached keys and values that the step reads.
    #[must_use]
    pub fn kv_bytes(&self) -> u64 {
        self.traffic().read.kv
    }
}

#[cfg(test)]
mod tests;
