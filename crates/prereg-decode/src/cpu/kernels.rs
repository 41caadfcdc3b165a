//! The kernels: what one worker does of one launch.
//!
//! All of them are `unsafe` for one reason, the rule of [`Shared`](super::shared::Shared): every worker of the pool must
//! run the same launch, and nothing else may touch the device until all have finished.

mod attention;
mod elementwise;
mod linear;
mod position;
mod token;

use super::device::Device;
use super::pool::Worker;
use super::work::Work;

/// Runs one worker's share of a launch.
///
/// # Safety
/// Every worker runs this launch, once, and nothing else touches the device until all have finished.
pub(super) unsafe fn execute(device: &Device, work: &Work, worker: Worker) {
    let at = At { device, worker };
    // SAFETY: the caller vouches for the rule that each of them asks for.
    unsafe {
        match *work {
            Work::Embed { table } => elementwise::embed(at, table),
            Work::NormQkv {
                gain,
                query,
                key,
                value,
            } => {
                linear::norm_qkv(at, gain, [query, key, value]);
            }
            Work::RotateAppend { cache } => position::rotate_append(at, cache),
            Work::AttendSplits { cache, splits } => attention::attend_splits(at, cache, splits),
            Work::CombineProject { splits, output } => linear::combine_project(at, splits, output),
            Work::NormGateUp { gain, gate, up } => linear::norm_gate_up(at, gain, gate, up),
            Work::DownAdd { down } => linear::down_add(at, down),
            Work::NormVocabulary { gain, vocabulary } => {
                linear::norm_vocabulary(at, gain, vocabulary);
            }
            Work::Advance => token::advance(at),
            Work::Norm { gain } => elementwise::norm(at, gain),
            Work::Project { input, by, output } => linear::project(at, input, by, output),
            Work::ProjectLogits { input, by } => {
                linear::project(at, input, by, token::logits_row(device));
            }
            Work::Rotate { what } => position::rotate(at, what),
            Work::AppendKey { to } => position::append_key(at, to),
            Work::AppendValue { to } => position::append_value(at, to),
            Work::Scores { keys } => attention::scores(at, keys),
            Work::Softmax => attention::softmax(at),
            Work::WeightValues { values } => attention::weight_values(at, values),
            Work::Add => elementwise::add_projected(at),
            Work::Silu => elementwise::silu(at),
            Work::Multiply => elementwise::multiply(at),
            Work::Argmax => token::argmax(at),
        }
    }
}

/// Where a kernel runs: on which device, as which worker.
#[derive(Clone, Copy)]
struct At<'a> {
    device: &'a Device,
    worker: Worker,
}
