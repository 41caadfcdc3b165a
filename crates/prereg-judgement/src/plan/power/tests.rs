use prereg_declaration::Comparison;
use prereg_stats::distribution::normal;
use prereg_stats::{Generator, Seed, Sessions, Truth, order_statistic};

use super::*;
use crate::example::{claim, compare, declaration};
use crate::level;

fn with(
    kills: Vec<Condition>,
    expected: f64,
    rival: f64,
    spread: f64,
    sessions: u32,
) -> Declaration {
    let mut declaration = declaration();
    declaration.protocol.sessions = sessions;
    declaration
        .inference
        .assumed_cv
        .insert("speedup".to_owned(), spread);
    let claim = claim(kills, expected, rival);
    declaration.claims.insert("faster".to_owned(), claim);
    declaration
}

fn below(threshold: f64) -> Condition {
    compare("speedup", Comparison::Less, threshold)
}

#[test]
fn ten_sessions_have_the_published_power() {
    let table = power(&with(vec![below(1.15)], 1.20, 1.10, 0.05, 10)).unwrap();
    let claim = &table.claims["faster"];
    assert!(
        (claim.expected.pass - 0.38).abs() < 0.01,
        "{}",
        claim.expected.pass
    );
    assert!(
        (claim.rival.falsified - 0.42).abs() < 0.01,
        "{}",
        claim.rival.falsified
    );
    assert!(claim.expected.falsified < 0.001);
}

#[test]
fn at_the_threshold_both_errors_keep_their_level() {
    let table = power(&with(vec![below(1.15)], 1.25, 1.02, 0.03, 13)).unwrap();
    let at_threshold = table.claims["faster"]
        .rows
        .iter()
        .find(|row| row.values["speedup"].value() == 1.15)
        .unwrap();
    assert!(at_threshold.pass <= 0.05 && at_threshold.falsified <= 0.05);
    assert_eq!(at_threshold.pass, at_threshold.falsified);
}

#[test]
fn rows_rise_from_rival_to_expected() {
    let table = power(&with(vec![below(1.15)], 1.25, 1.02, 0.03, 13)).unwrap();
    let rows = &table.claims["faster"].rows;
    assert_eq!(rows.len(), 5);
    assert!(rows.windows(2).all(|pair| pair[0].pass <= pair[1].pass));
    assert!(
        rows.windows(2)
            .all(|pair| pair[0].falsified >= pair[1].falsified)
    );
}

#[test]
fn eight_sessions_decide_as_well_as_ten() {
    let table = power(&with(vec![below(1.15)], 1.20, 1.10, 0.05, 10)).unwrap();
    assert_eq!(table.fewer_sessions, Some(8));
    let table = power(&with(vec![below(1.15)], 1.20, 1.10, 0.05, 8)).unwrap();
    assert_eq!(table.fewer_sessions, None);
}

#[test]
fn enough_sessions_are_the_fewest_that_decide() {
    let table = power(&with(vec![below(1.15)], 1.20, 1.10, 0.05, 10)).unwrap();
    let enough = table.sufficient_sessions.unwrap();
    let decides = |sessions| {
        let table = power(&with(vec![below(1.15)], 1.20, 1.10, 0.05, sessions)).unwrap();
        let claim = &table.claims["faster"];
        claim.expected.pass >= 0.5 && claim.rival.falsified >= 0.8
    };
    assert!(decides(enough) && (1..enough).all(|sessions| !decides(sessions)));
}

#[test]
fn a_two_sided_claim_passes_within_a_range() {
    let kills = vec![compare("speedup", Comparison::Greater, 1.05), below(0.95)];
    let table = power(&with(kills, 1.0, 1.15, 0.01, 13)).unwrap();
    let range = table.claims["faster"].passing.unwrap();
    let (from, to) = (range.from.unwrap().value(), range.to.unwrap().value());
    assert!(
        0.95 < from && from < 1.0 && 1.0 < to && to < 1.05,
        "{from} {to}"
    );
}

#[test]
fn a_one_sided_claim_passes_upwards_without_end() {
    let table = power(&with(vec![below(1.15)], 1.25, 1.02, 0.03, 13)).unwrap();
    let range = table.claims["faster"].passing.unwrap();
    assert!(range.from.unwrap().value() > 1.15);
    assert_eq!(range.to, None);
}

#[test]
fn what_is_missing_is_named() {
    let mut declaration = with(vec![below(1.15)], 1.25, 1.02, 0.03, 13);
    declaration.inference.assumed_cv.clear();
    let error = power(&declaration).unwrap_err();
    assert_eq!(
        error,
        PowerError::NoSpread {
            metric: "speedup".to_owned()
        }
    );
    let declaration = with(vec![below(1.15)], 1.25, -1.0, 0.03, 13);
    assert!(matches!(
        power(&declaration),
        Err(PowerError::NotPositive {
            scenario: "rival",
            ..
        })
    ));
}

#[test]
fn the_closed_form_of_a_two_sided_claim_agrees_with_simulation() {
    let kills = vec![compare("speedup", Comparison::Greater, 1.05), below(0.95)];
    let declaration = with(kills, 1.0, 1.08, 0.03, 13);
    let claim = &declaration.claims["faster"];
    let levels = Levels {
        to_true: Alpha::new(0.05).unwrap(),
        to_false: Alpha::new(0.05).unwrap(),
    };
    let leaves: Vec<_> = level::assign(&claim.kill, levels).concat();
    let decide = |median: f64, stream: u64| {
        let mut generator = Generator::stream(Seed([13; 32]), stream);
        let mut value = || {
            let uniform = (f64::from(generator.below(1 << 31)) + 0.5) / 2_147_483_648.0;
            median * libm::exp(0.03 * normal::quantile(uniform))
        };
        let values: Vec<f64> = (0..13).map(|_| value()).collect();
        let sessions = Sessions::new(&values, 0).unwrap();
        Truth::any(leaves.iter().map(|leaf| {
            let upper_limit = leaf.comparison == Comparison::Less;
            let Levels { to_true, to_false } = leaf.levels;
            let (below, above) = if upper_limit {
                (to_false, to_true)
            } else {
                (to_true, to_false)
            };
            let lower = order_statistic::lower_bound(&sessions, below);
            let upper = order_statistic::upper_bound(&sessions, above);
            crate::claim::comparison(leaf.comparison).decide(lower, upper, leaf.threshold.value())
        }))
    };
    let share = |median, wanted| {
        let hits = (0..4000).filter(|stream| decide(median, *stream) == wanted);
        hits.count() as f64 / 4000.0
    };
    let table = power(&declaration).unwrap();
    let found = &table.claims["faster"];
    // Four standard errors of a simulated share.
    assert!((found.expected.pass - share(1.0, Truth::False)).abs() < 0.032);
    assert!((found.rival.falsified - share(1.08, Truth::True)).abs() < 0.032);
}
