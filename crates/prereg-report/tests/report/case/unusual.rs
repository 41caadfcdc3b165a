//! Unusual plans and records.

use prereg_declaration::{Arm, Condition, Declaration, KillCondition, Workload};
use prereg_judgement::{ConditionResult, Missing, Reason, State, Verdict};
use prereg_report::{Attempt, FindingFacts, ReportInput};

use super::{Case, HEADLINE, LIMIT, SUMMARY, at_least, command, one_target, pass, shifted};
use crate::study::{
    SPEEDUPS, claim, comparison, condition, declaration, digest, headline, input, judgement, kill,
    missing, run,
};

/// Two kill conditions on two targets, one of which has no run yet; a second lock asks the same.
pub(crate) fn two_conditions() -> Case {
    fn build(declaration: &Declaration) -> ReportInput<'_> {
        let conditions: Vec<ConditionResult> = [("speedup", ">", "1.05"), ("speedup", "<", "0.95")]
            .into_iter()
            .map(|limit| {
                let mut comparison =
                    comparison(limit, State::False, [Some(0.98), Some(1.03)], None);
                comparison.bounds.alpha_lower = if limit.1 == ">" { 0.025 } else { 0.05 };
                comparison.bounds.alpha_upper = if limit.1 == "<" { 0.025 } else { 0.05 };
                condition(comparison)
            })
            .collect();
        let result = claim(Verdict::Pass, vec![Reason::AllConditionsFalse], conditions);
        let record = run(
            "cpu-3f2a91c07d55",
            "cpu",
            judgement(
                "cpu",
                &shifted(-0.23),
                SUMMARY.map(|value| value - 0.23),
                result,
            ),
        );
        let head = headline(
            "speedup is at most 1.05 and at least 0.95 on cpu and h100",
            Verdict::Abstained,
            vec![
                ("cpu", Verdict::Pass, vec![Reason::AllConditionsFalse]),
                ("h100", Verdict::Abstained, vec![Reason::NoData]),
            ],
        );
        let mut input = input(declaration, head, vec![record]);
        input.lock.attempts.insert(
            0,
            Attempt {
                lock: digest("first lock"),
                experiment: "replay_tax_first".to_owned(),
                time: "2026-11-29T09:00:00Z".to_owned(),
                fate: "falsified on cpu".to_owned(),
                reason: None,
                seen: "nothing".to_owned(),
                withdrawn: None,
            },
        );
        input
    }
    Case {
        declaration: declaration(
            &["cpu", "h100"],
            vec![kill("speedup", ">", "1.05"), kill("speedup", "<", "0.95")],
        ),
        build,
    }
}

/// One condition that joins a ratio with a time.
pub(crate) fn joined_condition() -> Case {
    fn build(declaration: &Declaration) -> ReportInput<'_> {
        let parts = vec![
            comparison(LIMIT, State::False, [Some(1.19), Some(1.28)], None),
            comparison(
                ("eager_step", ">", "12 ms"),
                State::True,
                [Some(0.012_376), Some(0.013_312)],
                None,
            ),
        ];
        let joined = ConditionResult {
            expression: "speedup < 1.15 and eager_step > 12 ms".to_owned(),
            state: State::False,
            comparisons: parts,
        };
        let (record, head) = one_target(
            claim(
                Verdict::Pass,
                vec![Reason::AllConditionsFalse],
                vec![joined],
            ),
            &shifted(0.0),
            SUMMARY,
        );
        input(declaration, head, vec![record])
    }
    let [ratio, time] = [
        kill("speedup", "<", "1.15"),
        kill("eager_step", ">", "12 ms"),
    ]
    .map(|kill| kill.condition);
    let joined = KillCondition {
        source: "speedup < 1.15 and eager_step > 12 ms".to_owned(),
        condition: Condition::And(vec![ratio, time]),
    };
    Case {
        declaration: declaration(&["cpu"], vec![joined]),
        build,
    }
}

/// A passing run in a record that does not hold together.
pub(crate) fn inconsistent() -> Case {
    fn build(declaration: &Declaration) -> ReportInput<'_> {
        let mut input = (pass().build)(declaration);
        input.findings.push(FindingFacts {
            message: "prereg/ledger/0f1e2d3c4b5a.jsonl: record 7 does not follow record 6"
                .to_owned(),
            fix: "restore the file from a clone that verifies".to_owned(),
            voids_verdict: true,
        });
        input
    }
    Case {
        declaration: at_least(),
        build,
    }
}

/// Locked, never run.
pub(crate) fn no_data() -> Case {
    fn build(declaration: &Declaration) -> ReportInput<'_> {
        let head = headline(
            HEADLINE,
            Verdict::Abstained,
            vec![("cpu", Verdict::Abstained, vec![Reason::NoData])],
        );
        input(declaration, head, Vec::new())
    }
    Case {
        declaration: at_least(),
        build,
    }
}

/// Two first runs that did not see each other, one passing and one falsified.
pub(crate) fn disagreement() -> Case {
    fn build(declaration: &Declaration) -> ReportInput<'_> {
        let shown = |state, lower, upper| {
            condition(comparison(LIMIT, state, [Some(lower), Some(upper)], None))
        };
        let passing = claim(
            Verdict::Pass,
            vec![Reason::AllConditionsFalse],
            vec![shown(State::False, 1.19, 1.28)],
        );
        let falsified = claim(
            Verdict::Falsified,
            vec![Reason::ConditionTrue { condition: 0 }],
            vec![shown(State::True, 0.99, 1.08)],
        );
        let first = run(
            "cpu-3f2a91c07d55",
            "cpu",
            judgement("cpu", &shifted(0.0), SUMMARY, passing),
        );
        let other = run(
            "cpu-90b1e6cc2f0d",
            "cpu",
            judgement(
                "cpu",
                &shifted(-0.2),
                SUMMARY.map(|value| value - 0.2),
                falsified,
            ),
        );
        let joined = headline(
            HEADLINE,
            Verdict::Abstained,
            vec![("cpu", Verdict::Abstained, vec![Reason::FirstRunsDisagree])],
        );
        input(declaration, joined, vec![first, other])
    }
    Case {
        declaration: at_least(),
        build,
    }
}

/// A hundred sessions, every seventh of them missing.
pub(crate) fn many_sessions() -> Case {
    fn build(declaration: &Declaration) -> ReportInput<'_> {
        let shown = condition(comparison(
            LIMIT,
            State::False,
            [Some(1.19), Some(1.28)],
            None,
        ));
        let result = claim(Verdict::Pass, vec![Reason::AllConditionsFalse], vec![shown]);
        let values: Vec<Option<f64>> = (0..100)
            .map(|session| (session % 7 != 3).then(|| SPEEDUPS[session % 10]))
            .collect();
        let (mut record, joined) = one_target(result, &values, SUMMARY);
        if let Some(judged) = &mut record.judgement {
            missing(
                judged,
                (0..100)
                    .filter(|session| session % 7 == 3)
                    .map(|session| (session, Missing::NeverRun))
                    .collect(),
            );
        }
        input(declaration, joined, vec![record])
    }
    Case {
        declaration: at_least(),
        build,
    }
}

/// A target with a name as long as any.
pub(crate) fn long_names() -> Case {
    const TARGET: &str = "a_target_whose_name_says_where_it_stands_and_what_is_in_it_and_more";
    fn build(declaration: &Declaration) -> ReportInput<'_> {
        let mut input = (pass().build)(declaration);
        for facts in &mut input.runs {
            TARGET.clone_into(&mut facts.run.announced.target);
        }
        input
    }
    let mut case = pass();
    for claim in case.declaration.claims.values_mut() {
        claim.on = vec![TARGET.to_owned()];
    }
    case.declaration.targets = vec![TARGET.to_owned()];
    Case {
        declaration: case.declaration,
        build,
    }
}

/// An author who tries to break out of every place that prints his words; of decode, and of a program.
pub(crate) fn hostile(words: &str) -> [Case; 2] {
    [pass(), command()].map(|case| hostile_in(case, words))
}

fn hostile_in(mut case: Case, words: &str) -> Case {
    match &mut case.declaration.workload {
        Workload::Decode(decode) => words.clone_into(&mut decode.model),
        Workload::Command(command) => {
            let texts = command.words.iter_mut().chain(&mut command.inputs);
            let values = command
                .environment
                .values_mut()
                .chain(command.pins.values_mut());
            let facts = command.facts.values_mut().flatten();
            let probe = command.probe.iter_mut().flatten();
            for text in texts.chain(values).chain(facts).chain(probe) {
                words.clone_into(text);
            }
        }
    }
    let arms = case.declaration.arms.values_mut();
    for arm in arms {
        if let Arm::Command(values) = arm {
            for value in values.values_mut() {
                words.clone_into(value);
            }
        }
    }
    let mut places = vec![
        &mut case.declaration.title,
        &mut case.declaration.protocol.seed,
    ];
    places.extend(&mut case.declaration.data_seen_figures);
    for claim in case.declaration.claims.values_mut() {
        places.push(&mut claim.text);
        places.extend(claim.kill.iter_mut().map(|kill| &mut kill.source));
    }
    for place in places {
        words.clone_into(place);
    }
    case
}
