//! How a session's process is started, watched and ended: scripted with a shell in place of the real program.

#![expect(
    clippy::unwrap_used,
    reason = "a script that cannot be read back fails its test"
)]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::thread;
use std::time::Duration;

use prereg_declaration::Digest;
use prereg_executor::{
    DecodeSpec, Ending, Interrupt, LaunchError, Launcher, LocalProcess, SESSION_SCHEMA,
    SessionSpec, WeightsSpec, WorkloadSpec,
};
use prereg_runs::SeedRecord;
use tempfile::TempDir;

const AMPLE: Duration = Duration::from_mins(5);
const SHORT: Duration = Duration::from_millis(300);

fn spec() -> SessionSpec {
    SessionSpec {
        schema: SESSION_SCHEMA.to_owned(),
        parent: std::process::id(),
        folder: "runs/e/cpu-0123456789ab/sessions/3".to_owned(),
        index: 3,
        workload: WorkloadSpec::Decode(DecodeSpec {
            model: "smollm2-135m".to_owned(),
            weights: WeightsSpec::Random,
            context: 16,
            arms: BTreeMap::new(),
            warmup_steps: 1,
        }),
        order: vec![],
        slot_steps: 2,
        threads: 1,
        affinity: vec![],
        seeds: SeedRecord {
            weights: Digest::ZERO,
            prompt: Digest::ZERO,
            kv: Digest::ZERO,
            order: Digest::ZERO,
        },
    }
}

/// Runs a shell script as the session of a study in a fresh folder.
fn launch(
    script: &str,
    limit: Duration,
    interrupt: &Interrupt,
    allowed: &[&str],
) -> (Ending, TempDir) {
    let study = tempfile::tempdir().unwrap();
    let allowed: Vec<String> = allowed.iter().map(|name| (*name).to_owned()).collect();
    let launcher = LocalProcess::new("/bin/sh".into(), ["-c", script], study.path(), &allowed);
    let ending = launcher.launch(&spec(), limit, interrupt).unwrap();
    (ending, study)
}

fn read(study: &TempDir, name: &str) -> String {
    fs::read_to_string(study.path().join(name)).unwrap()
}

/// Whether the process whose id a script wrote into the file `pid` is gone.
fn is_gone(study: &TempDir) -> bool {
    let pid = read(study, "pid");
    !Path::new("/proc").join(pid.trim()).exists()
}

#[test]
fn the_child_works_in_the_study_and_reads_its_specification() {
    let (ending, study) = launch("cat > received", AMPLE, &Interrupt::new(), &[]);
    assert_eq!(ending, Ending::Finished);
    assert_eq!(
        serde_json::from_str::<SessionSpec>(&read(&study, "received")).unwrap(),
        spec()
    );
}

#[test]
fn the_environment_holds_what_is_allowed_and_a_fixed_locale_and_zone() {
    // Set by cargo for every test.
    let (_, study) = launch(
        "env > variables",
        AMPLE,
        &Interrupt::new(),
        &["CARGO_MANIFEST_DIR", "NOT_SET_ANYWHERE"],
    );
    let variables = read(&study, "variables");
    let mut names: Vec<&str> = variables
        .lines()
        .filter_map(|line| Some(line.split_once('=')?.0))
        .collect();
    names.retain(|name| !["PWD", "OLDPWD", "SHLVL", "_"].contains(name));
    names.sort_unstable();
    assert_eq!(names, ["CARGO_MANIFEST_DIR", "LC_ALL", "TZ"]);
    assert!(
        variables.contains("LC_ALL=C\n") && variables.contains("TZ=UTC\n"),
        "{variables}"
    );
}

#[test]
fn a_failure_tells_its_status_and_the_end_of_its_error_stream() {
    let script = "i=0; while [ $i -lt 2000 ]; do echo line $i >&2; i=$((i+1)); done; exit 7";
    let (ending, _study) = launch(script, AMPLE, &Interrupt::new(), &[]);
    let Ending::Failed { status, stderr } = ending else {
        panic!("{ending:?}")
    };
    assert!(status.contains('7'), "{status}");
    assert!(
        stderr.ends_with("line 1999") && !stderr.contains("line 0\n"),
        "{stderr}"
    );
}

#[test]
fn a_child_that_runs_past_the_limit_is_ended() {
    let (ending, study) = launch(
        "echo $$ > pid; exec sleep 600",
        SHORT,
        &Interrupt::new(),
        &[],
    );
    assert_eq!(ending, Ending::TimedOut);
    assert!(is_gone(&study));
}

#[test]
fn a_child_that_closed_its_error_stream_and_runs_past_the_limit_is_ended() {
    let (ending, study) = launch(
        "echo $$ > pid; exec sleep 600 2>&-",
        SHORT,
        &Interrupt::new(),
        &[],
    );
    assert_eq!(ending, Ending::TimedOut);
    assert!(is_gone(&study));
}

#[test]
fn what_a_child_started_ends_with_it() {
    let (ending, study) = launch(
        "sleep 600 & echo $! > pid; wait",
        SHORT,
        &Interrupt::new(),
        &[],
    );
    assert_eq!(ending, Ending::TimedOut);
    // It is nobody's child by now; the kernel takes it away in its own time.
    while !is_gone(&study) && !read_state(&study).contains('Z') {
        thread::sleep(Duration::from_millis(5));
    }
}

/// State of the process in `pid`; a process that vanishes meanwhile counts as one that ended.
fn read_state(study: &TempDir) -> String {
    let status = fs::read_to_string(
        Path::new("/proc")
            .join(read(study, "pid").trim())
            .join("status"),
    );
    let status = status.unwrap_or_else(|_| "State: Z".to_owned());
    status
        .lines()
        .find(|line| line.starts_with("State:"))
        .unwrap_or("State: Z")
        .to_owned()
}

#[test]
fn a_request_to_stop_ends_the_child() {
    let interrupt = Interrupt::new();
    let study = tempfile::tempdir().unwrap();
    let launcher = LocalProcess::new(
        "/bin/sh".into(),
        ["-c", "echo $$ > pid; exec sleep 600"],
        study.path(),
        &[],
    );
    let other = interrupt.clone();
    let begun = study.path().join("pid");
    let stopper = thread::spawn(move || {
        while !fs::read_to_string(&begun).is_ok_and(|pid| pid.ends_with('\n')) {
            thread::sleep(Duration::from_millis(5));
        }
        other.raise();
    });
    let ending = launcher.launch(&spec(), AMPLE, &interrupt).unwrap();
    stopper.join().unwrap();
    assert_eq!(ending, Ending::Interrupted);
    assert!(is_gone(&study));
}

#[test]
fn a_program_that_is_not_there_is_an_error() {
    let study = tempfile::tempdir().unwrap();
    let launcher = LocalProcess::new("/no/such/program".into(), ["session"], study.path(), &[]);
    let error = launcher
        .launch(&spec(), AMPLE, &Interrupt::new())
        .unwrap_err();
    assert!(
        matches!(error, LaunchError::Start { session: 3, .. }),
        "{error}"
    );
}
