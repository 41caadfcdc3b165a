//! Which attempt a plan is, and what had been measured before it.

use prereg_declaration::Digest;
use prereg_ledger::{Attempt, DataSeenByRecord, History, PilotArms, RunId, Writer};

use crate::fixture::{
    DECLARATION, Fixture, a_lock, a_variant, abort, amend, announcement, asking, begin, lock,
    of_experiment, withdraw,
};

fn ids(history: &History, lock: Digest) -> Vec<Digest> {
    let attempts = history.attempts(lock).into_iter();
    attempts.map(|lock| lock.event.lock).collect()
}

fn announce_of(writer: &mut Writer, lock: Digest, experiment: &str) -> RunId {
    let mut announcement = announcement(lock);
    announcement.experiment = experiment.into();
    writer.announce(announcement).unwrap().run
}

/// Announces a run and begins its first session.
fn measure(writer: &mut Writer, lock: Digest) -> RunId {
    let run = announce_of(writer, lock, "replay_tax");
    writer.append(begin(&run, 0)).unwrap();
    run
}

fn question() -> Digest {
    a_lock().question
}

#[test]
fn the_only_plan_is_the_first_attempt_of_one() {
    let fixture = Fixture::new();
    let id = lock(&mut fixture.writer());
    let history = fixture.history();
    assert_eq!(ids(&history, id), [id]);
    let first = Attempt {
        number: 1,
        of: 1,
        seen: false,
    };
    assert_eq!(history.attempt(id), Some(first));
}

#[test]
fn amendments_and_plans_with_the_same_question_are_attempts_at_one_thing() {
    let fixture = Fixture::new();
    let mut writer = fixture.writer();
    let first = lock(&mut writer);
    let amended = amend(&mut writer, first, &asking("sharper"));
    // Linked by the question of the amendment, not by that of the first.
    let elsewhere = of_experiment("elsewhere", asking("sharper"));
    let (sibling, _) = writer.lock(&elsewhere, DECLARATION).unwrap();
    let unrelated = of_experiment("unrelated", asking("something else"));
    let (other, _) = writer.lock(&unrelated, DECLARATION).unwrap();
    let history = fixture.history();
    for id in [first, amended, sibling] {
        assert_eq!(ids(&history, id), [first, amended, sibling]);
    }
    assert_eq!(ids(&history, other), [other]);
    let numbers = [first, amended, sibling].map(|id| {
        let attempt = history.attempt(id).unwrap();
        (attempt.number, attempt.of)
    });
    assert_eq!(numbers, [(1, 3), (2, 3), (3, 3)]);
}

#[test]
fn a_second_lock_of_an_experiment_is_an_attempt_though_it_names_no_parent() {
    let fixture = Fixture::new();
    let mut writer = fixture.writer();
    let first = lock(&mut writer);
    let (second, _) = writer.lock(&asking("sharper"), DECLARATION).unwrap();
    assert_eq!(ids(&fixture.history(), second), [first, second]);
}

#[test]
fn a_pilot_and_an_unknown_id_are_no_attempts() {
    let fixture = Fixture::new();
    let mut writer = fixture.writer();
    let plan = lock(&mut writer);
    let (pilot, _) = writer
        .pilot(&a_lock(), DECLARATION, PilotArms::All)
        .unwrap();
    let history = fixture.history();
    for id in [pilot, Digest::of(b"no lock")] {
        assert_eq!(history.attempt(id), None);
        assert!(history.attempts(id).is_empty());
    }
    assert_eq!(ids(&history, plan), [plan]);
}

#[test]
fn a_withdrawn_plan_stays_an_attempt() {
    let fixture = Fixture::new();
    let mut writer = fixture.writer();
    let first = lock(&mut writer);
    writer.append(withdraw(first)).unwrap();
    let second = amend(&mut writer, first, &a_variant("second"));
    assert_eq!(ids(&fixture.history(), second), [first, second]);
}

#[test]
fn data_is_seen_once_a_session_of_an_earlier_attempt_began() {
    let fixture = Fixture::new();
    let mut writer = fixture.writer();
    let first = lock(&mut writer);
    let run = announce_of(&mut writer, first, "replay_tax");
    let before = amend(&mut writer, first, &a_variant("before"));
    writer.append(begin(&run, 0)).unwrap();
    let after = amend(&mut writer, before, &a_variant("after"));
    let history = fixture.history();
    let seen = [first, before, after].map(|id| history.attempt(id).unwrap().seen);
    assert_eq!(seen, [false, false, true]);
    assert_eq!(
        history.data_seen_before(after),
        DataSeenByRecord::Run { runs: vec![run] }
    );
}

#[test]
fn an_aborted_run_shows_nothing() {
    let fixture = Fixture::new();
    let mut writer = fixture.writer();
    let first = lock(&mut writer);
    let run = announce_of(&mut writer, first, "replay_tax");
    writer.append(abort(&run)).unwrap();
    let history = fixture.history();
    assert_eq!(
        history.data_seen("replay_tax", question()),
        DataSeenByRecord::Nothing
    );
}

#[test]
fn a_draft_has_seen_what_was_measured_of_its_experiment_or_of_its_question() {
    let fixture = Fixture::new();
    let mut writer = fixture.writer();
    let id = lock(&mut writer);
    let run = measure(&mut writer, id);
    let history = fixture.history();
    let seen = DataSeenByRecord::Run { runs: vec![run] };
    let other = Digest::of(b"another question");
    assert_eq!(history.data_seen("replay_tax", other), seen);
    assert_eq!(history.data_seen("another", question()), seen);
    assert_eq!(
        history.data_seen("another", other),
        DataSeenByRecord::Nothing
    );
}

#[test]
fn a_draft_has_seen_what_was_measured_of_a_plan_that_others_connect_it_with() {
    let fixture = Fixture::new();
    let mut writer = fixture.writer();
    let first = lock(&mut writer);
    let run = measure(&mut writer, first);
    amend(&mut writer, first, &asking("sharper"));
    assert_eq!(
        fixture
            .history()
            .data_seen("another", Digest::of(b"sharper")),
        DataSeenByRecord::Run { runs: vec![run] }
    );
}

#[test]
fn a_later_amendment_does_not_connect_an_earlier_plan_with_earlier_data() {
    let fixture = Fixture::new();
    let mut writer = fixture.writer();
    let first = lock(&mut writer);
    measure(&mut writer, first);
    let elsewhere = of_experiment("elsewhere", asking("something else"));
    let (other, _) = writer.lock(&elsewhere, DECLARATION).unwrap();
    let joined = of_experiment("elsewhere", a_variant("joined"));
    let later = amend(&mut writer, other, &joined);
    let history = fixture.history();
    assert_eq!(history.data_seen_before(other), DataSeenByRecord::Nothing);
    assert_ne!(history.data_seen_before(later), DataSeenByRecord::Nothing);
}

#[test]
fn the_gravest_of_what_was_seen_counts() {
    let fixture = Fixture::new();
    let mut writer = fixture.writer();
    let pilot = |writer: &mut Writer, arms| {
        let (id, _) = writer.pilot(&a_lock(), DECLARATION, arms).unwrap();
        measure(writer, id)
    };
    let seen = || fixture.history().data_seen("replay_tax", question());
    assert_eq!(seen(), DataSeenByRecord::Nothing);
    let spread = pilot(&mut writer, PilotArms::Baseline);
    assert_eq!(seen(), DataSeenByRecord::Pilot { runs: vec![spread] });
    let effect = pilot(&mut writer, PilotArms::All);
    assert_eq!(
        seen(),
        DataSeenByRecord::PilotOfAllArms { runs: vec![effect] }
    );
    let id = lock(&mut writer);
    let runs = vec![measure(&mut writer, id), measure(&mut writer, id)];
    assert_eq!(seen(), DataSeenByRecord::Run { runs });
}

#[test]
fn a_pilot_of_another_experiment_and_question_is_not_seen() {
    let fixture = Fixture::new();
    let mut writer = fixture.writer();
    let elsewhere = of_experiment("elsewhere", asking("something else"));
    let (id, _) = writer
        .pilot(&elsewhere, DECLARATION, PilotArms::Baseline)
        .unwrap();
    let run = announce_of(&mut writer, id, "elsewhere");
    writer.append(begin(&run, 0)).unwrap();
    let history = fixture.history();
    assert_eq!(
        history.data_seen("replay_tax", question()),
        DataSeenByRecord::Nothing
    );
    assert_eq!(
        history.data_seen("elsewhere", question()),
        DataSeenByRecord::Pilot { runs: vec![run] }
    );
}

#[test]
fn a_pilot_connects_what_it_shares_the_experiment_with_and_what_it_shares_the_question_with() {
    let fixture = Fixture::new();
    let mut writer = fixture.writer();
    let id = lock(&mut writer);
    let run = measure(&mut writer, id);
    writer
        .pilot(&asking("sharper"), DECLARATION, PilotArms::Baseline)
        .unwrap();
    let history = fixture.history();
    assert_eq!(
        history.data_seen("elsewhere", Digest::of(b"sharper")),
        DataSeenByRecord::Run { runs: vec![run] }
    );
}

#[test]
fn what_another_clone_measured_counts_after_the_merge() {
    let origin = Fixture::new();
    let first = lock(&mut origin.writer());
    let clone = Fixture::clone_of(&origin);
    let run = measure(&mut clone.writer(), first);
    let seen = || origin.history().data_seen("replay_tax", question());
    assert_eq!(seen(), DataSeenByRecord::Nothing);
    origin.pull(&clone);
    let merged = DataSeenByRecord::Run { runs: vec![run] };
    assert_eq!(seen(), merged);
    let second = amend(&mut origin.writer(), first, &a_variant("second"));
    assert_eq!(origin.history().data_seen_before(second), merged);
}
