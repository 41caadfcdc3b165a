//! From a sealed run to its judgement, and to what the ledger records of it.

use prereg_declaration::ConstantName;
use prereg_judgement::{ClaimResult, Constants, RunJudgement, judge};
use prereg_ledger::{Cell, Locked, Run, Status, Study, VerdictEvent, analysis_seed};
use prereg_runs::RunFolder;
use prereg_stats::Seed;
use prereg_tables::{Planned, samples};
use prereg_units::{Quantity, Unit};
use serde::Serialize;

use crate::error::CommandError;
use crate::exit::Exit;

/// Judges one sealed run.
pub(crate) fn judge_run(
    study: &Study,
    locked: &Locked,
    run: &Run,
) -> Result<RunJudgement, CommandError> {
    let Status::Sealed { seal, .. } = run.status else {
        return Err(CommandError::new(
            Exit::Missing,
            format!("run {} is not sealed", run.id),
        ));
    };
    let folder = RunFolder::open(study, &run.announced.experiment, &run.id)
        .map_err(|error| CommandError::io(&error))?;
    let planned = Planned::new(locked.declaration(), &locked.seeds(run.announcement));
    let samples = samples(&folder, seal, &planned)
        .map_err(|error| CommandError::caused(Exit::Inconsistent, &error))?;
    let target = &run.announced.target;
    let seed_of = |metric: &str| Seed(analysis_seed(locked.id(), metric, target, &Cell::default()));
    judge(
        locked.declaration(),
        &constants(locked, target)?,
        target,
        &samples,
        &seed_of,
    )
    .map_err(|error| CommandError::internal(&error))
}

/// The lock's constants, as they hold on `target`.
fn constants(locked: &Locked, target: &str) -> Result<Constants, CommandError> {
    let constants = locked
        .lock()
        .constants
        .iter()
        .filter(|constant| constant.target.as_deref().is_none_or(|of| of == target));
    constants
        .map(|constant| {
            let name = ConstantName {
                name: constant.name.clone(),
                arm: constant.arm.clone(),
            };
            let unit =
                Unit::parse(&constant.unit).map_err(|error| CommandError::internal(&error))?;
            let quantity = Quantity::new(constant.value, unit.dimension())
                .map_err(|error| CommandError::internal(&error))?;
            Ok((name, quantity))
        })
        .collect()
}

/// What the ledger says about a claim of a sealed run: verdict, reasons, state and bounds of each condition.
pub(crate) fn verdict_event(
    locked: &Locked,
    run: &Run,
    claim: &str,
    result: &ClaimResult,
) -> Result<VerdictEvent, CommandError> {
    Ok(VerdictEvent {
        run: run.id.clone(),
        claim: claim.to_owned(),
        rules: locked.lock().rules.clone(),
        verdict: result.verdict.as_str().to_owned(),
        reasons: values(&result.reasons)?,
        conditions: values(&result.conditions)?,
    })
}

fn values<T: Serialize>(items: &[T]) -> Result<Vec<serde_json::Value>, CommandError> {
    items
        .iter()
        .map(|item| serde_json::to_value(item).map_err(|error| CommandError::internal(&error)))
        .collect()
}
