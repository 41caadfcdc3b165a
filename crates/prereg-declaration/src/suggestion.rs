//! "Did you mean": the known name nearest to a mistyped one.

/// The candidate at the smallest edit distance, when it is near enough to be meant: at most a third of the letters.
pub(crate) fn nearest<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let limit = (name.chars().count() / 3).max(1);
    candidates
        .into_iter()
        .map(|candidate| (distance(name, candidate), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Help for an unknown name: the nearest one, or else all that there are.
pub(crate) fn help<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    let candidates: Vec<&str> = candidates.into_iter().collect();
    if let Some(near) = nearest(name, candidates.iter().copied()) {
        return Some(format!("did you mean `{near}`?"));
    }
    (!candidates.is_empty()).then(|| format!("write {}", alternatives(&candidates)))
}

/// Names in words: `a`, `b` and `c`.
pub(crate) fn listed<S: AsRef<str>>(names: &[S]) -> String {
    joined(names, "and")
}

/// Names in words: `a`, `b` or `c`.
pub(crate) fn alternatives<S: AsRef<str>>(names: &[S]) -> String {
    joined(names, "or")
}

fn joined<S: AsRef<str>>(names: &[S], word: &str) -> String {
    let quoted: Vec<String> = names
        .iter()
        .map(|name| format!("`{}`", name.as_ref()))
        .collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} {word} {last}", rest.join(", ")),
        _ => quoted.concat(),
    }
}

/// Restricted Damerau–Levenshtein distance: insertions, deletions, substitutions, swaps of neighbours.
fn distance(left: &str, right: &str) -> usize {
    let (left, right): (Vec<char>, Vec<char>) = (left.chars().collect(), right.chars().collect());
    let mut rows = vec![(0..=right.len()).collect::<Vec<usize>>()];
    for i in 1..=left.len() {
        let mut row = vec![i];
        for j in 1..=right.len() {
            let substitution = rows[i - 1][j - 1] + usize::from(left[i - 1] != right[j - 1]);
            let mut least = substitution.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            let swapped =
                i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1];
            if swapped {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[left.len()][right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_swap_of_neighbours_counts_once() {
        assert_eq!(distance("sepedup", "speedup"), 1);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("kitten", "sitting"), 3);
    }

    #[test]
    fn a_name_too_far_from_all_has_no_suggestion() {
        assert_eq!(nearest("zzz", ["speedup", "eager_step"]), None);
        assert_eq!(
            nearest("speedpu", ["eager_step", "speedup"]),
            Some("speedup")
        );
    }
}
