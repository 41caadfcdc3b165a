//! Seeded normal numbers in bf16, addressable by stream and element.
//!
//! Element `i` of a stream is the quantile that 16 bits of `ChaCha8` select out of 65 536 equally likely ones: a normal
//! distribution cut at ±4.3 standard deviations, exact in shape and reachable by one table look-up. Stretches can be
//! made in any order by any number of threads and are the same on every machine.

use std::ops::Range;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::bf16::narrow;

/// Number of quantiles: one for each value of 16 bits.
const QUANTILES: usize = 1 << 16;

/// A normal distribution, tabulated.
pub(crate) struct Normals {
    table: Box<[u16]>,
}

impl Normals {
    /// The quantiles at the midpoints (i + ½) / 65 536 of a normal with that mean and standard deviation.
    pub(crate) fn new(mean: f64, deviation: f64) -> Self {
        let quantile = |i: usize| {
            let z = standard_quantile((i as f64 + 0.5) / QUANTILES as f64);
            narrow((mean + deviation * z) as f32)
        };
        Self {
            table: (0..QUANTILES).map(quantile).collect(),
        }
    }

    /// Writes the elements `elements` of stream `stream` under `seed` to `out`, which has exactly their number.
    pub(crate) fn write(
        &self,
        seed: [u8; 32],
        stream: u64,
        elements: Range<usize>,
        out: &mut [u16],
    ) {
        debug_assert_eq!(out.len(), elements.len());
        let mut generator = ChaCha8Rng::from_seed(seed);
        generator.set_stream(stream);
        // A generator word is 32 bits, two elements.
        generator.set_word_pos((elements.start / 2) as u128);
        let mut bytes = [0_u8; 4096];
        let (head, body) = out.split_at_mut(usize::from(elements.start % 2 == 1).min(out.len()));
        if let [first] = head {
            generator.fill_bytes(&mut bytes[..4]);
            *first = self.table[usize::from(u16::from_le_bytes([bytes[2], bytes[3]]))];
        }
        for stretch in body.chunks_mut(bytes.len() / 2) {
            // Whole words only, so that the generator stays aligned with the elements.
            let used = &mut bytes[..stretch.len().next_multiple_of(2) * 2];
            generator.fill_bytes(used);
            for (element, pair) in stretch.iter_mut().zip(used.as_chunks::<2>().0) {
                *element = self.table[usize::from(u16::from_le_bytes(*pair))];
            }
        }
    }
}

/// The standard normal quantile of `p` in [2⁻¹⁷, 1 − 2⁻¹⁷]: algorithm AS 241 (PPND7) of Wichura, Applied Statistics 37
/// (1988), about seven digits. Its branch for the far tail is not needed on that interval.
fn standard_quantile(p: f64) -> f64 {
    let polynomial =
        |coefficients: &[f64], x: f64| coefficients.iter().rev().fold(0.0, |sum, c| sum * x + c);
    let q = p - 0.5;
    if q.abs() <= 0.425 {
        let r = 0.180_625 - q * q;
        let numerator = [
            3.387_132_717_9,
            50.434_271_938,
            159.291_132_02,
            59.109_374_72,
        ];
        let denominator = [1.0, 17.895_169_469, 78.757_757_664, 67.187_563_6];
        return q * polynomial(&numerator, r) / polynomial(&denominator, r);
    }
    let r = libm::sqrt(-libm::log(p.min(1.0 - p))) - 1.6;
    let numerator = [
        1.423_437_277_7,
        2.756_815_39,
        1.306_728_481_6,
        0.170_238_211_03,
    ];
    let denominator = [1.0, 0.737_001_642_5, 0.120_211_329_75];
    (polynomial(&numerator, r) / polynomial(&denominator, r)).copysign(q)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Normals, standard_quantile};
    use crate::bf16::widen;

    #[test]
    fn quantiles_agree_with_published_tables() {
        for (p, z) in [
            (0.5, 0.0),
            (0.841_344_746, 1.0),
            (0.975, 1.959_963_985),
            (0.001, -3.090_232_306),
        ] {
            assert!(
                (standard_quantile(p) - z).abs() < 1e-6,
                "{p}: {}",
                standard_quantile(p)
            );
        }
    }

    #[test]
    fn moments_are_those_asked_for() {
        let mut out = vec![0; 200_000];
        Normals::new(1.0, 0.1).write([7; 32], 3, 0..out.len(), &mut out);
        let values: Vec<f64> = out.iter().map(|&bits| f64::from(widen(bits))).collect();
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let deviation =
            (values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / values.len() as f64).sqrt();
        // Four standard errors of each.
        assert!(
            (mean - 1.0).abs() < 0.001 && (deviation - 0.1).abs() < 0.0007,
            "{mean} {deviation}"
        );
    }

    #[test]
    fn streams_and_seeds_differ() {
        let normals = Normals::new(0.0, 1.0);
        let draw = |seed, stream| {
            let mut out = [0; 64];
            normals.write([seed; 32], stream, 0..64, &mut out);
            out
        };
        assert_ne!(draw(1, 0), draw(1, 1));
        assert_ne!(draw(1, 0), draw(2, 0));
    }

    proptest! {
        #[test]
        fn elements_do_not_depend_on_how_a_stream_is_cut(start in 0_usize..5000, length in 0_usize..5000) {
            let normals = Normals::new(0.0, 1.0);
            let mut whole = vec![0; start + length];
            normals.write([9; 32], 5, 0..whole.len(), &mut whole);
            let mut part = vec![0; length];
            normals.write([9; 32], 5, start..start + length, &mut part);
            prop_assert_eq!(&whole[start..], &part[..]);
        }
    }
}
