//! Run folders from outside: written, interrupted, sealed, changed and compared with the ledger.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "tests fail by panicking, and tear files on purpose"
)]

mod audit;
mod fixture;
mod records;
mod sessions;
