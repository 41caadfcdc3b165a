//! Thresholds and kill regions, placed on an axis.

use prereg_units::Dimension;
use serde::Serialize;

use super::axis::{Axis, pixel};
use crate::kill_region::KillRegion;
use crate::number;

/// A shaded stretch, in pixels along its axis.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Shade {
    pub(crate) start: f64,
    pub(crate) length: f64,
}

/// A line across the plot and its label.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Line {
    pub(crate) at: f64,
    pub(crate) label: String,
}

/// The stretches on which the claim dies.
pub(crate) fn shades(region: &KillRegion, axis: &Axis) -> Vec<Shade> {
    region
        .stretches
        .iter()
        .map(|stretch| {
            let (from, to) = (axis.lower(stretch.low), axis.upper(stretch.high));
            Shade {
                start: from.min(to),
                length: pixel((to - from).abs()),
            }
        })
        .collect()
}

/// Every threshold, with what it does.
pub(crate) fn lines(region: &KillRegion, axis: &Axis, dimension: Dimension) -> Vec<Line> {
    region
        .thresholds
        .iter()
        .map(|&threshold| Line {
            at: axis.at(threshold),
            label: label(region, threshold, dimension),
        })
        .collect()
}

/// What a threshold does, in words.
pub(crate) fn label(region: &KillRegion, threshold: f64, dimension: Dimension) -> String {
    let value = number::measured(threshold, dimension);
    match region.sides(threshold) {
        (true, false) => format!("killed below {value}"),
        (false, true) => format!("killed above {value}"),
        _ => format!("threshold {value}"),
    }
}
