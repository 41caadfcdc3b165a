//! Preflight: what is read before a run is announced, and what stops it there.

use prereg_ledger::{Event, PreflightEvent};

use crate::study::{Finished, Plan, Program, TempStudy, binary, monotonic_offset};

fn preflights(study: &TempStudy) -> Vec<PreflightEvent> {
    let history = study.history();
    let events = history
        .records()
        .filter_map(|(_, record)| match &record.event {
            Event::Preflight(event) => Some(event.clone()),
            _ => None,
        });
    events.collect()
}

#[test]
fn what_was_read_stands_in_the_ledger_before_the_announcement() {
    let study = TempStudy::locked(&Plan::default());
    study
        .prereg(["run", "plan", "--on", "cpu"])
        .says("preflight: ");
    let history = study.history();
    let kinds: Vec<&str> = history
        .records()
        .map(|(_, record)| record.event.kind())
        .collect();
    assert_eq!(kinds[..3], ["locked", "preflight", "announced"]);
    let [preflight] = &preflights(&study)[..] else {
        panic!("one preflight")
    };
    assert_eq!(preflight.refusal, None);
    let readings = &preflight.readings;
    assert!(readings.timer_resolution_ns > 0 && readings.timer_overhead_ns > 0.0);
    assert!(readings.read_bandwidth.unwrap() > 1e8);
    assert!(readings.memory_available_bytes.unwrap() > 1 << 20);
    assert!(readings.disk_available_bytes.unwrap() > 1 << 20);
    assert!(
        readings.counters.contains(&"foreign_load".to_owned()),
        "{readings:?}"
    );
}

#[test]
fn a_machine_that_is_not_the_target_is_recorded_and_nothing_is_announced() {
    let plan = Plan::default().with("targets = [\"cpu\"]", "targets = [\"cpu\", \"h100\"]");
    let study = TempStudy::locked(&plan);
    study.prereg(["run", "plan", "--on", "h100"]).exits(69);
    assert!(study.history().runs().is_empty());
    let refused = &preflights(&study)[0];
    assert_eq!(refused.target, "h100");
    assert!(
        refused.refusal.as_ref().unwrap().contains("h100"),
        "{refused:?}"
    );
}

#[test]
fn a_program_that_is_not_there_is_refused_before_anything_is_announced() {
    let study = Program::default()
        .with("\"sh\", ", "\"no-such-program\", ")
        .locked();
    study
        .prereg(["run", "plan", "--on", "cpu"])
        .exits(69)
        .says("there is no program `no-such-program`");
    assert!(study.history().runs().is_empty());
    assert!(preflights(&study)[0].refusal.is_some());
}

/// A probe of a meter that is asked every 20 ms for 3 s and changes every 495 ms.
const PROBE: &str = r#"echo '{"prereg":"prereg-observations/1","units":{}}'
sleep 0.03
read -r up idle < /proc/uptime
whole=${up%.*} part=${up#*.}
first=$(((whole * 100 + 1$part - 100) * 10000000 + OFFSET)) poll=0
while [ $poll -le 150 ]; do
  echo "{\"telemetry\":\"power\",\"value\":$((200 + poll * 20 / 495)),\"unit\":\"W\",\"at_ns\":$((first + poll * 20000000))}"
  poll=$((poll + 1))
done
sleep 3.1
echo '{"end":{"observations":0}}'
"#;

fn metered(gate: &str, slot_time: &str) -> TempStudy {
    let study = TempStudy::new();
    study.write(
        "probe.sh",
        &PROBE.replace("OFFSET", &monotonic_offset().to_string()),
    );
    let program = Program::default()
        .with(
            "slot-time = \"10 ms\"",
            &format!("probe = [\"sh\", \"probe.sh\"]\nslot-time = \"{slot_time}\""),
        )
        .gate("each-session", gate);
    program.lock_in(&study);
    study
}

#[test]
fn a_meter_too_slow_for_the_declared_session_stops_the_run_with_the_length_that_would_work() {
    // The published case: 40 updates asked, sessions of 8 s.
    let study = metered("updates(power) >= 40", "2 s");
    study
        .prereg(["run", "plan", "--on", "cpu"])
        .exits(69)
        .says("gate `guard` asks for 40 updates of `power`, which changes every 500 ms: that takes 20 s")
        .says("make a slot last 5 s or more");
    assert!(study.history().runs().is_empty());
    let refused = &preflights(&study)[0];
    assert!(refused.refusal.is_some());
    let [meter] = &refused.readings.instruments[..] else {
        panic!("{refused:?}")
    };
    assert_eq!((meter.column.as_str(), meter.readings), ("power", 151));
}

#[test]
fn a_session_that_is_long_enough_for_the_meter_runs() {
    let study = metered("updates(power) >= 40", "5.1 s");
    let run = study.prereg(["run", "plan", "--on", "cpu"]);
    assert_eq!(study.history().runs().len(), 1, "{run:?}");
}

#[test]
fn a_rate_that_no_session_length_reaches_stops_the_run() {
    let study = metered("update_rate(power) >= 50 Hz", "60 s");
    study
        .prereg(["run", "plan", "--on", "cpu"])
        .exits(69)
        .says("no length of a session satisfies it");
    assert!(study.history().runs().is_empty());
}

#[test]
fn a_probe_that_fails_stops_the_run() {
    let study = TempStudy::new();
    study.write("probe.sh", "exit 3\n");
    Program::default()
        .with("slot-time", "probe = [\"sh\", \"probe.sh\"]\nslot-time")
        .lock_in(&study);
    study
        .prereg(["run", "plan", "--on", "cpu"])
        .exits(69)
        .says("the probe gives no readings");
}

/// A plan whose probe is this script.
fn probed(script: &str) -> TempStudy {
    let study = TempStudy::new();
    study.write("probe.sh", script);
    Program::default()
        .with("slot-time", "probe = [\"sh\", \"probe.sh\"]\nslot-time")
        .lock_in(&study);
    study
}

#[test]
fn a_probe_that_makes_steps_stops_the_run() {
    let script = "time=1 steps=1 session=0\necho '{\"prereg\":\"prereg-observations/1\",\"units\":{\"step_time\":\"s\"}}'\necho '{\"step_time\":1}'\necho '{\"end\":{\"observations\":1}}'";
    probed(script)
        .prereg(["run", "plan", "--on", "cpu"])
        .exits(69)
        .says("no step of the workload is made before a run is announced");
}

#[test]
fn readings_of_another_clock_stop_the_run() {
    let script = "echo '{\"prereg\":\"prereg-observations/1\",\"units\":{}}'\necho '{\"telemetry\":\"power\",\"value\":1,\"unit\":\"W\",\"at_ns\":5}'\necho '{\"end\":{\"observations\":0}}'";
    probed(script)
        .prereg(["run", "plan", "--on", "cpu"])
        .exits(69)
        .says("a reading was taken at 5 ns");
}

#[test]
fn a_program_that_sessions_would_not_find_is_refused() {
    let study = TempStudy::new();
    study.write("bin/onlyhere", "#!/bin/sh\n");
    let plan = Program::default()
        .with("\"sh\", ", "\"onlyhere\", ")
        .with("environment = [\"PATH\"]", "environment = []");
    plan.lock_in(&study);
    let output = binary(study.root())
        .env(
            "PATH",
            format!("{}:/usr/bin:/bin", study.path("bin").display()),
        )
        .args(["run", "plan", "--on", "cpu"])
        .output()
        .unwrap();
    Finished::of(output)
        .exits(69)
        .says("there is no program `onlyhere`");
}
