//! Random histories of several clones that write, crash and pull, against a plain model.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, OpenOptions};
use std::io::Write as _;

use prereg_ledger::{RunId, Standing};
use proptest::prelude::*;

use crate::fixture::{Fixture, abort, announce, lock, note, seal, session};

/// What a clone does next.
#[derive(Clone, Debug)]
enum Act {
    Note,
    Announce,
    Session,
    Seal,
    Abort,
    /// A crash when so many bytes of the next record were written.
    Crash(usize),
    /// Take what another clone has.
    Pull(usize),
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        1 => Just(Act::Note),
        3 => Just(Act::Announce),
        2 => Just(Act::Session),
        1 => Just(Act::Seal),
        2 => Just(Act::Abort),
        1 => (1_usize..300).prop_map(Act::Crash),
        3 => (0_usize..3).prop_map(Act::Pull),
    ]
}

fn crash(clone: &Fixture, bytes: usize) {
    let Some(own) = clone.own_chain() else {
        return;
    };
    let path = clone.study.ledger().join(format!("{own}.jsonl"));
    let chain = fs::read(&path).unwrap();
    let line = chain.split(|byte| *byte == b'\n').next().unwrap();
    let mut file = OpenOptions::new().append(true).open(path).unwrap();
    file.write_all(&line[..bytes.min(line.len())]).unwrap();
}

/// The runs that a run's announcer could see.
type Seen = BTreeMap<RunId, BTreeSet<RunId>>;

fn perform(clone: &Fixture, act: &Act, seen: &mut Seen) {
    let mut writer = clone.writer();
    let history = clone.history();
    let lock = history.locks()[0].event.lock;
    let open = history.unsealed_of(writer.id()).next();
    let event = match (act, open) {
        (Act::Announce, None) => {
            let visible = history.runs().iter().map(|run| run.id.clone()).collect();
            seen.insert(announce(&mut writer, lock).run, visible);
            return;
        }
        (Act::Session, Some(run)) if run.sessions.len() < 3 => {
            session(&run.id, run.sessions.len() as u32)
        }
        (Act::Seal, Some(run)) => seal(&run.id),
        (Act::Abort, Some(run)) if run.sessions.is_empty() => abort(&run.id),
        _ => note("a remark"),
    };
    writer.append(event).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn clones_that_write_crash_and_pull_make_no_finding_and_agree_on_the_runs_of_record(
        acts in prop::collection::vec((0_usize..3, act()), 1..40)
    ) {
        let origin = Fixture::new();
        let id = lock(&mut origin.writer());
        let clones = [Fixture::clone_of(&origin), Fixture::clone_of(&origin), origin];
        let mut seen = Seen::new();
        for (index, act) in acts {
            match act {
                Act::Pull(other) if other == index => {}
                Act::Pull(other) => clones[index].pull(&clones[other]),
                Act::Crash(bytes) => crash(&clones[index], bytes),
                act => perform(&clones[index], &act, &mut seen),
            }
            let history = clones[index].history();
            prop_assert!(history.findings().is_empty(), "{:?}", history.findings());
        }
        for clone in &clones {
            clone.writer();
        }
        for (to, from) in [(0, 1), (0, 2), (1, 0), (2, 0)] {
            clones[to].pull(&clones[from]);
        }

        let histories = clones.each_ref().map(Fixture::history);
        let orders = histories.each_ref().map(|history| {
            prop_assert!(history.findings().is_empty(), "{:?}", history.findings());
            prop_assert!(history.leftovers().is_empty(), "{:?}", history.leftovers());
            Ok(history.records().map(|(_, record)| record.digest).collect::<Vec<_>>())
        });
        let [first, second, third] = orders;
        let first = first?;
        prop_assert_eq!(&first, &second?);
        prop_assert_eq!(&first, &third?);

        let history = &histories[0];
        prop_assert_eq!(history.runs_of(id, "cpu").count(), seen.len());
        for run in history.runs() {
            let counts = |id: &RunId| history.run(id).unwrap().standing != Standing::Aborted;
            let expected = counts(&run.id) && !seen[&run.id].iter().any(counts);
            prop_assert_eq!(run.standing == Standing::OfRecord, expected, "{}", run.id);
        }
    }
}
