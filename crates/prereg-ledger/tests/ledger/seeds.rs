//! Seeds and the order of the arms: committed vectors and their properties.

use std::collections::BTreeSet;

use prereg_declaration::Digest;
use prereg_ledger::{Cell, Purpose, RunSeeds, analysis_seed};
use proptest::prelude::*;

fn seeds() -> RunSeeds {
    RunSeeds::new(Digest::of(b"lock"), "7244", Digest::of(b"announcement"))
}

#[test]
fn a_session_s_seed_is_the_sha256_of_its_length_prefixed_parts() {
    let mut bytes = Vec::new();
    let (lock, announcement) = (Digest::of(b"lock"), Digest::of(b"announcement"));
    let parts: [&[u8]; 6] = [
        b"prereg/seed/1",
        lock.as_bytes(),
        b"7244",
        announcement.as_bytes(),
        &[5, 0, 0, 0, 0, 0, 0, 0],
        b"kv",
    ];
    for part in parts {
        bytes.extend((part.len() as u64).to_le_bytes());
        bytes.extend(part);
    }
    assert_eq!(seeds().seed(5, Purpose::Kv), *Digest::of(&bytes).as_bytes());
}

#[test]
fn committed_vectors_hold() {
    let hex = |bytes| Digest::from_bytes(bytes).to_string();
    assert_eq!(hex(seeds().seed(0, Purpose::Weights)), VECTOR_WEIGHTS);
    assert_eq!(hex(seeds().seed(12, Purpose::Prompt)), VECTOR_PROMPT);
    assert_eq!(
        hex(analysis_seed(
            Digest::of(b"lock"),
            "speedup",
            "cpu",
            &Cell::default()
        )),
        VECTOR_ANALYSIS
    );
    let order = |session| seeds().mirror_order(["a", "b", "c", "d"], session).concat();
    assert_eq!([0, 1, 2, 3].map(order), VECTOR_ORDERS);
}

const VECTOR_WEIGHTS: &str = "36dac05d58715fb1fbafe188b6ba3441d117c45515a75c38f7a9d8befdcf54dc";
const VECTOR_PROMPT: &str = "993f39abdfa38ef1420a6d548a5451974d2ce93cc8ff1806d348111cc1228b31";
const VECTOR_ANALYSIS: &str = "cc01176a96c7cd79cab51635b13c917d7747bf6be47672af158b35f819e0920a";
const VECTOR_ORDERS: [&str; 4] = ["cbdaadbc", "adbccbda", "bdaccadb", "cadbbdac"];

#[test]
fn parts_do_not_run_into_each_other() {
    let lock = Digest::of(b"lock");
    let cell = Cell::default();
    assert_ne!(
        analysis_seed(lock, "ab", "c", &cell),
        analysis_seed(lock, "a", "bc", &cell)
    );
}

#[test]
fn every_part_of_a_seed_changes_it() {
    let (lock, announcement) = (Digest::of(b"lock"), Digest::of(b"announcement"));
    let all = [
        seeds().seed(0, Purpose::Weights),
        seeds().seed(1, Purpose::Weights),
        seeds().seed(0, Purpose::Prompt),
        seeds().seed(0, Purpose::Kv),
        seeds().seed(0, Purpose::Order),
        RunSeeds::new(Digest::of(b"x"), "7244", announcement).seed(0, Purpose::Weights),
        RunSeeds::new(lock, "7245", announcement).seed(0, Purpose::Weights),
        RunSeeds::new(lock, "7244", Digest::of(b"x")).seed(0, Purpose::Weights),
    ];
    assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len());
}

#[test]
fn two_arms_start_in_both_orders_over_the_pairs_of_sessions() {
    let firsts: BTreeSet<String> = (0..16)
        .map(|pair| {
            seeds()
                .mirror_order(["eager", "graphed"], 2 * pair)
                .remove(0)
        })
        .collect();
    assert_eq!(firsts.len(), 2);
}

proptest! {
    #[test]
    fn an_order_is_a_permutation_then_its_reverse_and_pairs_start_reversed(
        arms in prop::collection::btree_set("[a-z]{1,4}", 1..6),
        declared in ".{0,8}",
        pair in 0_u32..1000,
    ) {
        let seeds = RunSeeds::new(Digest::of(b"lock"), &declared, Digest::of(b"announcement"));
        let order = |session| seeds.mirror_order(arms.iter().map(String::as_str), session);
        let (first, second) = (order(2 * pair), order(2 * pair + 1));
        let half = &first[..arms.len()];
        prop_assert_eq!(half.iter().cloned().collect::<BTreeSet<_>>(), arms.clone());
        prop_assert!(first.iter().eq(first.iter().rev()));
        prop_assert!(second[..arms.len()].iter().eq(half.iter().rev()));
        // The order in which arms are named means nothing.
        let reversed = seeds.mirror_order(arms.iter().rev().map(String::as_str), 2 * pair);
        prop_assert_eq!(reversed, first);
    }
}
