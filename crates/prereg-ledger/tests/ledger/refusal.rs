//! Where the system refuses to write: a full disk, a read-only folder.
//!
//! Both need a file system of their own; where none can be mounted, the tests say so and pass.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

use prereg_ledger::{AppendError, OpenError, Study, Writer, write_atomic};

use crate::fixture::{Fixture, layout, note};

/// A small file system in memory, unmounted when dropped.
struct SmallDisk {
    folder: tempfile::TempDir,
}

const PAGE: usize = 4096;

impl SmallDisk {
    fn mount(test: &str) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let mounted = mount(&["-t", "tmpfs", "-o", "size=512k", "tmpfs"], folder.path());
        if !mounted {
            eprintln!("SKIPPED {test}: no tmpfs can be mounted here (it takes root)");
        }
        mounted.then(|| Self { folder })
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Fills the disk up to `free` pages.
    fn fill(&self, free: usize) {
        let path = self.path().join("filler");
        let _ = fs::remove_file(&path);
        let mut file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&path)
            .unwrap();
        let mut pages = 0;
        while file.write_all(&[1; PAGE]).is_ok() {
            pages += 1;
        }
        file.set_len(((pages - free) * PAGE) as u64).unwrap();
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.path()).status();
    }
}

fn mount(arguments: &[&str], folder: &Path) -> bool {
    let mut command = Command::new("mount");
    command.args(arguments).arg(folder).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

fn temporary_files(study: &Study) -> usize {
    let names = fs::read_dir(study.ledger())
        .unwrap()
        .map(|entry| entry.unwrap().file_name());
    names
        .filter(|name| name.to_string_lossy().ends_with(".tmp"))
        .count()
}

#[test]
fn a_full_disk_leaves_the_chain_as_it_was_and_the_next_append_works() {
    let test = "a_full_disk_leaves_the_chain_as_it_was_and_the_next_append_works";
    let Some(disk) = SmallDisk::mount(test) else {
        return;
    };
    let study = layout(disk.path());
    let mut writer = Writer::open(&study).unwrap();
    writer.append(note("before")).unwrap();
    let long = "x".repeat(5 * PAGE);
    let mut refused = 0;
    let mut stored = 1;
    // From no free page, where the temporary files do not fit, over a few, where the line is
    // torn, to enough.
    for free in 0..12 {
        disk.fill(free);
        match writer.append(note(&long)) {
            Ok(_) => stored += 1,
            Err(AppendError::Write(error)) => {
                assert_eq!(error.io().kind(), io::ErrorKind::StorageFull);
                assert!(error.to_string().contains("the disk is full"), "{error}");
                refused += 1;
            }
            Err(other) => panic!("{other}"),
        }
        let history = prereg_ledger::History::read(&study).unwrap();
        assert!(
            history.findings().is_empty(),
            "{free}: {:?}",
            history.findings()
        );
        assert!(
            history.leftovers().is_empty(),
            "{free}: {:?}",
            history.leftovers()
        );
        assert_eq!(history.records().count(), stored, "{free}");
        assert_eq!(temporary_files(&study), 0, "{free}");
    }
    assert!(
        refused >= 6 && stored >= 2,
        "refused {refused}, stored {stored}"
    );
    fs::remove_file(disk.path().join("filler")).unwrap();
    writer.append(note("after")).unwrap();
}

#[test]
fn a_full_disk_at_the_first_append_leaves_no_chain() {
    let test = "a_full_disk_at_the_first_append_leaves_no_chain";
    let Some(disk) = SmallDisk::mount(test) else {
        return;
    };
    let study = layout(disk.path());
    let long = "x".repeat(5 * PAGE);
    for free in 0..7 {
        disk.fill(free);
        let mut writer = Writer::open(&study).unwrap();
        assert!(writer.append(note(&long)).is_err(), "{free}");
        let names = fs::read_dir(study.ledger())
            .unwrap()
            .map(|entry| entry.unwrap().file_name());
        let chains = names
            .filter(|name| !name.to_string_lossy().starts_with('.'))
            .count();
        assert_eq!(chains, 0, "{free}");
    }
    fs::remove_file(disk.path().join("filler")).unwrap();
    Writer::open(&study).unwrap().append(note("after")).unwrap();
    assert!(
        prereg_ledger::History::read(&study)
            .unwrap()
            .findings()
            .is_empty()
    );
}

#[test]
fn a_full_disk_leaves_a_replaced_file_as_it_was() {
    let Some(disk) = SmallDisk::mount("a_full_disk_leaves_a_replaced_file_as_it_was") else {
        return;
    };
    let path = disk.path().join("file");
    write_atomic(&path, b"old").unwrap();
    disk.fill(1);
    let error = write_atomic(&path, &[2; 3 * PAGE]).unwrap_err();
    assert_eq!(error.io().kind(), io::ErrorKind::StorageFull);
    assert_eq!(error.path(), path);
    assert_eq!(fs::read(&path).unwrap(), b"old");
}

#[test]
fn a_read_only_study_is_refused_by_name_and_still_read() {
    let folder = tempfile::tempdir().unwrap();
    let disk = SmallDisk::mount("(read-only disk; a read-only folder is tried instead)");
    let study = layout(disk.as_ref().map_or(folder.path(), SmallDisk::path));
    Writer::open(&study)
        .unwrap()
        .append(note("before"))
        .unwrap();
    match &disk {
        Some(disk) => assert!(mount(&["-o", "remount,ro"], disk.path())),
        None => set_writable(&study.ledger(), false),
    }
    let opened = Writer::open(&study).and_then(|mut writer| {
        writer
            .append(note("after"))
            .map(|_| ())
            .map_err(OpenError::Repair)
    });
    set_writable(&study.ledger(), true);
    let Err(error) = opened else {
        assert!(disk.is_none());
        eprintln!(
            "SKIPPED a_read_only_study_is_refused_by_name_and_still_read: this user writes everywhere"
        );
        return;
    };
    let (OpenError::Write(refused) | OpenError::Repair(AppendError::Write(refused))) = &error
    else {
        panic!("{error}")
    };
    assert!(refused.path().starts_with(study.ledger()), "{error}");
    assert!(refused.to_string().contains("read-only"), "{refused}");
    assert_eq!(
        prereg_ledger::History::read(&study)
            .unwrap()
            .records()
            .count(),
        1
    );
}

fn set_writable(folder: &Path, writable: bool) {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = if writable { 0o755 } else { 0o555 };
    // On a read-only disk this fails, and is not needed.
    let _ = fs::set_permissions(folder, fs::Permissions::from_mode(mode));
}

#[test]
fn a_ledger_that_is_a_file_is_refused_by_name() {
    let fixture = Fixture::new();
    fs::remove_dir(fixture.study.ledger()).unwrap();
    fs::write(fixture.study.ledger(), b"").unwrap();
    let error = Writer::open(&fixture.study).unwrap_err();
    assert!(error.to_string().contains("ledger"), "{error}");
}
