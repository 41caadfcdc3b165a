//! Reading `targets.toml`.

use std::collections::BTreeMap;

use prereg_units::Dimension;

use super::{ComputeCapability, Device, NamePattern, Sourced, Target, Targets};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::parsed::identifier_problem;
use crate::section::{Document, Key, Section, refuse_inexact_numbers};
use crate::source::Source;
use crate::value::Value;

impl Targets {
    /// Reads `targets.toml`; `file_name` is what messages call it.
    ///
    /// # Errors
    /// Every problem of the file.
    pub fn parse(file_name: &str, toml: &[u8]) -> Result<Self, Diagnostics> {
        let mut problems = Source::read(file_name, toml)?;
        let source = problems.source();
        let Some(document) = Document::parse(&source.text, &mut problems) else {
            return Err(problems);
        };
        refuse_inexact_numbers(&document, &mut problems);
        let entries: Vec<_> = document.root().entries().collect();
        let mut by_name = BTreeMap::new();
        for (key, value) in entries {
            if let Some(target) = target(&key, value, &mut problems) {
                by_name.insert(key.name, target);
            }
        }
        if problems.is_empty() {
            Ok(Self { by_name })
        } else {
            Err(problems)
        }
    }
}

fn target(key: &Key, value: Value<'_>, problems: &mut Diagnostics) -> Option<Target> {
    if let Some(problem) = identifier_problem(&key.name, key.span.clone()) {
        problems.push(problem);
    }
    let mut section = value.section(problems)?;
    let device = section
        .required("device", "device = \"cpu\"", problems)
        .and_then(|value| {
            value.choice(
                &[("cpu", Device::Cpu), ("cuda", Device::Cuda)],
                &[],
                problems,
            )
        });
    let pattern = section
        .required("name", "name = \"NVIDIA H100*\"", problems)
        .and_then(|value| pattern(&value, device, problems));
    let capability = only_on(
        Device::Cuda,
        device,
        "compute-capability",
        &mut section,
        problems,
    );
    if capability.is_none() && device == Some(Device::Cuda) {
        problems.push(section.missing("compute-capability", "compute-capability = \"9.0\""));
    }
    let cores = only_on(Device::Cpu, device, "cores", &mut section, problems);
    let mig = only_on(Device::Cuda, device, "mig", &mut section, problems);
    let clock = only_on(
        Device::Cuda,
        device,
        "rated-sm-clock",
        &mut section,
        problems,
    );
    let bandwidth = section.optional("peak-bandwidth");
    let rate = section.optional("hourly-rate");
    let memory = section.optional("memory");
    section.finish(problems);
    let rated_sm_clock = sourced(clock, Dimension::FREQUENCY, problems);
    let peak_bandwidth = sourced(bandwidth, Dimension::BANDWIDTH, problems);
    let hourly_rate = sourced(rate, Dimension::CURRENCY_RATE, problems);
    Some(Target {
        name: key.name.clone(),
        compute_capability: capability.and_then(|value| compute_capability(&value, problems)),
        cores: cores.and_then(|value| value.count(1..=u32::MAX, problems)),
        memory: memory.and_then(|value| value.positive_quantity(Dimension::DATA, problems)),
        mig: mig.and_then(|value| value.flag(problems)).unwrap_or(false),
        peak_bandwidth,
        hourly_rate,
        rated_sm_clock,
        device: device?,
        pattern: pattern?,
    })
}

/// A key that one kind of device has.
fn only_on<'d>(
    kind: Device,
    device: Option<Device>,
    key: &'static str,
    section: &mut Section<'d>,
    problems: &mut Diagnostics,
) -> Option<Value<'d>> {
    let value = section.optional(key)?;
    if device.is_none_or(|device| device == kind) {
        return Some(value);
    }
    let message = format!("`{}` is a key of a `{}` target", value.path, kind.name());
    problems.push(Diagnostic::new(Code::InvalidValue, value.span, message).help("remove the key"));
    None
}

fn pattern(
    value: &Value<'_>,
    device: Option<Device>,
    problems: &mut Diagnostics,
) -> Option<NamePattern> {
    let pattern = NamePattern(value.words(problems)?);
    if device == Some(Device::Cuda) && (pattern.is_any() || pattern.0.chars().all(|c| c == '*')) {
        problems.push(
            value.invalid("fits every device").help(
                "name the device, as in \"NVIDIA H100*\": one GPU does not answer for another",
            ),
        );
        return None;
    }
    Some(pattern)
}

fn compute_capability(value: &Value<'_>, problems: &mut Diagnostics) -> Option<ComputeCapability> {
    let text = value.text(problems)?;
    let parsed = text.value.split_once('.').and_then(|(major, minor)| {
        Some(ComputeCapability {
            major: major.parse().ok()?,
            minor: minor.parse().ok()?,
        })
    });
    if parsed.is_none() {
        problems.push(
            value
                .invalid(&format!("is `{}`", text.value))
                .help("write it as in \"9.0\""),
        );
    }
    parsed
}

/// `{ value = "…", source = "…" }`.
fn sourced(
    value: Option<Value<'_>>,
    dimension: Dimension,
    problems: &mut Diagnostics,
) -> Option<Sourced> {
    let mut section = value?.section(problems)?;
    let value = section
        .required("value", "value = \"…\"", problems)
        .and_then(|value| value.positive_quantity(dimension, problems));
    let source = section
        .required("source", "source = \"…\"", problems)
        .and_then(|value| value.words(problems));
    section.finish(problems);
    Some(Sourced {
        value: value?,
        source: source?,
    })
}
