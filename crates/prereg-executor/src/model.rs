//! From the name of a model to its shape and its weights.

use std::path::{Path, PathBuf};

use prereg_decode::checkpoint::{Checkpoint, CheckpointError};
use prereg_decode::shape::Shape;
use prereg_decode::weights::{RandomWeights, TensorSource};

/// The shape of `model`: one that is known by name, else the one that the `config.json` of the folder `model` gives. The
/// folder is looked for from `study`.
///
/// # Errors
/// [`ModelError`].
pub fn shape(study: &Path, model: &str) -> Result<Shape, ModelError> {
    if let Some(shape) = Shape::named(model) {
        return Ok(shape);
    }
    let folder = folder(study, model)?;
    Checkpoint::shape_of(&folder).map_err(|source| ModelError::Checkpoint {
        model: model.to_owned(),
        source,
    })
}

/// Random weights for the shape of `model`.
///
/// # Errors
/// [`ModelError`].
pub fn random_weights(
    study: &Path,
    model: &str,
    seed: [u8; 32],
) -> Result<Box<dyn TensorSource>, ModelError> {
    Ok(Box::new(RandomWeights::new(shape(study, model)?, seed)))
}

/// The weights in the checkpoint folder `model`, looked for from `study`.
///
/// # Errors
/// [`ModelError`].
pub fn checkpoint_weights(study: &Path, model: &str) -> Result<Box<dyn TensorSource>, ModelError> {
    let folder = folder(study, model)?;
    let checkpoint = Checkpoint::open(&folder);
    Ok(Box::new(checkpoint.map_err(|source| {
        ModelError::Checkpoint {
            model: model.to_owned(),
            source,
        }
    })?))
}

fn folder(study: &Path, model: &str) -> Result<PathBuf, ModelError> {
    let folder = study.join(model);
    if folder.is_dir() {
        Ok(folder)
    } else {
        Err(ModelError::Unknown {
            model: model.to_owned(),
            shapes: Shape::names().collect::<Vec<_>>().join(", "),
        })
    }
}

/// A model cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// Neither a shape nor a folder.
    #[error("`{model}` is neither a folder of the study nor a shape; shapes: {shapes}")]
    Unknown {
        /// The name.
        model: String,
        /// Names of shapes.
        shapes: String,
    },
    /// A folder that is not a usable checkpoint.
    #[error("the checkpoint `{model}` cannot be used")]
    Checkpoint {
        /// The folder.
        model: String,
        /// What is wrong with it.
        source: CheckpointError,
    },
}
