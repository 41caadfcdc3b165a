//! Rank tests by permutation: whether values depend on the order in which they were taken.
//!
//! Each gives an [`Association`]: a coefficient within ±1 and a two-sided p-value, the share of
//! orders whose statistic is at least as far from its mean as the observed one. Mid-ranks stand for
//! ties. Up to [`EXACT_UP_TO`] values every order is looked at; beyond, [`SHUFFLES`] seeded ones,
//! and p = (1 + hits) / (1 + shuffles), which is never zero and errs on the safe side (Davison and
//! Hinkley 1997, §4.2). Statistics are compared as integers, so that ties are ties.

mod association;
mod mid_rank;
mod order;

pub use association::{Association, AssociationError, contrast, serial, trend};
pub use order::{EXACT_UP_TO, SHUFFLES};
