//! The words by which a declaration spells its choices.
//!
//! One table a choice, used for reading and for printing, so that the two cannot differ.

use crate::command::Reader;
use crate::declaration::{DataSeen, Launch, Order, Outcome, Plan, Scope, Sync, Weights};
use crate::inference::{Estimand, Interval, Scale, Stopping};

/// Gives an enum its words: a table for the reader, and `name` for everything that prints.
macro_rules! words {
    ($type:ident { $($variant:ident = $word:literal),+ $(,)? }) => {
        impl $type {
            /// Every choice and its word.
            pub(crate) const WORDS: &[(&'static str, Self)] = &[$(($word, Self::$variant)),+];

            /// The word, as a declaration spells it.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $word),+
                }
            }
        }
    };
}

words!(DataSeen {
    None = "none",
    PublishedElsewhere = "published-elsewhere",
    Pilot = "pilot",
    ThisData = "this-data",
});
words!(Weights {
    Random = "random",
    Checkpoint = "checkpoint",
});
words!(Plan {
    Fused = "fused",
    OpByOp = "op-by-op",
});
words!(Launch {
    Eager = "eager",
    Graph = "graph",
});
words!(Reader {
    Lines = "lines",
    Hyperfine = "hyperfine",
    LlamaBench = "llama-bench",
    Nvbench = "nvbench",
    GoogleBenchmark = "google-benchmark",
    Criterion = "criterion",
    VllmLatency = "vllm-latency",
});
words!(Order { Mirror = "mirror" });
words!(Sync {
    PerStep = "per-step",
    PerSlot = "per-slot",
});
words!(Scope {
    EachSession = "each-session",
    AcrossSessions = "across-sessions",
});
words!(Outcome {
    Abstain = "abstain",
    Exclude = "exclude",
});
words!(Interval {
    OrderStatistic = "order-statistic",
    StudentT = "student-t",
    BootstrapPercentile = "bootstrap-percentile",
    BootstrapBca = "bootstrap-bca",
    BootstrapT = "bootstrap-t",
    Census = "census",
});
words!(Estimand {
    Median = "median",
    GeometricMean = "geometric-mean",
    Mean = "mean",
});
words!(Scale {
    Log = "log",
    Linear = "linear",
});
words!(Stopping {
    Fixed = "fixed",
    Sequence = "sequence",
});
