//! A slot: restore, warm-up, restore, start mark, measured steps; then what they left is read and digested.

use std::collections::BTreeMap;

use prereg_declaration::Digest;
use prereg_decode::{Decoder, GraphProof, LaunchMode, Snapshot};
use prereg_runs::{GraphRecord, SlotRecord, StepLine, StepRecord};

use super::error::SessionError;
use crate::spec::{ArmSpec, DecodeSpec};

/// Measures the slots of a session, one after the other, with room that is made once.
pub(super) struct Slots<'a> {
    arms: &'a BTreeMap<String, ArmSpec>,
    /// Where every slot begins.
    origin: Snapshot,
    warmup: Vec<u64>,
    marks: Vec<u64>,
}

impl<'a> Slots<'a> {
    /// Slots of `slot_steps` steps that begin where `decoder` stands now.
    pub(super) fn new(decode: &'a DecodeSpec, slot_steps: u32, decoder: &Decoder) -> Self {
        Self {
            arms: &decode.arms,
            origin: decoder.snapshot(),
            warmup: vec![0; decode.warmup_steps as usize],
            marks: vec![0; slot_steps as usize],
        }
    }

    /// Measures slot `index`, of the arm `name`. The lines are those of `steps.jsonl`: each step, then the slot.
    pub(super) fn measure(
        &mut self,
        decoder: &mut Decoder,
        index: u32,
        name: &str,
    ) -> Result<Vec<StepLine>, SessionError> {
        let arm = self.arms.get(name).ok_or_else(|| SessionError::Arm {
            arm: name.to_owned(),
        })?;
        decoder.use_plan(arm.plan);
        if arm.launch == LaunchMode::Graph {
            decoder.capture();
        }
        decoder.restore(self.origin);
        decoder.run(arm.launch, &mut self.warmup)?;
        decoder.restore(self.origin);
        let replays_before = decoder.graph_proof().map_or(0, |proof| proof.replays);
        let start_ns = decoder.run(arm.launch, &mut self.marks)?;

        let graph = decoder
            .graph_proof()
            .filter(|_| arm.launch == LaunchMode::Graph)
            .map(|proof| GraphProof {
                replays: proof.replays - replays_before,
                ..proof
            });
        let durations = durations(start_ns, &self.marks);
        let mut lines = steps(decoder, index, name, &durations);
        let (launches, steps) = (decoder.plan().launches().len(), self.marks.len());
        lines.push(StepLine::Slot(SlotRecord {
            slot: index,
            arm: name.to_owned(),
            steps: steps as u32,
            start_ns,
            slot_ns: self
                .marks
                .last()
                .map_or(0, |last| last.saturating_sub(start_ns)),
            rejected: durations.iter().filter(|&&duration| duration <= 0).count() as u32,
            invalid: invalid(arm.launch, graph, launches, steps),
            graph: graph.map(|proof| GraphRecord {
                captured_launches: proof.captured_launches as u32,
                replays: proof.replays as u32,
            }),
        }));
        Ok(lines)
    }
}

/// The lines of the steps of a slot that has just been run.
fn steps(decoder: &Decoder, slot: u32, arm: &str, durations: &[i64]) -> Vec<StepLine> {
    let line = |(step, &step_ns): (usize, &i64)| {
        StepLine::Step(StepRecord {
            slot,
            arm: arm.to_owned(),
            step: step as u32,
            step_ns,
            tokens: 1,
            token: decoder.token(step),
            logits: digest(decoder.logits(step)),
        })
    };
    durations.iter().enumerate().map(line).collect()
}

/// Differences of consecutive marks, in nanoseconds; negative where the clock stepped back.
fn durations(start: u64, marks: &[u64]) -> Vec<i64> {
    let before = std::iter::once(&start).chain(marks);
    marks
        .iter()
        .zip(before)
        .map(|(end, start)| end.wrapping_sub(*start).cast_signed())
        .collect()
}

/// Why an arm that asked for `launch` did not run as asked, if so: a graph must hold every launch of the plan and must
/// have been replayed once for every measured step. Nothing falls back silently.
fn invalid(
    launch: LaunchMode,
    graph: Option<GraphProof>,
    launches: usize,
    steps: usize,
) -> Option<String> {
    if launch == LaunchMode::Eager {
        return None;
    }
    let Some(GraphProof {
        captured_launches,
        replays,
    }) = graph
    else {
        return Some("a graph was asked for and none was captured".to_owned());
    };
    if captured_launches != launches {
        return Some(format!(
            "the captured graph holds {captured_launches} of the plan's {launches} launches"
        ));
    }
    (replays != steps as u64)
        .then(|| format!("the graph was replayed {replays} times in {steps} measured steps"))
}

/// SHA-256 of the logits as little-endian binary32.
fn digest(logits: &[f32]) -> Digest {
    let bytes: Vec<u8> = logits
        .iter()
        .flat_map(|logit| logit.to_le_bytes())
        .collect();
    Digest::of(&bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROOF: GraphProof = GraphProof {
        captured_launches: 10,
        replays: 4,
    };

    #[test]
    fn a_step_lasts_from_the_mark_before_it_to_its_own() {
        assert_eq!(durations(100, &[110, 130, 160]), [10, 20, 30]);
    }

    #[test]
    fn a_clock_that_steps_back_gives_a_negative_duration() {
        assert_eq!(durations(100, &[110, 105, 120]), [10, -5, 15]);
    }

    #[test]
    fn the_steps_of_a_slot_add_up_to_its_host_time() {
        let (start, marks) = (7, [19, 20, 44]);
        assert_eq!(
            durations(start, &marks).iter().sum::<i64>(),
            (marks[2] - start).cast_signed()
        );
    }

    #[test]
    fn a_graph_that_was_captured_whole_and_replayed_every_step_is_valid() {
        assert_eq!(invalid(LaunchMode::Graph, Some(PROOF), 10, 4), None);
    }

    #[test]
    fn a_graph_that_was_not_captured_whole_or_not_replayed_makes_the_arm_invalid() {
        for (graph, launches, steps) in [(None, 10, 4), (Some(PROOF), 11, 4), (Some(PROOF), 10, 5)]
        {
            assert!(
                invalid(LaunchMode::Graph, graph, launches, steps).is_some(),
                "{graph:?} {launches} {steps}"
            );
        }
    }

    #[test]
    fn an_eager_arm_needs_no_graph() {
        assert_eq!(invalid(LaunchMode::Eager, None, 10, 4), None);
    }

    #[test]
    fn the_digest_of_logits_is_that_of_their_little_endian_bytes() {
        assert_eq!(
            digest(&[1.0, -2.0]),
            Digest::of(&[0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0])
        );
    }
}
