//! How the numbers of a plan are read, in a line.

use prereg_declaration::{Declaration, Interval, Stopping};

/// What verdicts are read on, in a line.
pub(crate) fn line(declaration: &Declaration) -> String {
    let (inference, protocol) = (&declaration.inference, &declaration.protocol);
    if inference.interval == Interval::Census {
        return "read on the smallest and the largest of the sessions, which are all there are; nothing is inferred"
            .to_owned();
    }
    let unit = match protocol.blocks {
        1 => "sessions".to_owned(),
        blocks => format!("{blocks} blocks of sessions"),
    };
    let bounds = match inference.stopping {
        Stopping::Sequence => Stopping::Sequence.name(),
        Stopping::Fixed => inference.interval.name(),
    };
    format!(
        "read on {} bounds of the {} over {unit}, α {} for pass and {} for falsified, stopping {}",
        bounds,
        inference.estimand.name().replace('-', " "),
        inference.alpha_pass,
        inference.alpha_falsified,
        inference.stopping.name(),
    )
}
