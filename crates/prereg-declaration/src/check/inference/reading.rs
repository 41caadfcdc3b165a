//! Interval, estimand and scale together: which go together, and the nearest that do.

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::inference::{Estimand, Interval, Scale};
use crate::value::Defaulted;

/// How the numbers of a metric become one interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reading {
    pub(super) interval: Interval,
    pub(super) estimand: Estimand,
    pub(super) scale: Scale,
}

impl Reading {
    pub(super) fn is_accepted(self) -> bool {
        self.interval.bounds(self.estimand) && self.estimand.is_taken_on(self.scale)
    }

    /// Which of interval, estimand and scale differ.
    fn changes(self, other: Self) -> [bool; 3] {
        [
            self.interval != other.interval,
            self.estimand != other.estimand,
            self.scale != other.scale,
        ]
    }

    /// What to do to `other`, of which this is an accepted neighbour.
    fn instead_of(self, other: Self) -> String {
        let [interval, estimand, scale] = self.changes(other);
        let without_scale = scale && self.estimand == Estimand::Median;
        let keys = [
            (interval, "interval", self.interval.name()),
            (estimand, "estimand", self.estimand.name()),
            (scale && !without_scale, "scale", self.scale.name()),
        ];
        let keys: Vec<String> = keys
            .into_iter()
            .filter(|(changes, ..)| *changes)
            .map(|(_, key, word)| format!("`{key} = \"{word}\"`"))
            .collect();
        match (keys.is_empty(), without_scale) {
            (true, _) => "remove `scale`".to_owned(),
            (false, true) => format!("write {} without `scale`", keys.join(" with ")),
            (false, false) => format!("write {}", keys.join(" with ")),
        }
    }

    /// The accepted readings nearest to this one; one, the first, for each set of changed keys.
    ///
    /// A reading is as far as the number of `given` keys that it changes, which the author meant, and as the number of
    /// all. One that is farther in either and nearer in neither is not proposed.
    fn nearest(self, given: [bool; 3]) -> Vec<Self> {
        let distance = |other: Self| {
            let changes = self.changes(other);
            let meant = changes.into_iter().zip(given);
            let meant = meant.filter(|&(changes, given)| changes && given).count();
            (
                meant,
                changes.into_iter().filter(|&changes| changes).count(),
            )
        };
        let accepted: Vec<Self> = every().filter(|reading| reading.is_accepted()).collect();
        let is_nearest = |candidate: &Self| {
            let (meant, all) = distance(*candidate);
            !accepted
                .iter()
                .map(|&other| distance(other))
                .any(|other| other != (meant, all) && other.0 <= meant && other.1 <= all)
        };
        let mut nearest: Vec<Self> = Vec::new();
        for candidate in accepted.iter().copied().filter(is_nearest) {
            let changes = self.changes(candidate);
            if !nearest.iter().any(|&known| self.changes(known) == changes) {
                nearest.push(candidate);
            }
        }
        nearest.sort_by_key(|&reading| distance(reading));
        nearest
    }
}

impl Interval {
    /// Whether it bounds this estimand.
    const fn bounds(self, estimand: Estimand) -> bool {
        let of_median = matches!(estimand, Estimand::Median);
        match self {
            Self::OrderStatistic | Self::Census => of_median,
            Self::StudentT | Self::BootstrapT => !of_median,
            Self::BootstrapPercentile | Self::BootstrapBca => true,
        }
    }
}

impl Estimand {
    /// Whether it is taken on this scale; a median has none, and keeps the default.
    const fn is_taken_on(self, scale: Scale) -> bool {
        match self {
            Self::Median | Self::GeometricMean => matches!(scale, Scale::Log),
            Self::Mean => matches!(scale, Scale::Linear),
        }
    }
}

/// Every reading that can be spelled, in the order of the words.
fn every() -> impl Iterator<Item = Reading> {
    Interval::WORDS.iter().flat_map(|&(_, interval)| {
        Estimand::WORDS.iter().flat_map(move |&(_, estimand)| {
            Scale::WORDS.iter().map(move |&(_, scale)| Reading {
                interval,
                estimand,
                scale,
            })
        })
    })
}

/// Reports a reading that is not accepted, at the key that asks for it.
pub(super) fn refuse(
    interval: &Defaulted<Interval>,
    estimand: &Defaulted<Estimand>,
    scale: &Defaulted<Scale>,
    problems: &mut Diagnostics,
) {
    let reading = Reading {
        interval: interval.value,
        estimand: estimand.value,
        scale: scale.value,
    };
    let (mismatch, spans) = if reading.interval.bounds(reading.estimand) {
        let on = match reading.estimand {
            Estimand::Median => "a median has no scale",
            Estimand::GeometricMean => "a geometric mean is taken on the log scale",
            Estimand::Mean => "an arithmetic mean is taken on the linear scale",
        };
        let (default, word) = (scale.default_word(), reading.scale.name());
        let mismatch = format!("{on}, and the {default}scale is `{word}`");
        (mismatch, [&scale.span, &estimand.span])
    } else {
        let of = match reading.interval {
            Interval::OrderStatistic | Interval::Census => "a median",
            _ => "a mean",
        };
        let mismatch = format!(
            "the {}interval `{}` is of {of}, and the {}estimand is `{}`",
            interval.default_word(),
            reading.interval.name(),
            estimand.default_word(),
            reading.estimand.name()
        );
        (mismatch, [&estimand.span, &interval.span])
    };
    let given = [&interval.span, &estimand.span, &scale.span].map(Option::is_some);
    let instead = reading.nearest(given).into_iter();
    let instead: Vec<String> = instead.map(|near| near.instead_of(reading)).collect();
    // The defaults go together, so that one of the keys is given.
    let span = spans.into_iter().flatten().next().cloned();
    Diagnostic::new(Code::InvalidValue, span.unwrap_or_default(), mismatch)
        .help(instead.join(", or "))
        .push(problems);
}
