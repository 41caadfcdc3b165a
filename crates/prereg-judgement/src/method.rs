//! How a declaration reads the numbers of its sessions: by which method, and what counts.

use prereg_declaration::{Declaration, Estimand, Inference, Interval, Scale, Stopping};
use prereg_stats::{
    Alpha, BootstrapInterval, Bound, Center, Method, Sample, Scale as MeanScale, Seed, Sessions,
};

/// The method of a verdict, and the units that it counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Reading {
    pub(crate) method: Method,
    /// What a bootstrap resamples, and how a block sums up its sessions.
    center: Center,
    /// 1 where sessions count.
    blocks: usize,
}

impl Reading {
    /// As declared.
    pub(crate) fn of(declaration: &Declaration) -> Self {
        let inference = &declaration.inference;
        Self {
            method: method(inference),
            center: center(inference.estimand),
            blocks: declaration.protocol.blocks as usize,
        }
    }

    /// One number a block, where blocks count: the estimand's own summary of the block's sessions. A
    /// block with a missing session is missing, and so is one whose summary does not exist.
    pub(crate) fn blocks(self, by_session: &[Option<f64>]) -> Option<Vec<Option<f64>>> {
        if self.blocks < 2 {
            return None;
        }
        let summary = |block: &[Option<f64>]| {
            let sessions: Vec<f64> = block.iter().copied().collect::<Option<_>>()?;
            self.estimate(&sessions)
        };
        // The declaration's blocks divide its sessions; a block has at least one.
        let length = (by_session.len() / self.blocks).max(1);
        Some(by_session.chunks(length).map(summary).collect())
    }

    /// The declared estimand of the values, where it exists.
    pub(crate) fn estimate(self, values: &[f64]) -> Option<f64> {
        self.method.estimate(Sample::new(values).ok()?)
    }

    /// Whether anything is inferred: not where the sessions are all there are.
    pub(crate) fn infers(self) -> bool {
        self.method != Method::Census
    }

    /// The probability with which a bound at `alpha` may err: none where nothing is inferred.
    pub(crate) fn error(self, alpha: Alpha) -> f64 {
        if self.infers() { alpha.get() } else { 0.0 }
    }

    /// Whether the method counts a missing unit adversely; if not, one missing unit leaves no bound.
    pub(crate) fn counts_missing(self) -> bool {
        matches!(self.method, Method::OrderStatistic | Method::Sequence)
    }

    /// The two-sided interval at `alpha`.
    pub(crate) fn interval(self, counted: &Sessions, alpha: Alpha, seed: Seed) -> [Bound; 2] {
        // The set of a sequence is two-sided already.
        let side = match self.method {
            Method::Sequence => alpha,
            _ => alpha.share(2),
        };
        self.method.bounds(counted, side, side, seed)
    }

    /// The two-sided percentile bootstrap interval of the estimand at `alpha`.
    pub(crate) fn bootstrap(self, counted: &Sessions, alpha: Alpha, seed: Seed) -> [Bound; 2] {
        let bootstrap = Method::Bootstrap(BootstrapInterval::Percentile, self.center);
        bootstrap.bounds(counted, alpha.share(2), alpha.share(2), seed)
    }
}

/// What a verdict reads.
fn method(inference: &Inference) -> Method {
    if inference.stopping == Stopping::Sequence {
        return Method::Sequence;
    }
    let bootstrap = |interval| Method::Bootstrap(interval, center(inference.estimand));
    match inference.interval {
        Interval::OrderStatistic => Method::OrderStatistic,
        Interval::Census => Method::Census,
        Interval::StudentT => Method::StudentT(match inference.scale {
            Scale::Log => MeanScale::Log,
            Scale::Linear => MeanScale::Linear,
        }),
        Interval::BootstrapPercentile => bootstrap(BootstrapInterval::Percentile),
        Interval::BootstrapBca => bootstrap(BootstrapInterval::Bca),
        Interval::BootstrapT => bootstrap(BootstrapInterval::T),
    }
}

fn center(estimand: Estimand) -> Center {
    match estimand {
        Estimand::Median => Center::Median,
        Estimand::GeometricMean => Center::Mean(MeanScale::Log),
        Estimand::Mean => Center::Mean(MeanScale::Linear),
    }
}

/// The deciding bounds in words: `order-statistic`, `sequence`.
pub(crate) fn name(inference: &Inference) -> &'static str {
    match inference.stopping {
        Stopping::Sequence => Stopping::Sequence.name(),
        Stopping::Fixed => inference.interval.name(),
    }
}

/// The deciding interval and what it is about: `student-t of the geometric mean`.
pub(crate) fn description(inference: &Inference) -> String {
    if inference.interval == Interval::Census {
        return "smallest and largest session of a census".to_owned();
    }
    let estimand = inference.estimand.name().replace('-', " ");
    format!("{} of the {estimand}", name(inference))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::declaration;

    #[test]
    fn every_declared_combination_has_its_method() {
        use {BootstrapInterval as B, Estimand as E, Interval as I, MeanScale as M, Scale as S};
        let (log, linear) = (Center::Mean(M::Log), Center::Mean(M::Linear));
        let cases = [
            (I::OrderStatistic, E::Median, S::Log, Method::OrderStatistic),
            (
                I::StudentT,
                E::GeometricMean,
                S::Log,
                Method::StudentT(M::Log),
            ),
            (I::StudentT, E::Mean, S::Linear, Method::StudentT(M::Linear)),
            (
                I::BootstrapPercentile,
                E::Median,
                S::Log,
                Method::Bootstrap(B::Percentile, Center::Median),
            ),
            (
                I::BootstrapPercentile,
                E::GeometricMean,
                S::Log,
                Method::Bootstrap(B::Percentile, log),
            ),
            (
                I::BootstrapBca,
                E::Mean,
                S::Linear,
                Method::Bootstrap(B::Bca, linear),
            ),
            (
                I::BootstrapT,
                E::GeometricMean,
                S::Log,
                Method::Bootstrap(B::T, log),
            ),
            (I::Census, E::Median, S::Log, Method::Census),
        ];
        let mut inference = declaration().inference;
        for (interval, estimand, scale, expected) in cases {
            (inference.interval, inference.estimand, inference.scale) = (interval, estimand, scale);
            assert_eq!(method(&inference), expected);
        }
        inference.stopping = Stopping::Sequence;
        assert_eq!(method(&inference), Method::Sequence);
    }
}
