//! Declarations: from TOML to a checked experiment, its canonical form and its digests; and the targets file.
//!
//! [`check`] takes a file's bytes and the study's [`Targets`] and gives a [`Declaration`] in which every name is
//! resolved and every unit checked, or [`Diagnostics`] with every problem, its place and its fix. [`meaning_digest`] and
//! [`question_digest`] hash its canonical form.
//!
//! ```
//! use prereg_declaration::{Targets, check};
//!
//! let targets = Targets::parse("targets.toml", b"[cpu]\ndevice = \"cpu\"\nname = \"any\"\n").unwrap();
//! let problems = check("draft.toml", b"schema = \"prereg/1\"\ntargets = [\"cqu\"]\n", &targets).unwrap_err();
//! let first = "\
//! error[unknown-name]: there is no target `cqu`
//!  --> draft.toml:2:12
//!   |
//! 2 | targets = [\"cqu\"]
//!   |            ^^^^^
//!   |
//!   = help: did you mean `cpu`?";
//! assert!(problems.to_string().contains(first));
//! ```
//!
//! Invariants: a declaration that [`check`] returns is consistent in itself and with the targets; nothing of the file's
//! spelling reaches [`canonical`]; no input panics.

mod canonical;
mod check;
mod command;
mod constants;
mod declaration;
mod diagnostic;
mod difference;
mod digest;
mod expression;
mod inference;
mod language;
mod parsed;
mod refusal;
mod section;
mod source;
mod suggestion;
mod targets;
mod text;
mod value;
mod words;

pub use canonical::{canonical, meaning_digest, question, question_digest};
pub use check::check;
pub use command::{Command, DeclaredColumn, Reader, fill, has_placeholder};
pub use constants::{columns_used, constants_used};
pub use declaration::{
    Arm, CalibratedRange, Claim, Control, DataSeen, Declaration, Decode, DecodeArm, Gate,
    KillCondition, Launch, Metric, Order, Outcome, Plan, Protocol, Scope, Sync, Weights, Workload,
};
pub use diagnostic::{Code, Diagnostic, Diagnostics};
pub use difference::{Difference, differences};
pub use digest::{Digest, DigestError};
pub use expression::vocabulary::{KnownColumn, columns, statistic_names};
pub use expression::{
    Arithmetic, Column, Comparison, Condition, ConstantName, Number, Predicate, Statistic,
};
pub use inference::{Estimand, Inference, Interval, Scale, Stopping};
pub use targets::{ComputeCapability, Device, NamePattern, Sourced, Target, Targets};
