//! The values of the placeholders of one slot.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::spec::SessionSpec;

/// Where the values of a slot come from.
pub(super) struct Values<'a> {
    pub(super) spec: &'a SessionSpec,
    pub(super) arm: &'a str,
    pub(super) arms: &'a BTreeMap<String, BTreeMap<String, String>>,
    pub(super) slot: u32,
    /// The result file.
    pub(super) out: PathBuf,
}

impl Values<'_> {
    /// The text with every placeholder filled in; nothing where one has no value.
    pub(super) fn fill(&self, text: &str) -> Option<String> {
        prereg_declaration::fill(text, |name| self.value(name))
    }

    fn value(&self, name: &str) -> Option<String> {
        Some(match name {
            "arm" => self.arm.to_owned(),
            "out" => self.out.to_str()?.to_owned(),
            "seed" => self.seed().to_string(),
            "session" => self.spec.index.to_string(),
            "slot" => self.slot.to_string(),
            "steps" => self.spec.slot_steps.to_string(),
            "threads" => self.spec.threads.to_string(),
            key => self.arms.get(self.arm)?.get(key)?.clone(),
        })
    }

    /// The first eight bytes of the session's prompt seed: the same in every slot, so that the arms get the same inputs.
    fn seed(&self) -> u64 {
        let bytes = self.spec.seeds.prompt.as_bytes();
        let mut first = [0; 8];
        first.copy_from_slice(&bytes[..8]);
        u64::from_le_bytes(first)
    }
}
