//! Read bandwidth of a buffer, where the workload's own memory is another process's.

use prereg_decode::{BufferPass, read_bandwidth};
use prereg_runs::SweepRecord;

/// Bytes of the buffer; smaller than the last-level cache of a large server, whose bandwidth it then tells.
const BUFFER: usize = 256 << 20;

/// Passes over a fresh buffer by as many threads as this process may run at once; `before` is the index of the slot that
/// follows. None where memory or threads cannot be had.
pub(crate) fn sweeps(before: u32) -> Vec<SweepRecord> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let record = |pass: BufferPass| SweepRecord {
        before,
        bytes: pass.bytes,
        start_ns: pass.start_ns,
        duration_ns: pass.duration_ns,
    };
    read_bandwidth(BUFFER, threads).map_or_else(|_| Vec::new(), |passes| passes.map(record).into())
}
