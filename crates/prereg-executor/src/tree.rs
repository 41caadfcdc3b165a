//! Every process that a slot, a fact, a probe or a session starts is gone before the next one begins.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitOptions, kill_process, wait};

/// Time that processes have to end by themselves after the program has.
const GRACE: Duration = Duration::from_millis(500);

/// Makes this process the parent of every descendant whose own parent ends, so that none escapes.
pub fn adopt_orphans() {
    #[cfg(target_os = "linux")]
    // Where the kernel refuses, a process that leaves its group stays behind, as it would without this.
    let _refused = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
}

/// Waits until no child of this process is left; those that do not end by themselves are killed. Gives how many those
/// were. Only while no child is waited for elsewhere.
#[must_use]
pub fn clear() -> usize {
    let patience = Instant::now() + GRACE;
    while Instant::now() < patience {
        if !reap() {
            return 0;
        }
        thread::sleep(Duration::from_millis(2));
    }
    let mut killed = 0;
    // A child of a killed process becomes a child of this one, and is killed in the next round.
    loop {
        let children = children();
        for child in &children {
            let _gone = kill_process(*child, Signal::KILL);
        }
        killed += children.len();
        if !reap() {
            return killed;
        }
        thread::sleep(Duration::from_millis(2));
    }
}

/// Collects children that have ended. Whether any child is left.
fn reap() -> bool {
    loop {
        match wait(WaitOptions::NOHANG) {
            Ok(Some(_)) => {}
            Ok(None) => return true,
            Err(_) => return false,
        }
    }
}

/// The children of this process that still run.
fn children() -> Vec<Pid> {
    let own = rustix::process::getpid().as_raw_nonzero().get();
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    let child = |pid: &i32| {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        // The name in brackets may hold anything; the state and the parent follow the last bracket.
        let mut fields = stat
            .rsplit(')')
            .next()
            .unwrap_or_default()
            .split_whitespace();
        let (state, parent) = (fields.next(), fields.next());
        state != Some("Z") && parent.and_then(|parent| parent.parse().ok()) == Some(own)
    };
    pids.filter(child).filter_map(Pid::from_raw).collect()
}
