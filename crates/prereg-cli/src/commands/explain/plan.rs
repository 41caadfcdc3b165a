//! Codes of refused plans.

use super::Explanation;

pub(super) const FINDINGS: &[Explanation] = &[
    Explanation {
        code: "never-true",
        meaning: "No values of its metrics fulfil a kill condition, so it could not kill the claim.",
        action: "Move the threshold to where the metric can go.",
    },
    Explanation {
        code: "never-false",
        meaning: "All values of its metrics fulfil a kill condition, so the claim could not pass.",
        action: "Move the threshold to where the metric can stay clear of it.",
    },
    Explanation {
        code: "always-killed",
        meaning: "Whatever is measured, one of the kill conditions holds.",
        action: "Leave a range of values that kills nothing.",
    },
    Explanation {
        code: "too-complex",
        meaning: "A condition has more cases than can be tried.",
        action: "Split it into several kill conditions or gates.",
    },
    Explanation {
        code: "nothing-measured",
        meaning: "A kill condition is on a metric that is computed from constants only.",
        action: "Use a statistic of a column.",
    },
    Explanation {
        code: "too-few-sessions",
        meaning: "The declared interval gives no bound from so few sessions at the α of the claim's conditions.",
        action: "Plan at least the number that the message names.",
    },
    Explanation {
        code: "gate-on-constants",
        meaning: "A gate reads nothing that is measured.",
        action: "Use a statistic of a column.",
    },
    Explanation {
        code: "gate-never-fails",
        meaning: "A gate holds whatever is measured, so it guards nothing.",
        action: "Tighten its limit, or remove it.",
    },
    Explanation {
        code: "gate-never-holds",
        meaning: "A gate fails whatever is measured, so no claim could be decided.",
        action: "Loosen its limit.",
    },
    Explanation {
        code: "gate-spares-rival",
        meaning: "A gate fails where the rival values are true, so a wrong claim would abstain and never be falsified.",
        action: "Leave the question to the kill conditions; a gate guards the measurement.",
    },
    Explanation {
        code: "gate-bars-expected",
        meaning: "A gate fails where the expected values are true, so a right claim could not pass.",
        action: "Loosen the gate, or correct `expected`.",
    },
    Explanation {
        code: "cannot-fail",
        meaning: "A control or a calibrated range holds whatever is measured, so it guards nothing.",
        action: "Tighten it, or remove it.",
    },
    Explanation {
        code: "cannot-hold",
        meaning: "A control or a calibrated range fails whatever is measured, so no claim could be decided.",
        action: "Widen it.",
    },
    Explanation {
        code: "spares-rival",
        meaning: "A calibrated range leaves out the rival values, so a wrong claim would abstain and never be falsified.",
        action: "Widen the range to both answers.",
    },
    Explanation {
        code: "bars-expected",
        meaning: "A calibrated range leaves out the expected values, so a right claim could not pass.",
        action: "Widen the range, or correct `expected`.",
    },
    Explanation {
        code: "expected-is-killed",
        meaning: "The expected values fulfil a kill condition.",
        action: "Correct `expected` or the kill conditions.",
    },
    Explanation {
        code: "rival-survives",
        meaning: "The rival values fulfil no kill condition: they lie in the region that passes.",
        action: "Correct `rival` or the kill conditions.",
    },
    Explanation {
        code: "cannot-lose",
        meaning: "If the rival values are true, the claim would be falsified with a probability below 0.80.",
        action: "Take the number of sessions, the threshold or the spread that the message names.",
    },
    Explanation {
        code: "cannot-win",
        meaning: "If the expected values are true, the claim would pass with a probability below 0.50.",
        action: "Take the number of sessions, the threshold or the spread that the message names.",
    },
    Explanation {
        code: "power",
        meaning: "The power of the plan cannot be computed: a spread or a value is missing, or cannot be.",
        action: "Give what the message names.",
    },
];
