//! Hugging Face checkpoints: a folder with `config.json` and bf16 weights in safetensors, whole or in shards.
//!
//! [`Checkpoint::open`] turns the config into a [`Shape`](crate::shape::Shape), maps the weight files and checks that
//! every tensor of the shape is there with its dimensions and type. Nothing is converted or guessed: what the decode
//! step could not reproduce exactly (another activation, another type, a rotary scaling it does not have) is refused
//! with the key or tensor that says so.
//!
//! Both generations of config keys are read: `rope_theta`, `rope_scaling` and `torch_dtype`, and the later
//! `rope_parameters` and `dtype`. A key left out means what it means to the transformers library.
//!
//! A sliding attention window is honoured by shortening the longest context to it: up to there a window and full
//! attention are the same computation.

mod config;
mod folder;
mod keys;
mod mapped;
mod rope;
mod shards;

pub use config::ConfigError;
pub use folder::{Checkpoint, CheckpointError};
pub use keys::KeyError;
pub use mapped::HeaderError;
