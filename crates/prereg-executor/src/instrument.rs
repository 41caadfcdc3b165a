//! What the instruments of a host can resolve, found out before a run is announced.
//!
//! - [`timer`]: the clock that steps are timed with.
//! - [`instruments`]: those of the host's columns that change by themselves, polled; [`instrument`]: the same of
//!   readings that a program gives.
//!
//! An instrument is as fast as its value changes, however often it is asked: a meter that is polled every 20 ms and
//! changes every 495 ms has a period of 495 ms.

mod timer;
mod update;

pub use timer::{Timer, timer};
pub use update::{Instrument, instrument, instruments};
