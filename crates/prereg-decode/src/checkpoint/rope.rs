//! Rotary parameters in both generations of keys.
//!
//! First generation: `rope_theta` at the top and, for long-context models, a table `rope_scaling` (its kind under
//! `rope_type`, earlier `type`). Second generation: one table `rope_parameters` with `rope_theta` inside.

use super::config::ConfigError;
use super::keys::Keys;
use crate::shape::{Llama3Scaling, Rope};

/// The base that a config means when it states none.
const DEFAULT_THETA: f64 = 10_000.0;

/// The rotary embedding that a config asks for.
pub(super) fn rope(config: &Keys<'_>) -> Result<Rope, ConfigError> {
    let table = match config.table("rope_scaling")? {
        Some(table) => Some(table),
        None => config.table("rope_parameters")?,
    };
    let theta_at_top = config.number("rope_theta")?.unwrap_or(DEFAULT_THETA);
    refuse_partial(config)?;
    let Some(table) = table else {
        return Ok(Rope {
            theta: theta_at_top,
            scaling: None,
        });
    };

    refuse_partial(&table)?;
    if table.values().any(serde_json::Value::is_object) {
        return Err(ConfigError::Unsupported {
            key: "rope_parameters".into(),
            found: "a table a kind of layer".into(),
            supported: "one set of parameters for all layers",
        });
    }
    let theta = table.number("rope_theta")?.unwrap_or(theta_at_top);
    let kind_key = if table.is_written("rope_type") {
        "rope_type"
    } else {
        "type"
    };
    let scaling = match table.text(kind_key)?.unwrap_or("default") {
        "default" => None,
        "llama3" => Some(Llama3Scaling {
            factor: table.required_number("factor")?,
            low_freq_factor: table.required_number("low_freq_factor")?,
            high_freq_factor: table.required_number("high_freq_factor")?,
            original_max_position: table.required_size("original_max_position_embeddings")?,
        }),
        other => {
            return Err(ConfigError::Unsupported {
                key: table.path(kind_key),
                found: other.into(),
                supported: "`default` and `llama3`",
            });
        }
    };
    Ok(Rope { theta, scaling })
}

fn refuse_partial(keys: &Keys<'_>) -> Result<(), ConfigError> {
    const KEY: &str = "partial_rotary_factor";
    match keys.number(KEY)? {
        Some(share) if share != 1.0 => Err(ConfigError::Unsupported {
            key: keys.path(KEY),
            found: share.to_string(),
            supported: "1 (all of a head rotates)",
        }),
        _ => Ok(()),
    }
}
