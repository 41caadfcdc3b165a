//! The figures: geometry is computed here, the drawing is a template.
//!
//! Every figure carries a title and a description that say in words what it shows, adapts to light
//! and dark by its own style sheet, and tells verdicts and missing sessions by shape and word as
//! well as by colour. Made-up data is labelled inside the picture.

mod axis;
mod forest;
mod label;
mod strip;
mod subject;
mod threshold;

pub(crate) use forest::forest;
pub(crate) use strip::strip;
pub(crate) use subject::Subject;
