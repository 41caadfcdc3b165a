//! Reports: a finished verdict and its record, as markdown with SVG figures.
//!
//! [`render`] turns a [`ReportInput`] and a set of [`Templates`] into a [`Report`]. It computes no
//! statistic and reads no clock, so that a report can be made again, byte by byte, from the record.
//!
//! Two rules hold whatever the templates say. What the record must not lose (verdict, evidence level,
//! attempts, every run, missing sessions) is composed by code and stands first. And author text is
//! always escaped: it can neither end a table cell nor inject markup, in markdown as in SVG.

mod engine;
mod figure;
mod figures;
mod input;
mod kill_region;
mod markdown;
mod number;
mod opening;
mod report;
mod templates;
mod view;
pub mod words;

pub use engine::FillError;
pub use figures::Figure;
pub use input::{
    Attempt, FindingFacts, LockFacts, PilotFacts, PreflightFacts, ReportInput, RunFacts,
    SessionEnvironment,
};
pub use report::{Report, render};
pub use templates::{TemplateReadError, Templates};
