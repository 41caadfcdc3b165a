//! Caches of the first processor.

use prereg_runs::{Cache, CacheKind};

use super::{Machine, list};

/// Reads `sys/devices/system/cpu/cpu0/cache/index*`; an entry that does not parse is left out.
pub(super) fn read(machine: &Machine) -> Vec<Cache> {
    let folder = "sys/devices/system/cpu/cpu0/cache";
    let indexes = machine
        .names(folder)
        .into_iter()
        .filter(|name| name.starts_with("index"));
    let mut caches: Vec<Cache> = indexes
        .filter_map(|name| cache(machine, &format!("{folder}/{name}")))
        .collect();
    caches.sort_by_key(|cache| (cache.level, cache.kind == CacheKind::Instruction));
    caches
}

fn cache(machine: &Machine, folder: &str) -> Option<Cache> {
    let kind = match machine.text(format!("{folder}/type"))?.trim() {
        "Data" => CacheKind::Data,
        "Instruction" => CacheKind::Instruction,
        "Unified" => CacheKind::Unified,
        _ => return None,
    };
    Some(Cache {
        level: machine
            .text(format!("{folder}/level"))?
            .trim()
            .parse()
            .ok()?,
        kind,
        bytes: size(machine.text(format!("{folder}/size"))?.trim())?,
        shared_by: list::parse(&machine.text(format!("{folder}/shared_cpu_list"))?)?.len() as u32,
    })
}

/// `48K` or `32M` in bytes.
fn size(text: &str) -> Option<u64> {
    let (digits, scale) = match text.strip_suffix('K') {
        Some(digits) => (digits, 1 << 10),
        None => (text.strip_suffix('M')?, 1 << 20),
    };
    digits.parse::<u64>().ok()?.checked_mul(scale)
}

#[cfg(test)]
mod tests {
    use super::super::machine::fake::machine;
    use super::*;

    const INDEX: &str = "sys/devices/system/cpu/cpu0/cache/index";

    #[test]
    fn caches_come_innermost_first_with_their_sizes_in_bytes() {
        let entry = |i: u32,
                     level: &'static str,
                     kind: &'static str,
                     size: &'static str,
                     cpus: &'static str| {
            [
                ("level", level),
                ("type", kind),
                ("size", size),
                ("shared_cpu_list", cpus),
            ]
            .map(|(name, text)| (format!("{INDEX}{i}/{name}"), text))
        };
        let files: Vec<(String, &str)> = [
            entry(0, "1\n", "Instruction\n", "32K\n", "0\n"),
            entry(1, "3\n", "Unified\n", "32M\n", "0-7\n"),
            entry(2, "1\n", "Data\n", "48K\n", "0\n"),
        ]
        .into_iter()
        .flatten()
        .collect();
        let files: Vec<(&str, &str)> = files
            .iter()
            .map(|(path, text)| (path.as_str(), *text))
            .collect();
        let expected = [
            Cache {
                level: 1,
                kind: CacheKind::Data,
                bytes: 48 << 10,
                shared_by: 1,
            },
            Cache {
                level: 1,
                kind: CacheKind::Instruction,
                bytes: 32 << 10,
                shared_by: 1,
            },
            Cache {
                level: 3,
                kind: CacheKind::Unified,
                bytes: 32 << 20,
                shared_by: 8,
            },
        ];
        assert_eq!(read(&machine(&files)), expected);
    }
}
