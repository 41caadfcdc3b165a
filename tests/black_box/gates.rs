//! Each gate, violated and nothing else: the verdict is `abstained` with that reason and no other.
//!
//! What a program can report is reported by one, in a real run; what only the tool reads of a host is read of a
//! simulated one.

use serde_json::{Value, json};

use crate::study::{Figures, Plan, Program, TempStudy};

/// The reasons of the claim, after a run that abstained.
#[track_caller]
fn reasons_of(study: &TempStudy) -> Value {
    study.prereg(["verify"]).exits(0);
    let document = study.prereg(["analyze", "plan", "--json"]).exits(2).json();
    assert_eq!(document["claims"]["faster"]["verdict"], "abstained");
    document["claims"]["faster"]["reasons"]["cpu"].clone()
}

/// Runs a program whose plan has one gate, and gives the reasons.
#[track_caller]
fn reasons(program: &Program) -> Value {
    let study = program.locked();
    study.prereg(["run", "plan", "--on", "cpu"]).exits(2);
    reasons_of(&study)
}

fn failed() -> Value {
    json!([{ "code": "gate-failed", "gate": "guard" }])
}

fn unobserved() -> Value {
    json!([{ "code": "gate-unobserved", "gate": "guard" }])
}

/// The same program with a gate that its readings satisfy passes, so that the gate alone abstains.
#[track_caller]
fn passes(program: &Program) {
    let study = program.locked();
    study.prereg(["run", "plan", "--on", "cpu"]).exits(0);
    study.prereg(["verify"]).exits(0);
}

/// A power meter whose value changes every `period` µs and which is asked every 20 µs, 101 times a slot: the published
/// case, 495 ms where 20 ms was asked, a thousand times as fast. Its probe says that it changes every 20 µs; what the run
/// itself reports decides.
fn meter(period: u32) -> Program {
    let polls = |period: u32| {
        format!(
            r#"  sleep 0.03
  first=$(now) poll=0
  while [ $poll -le 100 ]; do
    value=$((200 + poll * 20 / {period})) at=$((first + poll * 20000))
    echo "{{\"telemetry\":\"power\",\"value\":$value,\"unit\":\"W\",\"at_ns\":$at}}"
    poll=$((poll + 1))
  done
  sleep 0.03"#
        )
    };
    let (probe, run) = (polls(20), polls(period));
    let probed = format!(
        "extra() {{\n{run}\n}}\nif [ \"$time\" = probe ]; then\n  steps=0\n  echo '{{\"prereg\":\"prereg-observations/1\",\"units\":{{}}}}'\n{probe}\n  end\n  exit\nfi"
    );
    Program::default()
        .with("sessions = 13", "sessions = 7")
        .with(
            "slot-time = \"10 ms\"",
            "probe = [\"sh\", \"program.sh\", \"probe\"]\nslot-time = \"2 s\"",
        )
        .script(&probed)
}

#[test]
fn a_meter_that_changes_25_times_slower_than_asked_fails_the_updates() {
    let gate = "updates(power) >= 40";
    assert_eq!(reasons(&meter(495).gate("each-session", gate)), failed());
    passes(&meter(20).gate("each-session", gate));
}

#[test]
fn a_meter_that_changes_25_times_slower_than_asked_fails_the_rate() {
    let gate = "update_rate(power) >= 40 kHz";
    assert_eq!(reasons(&meter(495).gate("each-session", gate)), failed());
    passes(&meter(20).gate("each-session", gate));
}

#[test]
fn a_meter_that_is_silent_in_one_slot_fails_the_coverage() {
    let silent = |slots: &str| {
        let lines = format!(
            r#"extra() {{ case $slot in {slots}) ;; *) echo '{{"telemetry":"power","value":200,"unit":"W"}}' ;; esac; }}"#
        );
        Program::default()
            .script(&lines)
            .gate("each-session", "coverage(power) >= 100 %")
    };
    assert_eq!(reasons(&silent("2")), failed());
    passes(&silent("9"));
}

#[test]
fn a_reading_that_is_missing_is_not_observed_and_not_passed() {
    let program = Program::default().gate("each-session", "max(power) <= 700 W");
    assert_eq!(reasons(&program), unobserved());
}

#[test]
fn clocks_that_drop_midway_fail_the_frequency_floor() {
    let clocks = |late: &str| {
        let lines = format!(
            r#"extra() {{
  clock=3.0
  [ $slot -ge 2 ] && clock={late}
  echo "{{\"telemetry\":\"cpu_clock\",\"value\":$clock,\"unit\":\"GHz\"}}"
}}"#
        );
        Program::default()
            .script(&lines)
            .gate("each-session", "min(cpu_clock) >= 2.5 GHz")
    };
    assert_eq!(reasons(&clocks("1.2")), failed());
    passes(&clocks("2.9"));
}

#[test]
fn a_process_that_works_beside_the_program_fails_the_foreign_load() {
    // Each slot sleeps long enough for the ticks of processor time to be counted.
    let program = Program::default()
        .with("sessions = 13", "sessions = 7")
        .script("extra() { sleep 0.15; }")
        .gate("each-session", "max(foreign_load) <= 0.3");
    let study = program.locked();
    let mut foreign = std::process::Command::new("sh")
        .args(["-c", "while :; do :; done"])
        .spawn()
        .unwrap();
    let run = study.prereg(["run", "plan", "--on", "cpu"]);
    foreign.kill().unwrap();
    foreign.wait().unwrap();
    run.exits(2);
    assert_eq!(reasons_of(&study), failed());
}

/// Reasons after a simulated run of the decode plan with one more gate, whose host says what `figures` is made to say.
#[track_caller]
fn simulated(gate: &str, change: impl Fn(&mut Figures)) -> Value {
    let gates =
        format!("[gates]\nguard = {{ each-session = \"{gate}\", otherwise = \"abstain\" }}");
    let plan = Plan::default().with("[gates]", &gates);
    let (study, run) = TempStudy::judged(&plan, 1.26, |_, figures| change(figures));
    if run.code == Some(0) {
        return json!("passes");
    }
    run.exits(2);
    reasons_of(&study)
}

#[test]
fn time_that_a_hypervisor_steals_fails_its_gate() {
    let gate = "max(steal) <= 2 %";
    let steal = |share| simulated(gate, |figures| figures.readings = vec![("steal", share)]);
    assert_eq!(steal(0.03), failed());
    assert_eq!(steal(0.01), json!("passes"));
    assert_eq!(simulated(gate, |_| ()), unobserved());
}

#[test]
fn bandwidth_that_halves_during_a_session_fails_its_gate() {
    let gate = "unsteadiness(read_bandwidth) <= 10 %";
    let last = |share| simulated(gate, |figures| figures.last_bandwidth = share);
    assert_eq!(last(0.5), failed());
    assert_eq!(last(0.99), json!("passes"));
}

#[test]
fn steps_that_slow_down_within_a_slot_fail_the_steadiness() {
    let program = |growth: u32| {
        Program::default()
            .script(&format!(
                "nanoseconds() {{ echo $((time * 10 + session + i * {growth})); }}"
            ))
            .gate("each-session", "unsteadiness(step_time[slow]) <= 5 %")
    };
    assert_eq!(reasons(&program(60)), failed());
    passes(&program(1));
}

#[test]
fn sessions_that_differ_fail_the_relative_spread() {
    let program = |growth: u32| {
        Program::default()
            .script(&format!(
                "nanoseconds() {{ echo $((time * (10 + session * {growth}) + session)); }}"
            ))
            .gate("across-sessions", "cv(slow_step) <= 10 %")
    };
    assert_eq!(reasons(&program(1)), failed());
    passes(&program(0));
}

#[test]
fn sessions_that_differ_fail_the_absolute_spread() {
    let program = |growth: u32| {
        Program::default()
            .script(&format!(
                "nanoseconds() {{ echo $((time * (10 + session * {growth}) + session)); }}"
            ))
            .gate("across-sessions", "sd(slow_step) <= 50 ns")
    };
    assert_eq!(reasons(&program(1)), failed());
    passes(&program(0));
}

#[test]
fn outputs_that_differ_after_the_first_step_fail_the_equality() {
    let program = |step: u32| {
        Program::default()
            .script(&format!(
                r#"step() {{
  digest=$output
  [ $i -eq {step} ] && [ $arm = fast ] && digest=0000000000000000000000000000000000000000000000000000000000000002
  echo "{{\"step_time\":$(nanoseconds),\"output\":\"$digest\"}}"
}}"#
            ))
            .gate("each-session", "output[slow] == output[fast]")
    };
    assert_eq!(reasons(&program(1)), failed());
    passes(&program(99));
}

#[test]
fn outputs_that_are_not_reported_are_not_the_same() {
    let program = Program::default()
        .script(r#"step() { echo "{\"step_time\":$(nanoseconds)}"; }"#)
        .gate("each-session", "output[slow] == output[fast]");
    assert_eq!(reasons(&program), unobserved());
}

#[test]
fn a_session_that_is_lost_fails_the_count() {
    let program = |session: u32| {
        Program::default()
            .script(&format!(
                "extra() {{ [ $session -eq {session} ] && exit 3; : ; }}"
            ))
            .gate("across-sessions", "count(speedup) >= 13")
    };
    assert_eq!(reasons(&program(4)), failed());
    passes(&program(99));
}

#[test]
fn a_program_of_another_version_fails_the_fact() {
    let program = |version: &str| {
        Program::default()
            .with(
                "slot-time",
                &format!("facts = {{ tool = [\"echo\", \"tool {version}\"] }}\nslot-time"),
            )
            .gate("each-session", r#"fact[tool] == "tool 1.2""#)
    };
    assert_eq!(reasons(&program("1.3")), failed());
    passes(&program("1.2"));
}

#[test]
fn a_fact_that_cannot_be_had_is_not_observed() {
    let program = Program::default()
        .with("slot-time", "facts = { tool = [\"false\"] }\nslot-time")
        .gate("each-session", r#"fact[tool] == "tool 1.2""#);
    assert_eq!(reasons(&program), unobserved());
}

#[test]
fn a_step_time_of_zero_makes_its_session_missing_and_is_never_clamped() {
    let program = Program::default().script("nanoseconds() { echo 0; }");
    let study = program.locked();
    study
        .prereg(["run", "plan", "--on", "cpu"])
        .exits(2)
        .says("24 steps had a non-positive duration");
    let reasons = reasons_of(&study);
    assert_eq!(reasons.as_array().map(Vec::len), Some(1), "{reasons}");
    assert_eq!(reasons[0]["code"], "undetermined");
    assert_eq!(reasons[0]["cause"], "too-few-sessions");
}

/// A third arm that is the baseline again, a control over the two, and times that differ between slots by up to `noise`
/// in a thousand, whichever arm runs: the program cannot tell the pair apart.
fn controlled(noise: u32) -> Program {
    Program::default()
        .with("\"{slot}\", \"{arm}\"]", "\"{slot}\"]")
        .with("[arms]", "[arms]\nslow_again = { time = \"126\" }")
        .with("speedup = \"2 %\"", "speedup = \"2 %\", aa = \"0.5 %\"")
        .with(
            "[metrics]",
            "[controls]\nsame_arm = { metric = \"aa\", within = \"2 %\" }\n\n[metrics]\naa = \"slow_step / median(step_time[slow_again])\"",
        )
        .script(&format!(
            "nanoseconds() {{ echo $((time * (1000 + (session * 7919 + slot * slot * 89) % ({noise} + 1)) / 100 + session)); }}"
        ))
}

#[test]
fn a_control_pair_that_differs_by_more_than_its_bound_abstains() {
    let failed = json!([{ "code": "control-failed", "control": "same_arm" }]);
    assert_eq!(reasons(&controlled(2000)), failed);
    passes(&controlled(12));
}

fn calibrated(to: &str) -> Program {
    let range = format!(
        "[calibrated-range]\nslow_step = {{ from = \"1 us\", to = \"{to}\" }}\n\n[claims.faster]"
    );
    Program::default().with("[claims.faster]", &range)
}

#[test]
fn a_session_outside_the_calibrated_range_abstains_and_the_report_says_what_that_changed() {
    // The last session's step is 1272 ns.
    let study = calibrated("1.271 us").locked();
    study.prereg(["run", "plan", "--on", "cpu"]).exits(2);
    let outside = json!([{ "code": "outside-calibrated-range", "metric": "slow_step" }]);
    assert_eq!(reasons_of(&study), outside);
    let report = study.read("reports/plan.md");
    assert!(
        report.contains("abstaining changed the outcome"),
        "{report}"
    );
    passes(&calibrated("1.272 us"));
}
