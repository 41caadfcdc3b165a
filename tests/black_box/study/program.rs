//! A plan whose workload is a shell script of the test, really run.

use super::folder::TempStudy;
use super::plan::Plan;

const PLAN: &str = r#"schema = "prereg/1"
id = "plan"
title = "Is the second program faster?"
data-seen = "none"
targets = ["cpu"]
baseline = "slow"

[workload]
kind = "command"
command = ["sh", "program.sh", "{time}", "{steps}", "{session}", "{slot}", "{arm}"]
slot-time = "10 ms"

[protocol]
sessions = 13
order = "mirror"
measured-steps = 12
seed = "1"
environment = ["PATH"]

[inference]
assumed-cv = { speedup = "2 %" }

[arms]
slow = { time = "126" }
fast = { time = "100" }

[metrics]
slow_step = "median(step_time[slow])"
speedup = "slow_step / median(step_time[fast])"

[claims.faster]
text = "The second program is at least 1.15 times as fast."
on = ["cpu"]
expected = { speedup = 1.26 }
rival = { speedup = 1.02 }
kill = ["speedup < 1.15"]
"#;

/// Prints the protocol: steps of `time` × 10 ns and a little more each session, all with one output. What a test adds
/// goes where `step` and `extra` are called.
const SCRIPT: &str = r#"time=$1 steps=$2 session=$3 slot=$4 arm=$5
output=0000000000000000000000000000000000000000000000000000000000000001
begin() { echo '{"prereg":"prereg-observations/1","units":{"step_time":"ns","tokens":"token"}}'; }
nanoseconds() { echo $((time * 10 + session)); }
step() { echo "{\"step_time\":$(nanoseconds),\"tokens\":1,\"output\":\"$output\"}"; }
extra() { :; }
# Nanoseconds of the monotonic clock, to 10 ms: hence the pauses around readings that have a time.
now() {
  read -r up idle < /proc/uptime
  whole=${up%.*} part=${up#*.}
  echo $(((whole * 100 + 1$part - 100) * 10000000 + OFFSET))
}
end() { echo "{\"end\":{\"observations\":$steps}}"; }
main() {
  begin
  i=0
  while [ $i -lt $steps ]; do step; i=$((i + 1)); done
  extra
  end
}
"#;

/// A plan and its program. `Program::default()` passes in half a second.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    plan: Plan,
    script: String,
}

impl Default for Program {
    fn default() -> Self {
        Self {
            plan: Plan::of(PLAN),
            script: format!("{SCRIPT}\n"),
        }
    }
}

impl Program {
    /// The same with `old`, which the plan contains once, replaced by `new`.
    #[track_caller]
    pub(crate) fn with(self, old: &str, new: &str) -> Self {
        Self {
            plan: self.plan.with(old, new),
            ..self
        }
    }

    /// The same with a gate `guard` that abstains.
    pub(crate) fn gate(self, scope: &str, expression: &str) -> Self {
        let gate = format!(
            "[gates]\nguard = {{ {scope} = '{expression}', otherwise = \"abstain\" }}\n\n[claims.faster]"
        );
        self.with("[claims.faster]", &gate)
    }

    /// The same whose script has these lines before it starts: functions that replace its own.
    pub(crate) fn script(self, lines: &str) -> Self {
        Self {
            script: format!("{}{lines}\n", self.script),
            ..self
        }
    }

    /// A study with the plan locked.
    pub(crate) fn locked(&self) -> TempStudy {
        let study = TempStudy::new();
        self.lock_in(&study);
        study
    }

    /// Writes plan and program, and locks.
    #[track_caller]
    pub(crate) fn lock_in(&self, study: &TempStudy) {
        self.write_to(study);
        study.prereg(["lock", "plan"]).exits(0);
    }

    pub(crate) fn write_to(&self, study: &TempStudy) {
        let script = self
            .script
            .replace("OFFSET", &monotonic_offset().to_string());
        study.write("program.sh", &format!("{script}main\n"));
        study.declare(&self.plan);
    }
}

/// What the monotonic clock is ahead of the time since the machine started, which counts suspension too.
pub(crate) fn monotonic_offset() -> i64 {
    let uptime = std::fs::read_to_string("/proc/uptime").unwrap();
    let seconds: f64 = uptime.split(' ').next().unwrap().parse().unwrap();
    let now = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    now.tv_sec * 1_000_000_000 + now.tv_nsec - (seconds * 1e9).round() as i64
}
