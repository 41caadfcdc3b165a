//! The protocol against the targets, and its blocks against its sessions.

use super::names::Names;
use crate::declaration::Protocol;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::parsed::{MOST_SESSIONS, ParsedProtocol};
use crate::suggestion::listed;
use crate::targets::Device;
use crate::value::Given;

pub(super) fn protocol(
    parsed: ParsedProtocol,
    names: &Names<'_>,
    problems: &mut Diagnostics,
) -> Option<Protocol> {
    blocks(&parsed, problems);
    let on_cpu = names.targets_of(Device::Cpu);
    // A program runs as many threads as it likes.
    let is_decode = names.program.is_none();
    if parsed.threads == Given::Absent && !on_cpu.is_empty() && is_decode {
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
        sync: if is_decode { Some(parsed.sync?) } else { None },
        seed: parsed.seed?,
        threads: parsed.threads.right(),
        affinity: parsed
            .affinity
            .map(|affinity| affinity.numbers)
            .unwrap_or_default(),
        environment: parsed.environment,
        timeout: parsed.timeout?,
        same_code: parsed.same_code,
        blocks: parsed.blocks?.value,
        min_gap: parsed.min_gap?.value,
    })
}

/// Blocks have the same number of sessions each, and only blocks have gaps.
fn blocks(parsed: &ParsedProtocol, problems: &mut Diagnostics) {
    let (Some(sessions), Some(blocks)) = (parsed.sessions, &parsed.blocks) else {
        return;
    };
    if let Some(span) = &blocks.span
        && !sessions.is_multiple_of(blocks.value)
    {
        let message = format!(
            "{sessions} sessions do not make {} equal blocks",
            blocks.value
        );
        let fewer = format!(
            "write `blocks = {}`",
            nearest_divisor(sessions, blocks.value)
        );
        let help = match sessions.next_multiple_of(blocks.value) {
            more @ ..=MOST_SESSIONS => format!("{fewer}, or `sessions = {more}`"),
            _ => fewer,
        };
        Diagnostic::new(Code::InvalidValue, span.clone(), message)
            .help(help)
            .push(problems);
    }
    if let Some(gap) = &parsed.min_gap
        && let Some(span) = &gap.span
        && !gap.value.is_zero()
        && blocks.value == 1
    {
        let message = "there is one block, and a gap lies between blocks";
        let help = match nearest_divisor(sessions, GENERAL_BLOCKS) {
            1 => "remove `min-gap`".to_owned(),
            blocks => format!("write `blocks = {blocks}`, or remove `min-gap`"),
        };
        Diagnostic::new(Code::InvalidValue, span.clone(), message)
            .help(help)
            .push(problems);
    }
}

/// Blocks from which a claim may go beyond one sitting.
const GENERAL_BLOCKS: u32 = 5;

/// The divisor of `number` nearest to `wanted`; of two, the larger. At least 1.
fn nearest_divisor(number: u32, wanted: u32) -> u32 {
    (1..=number)
        .rev()
        .filter(|&divisor| number.is_multiple_of(divisor))
        .min_by_key(|divisor| divisor.abs_diff(wanted))
        .unwrap_or(1)
}
