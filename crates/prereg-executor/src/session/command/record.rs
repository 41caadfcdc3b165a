//! What a slot left in the session's own folder.

use std::fs;
use std::io;
use std::path::Path;

use prereg_runs::SessionFolder;

use super::error::ProgramError;

/// A larger result file is read and not kept: what counts of it stands in the record.
const KEPT: u64 = 1 << 20;

/// Removes what the program put where only the tool writes, and a result file that is too large to be kept. The first is
/// an error.
pub(super) fn keep_clean(folder: &SessionFolder, slot: u32) -> Result<(), ProgramError> {
    let planted = folder.strangers().map_err(ProgramError::Folder)?;
    for path in &planted {
        remove(path).map_err(ProgramError::Folder)?;
    }
    if let Some(path) = planted.first() {
        let name = path.file_name().unwrap_or_default();
        return Err(ProgramError::Planted {
            name: name.to_string_lossy().into_owned(),
        });
    }
    let result = folder.output(slot, "result")?;
    match fs::symlink_metadata(&result) {
        Ok(metadata) if metadata.len() > KEPT => remove(&result).map_err(ProgramError::Folder),
        _ => Ok(()),
    }
}

fn remove(path: &Path) -> io::Result<()> {
    if fs::symlink_metadata(path)?.is_dir() {
        fs::remove_dir_all(path)
    } else {
        fs::remove_file(path)
    }
}
