//! The ledger as it was some records ago.

use std::fs;

use prereg_ledger::write_atomic;
use serde_json::Value;

use super::folder::TempStudy;

impl TempStudy {
    /// Cuts the last `records` off the chain and sets its heads back, the tracked and the untracked one: what a crash
    /// before those records would have left, or what somebody does who wants them gone.
    pub(crate) fn rewind(&self, records: usize) {
        let chain = self.chain();
        let text = fs::read_to_string(&chain).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        let kept = &lines[..lines.len() - records];
        write_atomic(&chain, format!("{}\n", kept.join("\n")).as_bytes()).unwrap();

        let last: Value = serde_json::from_str(kept.last().unwrap()).unwrap();
        let set_back = |head: &mut Value| {
            head["count"] = kept.len().into();
            head["digest"] = last["digest"].clone();
        };
        let head = chain.with_extension("head");
        let own = self.path("prereg/ledger/.writer");
        for (path, key) in [(head, None), (own, Some("head"))] {
            let mut value: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
            set_back(match key {
                None => &mut value,
                Some(key) => &mut value[key],
            });
            write_atomic(&path, format!("{value}\n").as_bytes()).unwrap();
        }
    }
}
