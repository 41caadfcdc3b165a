//! Which file holds which tensor: `model.safetensors`, or the shards that `model.safetensors.index.json` lists.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use safetensors::tensor::TensorInfo;
use serde::Deserialize;

use super::folder::CheckpointError;
use super::mapped::{MappedFile, OpenError};

const WHOLE: &str = "model.safetensors";
const INDEX: &str = "model.safetensors.index.json";

/// The mapped weight files of a checkpoint.
pub(super) enum Shards {
    /// One file with every tensor.
    Whole(MappedFile),
    /// Several files, by the index that lists them.
    Sharded {
        /// Path of the index.
        index: PathBuf,
        /// Tensor → place in `files`.
        places: BTreeMap<String, usize>,
        /// The files.
        files: Vec<MappedFile>,
    },
}

/// The index's own format; its `metadata` says nothing that the shards do not.
#[derive(Deserialize)]
struct Index {
    weight_map: BTreeMap<String, String>,
}

impl Shards {
    /// Maps every weight file of the folder. One whole file goes before an index, as transformers has it.
    pub(super) fn open(folder: &Path) -> Result<Self, CheckpointError> {
        let whole = folder.join(WHOLE);
        let index = folder.join(INDEX);
        if whole.exists() {
            open_file(whole).map(Self::Whole)
        } else if index.exists() {
            Self::open_index(folder, index)
        } else {
            Err(CheckpointError::NoWeights {
                folder: folder.to_owned(),
            })
        }
    }

    fn open_index(folder: &Path, index: PathBuf) -> Result<Self, CheckpointError> {
        let text = fs::read(&index).map_err(|source| CheckpointError::Read {
            path: index.clone(),
            source,
        })?;
        let Index { weight_map } =
            serde_json::from_slice(&text).map_err(|source| CheckpointError::Index {
                path: index.clone(),
                source,
            })?;

        let mut files = Vec::new();
        let mut opened = BTreeMap::new();
        for shard in weight_map.values().collect::<BTreeSet<_>>() {
            opened.insert(shard, files.len());
            files.push(open_shard(folder, &index, shard)?);
        }
        let places = weight_map
            .iter()
            .map(|(tensor, shard)| (tensor.clone(), opened[shard]))
            .collect();
        Ok(Self::Sharded {
            index,
            places,
            files,
        })
    }

    /// The file that holds a tensor, by its place in [`Shards::file`], and what its header says of it.
    pub(super) fn find(&self, tensor: &str) -> Result<(usize, &TensorInfo), CheckpointError> {
        let missing = |path: &Path| CheckpointError::MissingTensor {
            path: path.to_owned(),
            tensor: tensor.into(),
        };
        let place = match self {
            Self::Whole(_) => 0,
            Self::Sharded { index, places, .. } => {
                *places.get(tensor).ok_or_else(|| missing(index))?
            }
        };
        let file = self.file(place);
        let info = file.tensor(tensor).ok_or_else(|| missing(file.path()))?;
        Ok((place, info))
    }

    /// The file at a place that [`Shards::find`] gave.
    pub(super) fn file(&self, place: usize) -> &MappedFile {
        match self {
            Self::Whole(file) => file,
            Self::Sharded { files, .. } => &files[place],
        }
    }
}

fn open_shard(folder: &Path, index: &Path, shard: &str) -> Result<MappedFile, CheckpointError> {
    // A bare file name: an index may not lead out of its folder.
    if Path::new(shard)
        .file_name()
        .is_none_or(|name| name != shard)
    {
        return Err(CheckpointError::ShardOutside {
            index: index.to_owned(),
            shard: shard.into(),
        });
    }
    open_file(folder.join(shard)).map_err(|error| match error {
        CheckpointError::Read { source, .. } if source.kind() == io::ErrorKind::NotFound => {
            CheckpointError::MissingShard {
                index: index.to_owned(),
                shard: shard.into(),
            }
        }
        other => other,
    })
}

fn open_file(path: PathBuf) -> Result<MappedFile, CheckpointError> {
    MappedFile::open(path.clone()).map_err(|error| match error {
        OpenError::Io(source) => CheckpointError::Read { path, source },
        OpenError::Header(source) => CheckpointError::Header { path, source },
    })
}
