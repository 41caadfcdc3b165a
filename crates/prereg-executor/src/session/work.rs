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
use crate::spec::{DecodeSpec, SessionSpec, WeightsSpec};
use crate::telemetry::{HostCounters, between, own_cpu_time};

/// Measures every slot of the session and writes its records; `done.json` is the caller's. `study` is the study's root.
pub(super) fn measure(
    spec: &SessionSpec,
    decode: &DecodeSpec,
    folder: &SessionFolder,
    study: &Path,
) -> Result<(), SessionError> {
    let machine = Machine::here();
    let mut decoder = decoder(spec, decode, &*weights(spec, decode, study)?)?;
    let host = host(
        &machine,
        &decoder.path().to_string(),
        decoder.memory().weights,
    );
    let mut slots = Slots::new(decode, spec.slot_steps, &decoder);
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
                let before = HostCounters::now(&machine, own_cpu_time());
                let lines = slots.measure(&mut decoder, index, arm)?;
                let after = HostCounters::now(&machine, own_cpu_time());
                for line in lines {
                    steps.write(&line)?;
                }
                for sample in between(&before, &after, index) {
                    telemetry.write(&TelemetryLine::Sample(sample))?;
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
        program: None,
    })?;
    Ok(())
}

fn weights(
    spec: &SessionSpec,
    decode: &DecodeSpec,
    study: &Path,
) -> Result<Box<dyn TensorSource>, SessionError> {
    let model = &decode.model;
    Ok(match decode.weights {
        WeightsSpec::Random => random_weights(study, model, *spec.seeds.weights.as_bytes())?,
        WeightsSpec::Checkpoint => checkpoint_weights(study, model)?,
    })
}

/// A decoder with its weights in and its context filled.
fn decoder(
    spec: &SessionSpec,
    decode: &DecodeSpec,
    weights: &dyn TensorSource,
) -> Result<Decoder, SessionError> {
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
        context: decode.context as usize,
        rows: spec.slot_steps.max(decode.warmup_steps) as usize,
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
