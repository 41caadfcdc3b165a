//! The protocol against the targets.

use super::names::Names;
use crate::declaration::Protocol;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::parsed::ParsedProtocol;
use crate::suggestion::listed;
use crate::targets::Device;
use crate::value::Given;

pub(super) fn protocol(
    parsed: ParsedProtocol,
    names: &Names<'_>,
    problems: &mut Diagnostics,
) -> Option<Protocol> {
    let on_cpu = names.targets_of(Device::Cpu);
    if parsed.threads == Given::Absent && !on_cpu.is_empty() {
        let message = format!(
            "`[protocol]` has no `threads`, and {} runs on a CPU",
            listed(&on_cpu)
        );
        Diagnostic::new(Code::MissingKey, parsed.span, message)
            .help("add `threads = 2`")
            .push(problems);
    }
    if let (Some(affinity), Some(threads)) = (&parsed.affinity, parsed.threads.right())
        && !affinity.numbers.is_empty()
        && affinity.numbers.len() != threads as usize
    {
        let message = format!(
            "{} processors are named for {threads} threads",
            affinity.numbers.len()
        );
        Diagnostic::new(Code::InvalidValue, affinity.span.clone(), message)
            .help("name one processor for each thread")
            .push(problems);
    }
    Some(Protocol {
        sessions: parsed.sessions?,
        order: parsed.order?,
        warmup_steps: parsed.warmup_steps?,
        measured_steps: parsed.measured_steps?,
        sync: parsed.sync?,
        seed: parsed.seed?,
        threads: parsed.threads.right(),
        affinity: parsed
            .affinity
            .map(|affinity| affinity.numbers)
            .unwrap_or_default(),
        environment: parsed.environment,
        timeout: parsed.timeout?,
        same_code: parsed.same_code,
    })
}
