//! What differs between two declarations.

use std::collections::{BTreeMap, BTreeSet};

use crate::canonical::facts;
use crate::declaration::Declaration;

/// One line of the canonical form that two declarations do not share.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Difference {
    /// The path, as the canonical form spells it: `protocol.sessions`, `claims.faster.kill.0`.
    pub path: String,
    /// The value before: expressions as their author wrote them, quantities as they are displayed,
    /// all else as the canonical form has it; nothing where the line was not there, as for a default.
    pub before: Option<String>,
    /// The value after, likewise.
    pub after: Option<String>,
}

/// The lines of the canonical form by which `after` differs from `before`, sorted by path in byte
/// order; none where both mean the same.
#[must_use]
pub fn differences(before: &Declaration, after: &Declaration) -> Vec<Difference> {
    let (facts_before, facts_after) = (facts(before), facts(after));
    let paths: BTreeSet<&String> = facts_before.keys().chain(facts_after.keys()).collect();
    let value = |facts: &BTreeMap<String, String>, declaration, path: &String| {
        let canonical = facts.get(path)?;
        Some(written(declaration, path).unwrap_or_else(|| canonical.clone()))
    };
    paths
        .into_iter()
        .filter(|path| facts_before.get(*path) != facts_after.get(*path))
        .map(|path| Difference {
            path: path.clone(),
            before: value(&facts_before, before, path),
            after: value(&facts_after, after, path),
        })
        .collect()
}

/// The value at `path` in a form that people write, where the canonical form has another.
fn written(declaration: &Declaration, path: &str) -> Option<String> {
    let parts: Vec<&str> = path.split('.').collect();
    match parts[..] {
        ["metrics", metric] => Some(declaration.metrics.get(metric)?.source.clone()),
        ["gates", gate, "each-session" | "across-sessions"] => {
            Some(declaration.gates.get(gate)?.source.clone())
        }
        ["claims", claim, "kill", index] => {
            let kill = declaration
                .claims
                .get(claim)?
                .kill
                .get(index.parse::<usize>().ok()?)?;
            Some(kill.source.clone())
        }
        ["claims", claim, key @ ("expected" | "rival"), metric] => {
            let claim = declaration.claims.get(claim)?;
            let values = match key {
                "expected" => &claim.expected,
                _ => &claim.rival,
            };
            Some(values.get(metric)?.to_string())
        }
        ["inference", "assumed-cv", metric] => {
            Some(declaration.inference.assumed_cv.get(metric)?.to_string())
        }
        ["inference", "alpha-pass"] => Some(declaration.inference.alpha_pass.to_string()),
        ["inference", "alpha-falsified"] => Some(declaration.inference.alpha_falsified.to_string()),
        _ => None,
    }
}
