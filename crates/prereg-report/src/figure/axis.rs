//! A linear axis: values to pixels, and ticks at round numbers in one fitting unit.

use prereg_units::Dimension;

use crate::number;

/// One axis of a figure.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Axis {
    low: f64,
    high: f64,
    start: f64,
    end: f64,
    scale: f64,
    unit: String,
}

/// A labelled position.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub(crate) struct Tick {
    /// Pixels.
    pub(crate) at: f64,
    /// The number, without its unit.
    pub(crate) label: String,
}

/// Room beside the outermost values, as a share of their span.
const MARGIN: f64 = 0.08;

impl Axis {
    /// An axis over all finite `values`, from pixel `start` to pixel `end` (which may lie before it).
    /// With no value at all it covers 0 to 1.
    pub(crate) fn over(
        values: impl IntoIterator<Item = f64>,
        dimension: Dimension,
        start: f64,
        end: f64,
    ) -> Self {
        let finite: Vec<f64> = values
            .into_iter()
            .filter(|value| value.is_finite())
            .collect();
        let (mut low, mut high) = finite
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &value| {
                (low.min(value), high.max(value))
            });
        if finite.is_empty() {
            (low, high) = (0.0, 1.0);
        }
        // Equal values get an axis around them, wide enough for ticks of five digits.
        let least = 1e-3 * low.abs().max(high.abs());
        let span = (high - low).max(if least > 0.0 { least } else { 1.0 });
        let middle = f64::midpoint(low, high);
        let half = span * (0.5 + MARGIN);
        let (scale, unit) = number::fitting_unit(low.abs().max(high.abs()), dimension);
        Self {
            low: middle - half,
            high: middle + half,
            start,
            end,
            scale,
            unit,
        }
    }

    /// The unit of the labels; empty for plain numbers.
    pub(crate) fn unit(&self) -> &str {
        &self.unit
    }

    /// Pixel of a value, held inside the axis.
    pub(crate) fn at(&self, value: f64) -> f64 {
        let share = ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0);
        pixel(self.start + share * (self.end - self.start))
    }

    /// Pixel of a bound, and whether it reaches beyond the axis; an unbounded side ends where the
    /// axis does.
    pub(crate) fn lower(&self, bound: Option<f64>) -> f64 {
        bound.map_or(pixel(self.start), |bound| self.at(bound))
    }

    /// As [`Axis::lower`], for an upper bound.
    pub(crate) fn upper(&self, bound: Option<f64>) -> f64 {
        bound.map_or(pixel(self.end), |bound| self.at(bound))
    }

    /// Ticks at multiples of 1, 2 or 5 times a power of ten, about `count` of them.
    pub(crate) fn ticks(&self, count: u32) -> Vec<Tick> {
        let (low, high) = (self.low / self.scale, self.high / self.scale);
        let rough = (high - low) / f64::from(count.max(1));
        let power = rough.log10().floor();
        let magnitude = 10_f64.powf(power);
        let factor = [1.0, 2.0, 5.0, 10.0]
            .into_iter()
            .find(|factor| factor * magnitude >= rough)
            .unwrap_or(10.0);
        let step = factor * magnitude;
        let decimals = (-step.log10().floor()).max(0.0) as usize;
        let first = (low / step).ceil() as i64;
        let last = (high / step).floor() as i64;
        (first..=last)
            .map(|multiple| {
                let value = multiple as f64 * step;
                Tick {
                    at: self.at(value * self.scale),
                    label: format!("{value:.decimals$}"),
                }
            })
            .collect()
    }
}

/// A tenth of a pixel is as fine as anyone sees, and keeps the files stable.
pub(crate) fn pixel(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(values: &[f64], dimension: Dimension) -> Vec<String> {
        let axis = Axis::over(values.iter().copied(), dimension, 0.0, 400.0);
        axis.ticks(5).into_iter().map(|tick| tick.label).collect()
    }

    #[test]
    fn ticks_are_round_numbers_in_the_fitting_unit() {
        assert_eq!(
            labels(&[0.0101, 0.0134], Dimension::TIME),
            ["10", "11", "12", "13"]
        );
        assert_eq!(
            labels(&[1.15, 1.3], Dimension::NONE),
            ["1.15", "1.20", "1.25", "1.30"]
        );
    }

    #[test]
    fn values_keep_their_order_and_stay_inside() {
        let axis = Axis::over([1.0, 2.0], Dimension::NONE, 100.0, 500.0);
        assert!(axis.at(1.0) < axis.at(2.0));
        assert_eq!(axis.at(-50.0), 100.0);
        assert_eq!(axis.at(50.0), 500.0);
    }

    #[test]
    fn a_vertical_axis_runs_upwards() {
        let axis = Axis::over([1.0, 2.0], Dimension::NONE, 300.0, 50.0);
        assert!(axis.at(2.0) < axis.at(1.0));
    }

    #[test]
    fn equal_values_no_values_and_zero_still_give_an_axis_with_ticks() {
        for values in [&[5.0, 5.0][..], &[], &[0.0], &[f64::NAN]] {
            let axis = Axis::over(values.iter().copied(), Dimension::NONE, 0.0, 400.0);
            assert!(axis.ticks(5).len() >= 2, "{values:?}");
        }
    }

    #[test]
    fn an_unbounded_side_ends_where_the_axis_does() {
        let axis = Axis::over([1.0, 2.0], Dimension::NONE, 100.0, 500.0);
        assert_eq!(axis.lower(None), 100.0);
        assert_eq!(axis.upper(None), 500.0);
    }
}
