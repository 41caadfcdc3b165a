//! A full disk and a folder that cannot be written. Both need a small file system of their own; where none can be
//! mounted the test says so and checks nothing.

use std::fs::{self, Permissions};
use std::io::{ErrorKind, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::study::{Finished, Plan, Scripted, TempStudy, binary};

/// A user and a group without rights of their own.
const NOBODY: u32 = 65_534;

/// A file system in memory, unmounted at the end.
struct SmallDisk {
    path: PathBuf,
    _folder: TempDir,
}

impl SmallDisk {
    /// Two megabytes; none where this user may not mount.
    fn mount() -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().canonicalize().unwrap();
        let mounted = mount(&["-t", "tmpfs", "-o", "size=2m", "tmpfs"], &path);
        if !mounted {
            eprintln!("SKIPPED: this user cannot mount a tmpfs, so nothing was checked here");
        }
        mounted.then_some(Self {
            path,
            _folder: folder,
        })
    }

    /// Takes all space but `pages` of 4096 bytes.
    fn fill(&self, pages: usize) {
        let filler = self.path.join("filler");
        let mut file = fs::File::create_new(&filler).unwrap();
        let full = loop {
            if let Err(error) = file.write_all(&[0; 4096]) {
                break error;
            }
        };
        assert_eq!(full.kind(), ErrorKind::StorageFull);
        let length = file.metadata().unwrap().len() - 4096 * pages as u64;
        file.set_len(length).unwrap();
    }

    fn free(&self) {
        fs::remove_file(self.path.join("filler")).unwrap();
    }

    fn make(&self, mode: &str) {
        assert!(mount(&["-o", &format!("remount,{mode}")], &self.path));
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.path).status();
    }
}

fn mount(arguments: &[&str], path: &Path) -> bool {
    Command::new("mount")
        .args(arguments)
        .arg(path)
        .output()
        .is_ok_and(|output| output.status.success())
}

/// A study on `disk` whose run passes.
fn judged(disk: &SmallDisk) -> TempStudy {
    let study = TempStudy::at(&disk.path);
    study.declare(&Plan::default());
    study.prereg(["lock", "plan"]).exits(0);
    study
        .simulate(1.26, |_, figures| Scripted::Complete(figures))
        .exits(0);
    study
}

#[test]
fn a_lock_on_a_full_disk_fails_leaves_nothing_half_written_and_works_when_there_is_space() {
    let Some(disk) = SmallDisk::mount() else {
        return;
    };
    let study = TempStudy::at(&disk.path);
    study.declare(&Plan::default());
    for pages in 0..4 {
        disk.fill(pages);
        study
            .prereg(["lock", "plan"])
            .exits(74)
            .says("the disk is full");
        disk.free();
        study.prereg(["verify"]).exits(0);
        assert!(study.files("prereg/locks").is_empty());
    }
    study.prereg(["lock", "plan"]).exits(0);
    study.prereg(["verify"]).exits(0);
}

/// Whatever the moment at which space runs out: the record stays sound, and the run is brought to its seal afterwards.
#[test]
fn a_run_on_a_disk_that_fills_up_leaves_a_sound_record_and_ends_when_there_is_space() {
    // Below 17 pages preflight refuses, which is tested by itself; above, space runs out while the run is measured.
    for pages in [17, 18, 19, 20, 22, 24, 28, 32] {
        let Some(disk) = SmallDisk::mount() else {
            return;
        };
        let study = TempStudy::at(&disk.path);
        study.declare(&Plan::default().with("sessions = 13", "sessions = 5"));
        study.prereg(["lock", "plan"]).exits(0);
        disk.fill(pages);
        let stopped = study
            .prereg(["run", "plan", "--on", "cpu"])
            .exits(74)
            .says("the disk is full");
        disk.free();
        study.prereg(["verify"]).exits(0);
        let finished = match study.history().runs() {
            [] => study.prereg(["run", "plan", "--on", "cpu"]),
            // Only the report is left to be written; `run` has said so.
            [run] if !run.verdicts.is_empty() => {
                stopped.says("prereg report plan");
                study.prereg(["report", "plan"])
            }
            _ => study.prereg(["run", "plan", "--on", "cpu", "--resume"]),
        };
        assert!(
            matches!(finished.code, Some(0..=2)),
            "{pages} pages: {finished:#?}"
        );
        assert_eq!(study.history().runs()[0].verdicts.len(), 1);
        assert!(study.path("reports/plan.md").is_file());
        study.prereg(["verify"]).exits(0);
    }
}

#[test]
fn a_run_that_would_not_fit_on_the_disk_is_refused_before_it_is_announced() {
    let Some(disk) = SmallDisk::mount() else {
        return;
    };
    let study = TempStudy::at(&disk.path);
    study.declare(&Plan::default());
    study.prereg(["lock", "plan"]).exits(0);
    disk.fill(8);
    study
        .prereg(["run", "plan", "--on", "cpu"])
        .exits(69)
        .says("free some");
    assert!(study.history().runs().is_empty());
    disk.free();
    study.prereg(["verify"]).exits(0);
}

#[test]
fn a_report_on_a_full_disk_leaves_the_old_one() {
    let Some(disk) = SmallDisk::mount() else {
        return;
    };
    let study = judged(&disk);
    let before = study.contents("reports");
    disk.fill(0);
    study
        .prereg(["report", "plan"])
        .exits(74)
        .says("the disk is full");
    assert_eq!(study.contents("reports"), before);
}

#[test]
fn commands_that_write_fail_on_a_read_only_study_and_commands_that_read_work() {
    let Some(disk) = SmallDisk::mount() else {
        return;
    };
    let study = judged(&disk);
    study.declare(&Plan::default().with("speedup < 1.15", "speedup < 1.14"));
    disk.make("ro");
    study.prereg(["lock", "plan"]).exits(74).says("read-only");
    study
        .prereg(["run", "plan", "--on", "cpu"])
        .exits(74)
        .says("read-only");
    study.prereg(["report", "plan"]).exits(74).says("read-only");
    study.prereg(["check", "plan"]).exits(0);
    study.prereg(["analyze", "plan"]).exits(0);
    study.prereg(["verify"]).exits(0);
    study.prereg(["list"]).exits(0);
    disk.make("rw");
}

/// Root may write everywhere, so the program then runs as a user who may not.
#[test]
fn a_folder_without_the_right_to_write_is_an_error_that_says_so() {
    let study = TempStudy::with(&Plan::default());
    let folders = ["prereg/ledger", "prereg/locks", "prereg"];
    let set = |mode: u32| {
        for folder in folders {
            fs::set_permissions(study.path(folder), Permissions::from_mode(mode)).unwrap();
        }
    };
    fs::set_permissions(study.root(), Permissions::from_mode(0o755)).unwrap();
    set(0o555);
    let mut command = binary(study.root());
    command.args(["lock", "plan"]);
    if rustix::process::getuid().is_root() {
        command.uid(NOBODY).gid(NOBODY);
    }
    let output = command.output();
    set(0o755);
    match output {
        Ok(output) => drop(
            Finished::of(output)
                .exits(74)
                .says("it is read-only for this user"),
        ),
        Err(error) => eprintln!(
            "SKIPPED: another user cannot start the program ({error}), so nothing was checked here"
        ),
    }
    assert!(study.files("prereg/locks").is_empty());
}
