//! Targets: where experiments run, and the identity that a device must prove.
//!
//! `targets.toml` has one table a target:
//!
//! ```toml
//! [cpu]
//! device = "cpu"
//! name = "any"                  # or a pattern of the processor's model name, with `*`
//!
//! [h100]
//! device = "cuda"
//! name = "NVIDIA H100*"
//! compute-capability = "9.0"
//! memory = "79 GB"              # at least
//! peak-bandwidth = { value = "3350 GB/s", source = "datasheet" }
//! ```
//!
//! The optional keys are `cores` on a `cpu`, `mig` on a `cuda` device, `memory` and `peak-bandwidth`, `hourly-rate` and
//! `rated-sm-clock` (the last on a `cuda` device only), each of the last three as a value and its source.

mod canonical;
mod read;

use std::collections::BTreeMap;
use std::fmt;

use prereg_units::Quantity;

/// The targets of a study, by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Targets {
    by_name: BTreeMap<String, Target>,
}

impl Targets {
    /// The target of this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Target> {
        self.by_name.get(name)
    }

    /// Every target, by name.
    pub fn iter(&self) -> impl Iterator<Item = &Target> {
        self.by_name.values()
    }
}

/// One target.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// Its name, `[a-z][a-z0-9_]*`.
    pub name: String,
    /// What kind of device it is.
    pub device: Device,
    /// What the device must call itself.
    pub pattern: NamePattern,
    /// How many cores a CPU must have.
    pub cores: Option<u32>,
    /// The compute capability that a CUDA device must have; given for every one.
    pub compute_capability: Option<ComputeCapability>,
    /// The least memory, in bytes.
    pub memory: Option<Quantity>,
    /// Whether a CUDA device is a slice of a partitioned one.
    pub mig: bool,
    /// Datasheet bandwidth of the memory, in B/s.
    pub peak_bandwidth: Option<Sourced>,
    /// What an hour costs, in USD/s.
    pub hourly_rate: Option<Sourced>,
    /// Rated clock of the multiprocessors, in 1/s.
    pub rated_sm_clock: Option<Sourced>,
}

impl Target {
    /// The quantity that the target gives for a constant of the expression language; nothing where it gives none.
    #[must_use]
    pub fn constant(&self, name: &str) -> Option<Quantity> {
        let mut constants = self.constants();
        constants.find_map(|(constant, sourced)| (constant == name).then_some(sourced.value))
    }

    /// The constants of the expression language that the target gives, by name.
    pub fn constants(&self) -> impl Iterator<Item = (&'static str, &Sourced)> {
        [
            ("peak_bandwidth", &self.peak_bandwidth),
            ("hourly_rate", &self.hourly_rate),
            ("rated_sm_clock", &self.rated_sm_clock),
        ]
        .into_iter()
        .filter_map(|(name, sourced)| Some((name, sourced.as_ref()?)))
    }

    /// The entry as one text, which a lock holds: a table of TOML with its keys sorted, quantities in base units,
    /// defaults left out. [`Targets::parse`] reads it back.
    #[must_use]
    pub fn canonical(&self) -> String {
        canonical::canonical(self)
    }
}

/// Kind of device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Device {
    /// The host's processor.
    Cpu,
    /// A GPU driven through CUDA.
    Cuda,
}

impl Device {
    /// As the file spells it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cpu => "cpu",
            Self::Cuda => "cuda",
        }
    }
}

/// A quantity and where it was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Sourced {
    /// The quantity, above zero.
    pub value: Quantity,
    /// The document, in words.
    pub source: String,
}

/// A CUDA compute capability.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ComputeCapability {
    /// Before the point.
    pub major: u32,
    /// After it.
    pub minor: u32,
}

impl fmt::Display for ComputeCapability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// A device's name, in which `*` stands for any text; `any` alone fits every name. Case counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamePattern(String);

impl NamePattern {
    /// Whether a device of this name fits.
    #[must_use]
    pub fn matches(&self, name: &str) -> bool {
        if self.is_any() {
            return true;
        }
        let mut parts = self.0.split('*');
        // `split` yields at least one part, the text before the first `*`.
        let Some(mut rest) = parts.next().and_then(|first| name.strip_prefix(first)) else {
            return false;
        };
        let mut parts: Vec<&str> = parts.collect();
        let Some(last) = parts.pop() else {
            return rest.is_empty();
        };
        for part in parts {
            match rest.find(part) {
                Some(at) => rest = &rest[at + part.len()..],
                None => return false,
            }
        }
        rest.ends_with(last)
    }

    /// Whether every name fits.
    #[must_use]
    pub fn is_any(&self) -> bool {
        self.0 == "any"
    }
}

impl fmt::Display for NamePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fits(pattern: &str, name: &str) -> bool {
        NamePattern(pattern.to_owned()).matches(name)
    }

    #[test]
    fn a_star_stands_for_any_text() {
        assert!(fits("NVIDIA H100*", "NVIDIA H100 80GB HBM3"));
        assert!(fits("*EPYC*Processor", "AMD EPYC 9R14 96-Core Processor"));
        assert!(!fits("NVIDIA H100*", "NVIDIA H200"));
        assert!(!fits("*EPYC*Processor", "AMD EPYC 9R14"));
        assert!(!fits("a*a", "a"));
    }

    #[test]
    fn without_a_star_the_whole_name_must_be_equal() {
        assert!(fits("NVIDIA L4", "NVIDIA L4"));
        assert!(!fits("NVIDIA L4", "NVIDIA L40S"));
    }

    #[test]
    fn any_fits_every_name() {
        assert!(fits("any", ""));
        assert!(fits("any", "AMD EPYC 9R14"));
    }
}
