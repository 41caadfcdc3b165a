//! Whole reports from records written by hand.

#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod case;
mod escaping;
mod figure;
mod opening;
mod program;
mod snapshot;
mod study;
mod template;

use prereg_report::{Report, Templates, render};

fn rendered(case: &case::Case) -> Report {
    render(&case.input(), &Templates::embedded()).unwrap()
}
