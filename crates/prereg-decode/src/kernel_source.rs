//! The source text of everything that a step runs through, so that a record can name the code by its digest.

macro_rules! sources {
    ($($path:literal),* $(,)?) => {
        [$(($path, include_str!($path))),*]
    };
}

/// Files by path below `src/`, each with its text.
const FILES: &[(&str, &str)] = &sources![
    "arithmetic/avx2.rs",
    "arithmetic/avx512.rs",
    "arithmetic/path.rs",
    "arithmetic/portable.rs",
    "arithmetic/prefetch.rs",
    "arithmetic/vector.rs",
    "cpu/barrier.rs",
    "cpu/decoder.rs",
    "cpu/device.rs",
    "cpu/kernels.rs",
    "cpu/kernels/attention.rs",
    "cpu/kernels/elementwise.rs",
    "cpu/kernels/linear.rs",
    "cpu/kernels/token.rs",
    "cpu/launch.rs",
    "cpu/pool.rs",
    "cpu/work.rs",
    "plan/fused.rs",
    "plan/kernel.rs",
    "plan/op_by_op.rs",
];

/// All of it as one text: each file's path and length in bytes on a line, then its text. The same for the same code.
#[must_use]
pub fn kernel_sources() -> String {
    let part = |(path, text): &(&str, &str)| format!("{path} {}\n{text}", text.len());
    FILES.iter().map(part).collect()
}
