//! Making a decoder: its options are checked, threads started, memory had and weights copied in.

use std::io;

use super::activations::Activations;
use super::affinity::Affinity;
use super::cache::Cache;
use super::counters::Counters;
use super::decoder::Decoder;
use super::device::Device;
use super::error::NewError;
use super::pool::Pool;
use super::weights::Weights;
use crate::arithmetic::Path;
use crate::plan::{PlanKind, StepPlan};
use crate::weights::TensorSource;

/// How a decoder is set up. All but the plan is fixed for its life.
#[derive(Clone, Debug)]
pub struct Options {
    /// How finely a step is cut into kernels; [`Decoder::use_plan`] changes it.
    pub plan: PlanKind,
    /// Positions cached before the first measured step: the context at which the plan declares its bytes.
    pub context: usize,
    /// Most steps of one [`Decoder::run`]: rows for logits, and room in the cache behind the context.
    pub rows: usize,
    /// Threads, the caller's included.
    pub threads: usize,
    /// Where they run.
    pub affinity: Affinity,
    /// Instruction set of the kernels; [`Path::best`] unless paths are being compared.
    pub path: Path,
}

impl Decoder {
    /// Sets up threads and memory and copies the weights in.
    ///
    /// # Errors
    /// [`NewError`]: a shape that cannot be run, a context beyond the model's, no threads or no memory.
    pub fn new(source: &dyn TensorSource, options: &Options) -> Result<Self, NewError> {
        let shape = source.shape().clone();
        let &Options {
            context,
            rows,
            threads,
            ..
        } = options;
        shape.check().map_err(|source| NewError::Shape {
            name: shape.name.clone(),
            source,
        })?;
        for (what, value) in [
            ("the number of threads", threads),
            ("the number of steps", rows),
        ] {
            if value == 0 {
                return Err(NewError::Zero { what });
            }
        }
        let capacity = context.saturating_add(rows);
        if capacity > shape.max_position {
            return Err(NewError::TooLong {
                name: shape.name,
                context,
                rows,
                max_position: shape.max_position,
            });
        }
        let plan = StepPlan::new(&shape, options.plan, context);
        let mut pool = start_threads(threads, &options.affinity)?;
        let memory = |what| move |source| NewError::Memory { what, source };
        let weights = Weights::load(source, &mut pool).map_err(memory("the weights"))?;
        let cache = Cache::new(&shape, capacity, &mut pool).map_err(memory("the KV cache"))?;
        let activations = Activations::new(&shape, capacity, rows, &mut pool)
            .map_err(memory("activations and logits"))?;
        let device = Device {
            shape,
            path: options.path,
            weights,
            cache,
            activations,
            counters: Counters::default(),
        };
        Ok(Self {
            pool,
            graph: None,
            device,
            streamed: plan.streamed(),
            plan,
            rows,
            capacity,
        })
    }
}

fn start_threads(threads: usize, affinity: &Affinity) -> Result<Pool, NewError> {
    let fits = match affinity {
        Affinity::None => Ok(()),
        Affinity::Cpus(cpus) if cpus.len() == threads => Ok(()),
        Affinity::Cpus(_) => Err(io::ErrorKind::InvalidInput.into()),
    };
    fits.and_then(|()| Pool::new(threads, affinity))
        .map_err(|source| NewError::Threads {
            threads,
            affinity: affinity.to_string(),
            source,
        })
}
