//! Programs that misbehave: the session is missing with its reason, and nothing of it counts.

use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::study::{Program, TempStudy, binary};

/// Runs a program that is wrong in every session; gives what `run` and the record say.
#[track_caller]
fn run(program: &Program) -> TempStudy {
    let study = program
        .clone()
        .with("sessions = 13", "sessions = 7")
        .locked();
    study.prereg(["run", "plan", "--on", "cpu"]).exits(2);
    study.prereg(["verify"]).exits(0).says("nothing found");
    study
}

/// Why the first session is missing, as its record says.
fn why(study: &TempStudy) -> String {
    let document = study.prereg(["analyze", "plan", "--json"]).exits(2).json();
    let missing = &document["runs"][0]["judgement"]["missing"];
    assert_eq!(missing.as_array().map(Vec::len), Some(7), "{missing}");
    missing[0].to_string()
}

#[track_caller]
fn fails(script: &str, with: &str) {
    let study = run(&Program::default().script(script));
    let why = why(&study);
    assert!(why.contains(with), "`{with}` is not in {why}");
}

#[test]
fn numbers_that_are_not_finite_are_refused() {
    for number in ["NaN", "Infinity", "-Infinity", "1e999"] {
        fails(&format!("nanoseconds() {{ echo {number}; }}"), "line 2");
    }
}

#[test]
fn a_negative_time_is_rejected() {
    fails("nanoseconds() { echo -5; }", "rejected-steps");
}

#[test]
fn a_program_that_prints_nothing_is_refused() {
    fails("main() { :; }", "slot 0");
}

#[test]
fn a_program_without_its_last_line_is_refused() {
    fails("end() { :; }", "end");
}

#[test]
fn a_last_line_without_newline_is_whole() {
    let study = Program::default()
        .script(r#"end() { printf '{"end":{"observations":%s}}' $steps; }"#)
        .locked();
    study.prereg(["run", "plan", "--on", "cpu"]).exits(0);
}

#[test]
fn half_a_line_and_then_death_is_refused() {
    fails(
        r#"extra() { printf '{"step_time":12'; kill -9 $$; }"#,
        "SIGKILL",
    );
}

#[test]
fn a_wrong_count_in_the_last_line_is_refused() {
    fails(r#"end() { echo '{"end":{"observations":5}}'; }"#, "5");
}

#[test]
fn too_few_steps_are_refused() {
    fails(
        "main() { steps=5; begin; i=0; while [ $i -lt 5 ]; do step; i=$((i + 1)); done; end; }",
        "5 steps where the lock gives 6",
    );
}

#[test]
fn text_that_is_not_utf_8_is_refused() {
    fails(
        r#"extra() { printf '{"telemetry":"pow\377r"}\n'; }"#,
        "line 8",
    );
}

#[test]
fn gigabytes_are_refused_early_and_never_held() {
    // Without a newline, and with: either ends long before the program would.
    fails("extra() { yes '' | tr '\\n' 'x'; }", "line");
    let lines = r#"extra() { yes "{\"telemetry\":\"power\",\"value\":1,\"unit\":\"W\"$(printf '%100000s' '')}"; }"#;
    fails(lines, "64 MiB");
}

#[test]
fn an_exit_code_and_a_signal_make_the_session_missing() {
    fails("extra() { exit 7; }", "exit status: 7");
    fails("extra() { kill -11 $$; }", "SIGSEGV");
}

#[test]
fn a_column_that_is_not_declared_is_refused() {
    fails(
        r#"begin() { echo '{"prereg":"prereg-observations/1","units":{"step_time":"ns","tokens":"token","ttft":"s"}}'; }"#,
        "ttft",
    );
    fails(
        r#"extra() { echo '{"telemetry":"gpu_util","value":1,"unit":"1","at_ns":1}'; }"#,
        "gpu_util",
    );
    fails(
        r#"extra() { echo '{"telemetry":"steal","value":0,"unit":"1","at_ns":1}'; }"#,
        "steal",
    );
}

#[test]
fn a_unit_of_another_dimension_is_refused() {
    fails(
        r#"begin() { echo '{"prereg":"prereg-observations/1","units":{"step_time":"B","tokens":"token"}}'; }"#,
        "step_time",
    );
}

#[test]
fn times_beyond_the_wall_time_of_the_process_make_the_session_missing() {
    fails(
        "nanoseconds() { echo 1000000000000; }",
        "longer than its process did",
    );
}

/// Processes that run `sleep` for this odd time.
fn sleepers(seconds: &str) -> usize {
    let listed = std::process::Command::new("ps")
        .args(["-eo", "args"])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&listed.stdout).into_owned();
    text.lines()
        .filter(|line| *line == format!("sleep {seconds}"))
        .count()
}

#[test]
fn children_that_are_left_behind_are_ended_and_the_session_is_missing() {
    fails("extra() { sleep 86399.5 & }", "left 1 processes running");
    // In a session of its own, out of the reach of a signal to the group, with all streams closed.
    fails(
        "extra() { setsid sleep 86399.5 < /dev/null > /dev/null 2>&1 & }",
        "left 1 processes running",
    );
    assert_eq!(sleepers("86399.5"), 0);
}

#[test]
fn a_program_that_ignores_termination_is_ended_at_the_time_out() {
    let program = Program::default()
        .with("seed = \"1\"", "seed = \"1\"\ntimeout = \"300 ms\"")
        .with("sessions = 13", "sessions = 7")
        .script("extra() { trap '' TERM; while :; do sleep 86398.5; done; }");
    let study = program.locked();
    let begun = Instant::now();
    study
        .prereg(["run", "plan", "--on", "cpu"])
        .exits(2)
        .says("ran past its time");
    // Each of the sessions has its time and what it is given to end by itself.
    assert!(begun.elapsed() < Duration::from_mins(2));
    assert_eq!(sleepers("86398.5"), 0);
    assert!(why(&study).contains("timed-out"));
}

#[test]
fn a_program_does_not_outlive_a_run_that_is_killed() {
    let study = Program::default()
        .script("extra() { exec sleep 86397.5; }")
        .locked();
    let mut run = binary(study.root())
        .args(["run", "plan", "--on", "cpu"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    until(|| sleepers("86397.5") == 1);
    run.kill().unwrap();
    run.wait().unwrap();
    until(|| sleepers("86397.5") == 0);
}

/// Waits for what comes in a moment, on any machine.
fn until(there: impl Fn() -> bool) {
    let patience = Instant::now() + Duration::from_mins(2);
    while !there() {
        assert!(Instant::now() < patience, "it did not come");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_script_that_changed_after_the_lock_is_refused() {
    let study = Program::default().locked();
    let script = study.read("program.sh");
    study.write("program.sh", &format!("# faster now\n{script}"));
    study
        .prereg(["run", "plan", "--on", "cpu"])
        .exits(65)
        .says("program.sh");
    assert!(study.history().runs().is_empty());
}

#[test]
fn an_input_that_is_not_there_is_refused_at_the_lock() {
    let study = TempStudy::new();
    let program = Program::default().with("slot-time", "inputs = [\"absent.bin\"]\nslot-time");
    program.write_to(&study);
    study.prereg(["lock", "plan"]).exits(66).says("absent.bin");
}

/// A program whose result file a reader reads.
fn with_reader(reader: &str, result: &str) -> Program {
    Program::default()
        .with("\"{arm}\"]", "\"{arm}\", \"{out}\"]")
        .with("slot-time", &format!("reader = \"{reader}\"\nslot-time"))
        .with("measured-steps = 12", "measured-steps = 6")
        .script(&format!(
            "out=$6\nmain() {{ cat > \"$out\" <<'RESULT'\n{result}\nRESULT\n}}"
        ))
}

#[test]
fn a_result_file_is_read() {
    let result = r#"{"results":[{"command":"x","mean":0.0001,"stddev":null,"median":0.0001,"user":0,"system":0,"min":0.0001,"max":0.0001,"times":[0.0001,0.00011,0.00012],"exit_codes":[0,0,0]}]}"#;
    let study = with_reader("hyperfine", result).locked();
    let run = study.prereg(["run", "plan", "--on", "cpu"]);
    assert!(matches!(run.code, Some(1 | 2)), "{run:#?}");
    run.says("13 sessions complete, 0 missing");
    study.prereg(["verify"]).exits(0);
}

#[test]
fn a_result_file_of_another_tool_is_refused() {
    let study = run(&with_reader(
        "hyperfine",
        r#"{"context":{"host_name":"x"},"benchmarks":[]}"#,
    ));
    assert!(why(&study).contains("hyperfine"), "{}", why(&study));
}

#[test]
fn a_result_file_that_is_not_there_is_refused() {
    let study = run(&with_reader("hyperfine", "").script("main() { :; }"));
    assert!(why(&study).contains("no result file"), "{}", why(&study));
}

#[test]
fn a_script_that_is_changed_while_the_run_goes_on_makes_its_sessions_missing() {
    fails(
        "extra() { echo '# faster' >> program.sh; }",
        "changed while the run went on",
    );
}

#[test]
fn a_file_that_was_not_there_at_the_lock_is_refused() {
    let study = Program::default()
        .with("\"{arm}\"]", "\"{arm}\", \"late_{arm}.bin\"]")
        .locked();
    study.write("late_fast.bin", "weights");
    study
        .prereg(["run", "plan", "--on", "cpu"])
        .exits(65)
        .says("`late_fast.bin` was not there at the lock");
    assert!(study.history().runs().is_empty());
}

#[test]
fn a_file_that_an_arm_names_is_locked() {
    let study = TempStudy::new();
    study.write("kind_slow.bin", "weights");
    Program::default()
        .with("\"{arm}\"]", "\"{arm}\", \"kind_{arm}.bin\"]")
        .lock_in(&study);
    study.write("kind_slow.bin", "others");
    study
        .prereg(["run", "plan", "--on", "cpu"])
        .exits(65)
        .says("kind_slow.bin");
}

#[test]
fn a_time_that_is_left_out_of_some_steps_makes_the_session_missing() {
    fails(
        r#"step() { [ $i -eq 3 ] && { echo '{"tokens":1}'; return; }; echo "{\"step_time\":$(nanoseconds),\"tokens\":1}"; }"#,
        "`step_time` in 5 of 6 steps",
    );
}

#[test]
fn a_reading_from_outside_the_slot_makes_the_session_missing() {
    fails(
        r#"extra() { echo '{"telemetry":"power","value":1,"unit":"W","at_ns":12345}'; }"#,
        "was taken at 12345 ns",
    );
}

#[test]
fn a_declared_time_beyond_the_wall_time_makes_the_session_missing() {
    let program = Program::default()
        .with("slot-time", "columns = { ttft = \"s\" }\nslot-time")
        .script(
            r#"begin() { echo '{"prereg":"prereg-observations/1","units":{"step_time":"ns","ttft":"s"}}'; }
step() { echo "{\"step_time\":$(nanoseconds),\"ttft\":1000}"; }"#,
        );
    let why = why(&run(&program));
    assert!(why.contains("`ttft` of 1000 s"), "{why}");
}

#[test]
fn what_a_program_plants_in_the_record_is_removed_and_the_session_missing() {
    fails(
        "extra() { for folder in runs/plan/*/sessions/$session/output; do mkfifo $folder/pipe; done; }",
        "left `pipe` in the session's own folder",
    );
}

#[test]
fn a_result_that_is_a_pipe_is_not_waited_for() {
    let study = run(&with_reader("hyperfine", "").script("main() { mkfifo \"$out\"; }"));
    assert!(why(&study).contains("not a file"), "{}", why(&study));
}

#[test]
fn what_leaves_its_group_is_ended_with_a_run_that_is_stopped() {
    let study = Program::default()
        .script("extra() { setsid sleep 86396.5 & exec sleep 86396.5; }")
        .locked();
    let mut run = binary(study.root())
        .args(["run", "plan", "--on", "cpu"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    until(|| sleepers("86396.5") == 2);
    let pid = rustix::process::Pid::from_child(&run);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    assert_eq!(run.wait().unwrap().code(), Some(130));
    assert_eq!(sleepers("86396.5"), 0);
}
