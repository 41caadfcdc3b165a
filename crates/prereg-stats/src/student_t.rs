//! Bounds on a mean from Student's t law, for metrics declared approximately symmetric.

use crate::distribution::student;
use crate::estimate::{self, EstimateError};
use crate::{Alpha, Bound, Interval, Sample, Sessions, Unbounded};

/// What is averaged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// Logarithms; bounds are on the geometric mean.
    Log,
    /// The values; bounds are on the arithmetic mean.
    Linear,
}

/// The lower bound at one-sided `alpha`. A missing session counts as −∞ and leaves none.
///
/// # Errors
/// [`EstimateError::NotPositive`] on the log scale, [`EstimateError::OutOfRange`].
pub fn lower_bound(
    sessions: &Sessions,
    scale: Scale,
    alpha: Alpha,
) -> Result<Bound, EstimateError> {
    bound(sessions, scale, alpha, -1.0)
}

/// The upper bound at one-sided `alpha`. A missing session counts as +∞ and leaves none.
///
/// # Errors
/// As [`lower_bound`].
pub fn upper_bound(
    sessions: &Sessions,
    scale: Scale,
    alpha: Alpha,
) -> Result<Bound, EstimateError> {
    bound(sessions, scale, alpha, 1.0)
}

/// The two-sided interval at `alpha`, half on each side.
///
/// # Errors
/// As [`lower_bound`].
pub fn interval(
    sessions: &Sessions,
    scale: Scale,
    alpha: Alpha,
) -> Result<Interval, EstimateError> {
    Ok(Interval {
        lower: lower_bound(sessions, scale, alpha.share(2))?,
        upper: upper_bound(sessions, scale, alpha.share(2))?,
        alpha: alpha.get(),
    })
}

fn bound(
    sessions: &Sessions,
    scale: Scale,
    alpha: Alpha,
    side: f64,
) -> Result<Bound, EstimateError> {
    let missing = sessions.missing();
    if missing > 0 {
        return Ok(Bound::Unbounded(Unbounded::MissingSessions {
            missing,
            allowed: 0,
        }));
    }
    let Some(sample) = sessions
        .sample()
        .filter(|sample| sample.values().len() >= 2)
    else {
        let sessions = sessions.count();
        return Ok(Bound::Unbounded(Unbounded::TooFewSessions {
            sessions,
            needed: 2,
        }));
    };
    if estimate::is_degenerate(sample)? {
        return Ok(Bound::Unbounded(Unbounded::Degenerate));
    }
    Ok(Bound::of(match scale {
        Scale::Linear => mean_bound(sample, alpha, side)?,
        Scale::Log => {
            let logs = estimate::logarithms(sample)?;
            let logs = Sample::new(&logs).map_err(|_| EstimateError::OutOfRange)?;
            libm::exp(mean_bound(logs, alpha, side)?)
        }
    }))
}

fn mean_bound(sample: Sample<'_>, alpha: Alpha, side: f64) -> Result<f64, EstimateError> {
    let count = sample.values().len();
    let error = estimate::sd(sample)? / libm::sqrt(count as f64);
    Ok(estimate::mean(sample)? + side * student::quantile(1.0 - alpha.get(), count - 1) * error)
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
        assert_eq!(lower_bound(&sessions, Scale::Linear, alpha()), Ok(reason));
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
            Ok(Bound::Unbounded(reason))
        );
        let equal = Sessions::new(&[0.1; 10], 0).unwrap();
        let reason = Bound::Unbounded(Unbounded::Degenerate);
        assert_eq!(upper_bound(&equal, Scale::Log, alpha()), Ok(reason));
    }

    #[test]
    fn the_log_scale_needs_positive_values() {
        let sessions = Sessions::new(&[1.0, -2.0], 0).unwrap();
        assert!(lower_bound(&sessions, Scale::Log, alpha()).is_err());
        assert!(lower_bound(&sessions, Scale::Linear, alpha()).is_ok());
    }
}
