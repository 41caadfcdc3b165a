//! Element-wise arithmetic on activations, written once in a form that compilers vectorise.
//!
//! The `inline(always)` functions take on the instruction set of the path module that calls them; having no sums across
//! elements, or sums in a fixed number of lanes, they give the same bits on every path.

#![expect(
    clippy::inline_always,
    reason = "a function that is not inlined keeps the baseline's instruction set"
)]

use crate::bf16::widen;

/// Partial sums kept side by side, so that a sum can be vectorised without changing its order between paths.
const LANES: usize = 16;

/// Joins the lanes of a partial result pairwise.
#[inline(always)]
fn across(mut lanes: [f32; LANES], join: impl Fn(f32, f32) -> f32) -> f32 {
    let mut half = LANES / 2;
    while half > 0 {
        for lane in 0..half {
            lanes[lane] = join(lanes[lane], lanes[lane + half]);
        }
        half /= 2;
    }
    lanes[0]
}

/// exp(x), relative error below 4 × 10⁻⁷ where the result is a normal number; x is clamped to ±87.
///
/// x = n ln 2 + r with |r| ≤ ½ ln 2; exp(r) is its Taylor polynomial of degree 6 and 2ⁿ is an exponent field.
#[inline(always)]
pub(crate) fn exp(x: f32) -> f32 {
    // Adding 1.5 × 2²³ rounds to the nearest integer, which then stands in the low bits.
    const ROUND: f32 = 12_582_912.0;
    // ln 2 in two parts, the first with so few bits that n times it is exact.
    const LN_2_HIGH: f32 = 0.693_359_4;
    const LN_2_LOW: f32 = -2.121_944_4e-4;
    let x = x.clamp(-87.0, 87.0);
    let rounded = x * std::f32::consts::LOG2_E + ROUND;
    let n = rounded - ROUND;
    let r = x - n * LN_2_HIGH - n * LN_2_LOW;
    let terms = [
        1.0 / 720.0,
        1.0 / 120.0,
        1.0 / 24.0,
        1.0 / 6.0,
        0.5,
        1.0,
        1.0,
    ];
    let mut sum = 0.0;
    for term in terms {
        sum = sum * r + term;
    }
    let exponent = rounded
        .to_bits()
        .wrapping_sub(ROUND.to_bits())
        .wrapping_add(127);
    sum * f32::from_bits(exponent << 23)
}

#[inline(always)]
pub(super) fn exponentiate(values: &mut [f32], shift: f32) -> f32 {
    let mut sums = [0.0; LANES];
    let (blocks, tail) = values.as_chunks_mut::<LANES>();
    for block in blocks {
        for (value, sum) in block.iter_mut().zip(&mut sums) {
            *value = exp(*value - shift);
            *sum += *value;
        }
    }
    for (value, sum) in tail.iter_mut().zip(&mut sums) {
        *value = exp(*value - shift);
        *sum += *value;
    }
    across(sums, |a, b| a + b)
}

#[inline(always)]
pub(super) fn silu(values: &mut [f32]) {
    for value in values {
        *value /= 1.0 + exp(-*value);
    }
}

/// The largest of `values` and `floor`; a NaN is passed over.
pub(crate) fn largest(values: &[f32], floor: f32) -> f32 {
    let larger = |a: f32, b: f32| if b > a { b } else { a };
    let mut lanes = [floor; LANES];
    let (blocks, tail) = values.as_chunks::<LANES>();
    for block in blocks {
        for (lane, value) in lanes.iter_mut().zip(block) {
            *lane = larger(*lane, *value);
        }
    }
    for (lane, value) in lanes.iter_mut().zip(tail) {
        *lane = larger(*lane, *value);
    }
    across(lanes, larger)
}

/// 1 ÷ √(mean of `x`² + `epsilon`).
pub(crate) fn inverse_root_mean_square(x: &[f32], epsilon: f32) -> f32 {
    let mut sums = [0.0; LANES];
    let (blocks, tail) = x.as_chunks::<LANES>();
    for block in blocks {
        for (value, sum) in block.iter().zip(&mut sums) {
            *sum += value * value;
        }
    }
    for (value, sum) in tail.iter().zip(&mut sums) {
        *sum += value * value;
    }
    1.0 / (across(sums, |a, b| a + b) / x.len() as f32 + epsilon).sqrt()
}

/// `out[i]` = `x[i]` × `scale` × `gain[i]`, with gains in bf16.
pub(crate) fn normalize(x: &[f32], scale: f32, gain: &[u16], out: &mut [f32]) {
    for ((value, gain), out) in x.iter().zip(gain).zip(out) {
        *out = value * scale * widen(*gain);
    }
}

/// `values[i]` × `factor`, in place.
pub(crate) fn scale(values: &mut [f32], factor: f32) {
    for value in values {
        *value *= factor;
    }
}

/// `out[i]` × `x[i]`, in place.
pub(crate) fn multiply(x: &[f32], out: &mut [f32]) {
    for (value, out) in x.iter().zip(out) {
        *out *= value;
    }
}

/// `out[i]` += `x[i]`.
pub(crate) fn add(x: &[f32], out: &mut [f32]) {
    for (value, out) in x.iter().zip(out) {
        *out += value;
    }
}

#[cfg(test)]
mod tests {
    use super::exp;

    #[test]
    fn exp_is_within_its_stated_error() {
        for step in -8_700..=8_700_i16 {
            let x = f32::from(step) / 100.0;
            let exact = f64::from(x).exp();
            let relative = (f64::from(exp(x)) - exact).abs() / exact;
            assert!(relative < 4e-7, "exp({x}) is off by {relative}");
        }
    }

    #[test]
    fn exp_of_minus_infinity_vanishes() {
        assert!(exp(f32::NEG_INFINITY) < 1e-37);
    }
}
