//! Random lives of plans in several clones: amended, withdrawn, piloted, run and merged.

use std::collections::BTreeMap;

use prereg_declaration::Digest;
use prereg_ledger::{DataSeenByRecord, History, Lock, PilotArms, RunId};
use proptest::prelude::*;

use crate::fixture::{
    DECLARATION, Fixture, announcement, asking, begin, of_experiment, seal, session, withdraw,
};

/// What a clone does next. Numbers choose among what is there.
#[derive(Clone, Debug)]
enum Act {
    /// A new experiment, or an old one without a word about its lock, with one of three questions.
    Lock(usize, usize),
    Amend(usize, usize),
    Withdraw(usize),
    Pilot(usize, bool),
    Announce(usize),
    Session,
    Seal,
    Pull(usize),
}

fn act() -> impl Strategy<Value = Act> {
    let one = 0_usize..64;
    prop_oneof![
        2 => (one.clone(), one.clone()).prop_map(|(one, other)| Act::Lock(one, other)),
        3 => (one.clone(), one.clone()).prop_map(|(one, other)| Act::Amend(one, other)),
        1 => one.clone().prop_map(Act::Withdraw),
        2 => (one.clone(), any::<bool>()).prop_map(|(one, all)| Act::Pilot(one, all)),
        3 => one.prop_map(Act::Announce),
        3 => Just(Act::Session),
        1 => Just(Act::Seal),
        3 => (0_usize..3).prop_map(Act::Pull),
    ]
}

/// What the record showed as seen when a lock was made.
type Seen = BTreeMap<String, DataSeenByRecord>;

/// A draft that no other act makes.
fn draft(number: usize, experiment: &str, question: usize) -> Lock {
    let asking = asking(["faster", "smaller", "cheaper"][question % 3]);
    Lock {
        meaning: Digest::of(&number.to_le_bytes()),
        ..of_experiment(experiment, asking)
    }
}

fn perform(clone: &Fixture, act: &Act, number: usize, seen: &mut Seen) {
    let mut writer = clone.writer();
    let history = clone.history();
    let plans = history.locks();
    let mut keep = |draft: &Lock, id: Digest| {
        let before = history.data_seen(&draft.experiment, draft.question);
        seen.insert(id.to_string(), before);
    };
    let own = writer.id().clone();
    let open = history.unsealed_of(&own).next();
    match act {
        Act::Lock(experiment, question) => {
            let draft = draft(number, ["one", "two", "three"][experiment % 3], *question);
            keep(&draft, writer.lock(&draft, DECLARATION).unwrap().0);
        }
        Act::Pilot(question, all) => {
            let draft = draft(number, "one", *question);
            let arms = if *all {
                PilotArms::All
            } else {
                PilotArms::Baseline
            };
            keep(&draft, writer.pilot(&draft, DECLARATION, arms).unwrap().0);
        }
        Act::Amend(parent, question) if !plans.is_empty() => {
            let parent = &plans[parent % plans.len()].event;
            let draft = draft(number, &parent.experiment, *question);
            let amended = writer.amend(&draft, DECLARATION, parent.lock, "because");
            keep(&draft, amended.unwrap().0);
        }
        Act::Withdraw(plan) if !plans.is_empty() => {
            let plan = &plans[plan % plans.len()];
            if plan.withdrawn.is_none() {
                writer.append(withdraw(plan.event.lock)).unwrap();
            }
        }
        Act::Announce(lock) if open.is_none() => {
            let all: Vec<_> = plans.iter().chain(history.pilots()).collect();
            let Some(lock) = all.get(lock % all.len().max(1)) else {
                return;
            };
            if lock.withdrawn.is_none() {
                let mut announcement = announcement(lock.event.lock);
                announcement.experiment.clone_from(&lock.event.experiment);
                writer.announce(announcement).unwrap();
            }
        }
        Act::Session => {
            if let Some(run) = open.filter(|run| run.sessions.len() < 3) {
                let next = run.sessions.len() as u32;
                writer.append(begin(&run.id, next)).unwrap();
                writer.append(session(&run.id, next)).unwrap();
            }
        }
        Act::Seal => {
            if let Some(run) = open {
                writer.append(seal(&run.id)).unwrap();
            }
        }
        _ => {}
    }
}

fn gravity(seen: &DataSeenByRecord) -> (u8, &[RunId]) {
    match seen {
        DataSeenByRecord::Nothing => (0, &[]),
        DataSeenByRecord::Pilot { runs } => (1, runs),
        DataSeenByRecord::PilotOfAllArms { runs } => (2, runs),
        DataSeenByRecord::Run { runs } => (3, runs),
    }
}

/// What a history says of plans and of what was seen before them.
fn story(history: &History) -> Vec<(Digest, String, Vec<Digest>, DataSeenByRecord)> {
    let all = history.locks().iter().chain(history.pilots());
    all.map(|lock| {
        let id = lock.event.lock;
        let attempts = history.attempts(id).into_iter();
        (
            id,
            format!("{:?}, {:?}", lock.kind, lock.withdrawn),
            attempts.map(|attempt| attempt.event.lock).collect(),
            history.data_seen_before(id),
        )
    })
    .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn what_a_draft_had_to_admit_is_what_its_lock_shows(
        acts in prop::collection::vec(act(), 1..30)
    ) {
        let fixture = Fixture::new();
        let mut seen = Seen::new();
        for (number, act) in acts.iter().enumerate() {
            perform(&fixture, act, number, &mut seen);
        }
        let history = fixture.history();
        prop_assert!(history.findings().is_empty(), "{:?}", history.findings());
        for lock in history.locks().iter().chain(history.pilots()) {
            let id = lock.event.lock;
            prop_assert_eq!(&history.data_seen_before(id), &seen[&id.to_string()]);
        }
    }

    #[test]
    fn clones_make_no_finding_agree_after_a_merge_and_show_no_less_as_seen(
        acts in prop::collection::vec((0_usize..3, act()), 1..40)
    ) {
        let origin = Fixture::new();
        let clones = [Fixture::clone_of(&origin), Fixture::clone_of(&origin), origin];
        let mut seen = Seen::new();
        for (number, (index, act)) in acts.iter().enumerate() {
            match act {
                Act::Pull(other) if other == index => {}
                Act::Pull(other) => clones[*index].pull(&clones[*other]),
                act => perform(&clones[*index], act, number, &mut seen),
            }
            let history = clones[*index].history();
            prop_assert!(history.findings().is_empty(), "{:?}", history.findings());
        }
        for (to, from) in [(0, 1), (0, 2), (1, 0), (2, 0)] {
            clones[to].pull(&clones[from]);
        }
        let histories = clones.each_ref().map(Fixture::history);
        let [first, second, third] = histories.each_ref().map(story);
        prop_assert_eq!(&first, &second);
        prop_assert_eq!(&first, &third);

        let history = &histories[0];
        prop_assert!(history.findings().is_empty(), "{:?}", history.findings());
        prop_assert_eq!(first.len(), seen.len());
        for (id, _, attempts, before) in &first {
            let (gravity_then, runs_then) = gravity(&seen[&id.to_string()]);
            let (gravity_now, runs_now) = gravity(before);
            prop_assert!(gravity_now >= gravity_then);
            if gravity_now == gravity_then {
                prop_assert!(runs_then.iter().all(|run| runs_now.contains(run)));
            }
            for (index, attempt) in attempts.iter().enumerate() {
                let of_other: Vec<Digest> =
                    history.attempts(*attempt).iter().map(|lock| lock.event.lock).collect();
                prop_assert_eq!(&of_other, attempts);
                prop_assert_eq!(history.attempt(*attempt).unwrap().number, index + 1);
            }
        }
    }
}
