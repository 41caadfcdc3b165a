//! Claims on one target: kill conditions read on confidence bounds, then the verdict.

mod comparison;
mod counterfactual;
mod disagreement;
mod evidence;
mod judged;

#[cfg(test)]
mod properties;

pub(crate) use comparison::comparison;
pub(crate) use evidence::Evidence;
pub(crate) use judged::Claims;
