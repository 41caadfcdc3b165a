//! One run on one target, from samples to verdicts.

mod obstacles;
mod run;

use std::collections::BTreeMap;

use prereg_declaration::{ConstantName, Declaration, Metric, Stopping, constants_used};
use prereg_stats::{AlphaError, Seed};
use thiserror::Error;

use self::obstacles::obstacles;
use self::run::Run;
use crate::claim::{Claims, Evidence};
use crate::constants::Constants;
use crate::samples::Samples;
use crate::verdict::{RunJudgement, Verdict};
use crate::{control, metric};

/// Why samples cannot be judged by a declaration.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum JudgeError {
    /// Sessions that were not locked, or locked ones that have no entry (which a sequence may stop
    /// before).
    #[error(
        "the declaration has {locked} sessions and the samples have {given}; give one entry a session"
    )]
    SessionCount {
        /// Locked number.
        locked: u32,
        /// Entries in the samples.
        given: usize,
    },
    /// A target that the declaration does not name.
    #[error("the declaration does not name target `{target}`; it names {}", .named.join(", "))]
    UnknownTarget {
        /// The target given.
        target: String,
        /// The declaration's.
        named: Vec<String>,
    },
    /// A constant that an expression needs and the lock did not resolve.
    #[error("the lock has no value of `{constant}`; lock the declaration again")]
    Constant {
        /// The constant.
        constant: ConstantName,
    },
    /// An error probability out of range.
    #[error("`alpha-pass` and `alpha-falsified`: {0}")]
    Alpha(#[from] AlphaError),
}

/// Judges one run on `target`: gates, metrics, controls, calibrated ranges, and every claim that names
/// the target.
///
/// `seed_of` gives the analysis seed of a metric.
///
/// # Errors
/// [`JudgeError`] where samples and declaration do not belong together.
pub fn judge(
    declaration: &Declaration,
    constants: &Constants,
    target: &str,
    samples: &Samples,
    seed_of: &dyn Fn(&str) -> Seed,
) -> Result<RunJudgement, JudgeError> {
    let run = read(declaration, constants, target, samples)?;
    let evidence = Evidence::new(declaration, &run.values, seed_of)?;
    let baseline_first = run.baseline_first();
    let metric = |(name, metric): (&String, &Metric)| {
        let result = metric::report(
            metric,
            run.values.get(name)?,
            &declaration.inference,
            evidence.reading,
            &baseline_first,
            seed_of(name),
        );
        Some((name.clone(), result))
    };
    let metrics = declaration.metrics.iter().filter_map(metric).collect();
    let controls = declaration.controls.iter();
    let controls = controls
        .map(|(name, control)| (name.clone(), control::read(control, &evidence)))
        .collect();
    let obstacles = obstacles(declaration, samples, &run, &controls);
    let claims = Claims {
        declaration,
        target,
        evidence,
        metrics: &metrics,
        obstacles: &obstacles,
    };
    let claims = claims.judge();
    Ok(RunJudgement {
        target: target.to_owned(),
        sessions: samples.sessions.len(),
        missing: run.missing,
        gates: run.gates,
        metrics,
        controls,
        calibrated_range: run.calibrated_range,
        claims,
    })
}

/// What the kill conditions of every claim that names the target say, each at its own α, without the
/// rest of a judgement. Gates with outcome `abstain`, controls and calibrated ranges are ignored: a
/// sequence stops when no claim abstains here, and what makes every claim abstain never extends it.
///
/// # Errors
/// As [`judge`].
pub fn on_conditions(
    declaration: &Declaration,
    constants: &Constants,
    target: &str,
    samples: &Samples,
    seed_of: &dyn Fn(&str) -> Seed,
) -> Result<BTreeMap<String, Verdict>, JudgeError> {
    let run = read(declaration, constants, target, samples)?;
    let evidence = Evidence::new(declaration, &run.values, seed_of)?;
    let on_target = declaration
        .claims
        .iter()
        .filter(|(_, claim)| claim.on.iter().any(|named| named == target));
    Ok(on_target
        .map(|(name, claim)| (name.clone(), evidence.verdict(claim)))
        .collect())
}

/// Reads samples that belong to the declaration.
fn read<'a>(
    declaration: &'a Declaration,
    constants: &'a Constants,
    target: &str,
    samples: &'a Samples,
) -> Result<Run<'a>, JudgeError> {
    let (locked, given) = (declaration.protocol.sessions, samples.sessions.len());
    let belongs = match declaration.inference.stopping {
        Stopping::Fixed => given == locked as usize,
        Stopping::Sequence => given <= locked as usize,
    };
    if !belongs {
        return Err(JudgeError::SessionCount { locked, given });
    }
    if !declaration.targets.iter().any(|named| named == target) {
        let (target, named) = (target.to_owned(), declaration.targets.clone());
        return Err(JudgeError::UnknownTarget { target, named });
    }
    let needed = constants_used(declaration);
    if let Some(constant) = needed
        .into_iter()
        .find(|name| constants.get(name).is_none())
    {
        return Err(JudgeError::Constant { constant });
    }
    Ok(Run::read(declaration, constants, samples))
}

#[cfg(test)]
mod tests;
