//! Pilots: frozen drafts that are measured and never judged.

use std::fs;

use prereg_declaration::Digest;
use prereg_ledger::{
    Event, Finding, FolderProblem, Frozen, LifeProblem, LoadError, LockKind, Locked, PilotArms,
    PilotEvent, Standing,
};

use crate::fixture::{
    DECLARATION, Fixture, a_lock, a_variant, abort, amend, announce, lock, problems, seal, session,
    verdict,
};
use crate::locked;

fn pilot(fixture: &Fixture, arms: PilotArms) -> Digest {
    let mut writer = fixture.writer();
    writer.pilot(&a_lock(), DECLARATION, arms).unwrap().0
}

#[test]
fn a_pilot_is_frozen_as_a_lock_is_and_is_no_plan() {
    for arms in [PilotArms::Baseline, PilotArms::All] {
        let fixture = Fixture::new();
        let id = pilot(&fixture, arms);
        let history = fixture.history();
        assert!(history.findings().is_empty(), "{:?}", history.findings());
        assert!(history.locks().is_empty());
        assert_eq!(history.locks_of("replay_tax").count(), 0);
        let [read] = history.pilots() else {
            panic!("{:?}", history.pilots());
        };
        assert_eq!(read, history.lock(id).unwrap());
        assert_eq!(read.kind, LockKind::Pilot { arms });
        let Frozen::Whole { lock, .. } = &read.frozen else {
            panic!("{:?}", read.frozen);
        };
        assert_eq!(lock.pilot, Some(arms));
        let folder = fixture.study.locks().join(id.prefix(16));
        assert_eq!(Digest::of(&fs::read(folder.join("lock.json")).unwrap()), id);
    }
}

#[test]
fn a_draft_that_is_piloted_in_both_forms_and_then_locked_unchanged_makes_three_locks() {
    let fixture = Fixture::new();
    let ids = [
        pilot(&fixture, PilotArms::Baseline),
        pilot(&fixture, PilotArms::All),
        lock(&mut fixture.writer()),
    ];
    let history = fixture.history();
    assert!(history.findings().is_empty(), "{:?}", history.findings());
    assert_eq!(history.pilots().len(), 2);
    assert_eq!(history.locks().len(), 1);
    for id in ids {
        assert_eq!(history.lock(id).unwrap().event.lock, id);
    }
}

#[test]
fn a_plan_s_lock_json_says_nothing_of_pilots() {
    let fixture = Fixture::new();
    let id = lock(&mut fixture.writer());
    let path = fixture.study.locks().join(id.prefix(16)).join("lock.json");
    assert!(!fs::read_to_string(path).unwrap().contains("pilot"));
}

#[test]
fn runs_of_a_pilot_are_never_of_record_and_never_replications() {
    let fixture = Fixture::new();
    let id = pilot(&fixture, PilotArms::Baseline);
    let mut writer = fixture.writer();
    let runs = [(); 3].map(|()| announce(&mut writer, id).run);
    writer.append(abort(&runs[2])).unwrap();
    let history = fixture.history();
    let standings = runs.map(|run| history.run(&run).unwrap().standing);
    assert_eq!(
        standings,
        [Standing::Pilot, Standing::Pilot, Standing::Aborted]
    );
    assert_eq!(history.runs_of_record(id, "cpu").count(), 0);
}

#[test]
fn a_pilot_does_not_take_the_place_of_the_plan_s_first_run() {
    let fixture = Fixture::new();
    let piloted = pilot(&fixture, PilotArms::All);
    let mut writer = fixture.writer();
    announce(&mut writer, piloted);
    let id = lock(&mut writer);
    let run = announce(&mut writer, id).run;
    assert_eq!(
        fixture.history().run(&run).unwrap().standing,
        Standing::OfRecord
    );
}

#[test]
fn a_verdict_of_a_pilot_is_out_of_place() {
    let fixture = Fixture::new();
    let id = pilot(&fixture, PilotArms::Baseline);
    let mut writer = fixture.writer();
    let run = announce(&mut writer, id).run;
    for event in [session(&run, 0), seal(&run), verdict(&run)] {
        writer.append(event).unwrap();
    }
    let history = fixture.history();
    assert_eq!(problems(&history), [LifeProblem::VerdictOfPilot]);
    assert!(history.run(&run).unwrap().verdicts.is_empty());
}

#[test]
fn an_amendment_of_a_pilot_is_out_of_place() {
    let fixture = Fixture::new();
    let id = pilot(&fixture, PilotArms::Baseline);
    amend(&mut fixture.writer(), id, &a_variant("second"));
    assert!(matches!(
        fixture.history().findings()[0],
        Finding::OutOfPlace {
            problem: LifeProblem::ParentIsPilot,
            ..
        }
    ));
}

fn piloted(lock: Digest, arms: PilotArms) -> Event {
    Event::Piloted(PilotEvent {
        lock,
        experiment: "replay_tax".into(),
        declaration: Digest::of(DECLARATION),
        question: Digest::of(b"question"),
        arms,
    })
}

#[test]
fn a_record_that_calls_a_plan_a_pilot_is_out_of_place() {
    let fixture = Fixture::new();
    let id = lock(&mut fixture.writer());
    let event = piloted(id, PilotArms::Baseline);
    fixture.writer().append(event).unwrap();
    assert_eq!(problems(&fixture.history()), [LifeProblem::LockedOtherwise]);
}

#[test]
fn a_plan_and_a_pilot_of_one_id_do_not_go_together_even_where_neither_writer_knew() {
    let (origin, other) = (Fixture::new(), Fixture::new());
    let id = lock(&mut origin.writer());
    let event = piloted(id, PilotArms::Baseline);
    other.writer().append(event).unwrap();
    other.pull(&origin);
    let history = other.history();
    let is_otherwise = |finding: &Finding| {
        matches!(
            finding,
            Finding::OutOfPlace {
                problem: LifeProblem::LockedOtherwise,
                ..
            }
        )
    };
    assert!(
        history.findings().iter().any(is_otherwise),
        "{:?}",
        history.findings()
    );
}

#[test]
fn a_record_with_other_arms_than_the_frozen_draft_is_found() {
    let source = Fixture::new();
    let id = pilot(&source, PilotArms::All);
    let forged = Fixture::new();
    forged.pull(&source);
    for file in source.files("") {
        let _ = fs::remove_file(forged.study.ledger().join(file.file_name().unwrap()));
    }
    let event = piloted(id, PilotArms::Baseline);
    forged.writer().append(event).unwrap();
    let history = forged.history();
    assert!(matches!(
        history.findings(),
        [Finding::LockFolder {
            problem: FolderProblem::Record { key: "pilot" },
            ..
        }]
    ));
    assert_eq!(history.lock(id).unwrap().frozen, Frozen::Damaged);
}

#[test]
fn clones_that_pilot_the_same_draft_make_one_pilot_with_a_run_each() {
    let origin = Fixture::new();
    let clone = Fixture::clone_of(&origin);
    for fixture in [&origin, &clone] {
        let id = pilot(fixture, PilotArms::Baseline);
        announce(&mut fixture.writer(), id);
    }
    origin.pull(&clone);
    let history = origin.history();
    assert!(history.findings().is_empty(), "{:?}", history.findings());
    assert_eq!(history.pilots().len(), 1);
    assert_eq!(history.runs().len(), 2);
}

#[test]
fn what_a_crash_left_of_a_pilot_is_found_and_piloting_again_records_it() {
    let fixture = Fixture::new();
    let other = Fixture::new();
    let id = pilot(&other, PilotArms::Baseline);
    let name = id.prefix(16);
    fs::create_dir(fixture.study.locks().join(&name)).unwrap();
    for file in ["declaration.toml", "lock.json"] {
        let from = other.study.locks().join(&name).join(file);
        fs::copy(from, fixture.study.locks().join(&name).join(file)).unwrap();
    }
    assert_eq!(
        fixture.history().findings(),
        [Finding::LockUnrecorded { folder: name }]
    );
    assert_eq!(pilot(&fixture, PilotArms::Baseline), id);
    assert!(fixture.history().findings().is_empty());
}

#[test]
fn a_pilot_of_the_baseline_runs_the_baseline_in_the_place_of_every_arm() {
    let (fixture, draft) = (Fixture::new(), locked::lock_of(locked::DECLARATION));
    let load = |arms| {
        let (id, _) = fixture
            .writer()
            .pilot(&draft, locked::DECLARATION, arms)
            .unwrap();
        Locked::load(&fixture.history(), id).unwrap()
    };
    let (baseline, all) = (load(PilotArms::Baseline), load(PilotArms::All));
    let arms = &baseline.declaration().arms;
    assert_eq!(arms.keys().collect::<Vec<_>>(), ["eager", "graphed"]);
    assert_eq!(arms["graphed"], arms["eager"]);
    assert_eq!(arms["eager"], all.declaration().arms["eager"]);
    assert_ne!(all.declaration().arms["graphed"], arms["graphed"]);
}

#[test]
fn a_pilot_s_meaning_is_that_of_the_draft_as_it_was_written() {
    let fixture = Fixture::new();
    let mut other = locked::lock_of(locked::DECLARATION);
    other.meaning = Digest::of(b"another meaning");
    let (id, _) = fixture
        .writer()
        .pilot(&other, locked::DECLARATION, PilotArms::Baseline)
        .unwrap();
    assert!(matches!(
        Locked::load(&fixture.history(), id),
        Err(LoadError::OtherMeaning { .. })
    ));
}
