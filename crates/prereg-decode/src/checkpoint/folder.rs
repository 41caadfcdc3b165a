//! A checkpoint folder, opened and checked as a whole.

use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use safetensors::tensor::{Dtype, TensorInfo};

use super::config::{self, ConfigError};
use super::mapped::{HeaderError, MappedFile};
use super::shards::Shards;
use crate::shape::{Shape, Tensor};
use crate::weights::TensorSource;

const CONFIG: &str = "config.json";

/// The weights of a Hugging Face folder, mapped. Every tensor of its shape is known to be there, in bf16 and with its
/// dimensions; tensors that the shape has no use for are left alone.
pub struct Checkpoint {
    shape: Shape,
    shards: Shards,
    /// By [`Tensor::index`]: the file's place and the bytes in it.
    stretches: Vec<(usize, Range<usize>)>,
}

impl Checkpoint {
    /// Opens the folder, named after its last path component in messages and records.
    ///
    /// # Errors
    /// [`CheckpointError`] names the file, and the key or tensor in it, that stands in the way.
    pub fn open(folder: &Path) -> Result<Self, CheckpointError> {
        let shape = Self::shape_of(folder)?;
        let shards = Shards::open(folder)?;
        let stretches = shape
            .tensors()
            .iter()
            .map(|tensor| stretch(&shards, tensor))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            shape,
            shards,
            stretches,
        })
    }

    /// The shape that the folder's `config.json` describes; weights need not be there.
    ///
    /// # Errors
    /// [`CheckpointError`] names the file, and the key in it, that stands in the way.
    pub fn shape_of(folder: &Path) -> Result<Shape, CheckpointError> {
        if !folder.is_dir() {
            return Err(CheckpointError::NoFolder {
                folder: folder.to_owned(),
            });
        }
        let path = folder.join(CONFIG);
        let text = match fs::read(&path) {
            Ok(text) => text,
            Err(source) => return Err(CheckpointError::Read { path, source }),
        };
        config::shape(name_of(folder), &text)
            .map_err(|source| CheckpointError::Config { path, source })
    }

    fn place(&self, tensor: &Tensor) -> (&MappedFile, Range<usize>) {
        let (place, bytes) = &self.stretches[tensor.index];
        (self.shards.file(*place), bytes.clone())
    }
}

impl TensorSource for Checkpoint {
    fn shape(&self) -> &Shape {
        &self.shape
    }

    fn read(&self, tensor: &Tensor, elements: Range<usize>, out: &mut [u16]) {
        let (file, bytes) = self.place(tensor);
        let bytes = file.bytes(bytes.start + 2 * elements.start..bytes.start + 2 * elements.end);
        // A tensor may start at an odd address: safetensors pads only the header.
        for (element, bytes) in out.iter_mut().zip(bytes.as_chunks::<2>().0) {
            *element = u16::from_le_bytes(*bytes);
        }
    }

    fn release(&self, tensor: &Tensor) {
        let (file, bytes) = self.place(tensor);
        file.release(bytes);
    }
}

fn name_of(folder: &Path) -> String {
    // `.` and `..` have no name of their own.
    let resolved = if folder.file_name().is_none() {
        folder.canonicalize().ok()
    } else {
        None
    };
    let name = resolved.as_deref().unwrap_or(folder).file_name();
    name.map_or_else(
        || "checkpoint".into(),
        |name| name.to_string_lossy().into_owned(),
    )
}

fn stretch(shards: &Shards, tensor: &Tensor) -> Result<(usize, Range<usize>), CheckpointError> {
    let (place, found) = shards.find(&tensor.name)?;
    let file = shards.file(place);
    check(file, tensor, found)?;
    Ok((place, file.bytes_of(found)))
}

fn check(file: &MappedFile, tensor: &Tensor, found: &TensorInfo) -> Result<(), CheckpointError> {
    if found.dtype != Dtype::BF16 {
        return Err(CheckpointError::TensorType {
            path: file.path().to_owned(),
            tensor: tensor.name.clone(),
            found: found.dtype.to_string(),
        });
    }
    if found.shape != tensor.dimensions() {
        return Err(CheckpointError::TensorShape {
            path: file.path().to_owned(),
            tensor: tensor.name.clone(),
            found: found.shape.clone(),
            expected: tensor.dimensions(),
        });
    }
    Ok(())
}

/// Why a folder could not be opened as a checkpoint.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// There is no such folder.
    #[error(
        "no checkpoint folder at {folder}; it must hold {CONFIG} and weights in safetensors",
        folder = folder.display()
    )]
    NoFolder {
        /// The path that was asked for.
        folder: PathBuf,
    },
    /// The folder has no weights in a format that is read.
    #[error(
        "{folder} holds neither model.safetensors nor model.safetensors.index.json; other weight formats are not read",
        folder = folder.display()
    )]
    NoWeights {
        /// The folder.
        folder: PathBuf,
    },
    /// A file of the folder cannot be read.
    #[error("cannot read {path}", path = path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The config gives no shape that can be run.
    #[error("cannot use {path}", path = path.display())]
    Config {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: ConfigError,
    },
    /// The index is not a table with a `weight_map`.
    #[error("{path} is not a safetensors index; fetch it again", path = path.display())]
    Index {
        /// The file.
        path: PathBuf,
        /// Where it stops making sense.
        source: serde_json::Error,
    },
    /// The index names a file outside the folder.
    #[error("{index} names `{shard}`; a shard must be a file beside its index", index = index.display())]
    ShardOutside {
        /// The index.
        index: PathBuf,
        /// The name in it.
        shard: String,
    },
    /// The index names a file that is not there.
    #[error("{index} names {shard}, which is not in the folder; fetch every shard", index = index.display())]
    MissingShard {
        /// The index.
        index: PathBuf,
        /// The file that is missing.
        shard: String,
    },
    /// A weight file's header does not fit the file.
    #[error("cannot use {path}", path = path.display())]
    Header {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: HeaderError,
    },
    /// A tensor that the config implies is in none of the files.
    #[error(
        "{path} has no tensor `{tensor}`, which {CONFIG} calls for; fetch config and weights of one model, whole",
        path = path.display()
    )]
    MissingTensor {
        /// The file or index where it was looked for.
        path: PathBuf,
        /// Its name.
        tensor: String,
    },
    /// A tensor has other dimensions than the config implies.
    #[error(
        "tensor `{tensor}` of {path} has dimensions {found:?}, {CONFIG} calls for {expected:?}; fetch config and \
         weights of one model",
        path = path.display()
    )]
    TensorShape {
        /// The file.
        path: PathBuf,
        /// The tensor's name.
        tensor: String,
        /// Its dimensions.
        found: Vec<usize>,
        /// The dimensions that the config implies.
        expected: Vec<usize>,
    },
    /// A tensor is not bf16.
    #[error(
        "tensor `{tensor}` of {path} is {found}; only BF16 is read: save the checkpoint again in bfloat16",
        path = path.display()
    )]
    TensorType {
        /// The file.
        path: PathBuf,
        /// The tensor's name.
        tensor: String,
        /// Its type, as safetensors calls it.
        found: String,
    },
}

#[cfg(test)]
mod tests {
    use super::{Checkpoint, Path, TensorSource, name_of};

    fn fixture(name: &str) -> Checkpoint {
        let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
        Checkpoint::open(&fixtures.join(name)).unwrap()
    }

    /// All elements of every tensor, each read in stretches of `step`.
    fn elements(checkpoint: &Checkpoint, step: usize) -> Vec<u16> {
        let mut all = Vec::new();
        for tensor in checkpoint.shape().tensors() {
            for start in (0..tensor.elements()).step_by(step) {
                let stretch = start..tensor.elements().min(start + step);
                let mut out = vec![0; stretch.len()];
                checkpoint.read(&tensor, stretch, &mut out);
                all.extend(out);
            }
        }
        all
    }

    #[test]
    fn elements_are_the_same_however_a_tensor_is_cut() {
        for name in ["llama", "mistral", "qwen2"] {
            let checkpoint = fixture(name);
            assert_eq!(
                elements(&checkpoint, 1009),
                elements(&checkpoint, usize::MAX >> 1),
                "{name}"
            );
        }
    }

    #[test]
    fn a_released_tensor_reads_the_same_again() {
        let checkpoint = fixture("mistral");
        let before = elements(&checkpoint, 4096);
        for tensor in checkpoint.shape().tensors() {
            checkpoint.release(&tensor);
        }
        assert_eq!(elements(&checkpoint, 4096), before);
    }

    #[test]
    fn a_checkpoint_is_named_after_its_folder_wherever_that_is() {
        assert_eq!(fixture("qwen2").shape().name, "qwen2");
        assert_eq!(name_of(Path::new("models/tiny/")), "tiny");
        assert_eq!(name_of(Path::new("/")), "checkpoint");
        // Tests run in the package's folder.
        assert_eq!(name_of(Path::new(".")), "prereg-decode");
    }
}
