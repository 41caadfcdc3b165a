//! Short forms of ids: the shortest prefix that names one thing, and back.

/// A prefix that names nothing, or more than one thing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PrefixError {
    /// Nothing begins with it.
    #[error(
        "nothing here has an id that begins with `{prefix}`; `prereg list` shows what there is"
    )]
    Unknown {
        /// What was asked for.
        prefix: String,
    },
    /// More than one thing begins with it.
    #[error("`{prefix}` begins more than one id ({}); add characters", candidates.join(", "))]
    Ambiguous {
        /// What was asked for.
        prefix: String,
        /// The ids that begin with it, sorted.
        candidates: Vec<String>,
    },
}

/// The one id that is `prefix` or begins with it. A whole id always names itself.
///
/// # Errors
/// [`PrefixError`] when there is none or more than one; an empty prefix names nothing.
pub fn resolve<'a>(
    prefix: &str,
    ids: impl IntoIterator<Item = &'a str>,
) -> Result<&'a str, PrefixError> {
    let mut matching: Vec<&str> = ids
        .into_iter()
        .filter(|id| !prefix.is_empty() && id.starts_with(prefix))
        .collect();
    matching.sort_unstable();
    matching.dedup();
    match matching[..] {
        [] => Err(PrefixError::Unknown {
            prefix: prefix.into(),
        }),
        [id] => Ok(id),
        _ => matching
            .iter()
            .find(|id| **id == prefix)
            .copied()
            .ok_or_else(|| PrefixError::Ambiguous {
                prefix: prefix.into(),
                candidates: matching.iter().map(|id| (*id).to_owned()).collect(),
            }),
    }
}

/// The shortest prefix of `id`, of at least `least` characters, with which no other of `ids`
/// begins; the whole id where there is none. Ids are ASCII.
#[must_use]
pub fn shortest_unique<'a>(
    id: &'a str,
    ids: impl IntoIterator<Item = &'a str>,
    least: usize,
) -> &'a str {
    let shared = ids.into_iter().filter(|other| *other != id).map(|other| {
        id.bytes()
            .zip(other.bytes())
            .take_while(|(own, others)| own == others)
            .count()
    });
    let length = shared
        .map(|shared| shared + 1)
        .max()
        .unwrap_or(0)
        .max(least);
    id.get(..length).unwrap_or(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    const IDS: [&str; 4] = ["cpu-0123", "cpu-0156", "cpu", "h100-9999"];

    #[test]
    fn a_unique_prefix_names_its_id() {
        assert_eq!(resolve("h", IDS), Ok("h100-9999"));
        assert_eq!(resolve("cpu-015", IDS), Ok("cpu-0156"));
    }

    #[test]
    fn a_whole_id_names_itself_even_where_it_begins_another() {
        assert_eq!(resolve("cpu", IDS), Ok("cpu"));
    }

    #[test]
    fn an_ambiguous_prefix_lists_what_it_could_mean() {
        let error = resolve("cpu-01", IDS).unwrap_err();
        assert_eq!(
            error.to_string(),
            "`cpu-01` begins more than one id (cpu-0123, cpu-0156); add characters"
        );
    }

    #[test]
    fn no_prefix_and_an_unknown_one_name_nothing() {
        assert!(matches!(resolve("", IDS), Err(PrefixError::Unknown { .. })));
        assert!(matches!(
            resolve("x", IDS),
            Err(PrefixError::Unknown { .. })
        ));
    }

    #[test]
    fn the_shortest_prefix_resolves_to_its_id() {
        for id in ["cpu-0123", "cpu-0156", "h100-9999"] {
            assert_eq!(resolve(shortest_unique(id, IDS, 1), IDS), Ok(id));
        }
        assert_eq!(shortest_unique("cpu-0156", IDS, 1), "cpu-015");
        assert_eq!(shortest_unique("h100-9999", IDS, 6), "h100-9");
    }
}
