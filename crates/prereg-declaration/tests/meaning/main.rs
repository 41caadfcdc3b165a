//! What a declaration means, whatever its spelling: digests, differences, and what is derived from it.

#![expect(clippy::unwrap_used, reason = "a test ends where its input is wrong")]

mod derived;
mod differences;
mod digests;
mod example;
