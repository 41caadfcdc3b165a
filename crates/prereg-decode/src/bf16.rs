//! The 16-bit float that weights and the KV cache are held in: the upper half of an `f32`.

/// The value of a bf16 bit pattern; exact.
#[inline]
pub(crate) fn widen(bits: u16) -> f32 {
    f32::from_bits(u32::from(bits) << 16)
}

/// The nearest bf16, ties to even; a NaN stays a NaN.
#[inline]
pub(crate) fn narrow(value: f32) -> u16 {
    let bits = value.to_bits();
    if value.is_nan() {
        // Rounding could carry a NaN's payload into infinity: keep the top half and set the quiet bit.
        return (bits >> 16) as u16 | 0x40;
    }
    (bits.wrapping_add(0x7fff + ((bits >> 16) & 1)) >> 16) as u16
}

#[cfg(test)]
mod tests {
    use super::{narrow, widen};

    #[test]
    fn every_bf16_survives_a_round_trip() {
        for bits in 0..=u16::MAX {
            let value = widen(bits);
            if value.is_nan() {
                assert!(widen(narrow(value)).is_nan(), "{bits:#06x}");
            } else {
                assert_eq!(narrow(value), bits);
            }
        }
    }

    #[test]
    fn halfway_values_go_to_the_even_neighbour() {
        assert_eq!(narrow(f32::from_bits(0x3f80_8000)), 0x3f80);
        assert_eq!(narrow(f32::from_bits(0x3f81_8000)), 0x3f82);
        assert_eq!(narrow(f32::from_bits(0x3f80_8001)), 0x3f81);
    }
}
