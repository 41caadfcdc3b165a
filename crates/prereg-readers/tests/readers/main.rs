//! The readers, on results of the tools and on everything that is none.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod documents;
mod fixture;
mod properties;
mod protocol;
mod refusal;
