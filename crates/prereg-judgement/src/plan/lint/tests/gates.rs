use prereg_declaration::{Arithmetic, Column, Comparison, Statistic};

use super::*;
use crate::example::{at_least, clock, step_time};

fn compared(left: Number, operator: Comparison, right: Number) -> Predicate {
    Predicate::Compare(operator, Box::new(left), Box::new(right))
}

fn binary(operator: Arithmetic, left: Number, right: Number) -> Number {
    Number::Binary(operator, Box::new(left), Box::new(right))
}

fn over(statistic: Statistic) -> Number {
    Number::OverSessions(statistic, "speedup".to_owned())
}

fn eager(statistic: Statistic) -> Number {
    step_time(statistic, "eager")
}

fn column(name: &str, arm: Option<&str>, statistic: Statistic) -> Number {
    let column = Column {
        name: name.to_owned(),
        arm: arm.map(str::to_owned),
        dimension: Dimension::TIME,
    };
    Number::OverSteps(statistic, column)
}

fn never_fails(declaration: &Declaration) -> String {
    let finding = only(declaration);
    assert!(
        matches!(finding, LintFinding::GateNeverFails { .. }),
        "{finding:?}"
    );
    finding.to_string()
}

#[test]
fn a_spread_of_at_least_nothing_is_refused() {
    let message = never_fails(&across_sessions(at_least(
        over(Statistic::Cv),
        0.0,
        Dimension::NONE,
    )));
    assert!(
        message.contains("`cv(speedup)` is always at least 0"),
        "{message}"
    );
    assert!(message.ends_with("or leave it out"), "{message}");
    let cv = at_least(eager(Statistic::Cv), 0.0, Dimension::NONE);
    never_fails(&each_session(cv));
}

#[test]
fn a_count_that_the_protocol_fixes_is_refused() {
    never_fails(&each_session(at_least(
        eager(Statistic::Count),
        1.0,
        Dimension::NONE,
    )));
    let finding = only(&each_session(at_least(
        eager(Statistic::Count),
        2.0,
        Dimension::NONE,
    )));
    let message = finding.to_string();
    assert!(
        matches!(finding, LintFinding::GateNeverHolds { .. }),
        "{finding:?}"
    );
    assert!(message.contains("is always 1;"), "{message}");
}

#[test]
fn tokens_that_every_step_produces_are_refused() {
    let sum = column("tokens", Some("eager"), Statistic::Sum);
    never_fails(&each_session(at_least(sum, 1.0, Dimension::TOKENS)));
}

#[test]
fn an_order_of_statistics_that_always_holds_is_refused() {
    let ordered = [
        (Statistic::Min, Statistic::Max),
        (Statistic::Min, Statistic::Median),
        (Statistic::Mean, Statistic::Max),
        (Statistic::Quantile(0.1), Statistic::Quantile(0.9)),
        (Statistic::Median, Statistic::Quantile(0.5)),
    ];
    for (smaller, greater) in ordered {
        let predicate = compared(eager(smaller), Comparison::LessOrEqual, eager(greater));
        never_fails(&each_session(predicate));
        let across = compared(over(smaller), Comparison::LessOrEqual, over(greater));
        never_fails(&across_sessions(across));
    }
}

#[test]
fn a_ratio_of_a_number_to_itself_is_refused() {
    let ratio = binary(
        Arithmetic::Divide,
        eager(Statistic::Median),
        eager(Statistic::Median),
    );
    never_fails(&each_session(compared(
        ratio,
        Comparison::Less,
        literal(2.0),
    )));
}

#[test]
fn positive_readings_their_products_and_their_sums_are_refused_above_zero() {
    let cache = || column("last_level_cache", None, Statistic::Median);
    let above = |number, dimension| {
        each_session(compared(
            number,
            Comparison::Greater,
            super::number(0.0, dimension),
        ))
    };
    never_fails(&above(cache(), Dimension::DATA));
    let product = binary(Arithmetic::Multiply, cache(), eager(Statistic::Min));
    let dimension = Dimension::DATA.checked_mul(Dimension::TIME).unwrap();
    never_fails(&above(product, dimension));
    let sum = binary(Arithmetic::Add, cache(), cache());
    never_fails(&above(sum, Dimension::DATA));
}

#[test]
fn a_limit_below_zero_on_a_time_is_refused() {
    let limit = Number::Negate(Box::new(number(1.0, Dimension::TIME)));
    never_fails(&each_session(compared(
        eager(Statistic::Min),
        Comparison::Greater,
        limit,
    )));
}

#[test]
fn a_tautology_is_refused() {
    let loud = || at_least(over(Statistic::Cv), 0.02, Dimension::NONE);
    let either = Predicate::Or(vec![loud(), Predicate::Not(Box::new(loud()))]);
    never_fails(&across_sessions(either));
    let half = compared(
        binary(Arithmetic::Multiply, literal(2.0), over(Statistic::Cv)),
        Comparison::Less,
        literal(0.04),
    );
    never_fails(&across_sessions(Predicate::Or(vec![loud(), half])));
}

#[test]
fn a_count_of_sessions_below_what_decides_anyway_is_refused() {
    // With eight of ten sessions there is no bound, so the claim abstains by itself.
    let count = |least| across_sessions(at_least(over(Statistic::Count), least, Dimension::NONE));
    for least in [1.0, 9.0] {
        let message = never_fails(&count(least));
        assert!(message.contains("between 9 and 10"), "{message}");
    }
    assert_eq!(lint(&count(10.0)), []);
}

#[test]
fn a_count_of_more_sessions_than_planned_is_refused() {
    let finding = only(&across_sessions(at_least(
        over(Statistic::Count),
        11.0,
        Dimension::NONE,
    )));
    assert!(
        matches!(finding, LintFinding::GateNeverHolds { .. }),
        "{finding:?}"
    );
}

#[test]
fn gates_that_can_never_hold_are_refused() {
    let zero = at_least(clock(Statistic::Min), 0.0, Dimension::FREQUENCY);
    let finding = only(&each_session(Predicate::Not(Box::new(zero))));
    let message = finding.to_string();
    assert!(
        matches!(finding, LintFinding::GateNeverHolds { .. }),
        "{finding:?}"
    );
    assert!(message.contains("is always at least 0 Hz"), "{message}");
}

#[test]
fn counts_of_updates_and_coverage_that_every_meter_gives_are_refused() {
    let reading = |statistic| column("power", None, statistic);
    never_fails(&each_session(at_least(
        reading(Statistic::Updates),
        0.0,
        Dimension::NONE,
    )));
    never_fails(&each_session(at_least(
        reading(Statistic::UpdateRate),
        0.0,
        Dimension::FREQUENCY,
    )));
    let covered = compared(
        reading(Statistic::Coverage),
        Comparison::LessOrEqual,
        literal(1.0),
    );
    let message = never_fails(&each_session(covered));
    assert!(message.contains("is always between 0 and 1"), "{message}");
}

#[test]
fn a_coverage_of_more_than_everything_is_refused() {
    let coverage = column("power", None, Statistic::Coverage);
    let finding = only(&each_session(at_least(coverage, 1.01, Dimension::NONE)));
    assert!(
        matches!(finding, LintFinding::GateNeverHolds { .. }),
        "{finding:?}"
    );
}

#[test]
fn updates_of_what_is_read_once_a_slot_are_refused() {
    let updates = column("steal", None, Statistic::Updates);
    let finding = only(&each_session(at_least(updates, 1.0, Dimension::NONE)));
    assert!(
        matches!(finding, LintFinding::GateNeverHolds { .. }),
        "{finding:?}"
    );
    let message = finding.to_string();
    assert!(
        message.contains("`updates(steal)` is always 0;"),
        "{message}"
    );
}

#[test]
fn a_fact_with_two_answers_at_once_is_refused() {
    let is = |text: &str| Predicate::FactIs("python".to_owned(), text.to_owned());
    let both = Predicate::And(vec![is("3.11"), is("3.12")]);
    let finding = only(&each_session(both));
    assert!(
        matches!(finding, LintFinding::GateNeverHolds { .. }),
        "{finding:?}"
    );
    let either = Predicate::Or(vec![is("3.11"), is("3.12")]);
    assert_eq!(lint(&each_session(either)), []);
}

#[test]
fn gates_on_constants_are_refused() {
    let finding = only(&each_session(at_least(literal(1.0), 2.0, Dimension::NONE)));
    assert!(
        matches!(finding, LintFinding::GateOnConstants { .. }),
        "{finding:?}"
    );
    let bytes = Number::Constant(prereg_declaration::ConstantName {
        name: "weights_bytes".to_owned(),
        arm: Some("eager".to_owned()),
    });
    let finding = only(&each_session(at_least(bytes, 1e6, Dimension::DATA)));
    assert!(
        matches!(finding, LintFinding::GateOnConstants { .. }),
        "{finding:?}"
    );
}

#[test]
fn gates_that_can_go_both_ways_are_accepted() {
    let graph = || step_time(Statistic::Median, "graph");
    let accepted = [
        compared(
            eager(Statistic::Median),
            Comparison::GreaterOrEqual,
            graph(),
        ),
        compared(
            eager(Statistic::Min),
            Comparison::Less,
            eager(Statistic::Max),
        ),
        compared(
            eager(Statistic::Mean),
            Comparison::LessOrEqual,
            eager(Statistic::Median),
        ),
        at_least(clock(Statistic::Min), 1e9, Dimension::FREQUENCY),
        at_least(clock(Statistic::Count), 1.0, Dimension::NONE),
        at_least(
            column("power", None, Statistic::Updates),
            40.0,
            Dimension::NONE,
        ),
        at_least(
            column("power", None, Statistic::UpdateRate),
            2.0,
            Dimension::FREQUENCY,
        ),
        at_least(
            column("power", None, Statistic::Coverage),
            1.0,
            Dimension::NONE,
        ),
        Predicate::SameLogits("eager".to_owned(), "graph".to_owned()),
        Predicate::SameOutput("eager".to_owned(), "graph".to_owned()),
        Predicate::FactIs("python".to_owned(), "Python 3.11.2".to_owned()),
    ];
    for predicate in accepted {
        assert_eq!(lint(&each_session(predicate.clone())), [], "{predicate:?}");
    }
}

#[test]
fn a_gate_that_asks_the_claims_own_question_is_refused() {
    // The rival value is 1.02: below the limit no session counts, so nothing could be falsified.
    for number in [over(Statistic::Median), over(Statistic::Min)] {
        let finding = only(&across_sessions(at_least(number, 1.1, Dimension::NONE)));
        assert!(
            matches!(finding, LintFinding::GateSparesRival { .. }),
            "{finding:?}"
        );
    }
    let predicate = at_least(Number::Metric("speedup".to_owned()), 1.1, Dimension::NONE);
    let finding = only(&each_session(predicate));
    assert!(
        matches!(finding, LintFinding::GateSparesRival { .. }),
        "{finding:?}"
    );
    let predicate = at_least(over(Statistic::Median), 1.3, Dimension::NONE);
    let finding = only(&across_sessions(predicate));
    assert!(
        matches!(finding, LintFinding::GateBarsExpected { .. }),
        "{finding:?}"
    );
}
