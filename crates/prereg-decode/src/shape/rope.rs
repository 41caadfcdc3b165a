//! Rotary position embedding.

/// The long-context rescaling of rotary frequencies that Llama 3.1 introduced (`rope_type = "llama3"`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Llama3Scaling {
    /// Divisor of the low frequencies.
    pub factor: f64,
    /// Wavelengths longer than `original_max_position / low_freq_factor` have their frequency divided by `factor`.
    pub low_freq_factor: f64,
    /// Wavelengths shorter than `original_max_position / high_freq_factor` are left alone.
    pub high_freq_factor: f64,
    /// Context length of the original training, in positions.
    pub original_max_position: usize,
}

impl Llama3Scaling {
    /// The rescaled frequency, in radians a position: between the two wavelengths the divided and the original
    /// frequency are mixed linearly in the inverse wavelength.
    fn rescale(&self, frequency: f64) -> f64 {
        let turns = self.original_max_position as f64 * frequency / std::f64::consts::TAU;
        let kept = ((turns - self.low_freq_factor)
            / (self.high_freq_factor - self.low_freq_factor))
            .clamp(0.0, 1.0);
        frequency * (kept + (1.0 - kept) / self.factor)
    }
}

/// Rotary position embedding, in the half-split layout that Hugging Face checkpoints use: element i of a head is paired
/// with element i + `head_dim` / 2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rope {
    /// Base of the geometric series of frequencies.
    pub theta: f64,
    /// Rescaling of the series, if any.
    pub scaling: Option<Llama3Scaling>,
}

impl Rope {
    /// The frequency of each of the `head_dim` / 2 pairs, in radians a position: `theta`^(−2i ÷ `head_dim`), rescaled.
    pub(crate) fn frequencies(&self, head_dim: usize) -> impl Iterator<Item = f64> {
        (0..head_dim / 2).map(move |pair| {
            let frequency = self.theta.powf(-2.0 * pair as f64 / head_dim as f64);
            self.scaling
                .map_or(frequency, |scaling| scaling.rescale(frequency))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Llama3Scaling, Rope};

    #[test]
    fn plain_frequencies_fall_geometrically_from_one() {
        let frequencies: Vec<f64> = Rope {
            theta: 1e4,
            scaling: None,
        }
        .frequencies(8)
        .collect();
        for (frequency, expected) in frequencies.iter().zip([1.0, 0.1, 0.01, 0.001]) {
            assert!((frequency - expected).abs() < 1e-12);
        }
    }

    #[test]
    fn llama3_scaling_keeps_short_waves_divides_long_ones_and_mixes_between() {
        let scaling = Llama3Scaling {
            factor: 8.0,
            low_freq_factor: 1.0,
            high_freq_factor: 4.0,
            original_max_position: 8192,
        };
        let frequency_of = |wavelength: f64| std::f64::consts::TAU / wavelength;
        let change =
            |wavelength: f64| scaling.rescale(frequency_of(wavelength)) / frequency_of(wavelength);
        assert!((change(2048.0) - 1.0).abs() < 1e-12);
        assert!((change(8192.0) - 0.125).abs() < 1e-12);
        // 8192 / 3276.8 = 2.5 turns: halfway between 1 and 4.
        assert!((change(3276.8) - 0.5625).abs() < 1e-12);
    }
}
