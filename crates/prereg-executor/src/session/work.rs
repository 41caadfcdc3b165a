//! The measuring part of a session.

use std::path::Path;

use prereg_decode::plan::PlanKind;
use prereg_decode::weights::TensorSource;
use prereg_decode::{Affinity, Decoder, Options, Path as KernelPath};
use prereg_runs::{
    ENVIRONMENT_SCHEMA, EnvironmentRecord, SampleRecord, SessionFolder, TelemetryLine,
};
use prereg_stats::{Generator, Seed};

use super::error::SessionError;
use super::slot::Slots;
use super::sweep::sweep;
use crate::environment::{Machine, conditions, host};
use crate::model::{checkpoint_weights, random_weights};
use crate::schedule::{Entry, schedule};
use crate::spec::{SessionSpec, WeightsSpec};

/// Measures every slot of the session and writes its records; `done.json` is the caller's. `study` is the study's root.
pub(super) fn measure(
    spec: &SessionSpec,
    folder: &SessionFolder,
    study: &Path,
) -> Result<(), SessionError> {
    let machine = Machine::here();
    let mut decoder = decoder(spec, &*weights(spec, study)?)?;
    let host = host(
        &machine,
        &decoder.path().to_string(),
        decoder.memory().weights,
    );
    let mut slots = Slots::new(spec, &decoder);
    let mut steps = folder.write_steps()?;
    let mut telemetry = folder.write_telemetry()?;
    if let Some(bytes) = host.last_level_cache_bytes() {
        let column = "last_level_cache".to_owned();
        telemetry.write(&TelemetryLine::Sample(SampleRecord {
            column,
            slot: None,
            value: bytes as f64,
            at_ns: None,
        }))?;
    }
    let start = conditions(&machine, study);
    for entry in schedule(&spec.order) {
        match entry {
            Entry::Sweep { before } => {
                for pass in sweep(&mut decoder, before) {
                    telemetry.write(&TelemetryLine::Sweep(pass))?;
                }
            }
            Entry::Slot { index, arm } => {
                for line in slots.measure(&mut decoder, index, arm)? {
                    steps.write(&line)?;
                }
            }
        }
    }
    steps.finish()?;
    telemetry.finish()?;
    let end = conditions(&machine, study);
    let schema = ENVIRONMENT_SCHEMA.to_owned();
    folder.write_environment(&EnvironmentRecord {
        schema,
        host,
        start,
        end,
    })?;
    Ok(())
}

fn weights(spec: &SessionSpec, study: &Path) -> Result<Box<dyn TensorSource>, SessionError> {
    let model = &spec.workload.model;
    Ok(match spec.workload.weights {
        WeightsSpec::Random => random_weights(study, model, *spec.seeds.weights.as_bytes())?,
        WeightsSpec::Checkpoint => checkpoint_weights(study, model)?,
    })
}

/// A decoder with its weights in and its context filled.
fn decoder(spec: &SessionSpec, weights: &dyn TensorSource) -> Result<Decoder, SessionError> {
    let affinity = match &*spec.affinity {
        [] => Affinity::None,
        processors => Affinity::Cpus(
            processors
                .iter()
                .map(|&processor| processor as usize)
                .collect(),
        ),
    };
    let options = Options {
        // Each slot sets its own.
        plan: PlanKind::Fused,
        context: spec.workload.context as usize,
        rows: spec.slot_steps.max(spec.warmup_steps) as usize,
        threads: spec.threads as usize,
        affinity,
        path: KernelPath::best(),
    };
    let mut decoder = Decoder::new(weights, &options)?;
    let vocabulary = weights.shape().vocab as u32;
    let token = Generator::new(Seed(*spec.seeds.prompt.as_bytes())).below(vocabulary);
    decoder.fill_context(*spec.seeds.kv.as_bytes(), token)?;
    Ok(decoder)
}
