//! The canonical form: one text for one meaning, whatever the file's spelling, comments and order.
//!
//! One line a fact, `path = value`, sorted by path in byte order, each ended by LF, after a first line with the
//! version:
//!
//! ```text
//! prereg/1
//! arms.eager.launch = "eager"
//! arms.eager.plan = "op-by-op"
//! baseline = "eager"
//! claims.gain.expected.speedup = 1.26e0
//! claims.gain.kill.0 = speedup < 1.15e0
//! …
//! ```
//!
//! - Text stands in quotes, escaped as in JSON, DEL as `\u007f`.
//! - Quantities and plain fractions are printed by [`prereg_units::Quantity::canonical`]: base units, shortest exact
//!   decimal. Counts are decimal integers, durations integer nanoseconds.
//! - Expressions are printed from their checked tree ([`crate::Number`], [`crate::Predicate`], [`crate::Condition`]).
//! - Sets (targets, environment) are sorted; lists whose order means something (kill conditions, affinity) keep it.
//! - `launch` and `plan` stand at each arm, wherever the file gives them.
//! - A key whose value is its default is left out, so that a key added later changes no digest.
//!
//! The **question form** is the same text without `id`, `title`, `data-seen`, `data-seen-figures`, `protocol.seed`,
//! `protocol.sessions`, `inference.assumed-cv`, and a claim's `text`, `expected` and `rival`, and with `_` for every
//! number that a kill condition or a gate compares with.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::time::Duration;

use prereg_units::{Dimension, Quantity};

use crate::Digest;
use crate::command::{Command, Reader};
use crate::declaration::{Arm, Claim, Declaration, Gate, Protocol, Workload};
use crate::expression::Thresholds;
use crate::inference::{Estimand, Inference, Interval, Scale, Stopping};
use crate::parsed::{DEFAULT_ALPHA, DEFAULT_BLOCKS, DEFAULT_TIMEOUT, SCHEMA};

/// The canonical form of a declaration.
#[must_use]
pub fn canonical(declaration: &Declaration) -> String {
    Lines::of(declaration, Thresholds::Shown).text()
}

/// The lines of the canonical form below the version: values by path.
pub(crate) fn facts(declaration: &Declaration) -> BTreeMap<String, String> {
    Lines::of(declaration, Thresholds::Shown).by_path
}

/// The question form of a declaration.
#[must_use]
pub fn question(declaration: &Declaration) -> String {
    let mut lines = Lines::of(declaration, Thresholds::Blank);
    lines.by_path.retain(|path, _| !is_blanked(path));
    lines.text()
}

/// Digest of the canonical form: unchanged by spelling, comments and order.
#[must_use]
pub fn meaning_digest(declaration: &Declaration) -> Digest {
    Digest::of(canonical(declaration).as_bytes())
}

/// Digest of the question form: the same for two declarations that ask the same question with other thresholds,
/// predictions, names of the whole, or numbers of sessions.
#[must_use]
pub fn question_digest(declaration: &Declaration) -> Digest {
    Digest::of(question(declaration).as_bytes())
}

/// Text in quotes.
pub(crate) fn quoted(text: &str) -> String {
    Quoted(text).to_string()
}

struct Quoted<'a>(&'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for c in self.0.chars() {
            match c {
                '"' => f.write_str("\\\"")?,
                '\\' => f.write_str("\\\\")?,
                '\n' => f.write_str("\\n")?,
                '\t' => f.write_str("\\t")?,
                c if c < ' ' || c == '\u{7f}' => write!(f, "\\u{:04x}", u32::from(c))?,
                c => f.write_char(c)?,
            }
        }
        f.write_char('"')
    }
}

fn is_blanked(path: &str) -> bool {
    let parts: Vec<&str> = path.split('.').collect();
    matches!(
        parts.as_slice(),
        ["id" | "title" | "data-seen" | "data-seen-figures"]
            | ["protocol", "seed" | "sessions"]
            | ["inference", "assumed-cv", _]
            | ["claims", _, "text"]
            | ["claims", _, "expected" | "rival", _]
    )
}

struct Lines {
    by_path: BTreeMap<String, String>,
    thresholds: Thresholds,
}

impl Lines {
    fn of(declaration: &Declaration, thresholds: Thresholds) -> Self {
        let mut lines = Self {
            by_path: BTreeMap::new(),
            thresholds,
        };
        lines.declaration(declaration);
        lines
    }

    fn text(&self) -> String {
        let mut text = format!("{SCHEMA}\n");
        for (path, value) in &self.by_path {
            text.extend([path, " = ", value, "\n"]);
        }
        text
    }

    fn line(&mut self, path: impl Into<String>, value: impl fmt::Display) {
        self.by_path.insert(path.into(), value.to_string());
    }

    /// A line for a value that is not the default.
    fn unless<T: PartialEq + fmt::Display>(&mut self, default: &T, path: &str, value: &T) {
        if value != default {
            self.line(path, value);
        }
    }

    fn declaration(&mut self, declaration: &Declaration) {
        self.line("id", quoted(&declaration.id));
        self.line("title", quoted(&declaration.title));
        self.line("data-seen", quoted(declaration.data_seen.name()));
        if let Some(figures) = &declaration.data_seen_figures {
            self.line("data-seen-figures", quoted(figures));
        }
        self.line(
            "targets",
            list(declaration.targets.iter().map(|name| quoted(name))),
        );
        self.line("baseline", quoted(&declaration.baseline));
        self.workload(&declaration.workload);
        self.protocol(&declaration.protocol);
        self.inference(&declaration.inference);
        for (name, arm) in &declaration.arms {
            self.arm(name, arm);
        }
        for (name, metric) in &declaration.metrics {
            self.line(format!("metrics.{name}"), &metric.expression);
        }
        for (name, gate) in &declaration.gates {
            self.gate(name, gate);
        }
        for (name, control) in &declaration.controls {
            self.line(format!("controls.{name}.metric"), quoted(&control.metric));
            self.threshold(format!("controls.{name}.within"), fraction(control.within));
        }
        for (metric, range) in &declaration.calibrated_range {
            for (key, end) in [("from", range.from), ("to", range.to)] {
                self.threshold(format!("calibrated-range.{metric}.{key}"), end.canonical());
            }
        }
        for (name, claim) in &declaration.claims {
            self.claim(name, claim);
        }
    }

    /// A line for a number that something is compared with.
    fn threshold(&mut self, path: String, value: String) {
        let value = match self.thresholds {
            Thresholds::Shown => value,
            Thresholds::Blank => "_".to_owned(),
        };
        self.line(path, value);
    }

    fn workload(&mut self, workload: &Workload) {
        self.line("workload.kind", quoted(workload.kind()));
        match workload {
            Workload::Decode(decode) => {
                self.line("workload.model", quoted(&decode.model));
                self.line("workload.weights", quoted(decode.weights.name()));
                self.line("workload.context", decode.context);
            }
            Workload::Command(command) => self.command(command),
        }
    }

    fn command(&mut self, command: &Command) {
        let words = |words: &[String]| list(words.iter().map(|word| quoted(word)));
        self.line("workload.command", words(&command.words));
        if command.reader != Reader::default() {
            self.line("workload.reader", quoted(command.reader.name()));
        }
        if !command.inputs.is_empty() {
            self.line("workload.inputs", words(&command.inputs));
        }
        for (name, value) in &command.environment {
            self.line(format!("workload.environment.{name}"), quoted(value));
        }
        for (table, columns) in [
            ("columns", &command.columns),
            ("telemetry", &command.telemetry),
        ] {
            for (name, column) in columns {
                self.line(format!("workload.{table}.{name}"), quoted(&column.unit));
            }
        }
        for (name, pin) in &command.pins {
            self.line(format!("workload.pins.{}", quoted(name)), quoted(pin));
        }
        for (name, fact) in &command.facts {
            self.line(format!("workload.facts.{name}"), words(fact));
        }
        if let Some(probe) = &command.probe {
            self.line("workload.probe", words(probe));
        }
        self.line("workload.slot-time", nanoseconds(command.slot_time));
    }

    fn protocol(&mut self, protocol: &Protocol) {
        self.line("protocol.sessions", protocol.sessions);
        self.line("protocol.order", quoted(protocol.order.name()));
        self.line("protocol.measured-steps", protocol.measured_steps);
        if let Some(sync) = protocol.sync {
            self.line("protocol.warmup-steps", protocol.warmup_steps);
            self.line("protocol.sync", quoted(sync.name()));
        }
        self.line("protocol.seed", quoted(&protocol.seed));
        if let Some(threads) = protocol.threads {
            self.line("protocol.threads", threads);
        }
        if !protocol.affinity.is_empty() {
            self.line(
                "protocol.affinity",
                list(protocol.affinity.iter().map(u32::to_string)),
            );
        }
        if !protocol.environment.is_empty() {
            self.line(
                "protocol.environment",
                list(protocol.environment.iter().map(|name| quoted(name))),
            );
        }
        if protocol.timeout != DEFAULT_TIMEOUT {
            self.line("protocol.timeout", nanoseconds(protocol.timeout));
        }
        self.unless(&false, "protocol.same-code", &protocol.same_code);
        self.unless(&DEFAULT_BLOCKS, "protocol.blocks", &protocol.blocks);
        if !protocol.min_gap.is_zero() {
            self.line("protocol.min-gap", nanoseconds(protocol.min_gap));
        }
    }

    fn inference(&mut self, inference: &Inference) {
        let Inference {
            interval,
            estimand,
            scale,
            stopping,
            ..
        } = inference;
        for (key, word, default) in [
            ("interval", interval.name(), Interval::default().name()),
            ("estimand", estimand.name(), Estimand::default().name()),
            ("scale", scale.name(), Scale::default().name()),
            ("stopping", stopping.name(), Stopping::default().name()),
        ] {
            if word != default {
                self.line(format!("inference.{key}"), quoted(word));
            }
        }
        for (key, alpha) in [
            ("alpha-pass", inference.alpha_pass),
            ("alpha-falsified", inference.alpha_falsified),
        ] {
            if alpha != DEFAULT_ALPHA {
                self.line(format!("inference.{key}"), fraction(alpha));
            }
        }
        for (metric, cv) in &inference.assumed_cv {
            self.line(format!("inference.assumed-cv.{metric}"), fraction(*cv));
        }
    }

    fn arm(&mut self, name: &str, arm: &Arm) {
        match arm {
            Arm::Decode(arm) => {
                self.line(format!("arms.{name}.launch"), quoted(arm.launch.name()));
                self.line(format!("arms.{name}.plan"), quoted(arm.plan.name()));
            }
            Arm::Command(values) if values.is_empty() => self.line(format!("arms.{name}"), "{}"),
            Arm::Command(values) => {
                for (key, value) in values {
                    self.line(format!("arms.{name}.{key}"), quoted(value));
                }
            }
        }
    }

    fn gate(&mut self, name: &str, gate: &Gate) {
        let thresholds = self.thresholds;
        let predicate = Printed(|f: &mut fmt::Formatter<'_>| gate.predicate.print(f, thresholds));
        self.line(format!("gates.{name}.{}", gate.scope.name()), predicate);
        self.line(
            format!("gates.{name}.otherwise"),
            quoted(gate.otherwise.name()),
        );
    }

    fn claim(&mut self, name: &str, claim: &Claim) {
        self.line(format!("claims.{name}.text"), quoted(&claim.text));
        self.line(
            format!("claims.{name}.on"),
            list(claim.on.iter().map(|name| quoted(name))),
        );
        for (key, values) in [("expected", &claim.expected), ("rival", &claim.rival)] {
            for (metric, value) in values {
                self.line(format!("claims.{name}.{key}.{metric}"), value.canonical());
            }
        }
        let thresholds = self.thresholds;
        for (index, kill) in claim.kill.iter().enumerate() {
            let condition =
                Printed(|f: &mut fmt::Formatter<'_>| kill.condition.print(f, thresholds));
            self.line(format!("claims.{name}.kill.{index}"), condition);
        }
    }
}

struct Printed<F>(F);

impl<F: Fn(&mut fmt::Formatter<'_>) -> fmt::Result> fmt::Display for Printed<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (self.0)(f)
    }
}

fn list(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(", "))
}

/// Integer nanoseconds: a duration is not a fraction of seconds.
fn nanoseconds(duration: Duration) -> String {
    format!("{} ns", duration.as_nanos())
}

/// A plain number, printed like a quantity.
fn fraction(value: f64) -> String {
    Quantity::new(value, Dimension::NONE).map_or_else(|_| value.to_string(), Quantity::canonical)
}
