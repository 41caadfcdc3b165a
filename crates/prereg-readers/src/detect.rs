//! Which tool wrote a file, by the keys of its first JSON value.

use std::collections::BTreeSet;
use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::Format;

/// The keys that only this format has together; a single key has to be the only one. No two sets fit a file that a tool
/// wrote.
const SIGNATURES: [(Format, &[&str]); 8] = [
    (Format::Lines, &["prereg", "units"]),
    (Format::Hyperfine, &["results"]),
    (Format::LlamaBench, &["n_prompt", "n_gen", "samples_ns"]),
    (Format::Nvbench, &["devices", "benchmarks"]),
    (Format::GoogleBenchmark, &["context", "benchmarks"]),
    (Format::Criterion, &["iters", "times"]),
    (
        Format::Criterion,
        &["mean", "median", "std_dev", "median_abs_dev"],
    ),
    (Format::VllmLatency, &["avg_latency", "latencies"]),
];

/// The format of a file, by the keys of its first JSON value: an object, or the first object of an array.
///
/// The rest of the file is not looked at, so a file that is detected may still be refused by [`crate::read`].
#[must_use]
pub fn detect(bytes: &[u8]) -> Option<Format> {
    let keys = keys(bytes)?;
    let fits = |signature: &[&str]| {
        signature.iter().all(|key| keys.contains(*key)) && (signature.len() > 1 || keys.len() == 1)
    };
    let found = SIGNATURES.iter().find(|(_, signature)| fits(signature));
    found.map(|(format, _)| *format)
}

/// The keys of the first JSON value.
pub(crate) fn keys(bytes: &[u8]) -> Option<BTreeSet<String>> {
    let mut values = serde_json::Deserializer::from_slice(bytes).into_iter::<Keys>();
    Some(values.next()?.ok()?.0)
}

/// The keys of an object, or of the first object of an array.
struct Keys(BTreeSet<String>);

impl<'de> Deserialize<'de> for Keys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(KeysVisitor)
    }
}

struct KeysVisitor;

impl<'de> Visitor<'de> for KeysVisitor {
    type Value = Keys;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object or an array of objects")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Keys, A::Error> {
        let mut keys = BTreeSet::new();
        while let Some((key, IgnoredAny)) = map.next_entry::<String, IgnoredAny>()? {
            keys.insert(key);
        }
        Ok(Keys(keys))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut array: A) -> Result<Keys, A::Error> {
        let first = array.next_element::<Keys>()?;
        while array.next_element::<IgnoredAny>()?.is_some() {}
        Ok(first.unwrap_or(Keys(BTreeSet::new())))
    }
}
