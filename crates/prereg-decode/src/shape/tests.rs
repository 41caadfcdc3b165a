//! Shapes that cannot be run are refused with the number that does not fit.

use super::{Shape, ShapeError};

fn changed(change: impl FnOnce(&mut Shape)) -> Result<(), ShapeError> {
    let mut shape = Shape::named("llama-3.1-8b").unwrap();
    change(&mut shape);
    shape.check()
}

#[test]
fn every_published_shape_can_be_run() {
    for name in Shape::names() {
        assert_eq!(Shape::named(name).unwrap().check(), Ok(()), "{name}");
    }
}

#[test]
fn an_unknown_name_has_no_shape() {
    assert_eq!(Shape::named("llama"), None);
}

#[test]
fn weights_that_would_overflow_a_sum_are_refused() {
    let huge = 1 << 24;
    let error = changed(|shape| (shape.heads, shape.kv_heads, shape.head_dim) = (huge, huge, huge));
    assert_eq!(error, Err(ShapeError::TooMuchMemory));
    let error = changed(|shape| shape.layers = 1 << 20);
    assert_eq!(error, Err(ShapeError::TooMuchMemory));
}

#[test]
fn numbers_that_do_not_fit_are_named() {
    assert_eq!(
        changed(|shape| shape.vocab = 0),
        Err(ShapeError::Zero { name: "vocab" })
    );
    let large = ShapeError::TooLarge {
        name: "hidden",
        value: usize::MAX,
    };
    assert_eq!(changed(|shape| shape.hidden = usize::MAX), Err(large));
    let uneven = ShapeError::UnevenGroups {
        heads: 32,
        kv_heads: 5,
    };
    assert_eq!(changed(|shape| shape.kv_heads = 5), Err(uneven));
    assert_eq!(
        changed(|shape| shape.head_dim = 127),
        Err(ShapeError::OddHeadDim { head_dim: 127 })
    );
    assert_eq!(
        changed(|shape| shape.rope.theta = f64::NAN),
        Err(ShapeError::Rope)
    );
    assert!(matches!(
        changed(|shape| shape.norm_eps = -1.0),
        Err(ShapeError::NormEps { .. })
    ));
}
