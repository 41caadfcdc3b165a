use prereg_declaration::{
    Comparison, Condition, Estimand, Inference, Interval, Number, Outcome as GateOutcome,
    Predicate, Scope, Statistic, Stopping,
};

use super::*;
use crate::example::{claim, compare, declaration, gate, plain};
use crate::plan::table::Outcome;

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

fn within_five_percent() -> Vec<Condition> {
    vec![compare("speedup", Comparison::Greater, 1.05), below(0.95)]
}

fn claim_of(declaration: &Declaration) -> ClaimPower {
    let plans = plans(declaration).unwrap();
    let plan = &plans[0].1;
    table(plan, &plan.at(declaration.protocol.units()))
}

fn student(inference: &mut Inference) {
    inference.interval = Interval::StudentT;
    inference.estimand = Estimand::GeometricMean;
}

fn steady(limit: f64, metric: &str) -> prereg_declaration::Gate {
    let spread = Number::OverSessions(Statistic::Cv, metric.to_owned());
    let limit = Number::Literal(plain(limit));
    let predicate = Predicate::Compare(Comparison::LessOrEqual, Box::new(spread), Box::new(limit));
    gate(Scope::AcrossSessions, predicate, GateOutcome::Abstain)
}

/// A gate that never fails by the draws, so that everything is simulated.
fn simulated(mut declaration: Declaration) -> Declaration {
    declaration
        .gates
        .insert("steady".to_owned(), steady(10.0, "speedup"));
    declaration
}

/// Four standard errors of a share of so many experiments.
fn near(found: f64, share: f64, experiments: f64) -> bool {
    let variance = (share * (1.0 - share)).max(0.01);
    (found - share).abs() <= 4.0 * (variance / experiments).sqrt()
}

/// True ratio, log spread, P(pass) and P(falsified) by Student's t, the same by order statistics:
/// ten sessions, threshold 1.15, one-sided .05.
const PUBLISHED: [(f64, f64, [f64; 4]); 12] = [
    (1.05, 0.05, [0.0, 1.0, 0.0, 0.96]),
    (1.05, 0.10, [0.0, 0.84, 0.0, 0.43]),
    (1.10, 0.02, [0.0, 1.0, 0.0, 0.99]),
    (1.10, 0.05, [0.0, 0.83, 0.0, 0.42]),
    (1.10, 0.10, [0.0, 0.37, 0.0, 0.11]),
    (1.15, 0.05, [0.05, 0.05, 0.011, 0.011]),
    (1.17, 0.02, [0.81, 0.0, 0.39, 0.0]),
    (1.17, 0.10, [0.13, 0.02, 0.03, 0.0]),
    (1.20, 0.02, [1.0, 0.0, 0.99, 0.0]),
    (1.20, 0.05, [0.80, 0.0, 0.38, 0.0]),
    (1.20, 0.10, [0.35, 0.0, 0.10, 0.0]),
    (1.25, 0.10, [0.78, 0.0, 0.37, 0.0]),
];

/// Half a unit of the last digit given, besides the error of the simulation.
const ROUNDING: f64 = 0.006;

fn close(found: f64, share: f64) -> bool {
    let variance = (share * (1.0 - share)).max(0.004);
    (found - share).abs() <= ROUNDING + 3.0 * (variance / 2000.0).sqrt()
}

#[test]
fn the_published_table_of_the_order_statistic_is_met() {
    for (ratio, spread, [_, _, pass, falsified]) in PUBLISHED {
        let declaration = with(vec![below(1.15)], ratio, 1.0, spread, 10);
        for declaration in [declaration.clone(), simulated(declaration)] {
            let plans = plans(&declaration).unwrap();
            let plan = &plans[0].1;
            let found = plan.at(10).figures(&plan.expected, 1.0);
            assert!(close(found.pass, pass), "{ratio} {spread}: {found:?}");
            assert!(
                close(found.falsified, falsified),
                "{ratio} {spread}: {found:?}"
            );
        }
    }
}

#[test]
fn the_published_table_of_students_t_is_met() {
    for (ratio, spread, [pass, falsified, ..]) in PUBLISHED {
        let mut declaration = with(vec![below(1.15)], ratio, 1.0, spread, 10);
        student(&mut declaration.inference);
        let plans = plans(&declaration).unwrap();
        let plan = &plans[0].1;
        let found = plan.at(10).figures(&plan.expected, 1.0);
        assert!(close(found.pass, pass), "{ratio} {spread}: {found:?}");
        assert!(
            close(found.falsified, falsified),
            "{ratio} {spread}: {found:?}"
        );
    }
}

#[test]
fn closed_form_and_simulation_agree() {
    for (expected, rival, spread, sessions) in [
        (1.20, 1.10, 0.05, 10),
        (1.18, 1.12, 0.03, 13),
        (1.3, 1.0, 0.1, 8),
    ] {
        let closed = with(vec![below(1.15)], expected, rival, spread, sessions);
        let (simulated, closed) = (claim_of(&simulated(closed.clone())), claim_of(&closed));
        for (found, share) in [
            (simulated.expected.pass, closed.expected.pass),
            (simulated.expected.falsified, closed.expected.falsified),
            (simulated.rival.pass, closed.rival.pass),
            (simulated.rival.falsified, closed.rival.falsified),
        ] {
            assert!(near(found, share, 2000.0), "{found} {share}");
        }
    }
}

#[test]
fn only_one_comparison_on_order_statistics_has_a_closed_form() {
    let closed = with(vec![below(1.15)], 1.25, 1.02, 0.03, 13);
    assert_eq!(power(&closed).unwrap().experiments, None);
    let negated = Condition::Not(Box::new(compare(
        "speedup",
        Comparison::GreaterOrEqual,
        1.15,
    )));
    let negated = with(vec![negated], 1.25, 1.02, 0.03, 13);
    assert_eq!(power(&negated).unwrap(), power(&closed).unwrap());
    let two = with(within_five_percent(), 1.0, 1.15, 0.01, 13);
    assert_eq!(plans(&two).unwrap()[0].1.experiments(), Some(2000));
}

#[test]
fn at_the_threshold_both_errors_keep_their_level() {
    let claim = claim_of(&with(vec![below(1.15)], 1.25, 1.02, 0.03, 13));
    let mut rows = claim.rows.iter();
    let at_threshold = rows
        .find(|row| row.values["speedup"].value() == 1.15)
        .unwrap();
    assert!(at_threshold.pass <= 0.05 && at_threshold.falsified <= 0.05);
    assert_eq!(at_threshold.pass, at_threshold.falsified);
}

#[test]
fn rows_rise_from_rival_to_expected() {
    let rows = claim_of(&with(vec![below(1.15)], 1.25, 1.02, 0.03, 13)).rows;
    assert_eq!(rows.len(), 5);
    for pair in rows.windows(2) {
        assert!(pair[0].pass <= pair[1].pass && pair[0].falsified >= pair[1].falsified);
    }
}

#[test]
fn eight_sessions_decide_as_well_as_ten() {
    let fewer = |sessions| {
        let table = power(&with(vec![below(1.15)], 1.26, 1.05, 0.05, sessions)).unwrap();
        table.fewer_sessions
    };
    assert_eq!((fewer(10), fewer(8)), (Some(8), None));
}

#[test]
fn enough_sessions_are_the_fewest_that_decide() {
    let declaration = with(vec![below(1.15)], 1.20, 1.10, 0.05, 10);
    let enough = power(&declaration).unwrap().sufficient_sessions.unwrap();
    let plans = plans(&declaration).unwrap();
    let decides = |sessions| plans[0].1.decides(sessions);
    assert!(decides(enough) && !(1..enough).any(decides));
}

#[test]
fn enough_sessions_by_simulation_decide() {
    let mut declaration = with(vec![below(1.15)], 1.20, 1.10, 0.06, 7);
    student(&mut declaration.inference);
    let table = power(&declaration).unwrap();
    let enough = table.sufficient_sessions.unwrap();
    let plans = plans(&declaration).unwrap();
    assert!(enough > 7 && plans[0].1.decides(enough) && !plans[0].1.decides(enough - 1));
    assert_eq!(table.fewer_sessions, None);
}

#[test]
fn effects_cover_every_true_value_in_order() {
    let effects = claim_of(&with(vec![below(1.15)], 1.25, 1.02, 0.03, 13)).effects;
    let outcomes: Vec<Outcome> = effects.iter().map(|range| range.outcome).collect();
    assert_eq!(outcomes, [Outcome::Falsified, Outcome::Open, Outcome::Pass]);
    assert_eq!((effects[0].from, effects[2].to), (None, None));
    assert!(effects.windows(2).all(|pair| pair[0].to == pair[1].from));
    let open = [effects[1].from, effects[1].to].map(|end| end.unwrap().value());
    assert!(
        1.1 < open[0] && open[0] < 1.15 && 1.15 < open[1] && open[1] < 1.2,
        "{open:?}"
    );
}

#[test]
fn a_two_sided_claim_passes_between_and_is_falsified_beyond() {
    let effects = claim_of(&with(within_five_percent(), 1.0, 1.15, 0.01, 13)).effects;
    let outcomes: Vec<Outcome> = effects.iter().map(|range| range.outcome).collect();
    let expected = [
        Outcome::Falsified,
        Outcome::Open,
        Outcome::Pass,
        Outcome::Open,
        Outcome::Falsified,
    ];
    assert_eq!(outcomes, expected);
    let (from, to) = (
        effects[2].from.unwrap().value(),
        effects[2].to.unwrap().value(),
    );
    assert!(
        0.95 < from && from < 1.0 && 1.0 < to && to < 1.05,
        "{from} {to}"
    );
}

#[test]
fn an_effect_range_is_the_same_in_closed_form_and_by_simulation() {
    let closed = with(vec![below(1.15)], 1.25, 1.02, 0.03, 13);
    let ends = |declaration: &Declaration| {
        let effects = claim_of(declaration).effects;
        [effects[1].from, effects[1].to].map(|end| end.unwrap().value())
    };
    let (simulated, closed) = (ends(&simulated(closed.clone())), ends(&closed));
    for (simulated, closed) in simulated.iter().zip(closed) {
        assert!(
            (simulated / closed - 1.0).abs() < 0.003,
            "{simulated} {closed}"
        );
    }
}

#[test]
fn a_gate_on_the_spread_costs_what_it_fails() {
    let mut declaration = with(vec![below(1.15)], 1.35, 1.0, 0.03, 10);
    declaration
        .gates
        .insert("steady".to_owned(), steady(0.03, "speedup"));
    let row = claim_of(&declaration).expected;
    let held = row.gates["steady"];
    // Without the gate the claim passes nearly always.
    assert!((0.5..0.6).contains(&held), "{held}");
    assert!(near(row.pass, held, 2000.0));
}

/// The speedups spread by 3 % and the control's quotient as given.
fn with_control(within: f64, spread: f64) -> Declaration {
    let mut declaration = with(vec![below(1.15)], 1.35, 1.0, 0.03, 10);
    let metric = declaration.metrics["speedup"].clone();
    declaration.metrics.insert("twice".to_owned(), metric);
    let assumed = &mut declaration.inference.assumed_cv;
    assumed.insert("twice".to_owned(), spread);
    let metric = "twice".to_owned();
    let control = prereg_declaration::Control { metric, within };
    declaration.controls.insert("aa".to_owned(), control);
    declaration
}

#[test]
fn a_control_costs_the_experiments_in_which_it_is_not_held() {
    let row = claim_of(&with_control(0.02, 0.02)).expected;
    let held = row.controls["aa"];
    // At one-sided .05 the bounds are the smallest and the largest of ten values but one: held where
    // at most one value lies beyond either end.
    let p = prereg_stats::distribution::normal::cdf(-(1.02_f64.ln()) / 0.02);
    let inside = |beyond: i32| (1.0 - 2.0 * p).powi(10 - beyond);
    let expected = inside(0) + 20.0 * p * inside(1) + 90.0 * p * p * inside(2);
    assert!(near(held, expected, 2000.0), "{held} {expected}");
    // Without the control the claim passes nearly always.
    assert!(near(row.pass, held, 2000.0), "{} {held}", row.pass);
}

#[test]
fn a_control_says_nothing_of_the_effects_where_it_holds() {
    let guarded = claim_of(&with_control(0.02, 0.02)).effects;
    let mut without = with_control(0.02, 0.02);
    without.controls.clear();
    assert_eq!(guarded, claim_of(&simulated(without)).effects);
}

#[test]
fn a_calibrated_range_costs_the_experiments_with_a_session_outside() {
    let mut declaration = with(vec![below(1.15)], 1.35, 1.0, 0.03, 10);
    let range = prereg_declaration::CalibratedRange {
        from: plain(0.9),
        to: plain(1.42),
    };
    declaration
        .calibrated_range
        .insert("speedup".to_owned(), range);
    let row = claim_of(&declaration).expected;
    let inside = prereg_stats::distribution::normal::cdf((1.42_f64 / 1.35).ln() / 0.03);
    let all = inside.powi(10);
    assert!(near(row.calibrated_range["speedup"], all, 2000.0));
    assert!(near(row.pass, all, 2000.0), "{} {all}", row.pass);
}

#[test]
fn a_census_passes_where_every_session_does_and_has_no_better_number() {
    let mut declaration = with(vec![below(1.15)], 1.25, 1.0, 0.05, 5);
    declaration.inference.interval = Interval::Census;
    let table = power(&declaration).unwrap();
    assert_eq!(
        (table.sufficient_sessions, table.fewer_sessions),
        (None, None)
    );
    let above = prereg_stats::distribution::normal::cdf((1.25_f64 / 1.15).ln() / 0.05);
    let found = table.claims["faster"].expected.pass;
    assert!(near(found, above.powi(5), 2000.0), "{found}");
}

#[test]
fn a_metric_without_a_value_is_drawn_for_gates_on_its_spread_only() {
    let mut declaration = with(vec![below(1.15)], 1.35, 1.0, 0.03, 10);
    let assumed = &mut declaration.inference.assumed_cv;
    assumed.insert("eager_step".to_owned(), 0.04);
    declaration
        .gates
        .insert("steady".to_owned(), steady(0.04, "eager_step"));
    let median = Number::OverSessions(Statistic::Median, "eager_step".to_owned());
    let predicate = crate::example::at_least(median, 5.0, prereg_units::Dimension::TIME);
    let slow = gate(Scope::AcrossSessions, predicate, GateOutcome::Abstain);
    declaration.gates.insert("slow".to_owned(), slow);
    let gates = claim_of(&declaration).expected.gates;
    assert_eq!(gates.keys().collect::<Vec<_>>(), ["steady"]);
}

#[test]
fn exclusions_count_as_missing_sessions() {
    let mut declaration = with(vec![below(1.15)], 1.35, 1.0, 0.03, 10);
    let speedup = Number::Metric("speedup".to_owned());
    let least = crate::example::at_least(speedup, 1.3, prereg_units::Dimension::NONE);
    declaration.gates.insert(
        "fast".to_owned(),
        gate(Scope::EachSession, least, GateOutcome::Exclude),
    );
    let row = claim_of(&declaration).expected;
    // P(kept) = Φ(ln(1.35/1.3)/0.03); the claim passes with at most one missing session of ten.
    let kept = prereg_stats::distribution::normal::cdf((1.35_f64 / 1.3).ln() / 0.03);
    assert!((row.gates["fast"] - kept).abs() < 0.01, "{:?}", row.gates);
    let at_most_one = prereg_stats::distribution::binomial::at_least(10, kept, 9);
    assert!(
        near(row.pass, at_most_one, 2000.0),
        "{} {at_most_one}",
        row.pass
    );
}

#[test]
fn a_sequence_stops_early_and_tells_when() {
    let mut declaration = with(vec![below(1.15)], 1.25, 1.02, 0.03, 20);
    declaration.inference.stopping = Stopping::Sequence;
    let claim = claim_of(&declaration);
    assert!(claim.expected.pass > 0.95 && claim.rival.falsified > 0.95);
    // Seven sessions on one side are the first that decide.
    let median = claim.expected.median_sessions.unwrap();
    assert!((7..=9).contains(&median), "{median}");
    let at_threshold = &claim.rows[2];
    assert_eq!(at_threshold.median_sessions, Some(20));
    assert!(at_threshold.pass + at_threshold.falsified <= 0.05);
}

#[test]
fn blocks_are_what_is_counted() {
    let sessions = with(vec![below(1.15)], 1.26, 1.05, 0.05, 10);
    let mut blocks = sessions.clone();
    (blocks.protocol.sessions, blocks.protocol.blocks) = (40, 10);
    let (of_sessions, of_blocks) = (power(&sessions).unwrap(), power(&blocks).unwrap());
    assert_eq!(of_sessions.claims, of_blocks.claims);
    assert_eq!(of_blocks.fewer_sessions, Some(32));
    let at_rival =
        |declaration: &Declaration| claim_of(&simulated(declaration.clone())).rival.falsified;
    assert_eq!(at_rival(&sessions), at_rival(&blocks));
}

#[test]
fn every_interval_has_a_power() {
    let kinds = [
        (Interval::BootstrapPercentile, Estimand::Median),
        (Interval::BootstrapBca, Estimand::Mean),
        (Interval::BootstrapT, Estimand::GeometricMean),
    ];
    for (interval, estimand) in kinds {
        // Six sessions: the bootstrap is exact and quick.
        let mut declaration = with(vec![below(1.15)], 1.30, 1.0, 0.03, 6);
        declaration.inference.interval = interval;
        declaration.inference.estimand = estimand;
        let plans = plans(&declaration).unwrap();
        assert!(plans[0].1.decides(6), "{interval:?}");
        assert_eq!(plans[0].1.experiments(), Some(200));
    }
}

#[test]
fn a_table_at_another_spread_is_that_of_a_plan_that_assumes_it() {
    let assumed = with(vec![below(1.15)], 1.25, 1.02, 0.03, 13);
    let measured = with(vec![below(1.15)], 1.25, 1.02, 0.07, 13);
    let spreads = BTreeMap::from([("speedup".to_owned(), 0.07)]);
    assert_eq!(power_at(&assumed, &spreads), power(&measured));
    assert_eq!(power_at(&assumed, &BTreeMap::new()), power(&assumed));
}

#[test]
fn what_is_missing_is_named() {
    let mut declaration = with(vec![below(1.15)], 1.25, 1.02, 0.03, 13);
    declaration.inference.assumed_cv.clear();
    let error = power(&declaration).unwrap_err();
    let metric = "speedup".to_owned();
    assert_eq!(error, PowerError::NoSpread { metric });
    let declaration = with(vec![below(1.15)], 1.25, -1.0, 0.03, 13);
    assert!(matches!(
        power(&declaration),
        Err(PowerError::NotPositive {
            scenario: "rival",
            ..
        })
    ));
}
