//! Properties of reading, printing and calculating.

#![expect(
    clippy::unwrap_used,
    reason = "strategies build only values that are valid by construction"
)]

use prereg_units::{Base, Dimension, Quantity, Unit};
use proptest::prelude::*;

fn dimension() -> impl Strategy<Value = Dimension> {
    prop::collection::vec((0_usize..7, -2_i32..=2), 0..4).prop_map(|factors| {
        factors
            .into_iter()
            .fold(Dimension::NONE, |product, (base, power)| {
                let unit = Dimension::of(Base::ALL[base]);
                (0..power.abs()).fold(product, |product, _| {
                    if power > 0 {
                        product.checked_mul(unit)
                    } else {
                        product.checked_div(unit)
                    }
                    .unwrap()
                })
            })
    })
}

fn value() -> impl Strategy<Value = f64> {
    (-1.0_f64..1.0, -15_i32..15).prop_map(|(mantissa, exponent)| mantissa * 10_f64.powi(exponent))
}

fn quantity() -> impl Strategy<Value = Quantity> {
    (value(), dimension()).prop_map(|(value, dimension)| Quantity::new(value, dimension).unwrap())
}

proptest! {
    #[test]
    fn the_canonical_form_reads_back_to_the_same_bits(q in quantity()) {
        let read: Quantity = q.canonical().parse().unwrap();
        prop_assert_eq!(read.value().to_bits(), q.value().to_bits());
        prop_assert_eq!(read.dimension(), q.dimension());
    }

    #[test]
    fn the_readable_form_reads_back_within_its_digits(q in quantity()) {
        let read: Quantity = q.to_string().parse().unwrap();
        prop_assert_eq!(read.dimension(), q.dimension());
        let error = (read.value() - q.value()).abs();
        prop_assert!(error <= 5.01e-4 * q.value().abs(), "{} printed as {}", q.canonical(), q);
    }

    #[test]
    fn a_dimension_reads_back_from_its_text(d in dimension()) {
        prop_assert_eq!(Unit::parse(&d.to_string()).unwrap().dimension(), d);
    }

    #[test]
    fn dimensions_form_an_abelian_group(a in dimension(), b in dimension(), c in dimension()) {
        prop_assert_eq!(a.checked_mul(b), b.checked_mul(a));
        prop_assert_eq!(a.checked_mul(b).unwrap().checked_mul(c), a.checked_mul(b.checked_mul(c).unwrap()));
        prop_assert_eq!(a.checked_mul(b).unwrap().checked_div(b), Ok(a));
        prop_assert_eq!(a.checked_div(a), Ok(Dimension::NONE));
    }

    #[test]
    fn arithmetic_agrees_with_f64_and_keeps_dimensions(a in quantity(), b in quantity(), x in value()) {
        let same = Quantity::new(x, a.dimension()).unwrap();
        prop_assert_eq!(a.checked_add(same).unwrap().value(), a.value() + x);
        prop_assert_eq!(a.checked_sub(same).unwrap().dimension(), a.dimension());
        prop_assert_eq!(a.checked_mul(b).unwrap().dimension(), a.dimension().checked_mul(b.dimension()).unwrap());
        prop_assume!(b.value() != 0.0);
        prop_assert_eq!(a.checked_div(b).unwrap().value(), a.value() / b.value() + 0.0);
    }

    #[test]
    fn any_text_is_read_or_refused_without_panic(text in "\\PC{0,24}") {
        let _ = text.parse::<Quantity>();
        let _ = Unit::parse(&text);
    }

    #[test]
    fn what_looks_like_a_quantity_is_finite_or_refused(text in "[+-]?[0-9]{1,20}(\\.[0-9]{1,5})?(e[+-]?[0-9]{1,4})? ?[a-zA-Z%/*^0-9]{0,8}") {
        if let Ok(q) = text.parse::<Quantity>() {
            prop_assert!(q.value().is_finite());
        }
    }
}
