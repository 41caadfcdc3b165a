//! A session, from inside its own process: one decoder, every arm, all slots.
//!
//! ```text
//! weights in, context filled          everything is allocated here
//! environment                         start
//! sweep slot sweep slot … sweep       schedule: restore, warm-up, restore, start mark, measured steps; the host's
//!                                     counters are read before and after each slot
//! environment                         end
//! done.json                           the last file, by a rename
//! ```
//!
//! Invariants:
//! - Every slot starts from the same restored position, token and KV state, so an arm gives the same logits in each of
//!   its slots.
//! - Between a start mark and the last end-of-step mark nothing is allocated, written or digested here: marks and
//!   logits go to rows that exist before.
//! - A program has its own process for each slot, with nothing of the slot before it left alive.
//! - A CPU has host time only, and a mark stands after every step whichever way `sync` is declared: waiting once a slot
//!   cannot be told from waiting every step where the host itself is the device. The sum of the steps is the slot's host
//!   time by construction.

mod command;
mod error;
mod process;
mod slot;
mod sweep;
mod work;

#[cfg(test)]
mod tests;

pub use command::find_program;
pub(crate) use command::{DEFAULT_PATH, Watched};
pub use command::{ProgramError, become_program};
pub use error::SessionError;
pub use process::main;
