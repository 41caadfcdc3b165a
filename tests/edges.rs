//! The crate graph is one-way: these edges and no others.

use std::collections::{BTreeMap, BTreeSet};

/// What each crate may depend on, transitively, besides `prereg-units` and `prereg-stats`.
const ALLOWED: &[(&str, &[&str])] = &[
    ("prereg-units", &[]),
    ("prereg-stats", &[]),
    ("prereg-declaration", &[]),
    ("prereg-judgement", &["prereg-declaration"]),
    ("prereg-ledger", &["prereg-declaration"]),
    ("prereg-runs", &["prereg-ledger", "prereg-declaration"]),
    (
        "prereg-tables",
        &[
            "prereg-runs",
            "prereg-judgement",
            "prereg-ledger",
            "prereg-declaration",
        ],
    ),
    ("prereg-decode", &[]),
    ("prereg-readers", &[]),
    (
        "prereg-executor",
        &[
            "prereg-declaration",
            "prereg-decode",
            "prereg-readers",
            "prereg-runs",
            "prereg-ledger",
        ],
    ),
    (
        "prereg-report",
        &[
            "prereg-judgement",
            "prereg-readers",
            "prereg-runs",
            "prereg-ledger",
            "prereg-declaration",
        ],
    ),
    (
        "prereg-cli",
        &[
            "prereg-declaration",
            "prereg-judgement",
            "prereg-ledger",
            "prereg-runs",
            "prereg-tables",
            "prereg-decode",
            "prereg-executor",
            "prereg-readers",
            "prereg-report",
        ],
    ),
];

/// Normal and build dependencies among the crates of the workspace, as cargo sees them.
fn edges() -> Result<BTreeMap<String, BTreeSet<String>>, cargo_metadata::Error> {
    let metadata = cargo_metadata::MetadataCommand::new()
        .manifest_path(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))
        .no_deps()
        .other_options(vec!["--offline".to_owned()])
        .exec()?;
    Ok(metadata
        .packages
        .iter()
        .map(|package| {
            let dependencies = package
                .dependencies
                .iter()
                .filter(|dependency| dependency.kind != cargo_metadata::DependencyKind::Development)
                .map(|dependency| dependency.name.clone())
                .collect();
            (package.name.to_string(), dependencies)
        })
        .collect())
}

#[test]
fn crates_depend_only_along_the_allowed_edges() {
    let edges = edges().unwrap();
    let allowed: BTreeMap<_, _> = ALLOWED.iter().copied().collect();
    for (package, dependencies) in &edges {
        if package == "prereg" {
            continue;
        }
        let allowed = allowed
            .get(package.as_str())
            .unwrap_or_else(|| panic!("{package} is not in the crate map"));
        for dependency in dependencies
            .iter()
            .filter(|name| name.starts_with("prereg-"))
        {
            let shared = ["prereg-units", "prereg-stats"].contains(&dependency.as_str());
            assert!(
                (shared && package != dependency) || allowed.contains(&dependency.as_str()),
                "{package} may not depend on {dependency}"
            );
        }
    }
    assert_eq!(edges.len(), ALLOWED.len() + 1);
}

#[test]
fn cudarc_and_polars_each_have_one_home() {
    let edges = edges().unwrap();
    let homes = |library: &str| -> Vec<&str> {
        edges
            .iter()
            .filter(|(_, dependencies)| dependencies.contains(library))
            .map(|(package, _)| package.as_str())
            .collect()
    };
    assert_eq!(homes("cudarc"), ["prereg-decode"]);
    assert_eq!(homes("polars"), ["prereg-tables"]);
}
