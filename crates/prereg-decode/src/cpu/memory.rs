//! What the device holds, and on which pages.

use std::fs;
use std::ops::Range;

/// Memory of one decoder, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryReport {
    /// Weights.
    pub weights: u64,
    /// Keys and values, for as many positions as the cache has.
    pub kv: u64,
    /// Activations, rows of logits and tables.
    pub other: u64,
    /// How much of it lies on transparent huge pages; `None` where the system does not say.
    pub anon_huge_pages: Option<u64>,
}

/// Bytes of AnonHugePages in the mappings that touch any of `addresses`, from `/proc/self/smaps`.
///
/// Neighbouring mappings of one kind are one entry there, so an entry counts once, whole.
pub(super) fn anon_huge_pages(addresses: &[Range<usize>]) -> Option<u64> {
    sum_entries(&fs::read_to_string("/proc/self/smaps").ok()?, addresses)
}

/// As [`anon_huge_pages`], on the text of the file.
fn sum_entries(smaps: &str, addresses: &[Range<usize>]) -> Option<u64> {
    let mut ours = false;
    let mut total = None;
    for line in smaps.lines() {
        if let Some(entry) = entry_addresses(line) {
            ours = addresses
                .iter()
                .any(|range| range.start < entry.end && entry.start < range.end);
        } else if let Some(value) = line.strip_prefix("AnonHugePages:").filter(|_| ours) {
            let kilobytes: u64 = value.trim().strip_suffix("kB")?.trim().parse().ok()?;
            total = Some(total.unwrap_or(0) + 1024 * kilobytes);
        }
    }
    total
}

/// The addresses at the head of an entry (`7f00-7f80 rw-p …`); `None` on its other lines.
fn entry_addresses(line: &str) -> Option<Range<usize>> {
    let (start, end) = line.split_once(' ')?.0.split_once('-')?;
    Some(usize::from_str_radix(start, 16).ok()?..usize::from_str_radix(end, 16).ok()?)
}

#[cfg(test)]
mod tests {
    use std::slice;

    use super::sum_entries;

    const SMAPS: &str = "\
7f0000000000-7f0000400000 rw-p 00000000 00:00 0
Rss:                4096 kB
AnonHugePages:      4096 kB
7f0000400000-7f0000600000 rw-p 00000000 00:00 0 [heap]
AnonHugePages:      2048 kB
7f0000800000-7f0000a00000 rw-p 00000000 00:00 0
AnonHugePages:         0 kB
";

    #[test]
    fn entries_that_touch_a_range_count_once() {
        let first = 0x7f00_0010_0000..0x7f00_0020_0000;
        let second = 0x7f00_0020_0000..0x7f00_0040_0000;
        assert_eq!(sum_entries(SMAPS, &[first, second]), Some(4096 * 1024));
        assert_eq!(
            sum_entries(
                SMAPS,
                slice::from_ref(&(0x7f00_003f_f000..0x7f00_0090_0000))
            ),
            Some(6144 * 1024)
        );
    }

    #[test]
    fn nothing_known_about_a_range_is_not_zero() {
        assert_eq!(sum_entries(SMAPS, slice::from_ref(&(0x1000..0x2000))), None);
    }
}
