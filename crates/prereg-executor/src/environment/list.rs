//! The kernel's notation for sets of processors: `0-3,8,10-11`.

/// The numbers of a list, ascending; `None` where the text is not such a list.
pub(crate) fn parse(text: &str) -> Option<Vec<u32>> {
    let mut numbers = Vec::new();
    for part in text.trim().split(',').filter(|part| !part.is_empty()) {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last): (u32, u32) = (first.parse().ok()?, last.parse().ok()?);
        if first > last || last > MAX_PROCESSOR {
            return None;
        }
        numbers.extend(first..=last);
    }
    numbers.sort_unstable();
    numbers.dedup();
    Some(numbers)
}

/// Beyond any machine; bounds what a malformed list can expand to.
const MAX_PROCESSOR: u32 = 1 << 16;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_and_single_numbers_expand_in_order() {
        assert_eq!(parse("8,0-2,10-11\n"), Some(vec![0, 1, 2, 8, 10, 11]));
    }

    #[test]
    fn an_empty_list_has_no_numbers() {
        assert_eq!(parse("\n"), Some(vec![]));
    }

    #[test]
    fn text_that_is_no_list_is_refused() {
        for text in ["a", "3-1", "1-", "0-4294967295"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
