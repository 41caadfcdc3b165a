//! Limits of control groups, both generations.
//!
//! A limit on any ancestor binds, so the tightest on the way to the root counts. Inside a container the path that
//! `/proc/self/cgroup` names may lie outside what is mounted; the files that do exist are then those nearer the root.

use std::path::{Path, PathBuf};

use prereg_runs::Limits;

use super::Machine;

/// Version 1 writes "no limit" as the largest multiple of a page; anything this large is none.
const UNLIMITED_BYTES: u64 = 1 << 60;

/// Reads the limits that bind this process.
pub(super) fn read(machine: &Machine) -> Limits {
    let mut limits = Limits::default();
    for line in machine.text("proc/self/cgroup").unwrap_or_default().lines() {
        let mut parts = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else {
            continue;
        };
        for folder in folders(controllers, path) {
            let text = |name: &str| machine.text(folder.join(name));
            let quotas = [
                text("cpu.max"),
                text("cpu.cfs_quota_us")
                    .zip(text("cpu.cfs_period_us"))
                    .map(|(quota, period)| format!("{quota} {period}")),
            ];
            for quota in quotas.iter().flatten() {
                limits.processors = tighter(limits.processors, processors(quota));
            }
            for bytes in [text("memory.max"), text("memory.limit_in_bytes")]
                .iter()
                .flatten()
            {
                limits.memory_bytes = tighter(limits.memory_bytes, memory(bytes));
            }
        }
    }
    limits
}

/// Folders that a line of `/proc/self/cgroup` speaks of: version 2 has no controllers in its line, and on a hybrid
/// system it is mounted one level down.
fn folders(controllers: &str, path: &str) -> Vec<PathBuf> {
    let mounts = match controllers {
        "" => vec!["", "unified"],
        "cpu" | "cpu,cpuacct" | "memory" => vec![controllers],
        _ => vec![],
    };
    mounts
        .into_iter()
        .flat_map(|mount| up_to(&Path::new("sys/fs/cgroup").join(mount), path))
        .collect()
}

/// `mount/path` and every folder above it, up to `mount`.
fn up_to(mount: &Path, path: &str) -> Vec<PathBuf> {
    let inner = Path::new(path.trim_start_matches('/'));
    inner
        .ancestors()
        .map(|ancestor| mount.join(ancestor))
        .collect()
}

/// `quota period` in microseconds, as processors' worth of time; `max` and `-1` mean no limit.
fn processors(text: &str) -> Option<f64> {
    let mut numbers = text.split_whitespace().map(|word| word.parse::<f64>().ok());
    let (quota, period) = (numbers.next()??, numbers.next()??);
    (quota > 0.0 && period > 0.0).then_some(quota / period)
}

fn memory(text: &str) -> Option<u64> {
    text.trim()
        .parse()
        .ok()
        .filter(|&bytes| bytes < UNLIMITED_BYTES)
}

fn tighter<T: PartialOrd>(known: Option<T>, new: Option<T>) -> Option<T> {
    match (known, new) {
        (Some(known), Some(new)) => Some(if new < known { new } else { known }),
        (known, new) => known.or(new),
    }
}

#[cfg(test)]
mod tests {
    use super::super::machine::fake::machine;
    use super::*;

    #[test]
    fn the_tightest_limit_on_the_way_to_the_root_counts() {
        let read = read(&machine(&[
            ("proc/self/cgroup", "0::/a/b\n"),
            ("sys/fs/cgroup/a/b/cpu.max", "max 100000\n"),
            ("sys/fs/cgroup/a/cpu.max", "150000 100000\n"),
            ("sys/fs/cgroup/a/b/memory.max", "4096\n"),
            ("sys/fs/cgroup/a/memory.max", "8192\n"),
        ]));
        assert_eq!(
            read,
            Limits {
                processors: Some(1.5),
                memory_bytes: Some(4096)
            }
        );
    }

    #[test]
    fn version_1_limits_are_read_and_its_unlimited_is_no_limit() {
        let read = read(&machine(&[
            ("proc/self/cgroup", "4:memory:/x\n3:cpu,cpuacct:/x\n0::/\n"),
            (
                "sys/fs/cgroup/memory/x/memory.limit_in_bytes",
                "9223372036854771712\n",
            ),
            ("sys/fs/cgroup/cpu,cpuacct/x/cpu.cfs_quota_us", "50000\n"),
            ("sys/fs/cgroup/cpu,cpuacct/x/cpu.cfs_period_us", "100000\n"),
        ]));
        assert_eq!(
            read,
            Limits {
                processors: Some(0.5),
                memory_bytes: None
            }
        );
    }

    #[test]
    fn a_path_outside_what_is_mounted_falls_back_to_the_mounted_root() {
        let read = read(&machine(&[
            ("proc/self/cgroup", "0::/host/x\n"),
            ("sys/fs/cgroup/memory.max", "4096\n"),
        ]));
        assert_eq!(
            read,
            Limits {
                processors: None,
                memory_bytes: Some(4096)
            }
        );
    }
}
