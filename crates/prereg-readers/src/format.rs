//! The formats by name, with what they hold and what they cannot support.

use std::fmt;

use crate::{criterion, google_benchmark, hyperfine, lines, llama_bench, nvbench, vllm_latency};

/// What a program writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Format {
    /// The protocol of [`crate::lines`].
    Lines,
    /// `hyperfine --export-json`.
    Hyperfine,
    /// `llama-bench -o json` or `-o jsonl`.
    LlamaBench,
    /// `--json` of a benchmark of nvbench.
    Nvbench,
    /// `--benchmark_out` of a benchmark of google/benchmark.
    GoogleBenchmark,
    /// `sample.json` or `estimates.json` of criterion.
    Criterion,
    /// `vllm bench latency --output-json`.
    VllmLatency,
}

/// A column that a format gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KnownColumn {
    /// Its name in expressions.
    pub name: &'static str,
    /// The base unit of its values.
    pub unit: &'static str,
    /// What one value is.
    pub meaning: &'static str,
}

/// What there is to know about a format; stands beside its reader.
pub(crate) struct About {
    pub(crate) name: &'static str,
    pub(crate) columns: &'static [KnownColumn],
    pub(crate) limits: &'static [&'static str],
    /// What is read, for the message of a refusal.
    pub(crate) accepted: &'static str,
    pub(crate) example: &'static [&'static str],
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 7] = [
        Self::Lines,
        Self::Hyperfine,
        Self::LlamaBench,
        Self::Nvbench,
        Self::GoogleBenchmark,
        Self::Criterion,
        Self::VllmLatency,
    ];

    fn about(self) -> &'static About {
        match self {
            Self::Lines => &lines::ABOUT,
            Self::Hyperfine => &hyperfine::ABOUT,
            Self::LlamaBench => &llama_bench::ABOUT,
            Self::Nvbench => &nvbench::ABOUT,
            Self::GoogleBenchmark => &google_benchmark::ABOUT,
            Self::Criterion => &criterion::ABOUT,
            Self::VllmLatency => &vllm_latency::ABOUT,
        }
    }

    /// The name that a declaration's `reader` takes.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.about().name
    }

    /// The format of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// The columns that every file of the format has; `lines` may have further ones, as the program states them.
    #[must_use]
    pub fn columns(self) -> &'static [KnownColumn] {
        self.about().columns
    }

    /// What the format cannot support, a sentence each.
    #[must_use]
    pub fn limits(self) -> &'static [&'static str] {
        self.about().limits
    }

    /// Which layouts and versions are read.
    #[must_use]
    pub fn accepted(self) -> &'static str {
        self.about().accepted
    }

    /// A command that writes the format, program first, with the placeholders of a declaration. `{variant}` is what
    /// arms give a value for; those that begin with `your_` are for an author to replace.
    #[must_use]
    pub fn example(self) -> &'static [&'static str] {
        self.about().example
    }

    /// Whether the program writes to standard output; otherwise it writes the file `{out}`.
    #[must_use]
    pub fn writes_to_stdout(self) -> bool {
        matches!(self, Self::Lines | Self::LlamaBench)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use prereg_units::Unit;

    #[test]
    fn a_name_names_its_format_and_no_other() {
        for format in Format::ALL {
            assert_eq!(Format::named(format.name()), Some(format));
        }
        assert_eq!(Format::named("Lines"), None);
    }

    #[test]
    fn every_column_has_a_unit_that_is_its_own_base_unit() {
        for column in Format::ALL.into_iter().flat_map(Format::columns) {
            assert_eq!(Unit::parse(column.unit).map(Unit::scale), Ok(1.0));
        }
    }

    #[test]
    fn a_command_names_the_result_file_unless_it_prints() {
        for format in Format::ALL {
            let names_it = format.example().iter().any(|part| part.contains("{out}"));
            assert_eq!(names_it, !format.writes_to_stdout(), "{format}");
        }
    }
}
