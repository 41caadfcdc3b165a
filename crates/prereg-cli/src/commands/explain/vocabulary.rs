//! Columns and statistics of the expression language.

use super::Explanation;

pub(super) const COLUMNS: &[Explanation] = &[
    Explanation {
        code: "context_switches",
        meaning: "Switches between tasks on all processors, a second, during a slot.",
        action: "max(context_switches) <= 5 kHz in a gate on each session",
    },
    Explanation {
        code: "cpu_clock",
        meaning: "Frequency, the mean over the processors: one reading a slot, where the host shows it or the program reports it.",
        action: "min(cpu_clock) >= 2 GHz in a gate on each session",
    },
    Explanation {
        code: "cpu_pressure",
        meaning: "Share of a slot's time in which some task waited for a processor.",
        action: "max(cpu_pressure) <= 5 % in a gate on each session",
    },
    Explanation {
        code: "foreign_load",
        meaning: "Processors' worth of time that other processes than the session's own used during a slot.",
        action: "max(foreign_load) <= 0.5 in a gate on each session",
    },
    Explanation {
        code: "last_level_cache",
        meaning: "Bytes of the outermost cache that holds data.",
        action: "Compare it with the bytes of a step, to know whether they can stay in the cache.",
    },
    Explanation {
        code: "power",
        meaning: "Watts: on a CPU the energy of its packages over a slot, from a GPU or from the program what its meter says.",
        action: "Demand updates(power) or update_rate(power) beside it: a meter can be asked faster than it answers.",
    },
    Explanation {
        code: "read_bandwidth",
        meaning: "Bytes a second of a sweep that only reads: over the weights around each slot of decode, over a buffer before the first and after the last slot of a program.",
        action: "unsteadiness(read_bandwidth) <= 10 % in a gate on each session",
    },
    Explanation {
        code: "sm_clock",
        meaning: "Clock of the multiprocessors of a CUDA device.",
        action: "min(sm_clock) >= 75 % * rated_sm_clock in a gate on each session",
    },
    Explanation {
        code: "steal",
        meaning: "Share of all processors' time that a hypervisor kept from this machine during a slot.",
        action: "max(steal) <= 5 % in a gate on each session",
    },
    Explanation {
        code: "step_time",
        meaning: "Seconds of one step of an arm: timed here for decode, as reported by the program for a command.",
        action: "median(step_time[ARM]) in a metric",
    },
    Explanation {
        code: "temperature",
        meaning: "Kelvins of the hottest sensor.",
        action: "max(temperature) <= 360 K in a gate on each session",
    },
    Explanation {
        code: "tokens",
        meaning: "Tokens that one step of an arm produced.",
        action: "sum(tokens[ARM]) / sum(step_time[ARM]) in a metric",
    },
];

pub(super) const STATISTICS: &[Explanation] = &[
    Explanation {
        code: "count",
        meaning: "How many values there are.",
        action: "count(step_time[ARM])",
    },
    Explanation {
        code: "coverage",
        meaning: "Share of the measured slots that have at least one reading of a column without an arm.",
        action: "coverage(power) >= 100 % in a gate on each session: a reading that is missing is no reading that is fine.",
    },
    Explanation {
        code: "cv",
        meaning: "Spread as a share: over steps sd / mean, over sessions √(exp(s²) − 1) with s the standard deviation of the logarithms.",
        action: "cv(METRIC) <= 4 % in a gate across sessions",
    },
    Explanation {
        code: "max",
        meaning: "The largest value.",
        action: "max(steal)",
    },
    Explanation {
        code: "mean",
        meaning: "The arithmetic mean.",
        action: "mean(power)",
    },
    Explanation {
        code: "median",
        meaning: "The median; of an even number of values the midpoint of the middle two.",
        action: "median(step_time[ARM])",
    },
    Explanation {
        code: "min",
        meaning: "The smallest value.",
        action: "min(sm_clock)",
    },
    Explanation {
        code: "quantile",
        meaning: "The quantile at a share, interpolated between neighbours (type 7).",
        action: "quantile(step_time[ARM], 95 %)",
    },
    Explanation {
        code: "sd",
        meaning: "The standard deviation of a sample.",
        action: "sd(step_time[ARM])",
    },
    Explanation {
        code: "sum",
        meaning: "The sum.",
        action: "sum(tokens[ARM])",
    },
    Explanation {
        code: "unsteadiness",
        meaning: "How far a slot drifted: |ln(median of its first third / median of its last third)|. Of step times, or of the readings of read_bandwidth.",
        action: "unsteadiness(step_time[ARM]) <= 5 % in a gate on each session",
    },
    Explanation {
        code: "update_rate",
        meaning: "Changes of value a second of a column without an arm, between consecutive readings of a slot: how fast the instrument really answers.",
        action: "update_rate(power) >= 40 Hz in a gate on each session; the preflight refuses it where the instrument is slower.",
    },
    Explanation {
        code: "updates",
        meaning: "How often a column without an arm changed its value between consecutive readings of a slot, summed over the slots. Asking more often does not raise it.",
        action: "updates(power) >= 40 in a gate on each session; the preflight refuses it where the session is too short for the instrument.",
    },
];
