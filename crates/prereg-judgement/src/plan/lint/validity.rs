//! Controls and calibrated ranges that guard nothing, and ranges that decide in the claim's place.

use std::collections::BTreeMap;

use prereg_declaration::{CalibratedRange, Control, Declaration};
use prereg_units::{Dimension, Quantity};

use super::words;
use crate::plan::finding::LintFinding;
use crate::plan::foregone::Known;
use crate::plan::formula::Possible;
use crate::plan::variables::Variables;
use crate::{calibrated_range, control};

/// What is wrong with one control before anything is known of its power.
pub(super) fn of_control(
    declaration: &Declaration,
    name: &str,
    control: &Control,
) -> Option<LintFinding> {
    let end = |value| Quantity::new(value, Dimension::NONE).ok();
    let [from, to] = control::ends(control.within);
    let bound = CalibratedRange {
        from: end(from)?,
        to: end(to)?,
    };
    of_itself(
        declaration,
        format!("control `{name}`"),
        &control.metric,
        &bound,
    )
}

/// What is wrong with the calibrated range of one metric.
pub(super) fn of_range(
    declaration: &Declaration,
    metric: &str,
    range: &CalibratedRange,
) -> Vec<LintFinding> {
    let place = format!("the calibrated range of `{metric}`");
    match of_itself(declaration, place.clone(), metric, range) {
        Some(finding) => vec![finding],
        None => foregone(declaration, &place, metric, range),
    }
}

/// A range that every value lies in, or none.
fn of_itself(
    declaration: &Declaration,
    place: String,
    metric: &str,
    range: &CalibratedRange,
) -> Option<LintFinding> {
    let mut variables = Variables::new(declaration, BTreeMap::new());
    let formula = variables.predicate(&calibrated_range::predicate(metric, range));
    let possible = formula.possible(variables.ranges());
    let reason = words::of_metric(metric, range.from.dimension(), &mut variables);
    match possible {
        None => Some(LintFinding::TooComplex { place }),
        Some(Possible {
            can_fail: false, ..
        }) => Some(LintFinding::CannotFail { place, reason }),
        Some(Possible {
            can_hold: false, ..
        }) => Some(LintFinding::CannotHold { place, reason }),
        Some(_) => None,
    }
}

/// A range must leave both answers of every claim inside.
fn foregone(
    declaration: &Declaration,
    place: &str,
    metric: &str,
    range: &CalibratedRange,
) -> Vec<LintFinding> {
    let sessions = declaration.protocol.sessions;
    let predicate = calibrated_range::predicate(metric, range);
    let leaves =
        |values: &BTreeMap<_, _>| Known { values, sessions }.holds(&predicate) == Some(false);
    let claims = declaration.claims.iter();
    claims
        .filter_map(|(name, claim)| {
            let (place, of_claim) = (place.to_owned(), name.clone());
            if leaves(&claim.expected) {
                Some(LintFinding::BarsExpected {
                    place,
                    claim: of_claim,
                })
            } else if leaves(&claim.rival) {
                Some(LintFinding::SparesRival {
                    place,
                    claim: of_claim,
                })
            } else {
                None
            }
        })
        .collect()
}
