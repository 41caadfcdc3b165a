//! One safetensors file, mapped.
//!
//! Format: the header's length as a little-endian u64, the header (JSON: name → dtype, shape, offsets), then the data,
//! which the header's offsets cover without gap or overlap up to the last byte of the file.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use memmap2::{Mmap, UncheckedAdvice};
use safetensors::tensor::{Metadata, TensorInfo};

/// Bytes of the length in front of the header.
const LENGTH_BYTES: usize = size_of::<u64>();

/// A mapped safetensors file whose header was checked against its length.
pub(super) struct MappedFile {
    path: PathBuf,
    map: Mmap,
    header: Metadata,
    data_start: usize,
}

impl MappedFile {
    /// Maps the file and reads its header; the data stays on disk until it is read.
    pub(super) fn open(path: PathBuf) -> Result<Self, OpenError> {
        let file = File::open(&path)?;
        // SAFETY: the mapping is read-only and private to this value. A file that someone shortens while it is mapped
        // ends the process with a bus error; like every reader of mapped weights, this one relies on nobody doing so.
        let map = unsafe { Mmap::map(&file) }?;
        let (header, data_start) = read_header(&map)?;
        Ok(Self {
            path,
            map,
            header,
            data_start,
        })
    }

    /// Where the file is.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// What the header says of a tensor.
    pub(super) fn tensor(&self, name: &str) -> Option<&TensorInfo> {
        self.header.info(name)
    }

    /// Where a tensor's bytes stand in the file.
    pub(super) fn bytes_of(&self, tensor: &TensorInfo) -> Range<usize> {
        let (start, end) = tensor.data_offsets;
        self.data_start + start..self.data_start + end
    }

    /// A stretch of the file.
    pub(super) fn bytes(&self, range: Range<usize>) -> &[u8] {
        &self.map[range]
    }

    /// Gives the pages of a stretch back; a later read maps them again.
    pub(super) fn release(&self, range: Range<usize>) {
        // SAFETY: this is a read-only mapping of a file, so that a dropped page comes back from the file with the same
        // content: a reader of the stretch or of a neighbour on the same page sees no change.
        let released = unsafe {
            self.map
                .unchecked_advise_range(UncheckedAdvice::DontNeed, range.start, range.len())
        };
        // Advice only: where it is not taken, pages stay mapped until the value is dropped.
        drop(released);
    }
}

fn read_header(file: &[u8]) -> Result<(Metadata, usize), HeaderError> {
    let Some((length, rest)) = file.split_first_chunk::<LENGTH_BYTES>() else {
        return Err(HeaderError::TooShort { bytes: file.len() });
    };
    let length = u64::from_le_bytes(*length);
    let header = usize::try_from(length)
        .ok()
        .and_then(|length| rest.get(..length));
    let Some(header) = header else {
        return Err(HeaderError::Cut {
            header: length,
            bytes: file.len(),
        });
    };
    let metadata: Metadata = serde_json::from_slice(header).map_err(HeaderError::Malformed)?;
    let present = rest.len() - header.len();
    if metadata.data_len() != present {
        return Err(HeaderError::DataLength {
            described: metadata.data_len(),
            present,
        });
    }
    Ok((metadata, LENGTH_BYTES + header.len()))
}

/// Why a weight file could not be opened.
#[derive(Debug, thiserror::Error)]
pub(super) enum OpenError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error(transparent)]
    Header(#[from] HeaderError),
}

/// A safetensors header that does not fit its file.
#[derive(Debug, thiserror::Error)]
pub enum HeaderError {
    /// Not even the header's length is there.
    #[error("the file has {bytes} bytes, fewer than a header's length takes; fetch it again")]
    TooShort {
        /// Length of the file.
        bytes: usize,
    },
    /// The file ends inside the header, or is no safetensors file at all.
    #[error(
        "the file announces a header of {header} bytes but has {bytes} bytes in all; it was cut short or is no \
         safetensors file: fetch it again"
    )]
    Cut {
        /// Length of the header as announced.
        header: u64,
        /// Length of the file.
        bytes: usize,
    },
    /// The header is not what safetensors prescribes.
    #[error("the header is malformed")]
    Malformed(#[source] serde_json::Error),
    /// The data is shorter or longer than the header describes.
    #[error(
        "the header describes {described} bytes of data, the file has {present}; it was cut short: fetch it again"
    )]
    DataLength {
        /// Bytes that the header's tensors take.
        described: usize,
        /// Bytes that follow the header.
        present: usize,
    },
}
