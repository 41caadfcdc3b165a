//! Codes of verdicts: reasons, causes of undetermined conditions, missing sessions.

use super::Explanation;

pub(super) const REASONS: &[Explanation] = &[
    Explanation {
        code: "all-conditions-false",
        meaning: "Every kill condition is shown false on its bounds, at α-pass: the claim passes.",
        action: "Nothing. The margin says how strict the thresholds could have been.",
    },
    Explanation {
        code: "condition-true",
        meaning: "A kill condition is shown true on its bounds, at α-falsified: the claim is falsified.",
        action: "Publish it. A changed claim is an amendment or another experiment, with data-seen = \"this-data\".",
    },
    Explanation {
        code: "undetermined",
        meaning: "A kill condition is shown neither true nor false, and none is shown true: the claim abstains.",
        action: "Read the cause. More sessions need a new plan: those of this one are fixed.",
    },
    Explanation {
        code: "gate-failed",
        meaning: "A gate with outcome `abstain` did not hold, so the measurement says nothing about the claim.",
        action: "Repair what the gate guards, then replicate; the run of record stays as it is.",
    },
    Explanation {
        code: "gate-unobserved",
        meaning: "A gate with outcome `abstain` could not be read in every session: not observed is not passed.",
        action: "See which column is absent; plan with a reading that this device gives.",
    },
    Explanation {
        code: "control-failed",
        meaning: "The interval of a control, two arms declared alike, reaches beyond its bound: differences of that size are error here.",
        action: "See what differs between the two arms in time or place; a larger bound is an amendment, and more sessions narrow the interval.",
    },
    Explanation {
        code: "control-unobserved",
        meaning: "A control has no interval: not observed is not passed.",
        action: "See which sessions are missing; the report says why a side is unbounded.",
    },
    Explanation {
        code: "outside-calibrated-range",
        meaning: "In some session a metric lies outside the range for which the claims are made.",
        action: "Read in the report whether abstaining changed anything. Measure inside the range, or calibrate a wider one in a new plan.",
    },
    Explanation {
        code: "calibrated-range-unobserved",
        meaning: "A metric with a calibrated range has no number in a session that is there, so nobody knows whether it kept to the range.",
        action: "See which column is absent; plan with a reading that this device gives.",
    },
    Explanation {
        code: "arm-invalid",
        meaning: "An arm did not run as declared, for example a graph that was not captured and replayed.",
        action: "Read its message. Nothing falls back in silence, so the arm must be made to run.",
    },
    Explanation {
        code: "no-data",
        meaning: "There is no sealed run of record on the target.",
        action: "prereg run FILE --on TARGET; --resume where a run was left unsealed.",
    },
    Explanation {
        code: "first-runs-disagree",
        meaning: "Several clones each made a first run without seeing the others, and the verdicts differ.",
        action: "Both stay on record. A new plan, locked once, decides.",
    },
];

pub(super) const CAUSES: &[Explanation] = &[
    Explanation {
        code: "threshold-within-bounds",
        meaning: "The threshold lies between the lower and the upper bound: the data fit both sides.",
        action: "prereg check shows how many sessions would decide at the spread that was found.",
    },
    Explanation {
        code: "too-few-sessions",
        meaning: "At this α so few sessions give no bound, missing ones counted against both sides.",
        action: "See why sessions are missing, or plan more of them.",
    },
    Explanation {
        code: "degenerate",
        meaning: "All sessions give the same value to rounding: what was measured is the resolution of the timer.",
        action: "Measure longer steps, or more of them.",
    },
    Explanation {
        code: "non-finite",
        meaning: "A value or a bound is not a finite number.",
        action: "prereg trace METRIC shows the part that is not.",
    },
    Explanation {
        code: "missing-sessions",
        meaning: "The declared interval cannot count missing sessions, and some are missing.",
        action: "See why they are missing; the order-statistic interval counts them against both sides.",
    },
    Explanation {
        code: "not-positive",
        meaning: "A value is zero or negative, and the declared interval works on logarithms.",
        action: "Declare scale = \"linear\", or a metric that is positive.",
    },
    Explanation {
        code: "equal-jackknife",
        meaning: "Leaving out any one session gives the same estimate, so the BCa interval does not exist.",
        action: "Declare another interval: the order statistic exists for every sample with a spread.",
    },
    Explanation {
        code: "level-too-small",
        meaning: "The claim's conditions share α among so many comparisons that the declared interval cannot be computed.",
        action: "Declare fewer conditions, or the order-statistic interval.",
    },
    Explanation {
        code: "infinite-quantile",
        meaning: "Too many resamples have no spread of their own, so a side of the bootstrap-t interval is unbounded.",
        action: "Declare another interval, or plan more sessions.",
    },
];

pub(super) const MISSING: &[Explanation] = &[
    Explanation {
        code: "never-run",
        meaning: "The session never started. It stays in N and counts against the claim and its opposite.",
        action: "None after the seal; before it, --resume runs what never started.",
    },
    Explanation {
        code: "torn",
        meaning: "The session began and left no whole record.",
        action: "None: no session is measured twice. See why its process ended.",
    },
    Explanation {
        code: "timed-out",
        meaning: "The session ran past the locked time-out.",
        action: "Plan a longer time-out, or a smaller workload.",
    },
    Explanation {
        code: "rejected-steps",
        meaning: "Steps had a duration that is not positive; they are counted and the session gives no number.",
        action: "Look at the timer of that machine: prereg run records what it used.",
    },
    Explanation {
        code: "excluded",
        meaning: "A gate with outcome `exclude`, which cannot see the arms, did not hold in the session.",
        action: "None: an excluded session stays in N.",
    },
    Explanation {
        code: "unobserved",
        meaning: "A gate with outcome `exclude` could not be read in the session.",
        action: "See which column is absent.",
    },
    Explanation {
        code: "failed",
        meaning: "The session's own record says that it failed, with a message.",
        action: "Read the message; it is in the report.",
    },
];
