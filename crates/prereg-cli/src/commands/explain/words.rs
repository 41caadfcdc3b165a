//! Words of declarations and of the record that stand for a whole procedure.

use super::Explanation;

pub(super) const WORDS: &[Explanation] = &[
    Explanation {
        code: "calibrated-range",
        meaning: "Values of a metric for which claims are made at all. In a session outside of them every claim abstains, and the report says whether abstaining changed anything.",
        action: "[calibrated-range] clock = { from = \"1.2 GHz\", to = \"1.9 GHz\" }",
    },
    Explanation {
        code: "census",
        meaning: "An interval that infers nothing: the sessions are all there are, and the bounds are the smallest and the largest of them.",
        action: "[inference] interval = \"census\", with data-seen = \"this-data\": for figures that are published already.",
    },
    Explanation {
        code: "command",
        meaning: "A workload that is any program: one fresh process a slot, without a shell. Its times are as it reports them; they must fit into the wall time of its process.",
        action: "[workload] kind = \"command\", command = [\"program\", \"--seed\", \"{seed}\"], slot-time = \"2 s\"",
    },
    Explanation {
        code: "control",
        meaning: "Two arms that are declared alike, measured like any others. What is found between them is error: unless its whole interval stays within the bound, every claim abstains.",
        action: "[controls] same_arm_twice = { metric = \"aa\", within = \"2 %\" }, with aa = \"f(a) / f(b)\" over two arms alike",
    },
    Explanation {
        code: "fact",
        meaning: "A command whose answer, the first line of its standard output, is recorded at the beginning of each session; a gate can demand it.",
        action: "facts = { python = [\"python3\", \"--version\"] } in the workload, and fact[python] == \"Python 3.11.2\" in a gate",
    },
    Explanation {
        code: "pin",
        meaning: "A revision or digest that the lock states and nothing checks.",
        action: "pins = { weights = \"hf:owner/model@<commit>\" } in the workload; what must be checked is an input or a fact",
    },
    Explanation {
        code: "preflight",
        meaning: "A look at the machine before a run is announced: clock, instruments, bandwidth, memory, disk, and whether the gates can be satisfied at all. It is recorded whether it passes or not.",
        action: "prereg show RUN prints what was read; prereg list shows each refusal, which names what the session would need.",
    },
    Explanation {
        code: "prereg-observations/1",
        meaning: "The protocol of the reader `lines`: on standard output one JSON object a line. First the units, then one object a step with its values, telemetry at any time, at the end the count.",
        action: "{\"prereg\":\"prereg-observations/1\",\"units\":{\"step_time\":\"ms\"}} first, {\"step_time\":12.5} for each step, {\"end\":{\"observations\":15}} last",
    },
    Explanation {
        code: "probe",
        meaning: "A command that prints the telemetry of a program for as long as it runs, so that the preflight can see how often each value really changes.",
        action: "probe = [\"python3\", \"meter.py\", \"--probe\"] in the workload",
    },
    Explanation {
        code: "reader",
        meaning: "What turns that which a program leaves into observations: lines, hyperfine, llama-bench, nvbench, google-benchmark, criterion or vllm-latency.",
        action: "reader = \"hyperfine\" in the workload, with {out} in the command where the tool writes a file; prereg inspect FILE shows what is read.",
    },
];
