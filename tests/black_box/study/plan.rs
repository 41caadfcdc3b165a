//! The declaration that the tests lock and run.

/// Thirteen sessions of a tiny model: a lower bound exists while at most three are missing.
const PLAN: &str = r#"schema = "prereg/1"
id = "plan"
title = "Is replay faster?"
data-seen = "none"
targets = ["cpu"]
baseline = "eager"

[workload]
kind = "decode"
model = "models/tiny"
weights = "checkpoint"
plan = "fused"
context = 4

[protocol]
sessions = 13
order = "mirror"
warmup-steps = 1
measured-steps = 4
sync = "per-step"
seed = "1"
threads = 1

[inference]
assumed-cv = { speedup = "2 %" }

[arms]
eager = { launch = "eager" }
graphed = { launch = "graph" }

[metrics]
eager_step = "median(step_time[eager])"
speedup = "eager_step / median(step_time[graphed])"

[gates]
same_output = { each-session = "logits[eager] == logits[graphed]", otherwise = "abstain" }
memory = { each-session = "min(read_bandwidth) >= 1 kB/s", otherwise = "exclude" }
steady = { across-sessions = "cv(eager_step) <= 1000 %", otherwise = "abstain" }

[claims.faster]
text = "Replay makes a step at least 1.15 times as fast."
on = ["cpu"]
expected = { speedup = 1.26 }
rival = { speedup = 1.02 }
kill = ["speedup < 1.15"]
"#;

/// A declaration. `Plan::default()` is whole, can be locked, and runs in a second.
#[derive(Clone, Debug)]
pub(crate) struct Plan(String);

impl Default for Plan {
    fn default() -> Self {
        Self(PLAN.to_owned())
    }
}

impl Plan {
    pub(super) fn of(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// The same with `old`, which it must contain once, replaced by `new`.
    #[track_caller]
    pub(crate) fn with(self, old: &str, new: &str) -> Self {
        assert_eq!(self.0.matches(old).count(), 1, "`{old}` in the plan");
        Self(self.0.replace(old, new))
    }

    /// The same for a model whose session takes a good part of a second, in five sessions.
    pub(crate) fn slow(self) -> Self {
        self.with("models/tiny", "models/slow")
            .with(r#"weights = "checkpoint""#, r#"weights = "random""#)
            .with("sessions = 13", "sessions = 5")
            .with("measured-steps = 4", "measured-steps = 40")
    }

    pub(crate) fn text(&self) -> &str {
        &self.0
    }
}
