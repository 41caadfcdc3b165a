//! The ledger from outside: written, torn, copied, merged, tampered with and read back.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "tests fail by panicking, and tear files on purpose"
)]

mod amendments;
mod append;
mod attempts;
mod clone;
mod committed;
mod crash;
mod fixture;
mod life;
mod locked;
mod locks;
mod outside_head;
mod pilots;
mod preflights;
mod random;
mod random_plans;
mod refusal;
mod seeds;
mod stops;
mod tamper;
mod withdrawals;
