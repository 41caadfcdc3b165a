//! `vllm bench latency --output-json`: `latencies` with their mean and percentiles.
//!
//! | column | unit | one value is |
//! |---|---|---|
//! | `step_time` | s | the time of one iteration: a batch of requests from start to end, from `latencies` |
//!
//! `std_latency`, which later releases write, is not needed.

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::format::About;
use crate::{Format, KnownColumn, ReadError, Reading, document};

const FORMAT: Format = Format::VllmLatency;

pub(crate) const ABOUT: About = About {
    name: "vllm-latency",
    columns: &[KnownColumn {
        name: "step_time",
        unit: "s",
        meaning: "time of one iteration: a batch of requests from start to end",
    }],
    limits: &[
        "prefill, every decode step and detokenisation are in one time; time to first token is not seen",
        "the file says neither version, model, batch size nor lengths: state them as arms, facts and pins",
        "tokens are not in the file; multiply batch size by output length in the metric",
        "no outputs or telemetry",
    ],
    accepted: "the file of `vllm bench latency --output-json` with its `latencies`",
    example: &[
        "vllm",
        "bench",
        "latency",
        "--model",
        "{your_model}",
        "{your_option}={variant}",
        "--num-iters",
        "{steps}",
        "--output-json",
        "{out}",
    ],
};

#[derive(Deserialize)]
struct File {
    /// Tells the file from others that hold latencies.
    #[serde(rename = "avg_latency")]
    _average: f64,
    #[serde(rename = "percentiles")]
    _percentiles: IgnoredAny,
    latencies: Vec<f64>,
}

pub(crate) fn read(bytes: &[u8]) -> Result<Reading, ReadError> {
    let file: File = document::parse(FORMAT, bytes)?;
    if file.latencies.is_empty() {
        return Err(ReadError::NoTimes {
            format: FORMAT,
            fix: "give --num-iters at least 1",
        });
    }
    document::timed(FORMAT, &file.latencies, "s")
}
