//! Each case's report and figures, as committed.

use prereg_report::Templates;

use crate::case::{self, Case};
use crate::rendered;

fn assert_as_committed(name: &str, case: &Case) {
    let report = rendered(case);
    // A change of a template shows where it changes what is rendered, not in every digest.
    let templates = Templates::embedded().digest().to_string();
    insta::assert_snapshot!(name, report.markdown.replace(&templates, "[templates]"));
    for figure in &report.figures {
        let (_, file) = figure.path.rsplit_once('/').unwrap();
        let (before, style) = figure.svg.split_once("<style>").unwrap();
        let (_, after) = style.split_once("</style>").unwrap();
        insta::assert_snapshot!(format!("{name}-{file}"), format!("{before}{after}"));
    }
}

macro_rules! snapshots {
    ($($case:ident),* $(,)?) => {
        $(
            #[test]
            fn $case() {
                assert_as_committed(stringify!($case), &case::$case());
            }
        )*
    };
}

snapshots!(
    pass,
    falsified,
    gate_failed,
    undetermined,
    missing_sessions,
    degenerate,
    two_conditions,
    joined_condition,
    disagreement,
    inconsistent,
    no_data,
    amended,
    blocks,
    student_t,
    sequence,
    command,
    census,
);
