//! Tables of simulated runs, through the public interface.

#![expect(
    clippy::unwrap_used,
    reason = "a fixture that cannot be made fails its test"
)]

mod agreement;
mod export;
mod planned;
mod reported;
mod samples;
mod simulated_run;
