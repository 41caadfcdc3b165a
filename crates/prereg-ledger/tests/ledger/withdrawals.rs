//! Withdrawals: a lock is given up in the open, and what was measured stays.

use prereg_declaration::Digest;
use prereg_ledger::{LifeProblem, Standing, Status, Withdrawal};

use crate::fixture::{
    Fixture, a_variant, amend, announce, lock, problems, seal, session, verdict, withdraw,
};

#[test]
fn a_withdrawn_lock_stays_with_its_reason() {
    let fixture = Fixture::new();
    let mut writer = fixture.writer();
    let id = lock(&mut writer);
    assert_eq!(fixture.history().lock(id).unwrap().withdrawn, None);
    let record = writer.append(withdraw(id)).unwrap();
    let history = fixture.history();
    assert!(history.findings().is_empty(), "{:?}", history.findings());
    let withdrawn = Withdrawal {
        time: record.time,
        reason: "the machine is gone".into(),
    };
    assert_eq!(history.lock(id).unwrap().withdrawn, Some(withdrawn));
}

#[test]
fn a_run_that_was_announced_before_the_withdrawal_goes_on_and_is_judged() {
    let fixture = Fixture::new();
    let mut writer = fixture.writer();
    let id = lock(&mut writer);
    let run = announce(&mut writer, id).run;
    writer.append(withdraw(id)).unwrap();
    for event in [session(&run, 0), seal(&run), verdict(&run)] {
        writer.append(event).unwrap();
    }
    let history = fixture.history();
    assert!(history.findings().is_empty(), "{:?}", history.findings());
    let run = history.run(&run).unwrap();
    assert_eq!(run.standing, Standing::OfRecord);
    assert_eq!(run.verdicts.len(), 1);
}

#[test]
fn a_run_announced_after_the_withdrawal_is_out_of_place() {
    let fixture = Fixture::new();
    let mut writer = fixture.writer();
    let id = lock(&mut writer);
    writer.append(withdraw(id)).unwrap();
    announce(&mut writer, id);
    let history = fixture.history();
    assert_eq!(problems(&history), [LifeProblem::WithdrawnLock]);
    assert!(history.runs().is_empty());
}

#[test]
fn a_run_of_a_clone_that_did_not_know_of_the_withdrawal_stands() {
    let origin = Fixture::new();
    let id = lock(&mut origin.writer());
    let clone = Fixture::clone_of(&origin);
    origin.writer().append(withdraw(id)).unwrap();
    let run = announce(&mut clone.writer(), id).run;
    origin.pull(&clone);
    let history = origin.history();
    assert!(history.findings().is_empty(), "{:?}", history.findings());
    assert_eq!(history.run(&run).unwrap().status, Status::Announced);
}

#[test]
fn a_withdrawal_of_no_recorded_lock_is_out_of_place() {
    let fixture = Fixture::new();
    let unknown = withdraw(Digest::of(b"no lock"));
    fixture.writer().append(unknown).unwrap();
    assert_eq!(
        problems(&fixture.history()),
        [LifeProblem::WithdrawalOfUnknown]
    );
}

#[test]
fn a_withdrawal_by_a_writer_that_had_not_seen_the_lock_is_out_of_place() {
    let origin = Fixture::new();
    let other = Fixture::new();
    let id = lock(&mut origin.writer());
    other.writer().append(withdraw(id)).unwrap();
    other.pull(&origin);
    let history = other.history();
    assert_eq!(problems(&history), [LifeProblem::WithdrawalOfUnknown]);
    assert_eq!(history.lock(id).unwrap().withdrawn, None);
}

#[test]
fn a_second_withdrawal_is_out_of_place_unless_its_writer_did_not_know_of_the_first() {
    let origin = Fixture::new();
    let id = lock(&mut origin.writer());
    let clone = Fixture::clone_of(&origin);
    origin.writer().append(withdraw(id)).unwrap();
    clone.writer().append(withdraw(id)).unwrap();
    origin.pull(&clone);
    assert_eq!(problems(&origin.history()), []);
    origin.writer().append(withdraw(id)).unwrap();
    assert_eq!(problems(&origin.history()), [LifeProblem::WithdrawnTwice]);
}

#[test]
fn a_withdrawn_lock_may_be_amended_and_its_amendment_run() {
    let fixture = Fixture::new();
    let mut writer = fixture.writer();
    let first = lock(&mut writer);
    writer.append(withdraw(first)).unwrap();
    let second = amend(&mut writer, first, &a_variant("second"));
    let run = announce(&mut writer, second).run;
    let history = fixture.history();
    assert!(history.findings().is_empty(), "{:?}", history.findings());
    assert_eq!(history.lock(second).unwrap().withdrawn, None);
    assert_eq!(history.run(&run).unwrap().standing, Standing::OfRecord);
}
