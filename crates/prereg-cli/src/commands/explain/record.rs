//! Codes of integrity problems: ledger, locks, run folders, and what `verify` derives again.

use super::Explanation;

const RESTORE: &str = "Restore the file from version control, then prereg verify.";

pub(super) const PROBLEMS: &[Explanation] = &[
    Explanation {
        code: "broken-chain",
        meaning: "A record of a chain is not what was written, or does not follow the one before it.",
        action: RESTORE,
    },
    Explanation {
        code: "chain-cut",
        meaning: "A chain is shorter than its head says: its end was cut off.",
        action: RESTORE,
    },
    Explanation {
        code: "head-mismatch",
        meaning: "A head and its chain do not belong together.",
        action: RESTORE,
    },
    Explanation {
        code: "head-unreadable",
        meaning: "The head file of a chain cannot be read as one.",
        action: RESTORE,
    },
    Explanation {
        code: "seen-elsewhere",
        meaning: "A chain says that it saw records of another chain which are not here.",
        action: "Pull the other chain, or restore it from version control.",
    },
    Explanation {
        code: "stray-file",
        meaning: "A file lies in the ledger's folder and belongs to no chain.",
        action: "Move it out of prereg/ledger/.",
    },
    Explanation {
        code: "kept-head-absent",
        meaning: "The head given with --expect-head is not in this ledger: a chain was cut or rebuilt since it was kept.",
        action: "Ask whoever keeps the head for the ledger that it came from.",
    },
    Explanation {
        code: "out-of-place",
        meaning: "A record does not fit what came before it, for example a second end of a session, or the stop of a run whose plan has a fixed number of sessions.",
        action: RESTORE,
    },
    Explanation {
        code: "lock-folder",
        meaning: "The frozen copy of a lock is missing, or is not what was locked.",
        action: RESTORE,
    },
    Explanation {
        code: "lock-unrecorded",
        meaning: "A folder under prereg/locks/ belongs to no recorded lock.",
        action: "Remove it, or restore the ledger that records it.",
    },
    Explanation {
        code: "run-folder-missing",
        meaning: "A recorded run has no folder.",
        action: RESTORE,
    },
    Explanation {
        code: "run-unrecorded",
        meaning: "A run folder is not announced in the ledger. It may have come before the run of record, so no verdict stands.",
        action: "Restore the chain that announced it; a folder that nobody announced proves nothing and is moved out of runs/.",
    },
    Explanation {
        code: "run-file-missing",
        meaning: "A sealed file of a run is gone.",
        action: RESTORE,
    },
    Explanation {
        code: "run-file-changed",
        meaning: "A sealed file of a run has other bytes.",
        action: RESTORE,
    },
    Explanation {
        code: "run-file-added",
        meaning: "A file lies in a sealed run's folder that its seal does not know.",
        action: "Move it out of the run's folder.",
    },
    Explanation {
        code: "run-file-unreadable",
        meaning: "A file of a run cannot be read as what it should be.",
        action: RESTORE,
    },
    Explanation {
        code: "run-record",
        meaning: "run.json does not say what the announcement says.",
        action: RESTORE,
    },
    Explanation {
        code: "session-state",
        meaning: "The ledger and the folder of a session disagree about how it ended.",
        action: RESTORE,
    },
    Explanation {
        code: "aborted-with-sessions",
        meaning: "A run was recorded as aborted before any session, and has session folders.",
        action: "Keep the folder: it shows that something was measured and not told.",
    },
    Explanation {
        code: "session-seeds",
        meaning: "A session's seeds or order of arms are not those that lock and announcement give.",
        action: "Do not trust the run. The order that a run executes must be the one that was locked.",
    },
    Explanation {
        code: "session-gap",
        meaning: "A block of sessions began sooner after the one before than the locked min-gap.",
        action: "Do not read the blocks as independent sittings; look at the clock of that machine.",
    },
    Explanation {
        code: "tables-disagree",
        meaning: "The Parquet tables of a run do not say what its JSONL records say.",
        action: RESTORE,
    },
    Explanation {
        code: "verdict-differs",
        meaning: "The verdict in the ledger is not the one that the raw samples give.",
        action: "Trust the samples: prereg analyze judges them again.",
    },
];
