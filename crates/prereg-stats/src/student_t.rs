//! Bounds on a mean from Student's t law, for metrics declared approximately symmetric.

use crate::distribution::{SMALLEST_P, student};
use crate::{Alpha, Bound, Comparison, Interval, Sample, Scale, Sessions, Unbounded, estimate};

/// The lower bound at one-sided `alpha`. A missing session counts as −∞ and leaves none.
#[must_use]
pub fn lower_bound(sessions: &Sessions, scale: Scale, alpha: Alpha) -> Bound {
    bound(sessions, scale, alpha, -1.0)
}

/// The upper bound at one-sided `alpha`. A missing session counts as +∞ and leaves none.
#[must_use]
pub fn upper_bound(sessions: &Sessions, scale: Scale, alpha: Alpha) -> Bound {
    bound(sessions, scale, alpha, 1.0)
}

/// The two-sided interval at `alpha`, half on each side.
#[must_use]
pub fn interval(sessions: &Sessions, scale: Scale, alpha: Alpha) -> Interval {
    Interval::of_halves(alpha, |side| {
        [
            lower_bound(sessions, scale, side),
            upper_bound(sessions, scale, side),
        ]
    })
}

/// The p-value of "the comparison is true of the mean": P(T ≤ t) for an upper limit, P(T ≥ t) for a
/// lower one, with t = (mean − threshold) / standard error on the scale.
///
/// On the log scale a threshold that is not positive lies below every mean.
///
/// # Errors
/// Why there is no p-value, the reason that also leaves the bounds open.
pub fn p_value(
    sessions: &Sessions,
    scale: Scale,
    comparison: Comparison,
    threshold: f64,
) -> Result<f64, Unbounded> {
    let moments = Moments::of(sessions, scale)?;
    let threshold = match scale {
        Scale::Linear => threshold,
        Scale::Log if threshold > 0.0 => libm::log(threshold),
        Scale::Log => f64::NEG_INFINITY,
    };
    let t = (moments.mean - threshold) / moments.standard_error;
    let towards_holding = if comparison.is_upper_limit() { t } else { -t };
    Ok(student::cdf(towards_holding, moments.freedom))
}

fn bound(sessions: &Sessions, scale: Scale, alpha: Alpha, side: f64) -> Bound {
    if alpha.get() < SMALLEST_P {
        return Bound::Unbounded(Unbounded::LevelTooSmall);
    }
    match Moments::of(sessions, scale) {
        Ok(moments) => {
            let t = -student::quantile(alpha.get(), moments.freedom);
            let bound = moments.mean + side * t * moments.standard_error;
            scale.revert_bound(Bound::of(bound))
        }
        Err(reason) => Bound::Unbounded(reason),
    }
}

/// What Student's law needs of the sessions, on the scale.
struct Moments {
    mean: f64,
    standard_error: f64,
    freedom: usize,
}

impl Moments {
    fn of(sessions: &Sessions, scale: Scale) -> Result<Self, Unbounded> {
        let missing = sessions.missing();
        if missing > 0 {
            return Err(Unbounded::MissingSessions {
                missing,
                allowed: 0,
            });
        }
        let Some(sample) = sessions
            .sample()
            .filter(|sample| sample.values().len() >= 2)
        else {
            let sessions = sessions.count();
            return Err(Unbounded::TooFewSessions {
                sessions,
                needed: 2,
            });
        };
        if estimate::is_degenerate(sample)? {
            return Err(Unbounded::Degenerate);
        }
        let scaled = scale.apply(sample)?;
        let scaled = Sample::new(&scaled).map_err(|_| Unbounded::OutOfRange)?;
        let count = scaled.values().len();
        let spread = estimate::sd(scaled)?;
        if spread == 0.0 {
            return Err(Unbounded::Degenerate);
        }
        Ok(Self {
            mean: estimate::mean(scaled),
            standard_error: spread / libm::sqrt(count as f64),
            freedom: count - 1,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alpha() -> Alpha {
        Alpha::new(0.05).unwrap()
    }

    #[test]
    fn any_missing_session_leaves_no_bound() {
        let sessions = Sessions::new(&[1.0, 2.0, 3.0], 1).unwrap();
        let reason = Bound::Unbounded(Unbounded::MissingSessions {
            missing: 1,
            allowed: 0,
        });
        assert_eq!(lower_bound(&sessions, Scale::Linear, alpha()), reason);
    }

    #[test]
    fn one_session_and_equal_sessions_leave_no_bound() {
        let one = Sessions::new(&[1.0], 0).unwrap();
        let reason = Unbounded::TooFewSessions {
            sessions: 1,
            needed: 2,
        };
        assert_eq!(
            upper_bound(&one, Scale::Linear, alpha()),
            Bound::Unbounded(reason)
        );
        let equal = Sessions::new(&[0.1; 10], 0).unwrap();
        let reason = Bound::Unbounded(Unbounded::Degenerate);
        assert_eq!(upper_bound(&equal, Scale::Log, alpha()), reason);
    }

    #[test]
    fn the_log_scale_needs_positive_values() {
        let sessions = Sessions::new(&[1.0, -2.0], 0).unwrap();
        assert_eq!(
            lower_bound(&sessions, Scale::Log, alpha()).unbounded(),
            Some(Unbounded::NotPositive)
        );
        assert_eq!(
            lower_bound(&sessions, Scale::Linear, alpha()).unbounded(),
            None
        );
    }
}
