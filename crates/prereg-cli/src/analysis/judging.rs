//! From a sealed run to its judgement, and to what the ledger records of it.

use std::error::Error;

use prereg_declaration::ConstantName;
use prereg_judgement::{
    ClaimResult, Constants, RunJudgement, Samples, Verdict, judge, on_conditions,
};
use prereg_ledger::{Cell, Locked, Run, Standing, Status, Study, VerdictEvent, analysis_seed};
use prereg_runs::RunFolder;
use prereg_stats::Seed;
use prereg_tables::{Planned, samples, samples_so_far};
use prereg_units::{Quantity, Unit};
use serde::Serialize;

use crate::error::CommandError;
use crate::exit::Exit;

/// Judges one sealed run. A pilot is judged without its claims: it has gates and spreads, and no verdict.
pub(crate) fn judge_run(
    study: &Study,
    locked: &Locked,
    run: &Run,
) -> Result<RunJudgement, CommandError> {
    let samples = samples_of(study, locked, run)?;
    let mut declaration = locked.declaration().clone();
    if run.standing == Standing::Pilot {
        declaration.claims.clear();
    }
    let target = &run.announced.target;
    judge(
        &declaration,
        &constants(locked, target)?,
        target,
        &samples,
        &seed_of(locked, target),
    )
    .map_err(|error| CommandError::internal(&error))
}

/// What a sealed run yields for judging.
pub(crate) fn samples_of(
    study: &Study,
    locked: &Locked,
    run: &Run,
) -> Result<Samples, CommandError> {
    let Status::Sealed { seal, .. } = run.status else {
        return Err(CommandError::new(
            Exit::Missing,
            format!("run {} is not sealed", run.id),
        ));
    };
    let folder = RunFolder::open(study, &run.announced.experiment, &run.id)
        .map_err(|error| CommandError::io(&error))?;
    let seeds = locked.seeds(run.announcement);
    let planned = Planned::new(locked.declaration(), &seeds, run.stopped);
    samples(&folder, seal, &planned)
        .map_err(|error| CommandError::caused(Exit::Inconsistent, &error))
}

/// Whether every claim is decided after the first `over` sessions of a run that is being measured. A pilot decides
/// nothing, so it runs all its sessions.
pub(crate) fn decided_so_far(
    study: &Study,
    locked: &Locked,
    run: &Run,
    over: u32,
) -> Result<bool, Box<dyn Error + Send + Sync>> {
    if run.standing == Standing::Pilot {
        return Ok(false);
    }
    let folder = RunFolder::open(study, &run.announced.experiment, &run.id)?;
    let seeds = locked.seeds(run.announcement);
    let planned = Planned::new(locked.declaration(), &seeds, Some(over));
    let samples = samples_so_far(&folder, &planned)?;
    let target = &run.announced.target;
    let constants = constants(locked, target).map_err(|error| error.to_string())?;
    let said = on_conditions(
        locked.declaration(),
        &constants,
        target,
        &samples,
        &seed_of(locked, target),
    )?;
    let is_decided = |verdict: &Verdict| *verdict != Verdict::Abstained;
    Ok(!said.is_empty() && said.values().all(is_decided))
}

/// Seeds of the analysis, by metric.
fn seed_of(locked: &Locked, target: &str) -> impl Fn(&str) -> Seed {
    move |metric| Seed(analysis_seed(locked.id(), metric, target, &Cell::default()))
}

/// The lock's constants, as they hold on `target`.
pub(crate) fn constants(locked: &Locked, target: &str) -> Result<Constants, CommandError> {
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
