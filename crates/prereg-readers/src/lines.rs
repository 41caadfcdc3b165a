//! The protocol `prereg-observations/1`: a program reports its own steps on standard output.
//!
//! Output is UTF-8 text, one JSON object (RFC 8259) a line, lines ended by `\n`; the last line may lack it. Nothing else
//! may stand on standard output: what a program has to say to people belongs on standard error. A line has at most
//! 1 MiB, the whole output at most 64 MiB, with at most 1 000 000 steps and as many readings of telemetry.
//!
//! There are four kinds of line.
//!
//! **Header**, the first line and only there:
//! ```json
//! {"prereg":"prereg-observations/1","units":{"step_time":"ms","tokens":"token","ttft":"s"}}
//! ```
//! `units` names every column of the steps with its unit. Units are those of a declaration: `s`, `B`, `Hz`, `W`, `J`,
//! `K` with a prefix (`ms`, `us`, `GB`), `min`, `h`, `token`, `step`, `USD`, `%`, products and quotients of them
//! (`GB/s`), and `1` for a plain number. A column's name is a lowercase letter, then lowercase letters, digits and `_`,
//! 64 in all at most; `prereg`, `units`, `output`, `telemetry`, `value`, `unit`, `at_ns` and `end` are not columns.
//!
//! **Step**, one for each timed step, in order:
//! ```json
//! {"step_time":12.5,"tokens":1,"ttft":0.12,"output":"<64 hexadecimal digits>"}
//! ```
//! - Every column is a number in the unit of the header. A column is in every step of a slot or in none: one that is in
//!   some makes the session missing. (Only under a census, of figures that were there before, a step may lack a column.)
//! - `step_time` is what the program measured with a monotonic clock around the step's work, the work finished. One
//!   that is not positive is read, counted as rejected, and makes the session missing. `tokens` is not negative.
//! - `output`, optional, is the SHA-256 of what the step computed, in hexadecimal. Take it outside the timed part. The
//!   gate `output[a] == output[b]` compares the digests of two arms step by step.
//!
//! Warm-up is the program's own affair: its steps are not reported.
//!
//! **Telemetry**, any number, anywhere between header and end:
//! ```json
//! {"telemetry":"power","value":310.5,"unit":"W","at_ns":123456789}
//! ```
//! `at_ns`, optional, is the time of the reading in nanoseconds of the monotonic clock (`CLOCK_MONOTONIC`), a whole
//! number that does not decrease within a column. A column of telemetry keeps its dimension and is not a column of steps.
//! Readings that did not change are reported too: the tool counts changes to find out how often the meter updates.
//!
//! **End**, the last line:
//! ```json
//! {"end":{"observations":15}}
//! ```
//! The number of steps. An output without it was cut off; one with another number has lost lines; both are refused.
//!
//! Numbers are JSON numbers: `NaN` and `Infinity` are not JSON, `1e999` does not fit, and all three are refused. So are
//! keys that stand twice, keys that the protocol does not know, and lines after the end.
//!
//! A program in Python:
//! ```python
//! import hashlib, json, sys, time
//! say = lambda line: print(json.dumps(line), flush=True)
//! say({"prereg": "prereg-observations/1", "units": {"step_time": "s", "tokens": "token"}})
//! steps = int(sys.argv[1])
//! for step in range(steps):
//!     start = time.perf_counter()
//!     text = " ".join(str(n * n) for n in range(10_000))
//!     elapsed = time.perf_counter() - start
//!     say({"step_time": elapsed, "tokens": 1, "output": hashlib.sha256(text.encode()).hexdigest()})
//! say({"end": {"observations": steps}})
//! ```

mod bounded;
mod error;
mod fields;
mod line;
mod transcript;

use std::io::BufRead;

pub use error::LinesError;

use self::bounded::BoundedLines;
use self::fields::Fields;
use self::transcript::Transcript;
use crate::format::About;
use crate::{KnownColumn, Reading};

/// The name and version of the protocol, as the header says it.
pub const PROTOCOL: &str = "prereg-observations/1";

pub(crate) const ABOUT: About = About {
    name: "lines",
    columns: &[
        KnownColumn {
            name: "step_time",
            unit: "s",
            meaning: "time of one step, as the program timed it",
        },
        KnownColumn {
            name: "tokens",
            unit: "token",
            meaning: "tokens of one step",
        },
    ],
    limits: &[
        "times are stored in whole nanoseconds: report a loop of steps as one where a step is shorter than a microsecond",
        "times are as reported by the program; only their sum is checked, against the wall time of the process",
        "digests of outputs are as reported by the program",
    ],
    accepted: "prereg-observations/1, one JSON object a line on standard output",
    example: &["{your_program}", "--steps", "{steps}", "{variant}"],
};

/// Reads the output of a program, line by line; memory grows with the steps reported, not with the text.
pub(crate) fn read(input: impl BufRead) -> Result<Reading, LinesError> {
    let mut lines = BoundedLines::new(input);
    let Some((_, header)) = lines.next()? else {
        return Err(LinesError::NoOutput);
    };
    let mut transcript = Transcript::open(Fields::parse(1, header)?)?;
    while let Some((line, text)) = lines.next()? {
        transcript.add(line, Fields::parse(line, text)?)?;
    }
    transcript.close()
}
