//! The one way into the ledger: appending to the chain of this study folder.
//!
//! `prereg/ledger/.lock` is held while a [`Writer`] lives, so that one process at a time writes.
//! `prereg/ledger/.writer` (untracked) says which chain is this folder's own, with the chain's
//! head and the folder's canonical path. Where any of these does not match what is there (a
//! clone, a copy, another branch), a new chain begins, so that no chain ever forks. A copy to the
//! same path on another machine is not told apart; the two then conflict when they are merged.
//!
//! A record is appended in this order: the next `.head` and `.writer` are put on disk under
//! temporary names, the line is written by one `write_all` and flushed, then the two take their
//! places. A crash leaves an unterminated line or a head that is one record behind; the next
//! start repairs either and says so in a `recovered` record. A full disk leaves the chain at its
//! previous length.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use prereg_declaration::Digest;
use serde::{Deserialize, Serialize};

use crate::chain::Chain;
use crate::event::{Announcement, Event, RecoveryEvent};
use crate::files::{self, ReadError};
use crate::head::Head;
use crate::name::{NameError, RunId, WriterId, is_identifier};
use crate::record::Record;
use crate::study::Study;
use crate::write::{Staged, WriteError, create_folders, sync_parent, write_atomic};

/// The right to append to this study folder's chain. One at a time.
#[derive(Debug)]
pub struct Writer {
    study: Study,
    id: WriterId,
    head: Head,
    /// Length of the chain's file; `None` while it does not exist.
    bytes: Option<u64>,
    lock: File,
}

/// The ledger cannot be opened for writing.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Another process writes.
    #[error("another prereg process is writing to {}; wait until it ends", path.display())]
    Busy {
        /// The ledger.
        path: PathBuf,
    },
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// A file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The repair after a crash failed.
    #[error("cannot repair what a crash left in the ledger")]
    Repair(#[source] AppendError),
    /// The operating system gives no random bytes for the name of a new writer.
    #[error("the operating system gives no random bytes to name a new writer")]
    Random(#[source] rand::rngs::SysError),
}

/// A record could not be appended.
#[derive(Debug, thiserror::Error)]
pub enum AppendError {
    /// Nothing was appended.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The other chains cannot be read; nothing was appended.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The chain is not as this writer left it; nothing was appended.
    #[error("{} changed while this process was writing to it; nothing was appended, run `prereg verify`", path.display())]
    Changed {
        /// The chain.
        path: PathBuf,
    },
    /// The target of an announcement is not an identifier; nothing was appended.
    #[error("the target of an announcement cannot be part of a run's name; nothing was appended")]
    Target(#[from] NameError),
    /// The event cannot be written as JSON; nothing was appended.
    #[error("a record cannot be written as JSON; nothing was appended")]
    Encode(#[from] serde_json::Error),
    /// The record is in the chain, but the files that point to its end are a record behind.
    #[error(
        "the record was appended, but the file that points to it was not brought up to date; the next command repairs it"
    )]
    Pointer(#[source] WriteError),
}

/// `.writer`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Own {
    writer: WriterId,
    head: Head,
    study: String,
}

/// A run that was announced.
#[derive(Clone, Debug, PartialEq)]
pub struct Announced {
    /// The run.
    pub run: RunId,
    /// The record; its digest seeds the sessions.
    pub record: Record,
}

impl Writer {
    /// Opens the ledger of `study` for appending, and repairs what a crash left in this folder's
    /// own chain.
    ///
    /// # Errors
    /// [`OpenError`]; [`OpenError::Busy`] while another process has it open.
    pub fn open(study: &Study) -> Result<Self, OpenError> {
        let ledger = study.ledger();
        create_folders(&ledger)?;
        let lock = take_lock(&ledger)?;
        let mut writer = Self {
            study: study.clone(),
            id: WriterId::random().map_err(OpenError::Random)?,
            head: Head::EMPTY,
            bytes: None,
            lock,
        };
        if let Some((chain, stale_head)) = own_chain(study)? {
            writer
                .take_over(&chain, stale_head)
                .map_err(OpenError::Repair)?;
        }
        Ok(writer)
    }

    fn take_over(&mut self, chain: &Chain, stale_head: Option<Head>) -> Result<(), AppendError> {
        self.id = chain.writer.clone();
        self.head = chain.head();
        let path = files::chain_path(&self.study, &self.id);
        self.bytes = path.exists().then_some(chain.valid_bytes);
        if chain.torn_bytes > 0 {
            OpenOptions::new()
                .write(true)
                .open(&path)
                .and_then(|file| cut(&file, chain.valid_bytes))
                .map_err(|source| WriteError::new(&path, source))?;
        }
        if chain.torn_bytes > 0 || stale_head.is_some() {
            self.append(Event::Recovered(RecoveryEvent {
                cut_bytes: chain.torn_bytes,
                stale_head,
            }))?;
        }
        Ok(())
    }

    /// The chain that this writer appends to.
    #[must_use]
    pub fn id(&self) -> &WriterId {
        &self.id
    }

    /// The study.
    #[must_use]
    pub fn study(&self) -> &Study {
        &self.study
    }

    /// Announces a run. Call it before the first sample exists.
    ///
    /// # Errors
    /// [`AppendError`].
    pub fn announce(&mut self, announcement: Announcement) -> Result<Announced, AppendError> {
        let target = announcement.target.clone();
        if !is_identifier(&target) {
            RunId::new(&target, Digest::ZERO)?;
        }
        let record = self.append(Event::Announced(announcement))?;
        Ok(Announced {
            run: RunId::new(&target, record.digest)?,
            record,
        })
    }

    /// Appends a record and flushes it to disk.
    ///
    /// # Errors
    /// [`AppendError`]. After every variant but [`AppendError::Pointer`] the chain is as before.
    pub fn append(&mut self, event: Event) -> Result<Record, AppendError> {
        let seen = self.other_heads()?;
        let (record, line) = Record::next(&self.id, self.head, seen, event)?;
        let ledger = self.study.ledger();
        if self.bytes.is_none() {
            // Claimed before the chain exists: a crash in between leaves an own, empty chain.
            write_atomic(&ledger.join(files::OWN), &self.own_file(Head::EMPTY)?)?;
        }
        let head = Staged::new(
            &files::head_path(&self.study, &self.id),
            &files::head_bytes(record.head())?,
        )?;
        let own = Staged::new(&ledger.join(files::OWN), &self.own_file(record.head())?)?;
        self.extend_chain(&line)?;
        self.head = record.head();
        head.commit()
            .and_then(|()| own.commit())
            .map_err(AppendError::Pointer)?;
        Ok(record)
    }

    fn other_heads(&self) -> Result<BTreeMap<WriterId, Head>, ReadError> {
        let mut heads = BTreeMap::new();
        for writer in files::writers(&self.study)?.known {
            if writer != self.id {
                let chain = files::read_chain(&self.study, &writer)?;
                if !chain.records.is_empty() {
                    heads.insert(writer, chain.head());
                }
            }
        }
        Ok(heads)
    }

    fn own_file(&self, head: Head) -> serde_json::Result<Vec<u8>> {
        let study = self.study.root().display().to_string();
        let mut bytes = serde_json::to_vec(&Own {
            writer: self.id.clone(),
            head,
            study,
        })?;
        bytes.push(b'\n');
        Ok(bytes)
    }

    fn extend_chain(&mut self, line: &[u8]) -> Result<(), AppendError> {
        let path = files::chain_path(&self.study, &self.id);
        let failed = |source| WriteError::new(&path, source);
        let before = self.bytes.unwrap_or(0);
        let mut file = match self.bytes {
            Some(_) => OpenOptions::new().append(true).open(&path),
            None => OpenOptions::new().append(true).create_new(true).open(&path),
        }
        .map_err(failed)?;
        if file.metadata().map_err(failed)?.len() != before {
            return Err(AppendError::Changed { path });
        }
        let written = file
            .write_all(line)
            .and_then(|()| file.sync_all())
            .and_then(|()| match self.bytes {
                Some(_) => Ok(()),
                None => sync_parent(&path),
            });
        if let Err(source) = written {
            // Where even this fails, the next append finds another length and the next start
            // finds an unterminated line.
            let _ = match self.bytes {
                Some(_) => cut(&file, before),
                None => fs::remove_file(&path),
            };
            return Err(WriteError::new(path, source).into());
        }
        self.bytes = Some(before + line.len() as u64);
        Ok(())
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        // Closing the file is not enough: a child between its fork and its exec has it open too.
        let _ = self.lock.unlock();
    }
}

fn take_lock(ledger: &Path) -> Result<File, OpenError> {
    let path = ledger.join(files::LOCK);
    let failed = |source| WriteError::new(&path, source);
    let file = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(false)
        .open(&path)
        .map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(OpenError::Busy {
            path: ledger.into(),
        }),
        Err(TryLockError::Error(source)) => Err(failed(source).into()),
    }
}

fn cut(file: &File, length: u64) -> io::Result<()> {
    file.set_len(length)?;
    file.sync_all()
}

/// The chain that `.writer` claims, if it is this folder's own, with its head file if that stands
/// behind. It is own when the path matches, the chain is unbroken, the head file is a prefix of
/// it, and it goes at most one record beyond `.writer`: what a crash can leave.
fn own_chain(study: &Study) -> Result<Option<(Chain, Option<Head>)>, ReadError> {
    let Some(bytes) = files::read_optional(&study.ledger().join(files::OWN))? else {
        return Ok(None);
    };
    let Ok(own) = serde_json::from_slice::<Own>(&bytes) else {
        return Ok(None);
    };
    if own.study != study.root().display().to_string() {
        return Ok(None);
    }
    let pointer = files::read_head(study, &own.writer)?;
    let chain = files::read_chain(study, &own.writer)?;
    let Some(pointer) = pointer.value() else {
        return Ok(None);
    };
    let continues = chain.broken.is_none()
        && chain.has_prefix(own.head)
        && chain.has_prefix(pointer)
        && chain.head().count <= own.head.count.saturating_add(1);
    let stale = (pointer != chain.head()).then_some(pointer);
    Ok(continues.then_some((chain, stale)))
}
