//! The statistics of the language on plain values.

use prereg_declaration::Statistic;
use prereg_stats::{Sample, estimate};
use prereg_units::{Dimension, Quantity};

use super::Unreadable;

/// What a coefficient of variation means where the statistic stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spread {
    /// Within a session: sd/mean.
    Plain,
    /// Over sessions: √(exp(s²) − 1) of the logarithms.
    Log,
}

/// The statistic of `values`, which have `dimension`.
pub(super) fn statistic(
    statistic: Statistic,
    values: &[f64],
    dimension: Dimension,
    spread: Spread,
) -> Result<Quantity, Unreadable> {
    if statistic == Statistic::Count {
        return quantity(values.len() as f64, Dimension::NONE);
    }
    if values.is_empty() {
        return Err(Unreadable::NotObserved);
    }
    let sample = Sample::new(values).map_err(|_| Unreadable::NotFinite)?;
    let value = match statistic {
        Statistic::Median => Ok(estimate::median(sample)),
        Statistic::Mean => Ok(estimate::mean(sample)),
        Statistic::Min => Ok(estimate::min(sample)),
        Statistic::Max => Ok(estimate::max(sample)),
        Statistic::Quantile(p) => estimate::quantile(sample, p),
        Statistic::Sd => estimate::sd(sample),
        Statistic::Cv if spread == Spread::Log => estimate::log_cv(sample),
        Statistic::Cv => estimate::cv(sample),
        Statistic::Count => Ok(values.len() as f64),
        Statistic::Sum => estimate::sum(sample),
        Statistic::Unsteadiness => return unsteadiness(values),
        // Of readings only, which know more than their values.
        Statistic::Updates | Statistic::UpdateRate | Statistic::Coverage => {
            return Err(Unreadable::NotObserved);
        }
    };
    let value = value.map_err(|error| match error {
        estimate::EstimateError::OneValue => Unreadable::NotObserved,
        _ => Unreadable::NotFinite,
    })?;
    quantity(value, statistic.dimension(dimension))
}

/// |ln(median of the first third / median of the last third)|, thirds of ⌊n/3⌋ values in their order.
fn unsteadiness(values: &[f64]) -> Result<Quantity, Unreadable> {
    let third = values.len() / 3;
    let middle = |part: &[f64]| {
        let part = Sample::new(part).map_err(|_| Unreadable::NotObserved)?;
        Ok(estimate::median(part))
    };
    let first = middle(&values[..third])?;
    let last = middle(&values[values.len() - third..])?;
    // A difference of logarithms, because the quotient of two extreme times overflows. A median of
    // zero has no logarithm, and what comes of it is not finite.
    quantity((libm::log(first) - libm::log(last)).abs(), Dimension::NONE)
}

pub(super) fn quantity(value: f64, dimension: Dimension) -> Result<Quantity, Unreadable> {
    Quantity::new(value, dimension).map_err(|_| Unreadable::NotFinite)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: Statistic, values: &[f64], spread: Spread) -> Result<Quantity, Unreadable> {
        statistic(name, values, Dimension::TIME, spread)
    }

    #[test]
    fn counts_and_coefficients_are_plain_numbers() {
        let values = [1.0, 2.0, 3.0];
        let count = read(Statistic::Count, &values, Spread::Plain).unwrap();
        assert_eq!((count.value(), count.dimension()), (3.0, Dimension::NONE));
        let cv = read(Statistic::Cv, &values, Spread::Plain).unwrap();
        assert_eq!((cv.value(), cv.dimension()), (0.5, Dimension::NONE));
        let max = read(Statistic::Max, &values, Spread::Plain).unwrap();
        assert_eq!((max.value(), max.dimension()), (3.0, Dimension::TIME));
    }

    #[test]
    fn no_values_are_not_observed_except_for_their_count() {
        assert_eq!(
            read(Statistic::Min, &[], Spread::Plain),
            Err(Unreadable::NotObserved)
        );
        assert_eq!(
            read(Statistic::Count, &[], Spread::Plain).map(Quantity::value),
            Ok(0.0)
        );
        assert_eq!(
            read(Statistic::Sd, &[1.0], Spread::Plain),
            Err(Unreadable::NotObserved)
        );
    }

    #[test]
    fn the_coefficient_over_sessions_is_that_of_the_logarithms() {
        let values = [1.0, std::f64::consts::E];
        let expected = (0.5_f64.exp() - 1.0).sqrt();
        let cv = read(Statistic::Cv, &values, Spread::Log).unwrap().value();
        assert!((cv - expected).abs() < 1e-12);
    }

    #[test]
    fn unsteadiness_is_the_log_ratio_of_the_outer_thirds_whichever_is_greater() {
        let rising = [1.0, 1.0, 9.0, 9.0, 9.0, 2.0, 2.0];
        let falling = [2.0, 2.0, 9.0, 9.0, 9.0, 1.0, 1.0];
        for values in [rising, falling] {
            let read = read(Statistic::Unsteadiness, &values, Spread::Plain).unwrap();
            assert_eq!(read.dimension(), Dimension::NONE);
            assert!((read.value() - 2.0_f64.ln()).abs() < 1e-15);
        }
    }

    #[test]
    fn unsteadiness_of_fewer_than_three_values_or_of_a_zero_median_is_unreadable() {
        let of = |values: &[f64]| read(Statistic::Unsteadiness, values, Spread::Plain);
        assert_eq!(of(&[1.0, 2.0]), Err(Unreadable::NotObserved));
        assert_eq!(
            of(&[0.0, 0.0, 1.0, 1.0, 1.0, 1.0]),
            Err(Unreadable::NotFinite)
        );
        let extreme = [f64::MIN_POSITIVE, 1.0, f64::MAX];
        assert!(of(&extreme).unwrap().value() > 1_000.0);
    }
}
