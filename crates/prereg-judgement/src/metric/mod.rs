//! Metrics over the sessions of a run: their numbers, and what is reported of them.

mod order;
mod report;
mod values;

pub(crate) use report::report;
pub(crate) use values::Values;
