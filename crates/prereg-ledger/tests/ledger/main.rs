//! The ledger from outside: written, torn, copied, merged, tampered with and read back.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "tests fail by panicking, and tear files on purpose"
)]

mod append;
mod clone;
mod crash;
mod fixture;
mod life;
mod locked;
mod locks;
mod outside_head;
mod random;
mod refusal;
mod seeds;
mod tamper;
