//! The five laws from which the sessions' numbers are drawn.
//!
//! A number here is what an interval works on: for a ratio, its logarithm. Coverage depends neither
//! on location nor on scale, so both are chosen for short formulas.

use prereg_stats::Generator;
use prereg_stats::distribution::normal;

/// A law of session numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Population {
    /// Ratios with a lognormal law: the logarithms are standard normal.
    Lognormal,
    /// Student's t with three degrees of freedom.
    T3,
    /// A session in five belongs to a second mode, ten standard deviations above the first; both
    /// modes are normal with unit variance.
    Bimodal8020,
    /// The same with a session in ten.
    Bimodal9010,
    /// Skewed to the right: exp of a standard normal number.
    Skewed,
}

/// Distance of the modes.
const GAP: f64 = 10.0;

impl Population {
    pub(crate) const ALL: [Self; 5] = [
        Self::Lognormal,
        Self::T3,
        Self::Bimodal8020,
        Self::Bimodal9010,
        Self::Skewed,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Lognormal => "lognormal",
            Self::T3 => "t3",
            Self::Bimodal8020 => "bimodal_80_20",
            Self::Bimodal9010 => "bimodal_90_10",
            Self::Skewed => "skewed",
        }
    }

    pub(crate) fn draw(self, generator: &mut Generator) -> f64 {
        let z = gaussian(generator);
        match self {
            Self::Lognormal => z,
            Self::T3 => {
                let chi_squared: f64 = (0..3).map(|_| gaussian(generator).powi(2)).sum();
                z / (chi_squared / 3.0).sqrt()
            }
            Self::Bimodal8020 | Self::Bimodal9010 => {
                let second = uniform(generator) < self.second_mode();
                z + if second { GAP } else { 0.0 }
            }
            Self::Skewed => libm::exp(z),
        }
    }

    /// The share of the second mode.
    fn second_mode(self) -> f64 {
        match self {
            Self::Bimodal8020 => 0.2,
            Self::Bimodal9010 => 0.1,
            Self::Lognormal | Self::T3 | Self::Skewed => 0.0,
        }
    }

    pub(crate) fn mean(self) -> f64 {
        match self {
            Self::Lognormal | Self::T3 => 0.0,
            Self::Bimodal8020 | Self::Bimodal9010 => GAP * self.second_mode(),
            Self::Skewed => libm::exp(0.5),
        }
    }

    /// For two modes: where the first one alone reaches ½. The second adds less than 10^-20 there.
    pub(crate) fn median(self) -> f64 {
        match self {
            Self::Lognormal | Self::T3 => 0.0,
            Self::Bimodal8020 | Self::Bimodal9010 => {
                normal::quantile(0.5 / (1.0 - self.second_mode()))
            }
            Self::Skewed => 1.0,
        }
    }
}

/// Uniform on (0, 1), never an end.
fn uniform(generator: &mut Generator) -> f64 {
    (f64::from(generator.below(1 << 31)) + 0.5) / f64::from(1_u32 << 31)
}

fn gaussian(generator: &mut Generator) -> f64 {
    normal::quantile(uniform(generator))
}
