//! Reading a study's ledger and locks.

use std::collections::BTreeSet;

use prereg_declaration::{Digest, Stopping};

use super::{History, Ranks};
use crate::files::{self, ReadError};
use crate::finding::Finding;
use crate::integrity;
use crate::life::{Life, LifeProblem, LockRecord, RunRecord};
use crate::lock::{self, Frozen};
use crate::locked_experiment::LockedExperiment;
use crate::merge::Merged;
use crate::study::Study;

impl History {
    /// Reads the ledger and every lock of `study`.
    ///
    /// # Errors
    /// [`ReadError`] when a file that is there cannot be read. Wrong content is no error but a
    /// finding.
    pub fn read(study: &Study) -> Result<Self, ReadError> {
        let files::Writers { known, strays } = files::writers(study)?;
        // Heads before chains: a record that is appended meanwhile then looks like a stale head,
        // never like a chain that was cut.
        let heads = known
            .iter()
            .map(|writer| files::read_head(study, writer))
            .collect::<Result<Vec<_>, _>>()?;
        let chains = known
            .iter()
            .map(|writer| files::read_chain(study, writer))
            .collect::<Result<Vec<_>, _>>()?;
        let merged = Merged::new(&chains);
        let (lock_records, run_records, out_of_place) = Life::read(&chains, &merged);

        let mut findings: Vec<Finding> = strays
            .into_iter()
            .map(|file| Finding::Stray { file })
            .collect();
        let mut leftovers = Vec::new();
        for (chain, head) in chains.iter().zip(heads) {
            integrity::check_chain(chain, head, &mut findings, &mut leftovers);
        }
        integrity::check_seen(&chains, &mut findings);
        findings.extend(out_of_place);

        let mut history = Self {
            chains,
            order: merged.order,
            plans: Vec::new(),
            pilots: Vec::new(),
            runs: Vec::new(),
            ranks: Ranks::default(),
            findings,
            leftovers,
        };
        for record in lock_records {
            history.read_lock(study, record);
        }
        let folders = lock::names(study).map_err(|source| ReadError::new(study.locks(), source))?;
        history.check_folders(folders);
        for record in run_records {
            history.take_run(record);
        }
        Ok(history)
    }

    fn read_lock(&mut self, study: &Study, record: LockRecord) {
        let pilot = record.kind.pilot();
        let (frozen, problem) = lock::read(study, &record.event, pilot);
        self.findings
            .extend(problem.map(|problem| Finding::LockFolder {
                lock: record.event.lock,
                problem,
            }));
        self.ranks.locks.insert(record.event.lock, record.rank);
        let locks = match pilot {
            None => &mut self.plans,
            Some(_) => &mut self.pilots,
        };
        locks.push(LockedExperiment {
            event: record.event,
            kind: record.kind,
            withdrawn: record.withdrawn,
            writer: record.writer,
            time: record.time,
            frozen,
        });
    }

    fn check_folders(&mut self, folders: Vec<String>) {
        let recorded: BTreeSet<String> = self
            .ranks
            .locks
            .keys()
            .map(|lock| lock.prefix(16))
            .collect();
        self.findings.extend(
            folders
                .into_iter()
                .filter(|folder| !recorded.contains(folder))
                .map(|folder| Finding::LockUnrecorded { folder }),
        );
    }

    fn take_run(&mut self, record: RunRecord) {
        let run = record.run;
        if let Some(rank) = record.first_session {
            self.ranks.sessions.insert(run.id.clone(), rank);
        }
        if let Some(seq) = record.stop
            && self.fixes_sessions(run.announced.lock)
        {
            self.findings.push(Finding::OutOfPlace {
                writer: run.writer.clone(),
                seq,
                run: Some(run.id.clone()),
                problem: LifeProblem::StoppedFixed,
            });
        }
        self.runs.push(run);
    }

    /// Whether a lock has a fixed number of sessions. Not where this version cannot read it: then
    /// nothing is judged.
    fn fixes_sessions(&self, id: Digest) -> bool {
        let Some(Frozen::Whole {
            lock,
            declaration_toml,
        }) = self.lock(id).map(|locked| &locked.frozen)
        else {
            return false;
        };
        lock::declaration_of(id, lock, declaration_toml)
            .is_ok_and(|(_, declaration)| declaration.inference.stopping == Stopping::Fixed)
    }
}
