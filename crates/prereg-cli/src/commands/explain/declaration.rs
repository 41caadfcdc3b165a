//! Codes of problems in a declaration's text.

use super::Explanation;

pub(super) const DIAGNOSTICS: &[Explanation] = &[
    Explanation {
        code: "encoding",
        meaning: "The file is not UTF-8, or begins with a byte-order mark.",
        action: "Save it as plain UTF-8.",
    },
    Explanation {
        code: "syntax",
        meaning: "The file is not TOML 1.0. A key given twice is a syntax error too.",
        action: "Correct the line that the message shows.",
    },
    Explanation {
        code: "unknown-key",
        meaning: "No key of this name stands in this table.",
        action: "Take the spelling that the message proposes, or remove the key.",
    },
    Explanation {
        code: "missing-key",
        meaning: "A key that the plan needs is absent.",
        action: "Add it; the message shows the form.",
    },
    Explanation {
        code: "wrong-type",
        meaning: "A value is of another TOML type than its key takes.",
        action: "Write it in the form that the message shows.",
    },
    Explanation {
        code: "invalid-value",
        meaning: "A value is of the right type and is not one that its key takes.",
        action: "Take one that the message names.",
    },
    Explanation {
        code: "inexact-number",
        meaning: "A number cannot be kept as it is written, so its meaning would depend on the reader.",
        action: "Write fewer digits, or a quantity in quotes.",
    },
    Explanation {
        code: "invalid-id",
        meaning: "A name is not of the form [a-z][a-z0-9_]*, or is a word of the language.",
        action: "Choose another name.",
    },
    Explanation {
        code: "unknown-name",
        meaning: "An arm, metric, target or column is named that does not exist.",
        action: "Take the spelling that the message proposes, or declare it.",
    },
    Explanation {
        code: "not-yet",
        meaning: "The design has this, and this version does not.",
        action: "Plan without it, or use a later version.",
    },
    Explanation {
        code: "expression-syntax",
        meaning: "An expression cannot be read.",
        action: "Correct it at the place that the message shows.",
    },
    Explanation {
        code: "expression-type",
        meaning: "A number stands where a truth value belongs, or the other way round.",
        action: "Compare numbers; join comparisons with and, or, not.",
    },
    Explanation {
        code: "unit-mismatch",
        meaning: "Two quantities that are compared, added or subtracted have different dimensions.",
        action: "Give the threshold the unit of its metric.",
    },
    Explanation {
        code: "scope",
        meaning: "A part of an expression is not allowed where it stands: a statistic over sessions in a metric, or an arm in an `exclude` gate.",
        action: "Move it to where the message says.",
    },
    Explanation {
        code: "quantile",
        meaning: "The steps of a slot are too few for this percentile.",
        action: "Measure more steps, or take a percentile nearer to the middle.",
    },
    Explanation {
        code: "too-few-steps",
        meaning: "A statistic needs more steps than a slot has.",
        action: "Measure at least the steps that the message names.",
    },
    Explanation {
        code: "cycle",
        meaning: "Metrics are defined by each other.",
        action: "Break the circle that the message shows.",
    },
    Explanation {
        code: "missing-on-target",
        meaning: "An expression uses a constant or a reading that a target does not have.",
        action: "Give the target the constant with its source, or plan without it.",
    },
    Explanation {
        code: "no-kill-condition",
        meaning: "A claim names nothing that would kill it.",
        action: "Add at least one kill condition.",
    },
];
