//! The power table and the costs of a plan, for people.

use std::collections::BTreeMap;
use std::time::Duration;

use indicatif::HumanDuration;
use prereg_judgement::{ClaimPower, EffectRange, MeasuredCoverage, Outcome, PowerRow, PowerTable};
use prereg_ledger::RunId;
use prereg_units::Quantity;

use crate::cost::Cost;
use crate::output::say;

/// What each claim comes to, and how many sessions would be enough.
pub(super) fn print(table: &PowerTable) {
    for (name, claim) in &table.claims {
        say!(
            "\nclaim {name}: what {}, at the assumed spread",
            match table.sessions {
                1 => "1 session decides".to_owned(),
                sessions => format!("{sessions} sessions decide"),
            }
        );
        print_claim(claim);
    }
    if let Some(experiments) = table.experiments {
        say!("\nby {experiments} simulated experiments a figure, judged by the code that judges");
    }
    if let Some(MeasuredCoverage { worst, best }) = table.measured_coverage {
        say!(
            "\nintervals of nominal 95 % covered {:.1} to {:.1} % on five laws at so few values",
            100.0 * worst,
            100.0 * best
        );
    }
    match (table.fewer_sessions, table.sufficient_sessions) {
        (Some(fewer), _) => say!(
            "\n{fewer} sessions would decide as well as {}",
            table.sessions
        ),
        (None, Some(enough)) if enough > table.sessions => say!("\n{enough} sessions would do"),
        _ => {}
    }
}

fn print_claim(claim: &ClaimPower) {
    say!(
        "  {:<32} {:>8} {:>10} {:>8}",
        "true value",
        "pass",
        "falsified",
        "open"
    );
    print_row(&format!("rival: {}", values(&claim.rival)), &claim.rival);
    let between =
        |row: &&PowerRow| row.values != claim.rival.values && row.values != claim.expected.values;
    for between in claim.rows.iter().filter(between) {
        print_row(&values(between), between);
    }
    print_row(
        &format!("expected: {}", values(&claim.expected)),
        &claim.expected,
    );
    for range in &claim.effects {
        say!("  {}", effect(range));
    }
    for (name, row) in [("rival", &claim.rival), ("expected", &claim.expected)] {
        for (gate, held) in &row.gates {
            say!("  gate {gate} holds with probability {held:.3} at the {name} values");
        }
        if let Some(median) = row.median_sessions {
            say!("  at the {name} values half of the runs stop within {median} sessions");
        }
    }
}

fn print_row(label: &str, row: &PowerRow) {
    let open = (1.0 - row.pass - row.falsified).max(0.0);
    say!(
        "  {label:<32} {:>8.3} {:>10.3} {open:>8.3}",
        row.pass,
        row.falsified
    );
}

fn values(row: &PowerRow) -> String {
    row.values
        .iter()
        .map(|(metric, value)| format!("{metric} {value}"))
        .collect::<Vec<_>>()
        .join(", ")
}

/// "true values from 1.17 up would likely pass".
fn effect(range: &EffectRange) -> String {
    let outcome = match range.outcome {
        Outcome::Pass => "would likely pass",
        Outcome::Falsified => "would likely be falsified",
        Outcome::Open => "would likely stay open",
    };
    let end = |end: Option<Quantity>| end.map(|end| format!("{end:.4}"));
    match (end(range.from), end(range.to)) {
        (Some(from), Some(to)) => format!("true values from {from} to {to} {outcome}"),
        (Some(from), None) => format!("true values from {from} up {outcome}"),
        (None, Some(to)) => format!("true values up to {to} {outcome}"),
        (None, None) => format!("any true value {outcome}"),
    }
}

/// What the plan decides at the spread that a pilot measured.
pub(super) fn print_at_pilot(run: &RunId, spreads: &BTreeMap<String, f64>, table: &PowerTable) {
    let spreads: Vec<String> = spreads
        .iter()
        .map(|(metric, spread)| format!("{metric} {:.2} %", 100.0 * spread))
        .collect();
    say!(
        "\nat the spread that pilot {run} measured ({}):",
        spreads.join(", ")
    );
    for (name, claim) in &table.claims {
        say!(
            "  claim {name}: falsified with probability {:.3} at the rival values, pass with {:.3} at the expected",
            claim.rival.falsified,
            claim.expected.pass
        );
    }
}

/// Time, disk and money on one target.
pub(super) fn print_cost(cost: &Cost) {
    let time = |seconds: u64| HumanDuration(Duration::from_secs(seconds));
    let pace = match (cost.about_s, &cost.paced_by) {
        (Some(about_s), Some(run)) => format!("about {} at the pace of run {run}, ", time(about_s)),
        (Some(about_s), None) => format!("about {} by its slot-time, ", time(about_s)),
        (None, _) => String::new(),
    };
    let money = match &cost.money {
        Some(money) => format!(", {money}"),
        None => String::new(),
    };
    say!(
        "on {}: {pace}at most {}; about {:.1} MB on disk{money}",
        cost.target,
        time(cost.at_most_s),
        cost.disk_bytes as f64 / 1e6
    );
}
