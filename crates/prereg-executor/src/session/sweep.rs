//! A read-bandwidth slot: passes over the weight buffers themselves, by the threads and in the partition of a step.

use prereg_decode::Decoder;
use prereg_runs::SweepRecord;

/// Passes of one slot that count. The one before them brings the threads and the memory into the state that the others
/// find, and is discarded.
const PASSES: usize = 3;

/// Reads all weights that a step streams; one record a pass. `before` is the index of the slot that follows.
pub(super) fn sweep(decoder: &mut Decoder, before: u32) -> [SweepRecord; PASSES] {
    let mut marks = [0; PASSES + 1];
    decoder.read_sweep(&mut marks);
    let bytes = decoder.plan().weight_bytes();
    std::array::from_fn(|pass| {
        let (start_ns, end_ns) = (marks[pass], marks[pass + 1]);
        SweepRecord {
            before,
            bytes,
            start_ns,
            duration_ns: end_ns.wrapping_sub(start_ns).cast_signed(),
        }
    })
}
