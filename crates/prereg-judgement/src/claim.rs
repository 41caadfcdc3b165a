//! One claim on one target: kill conditions read on confidence bounds, then the verdict.

use std::collections::BTreeMap;

use prereg_declaration::{Claim, Comparison, Condition, Declaration};
use prereg_stats::{Alpha, Bound, Sessions, Truth, Unbounded, order_statistic};
use prereg_units::Quantity;

use crate::evaluate::Unreadable;
use crate::headline;
use crate::level::{self, Leaf, Levels};
use crate::metric::Values;
use crate::significant::{rounded, rounded_quantity};
use crate::verdict::{
    Bounds, ClaimResult, ComparisonResult, ConditionResult, MetricResult, Reason, State,
    UndeterminedCause, Verdict,
};

/// What claims are judged on.
pub(crate) struct Evidence<'a> {
    pub(crate) declaration: &'a Declaration,
    pub(crate) target: &'a str,
    pub(crate) alpha_pass: Alpha,
    pub(crate) alpha_falsified: Alpha,
    pub(crate) values: &'a BTreeMap<String, Values>,
    pub(crate) metrics: &'a BTreeMap<String, MetricResult>,
    /// Failed and unobserved gates, invalid arms: what makes every claim abstain.
    pub(crate) obstacles: &'a [Reason],
}

impl Evidence<'_> {
    /// Judges every claim that names the target.
    pub(crate) fn judge_all(&self) -> BTreeMap<String, ClaimResult> {
        let claims = self.declaration.claims.iter();
        claims
            .filter(|(_, claim)| claim.on.iter().any(|named| named == self.target))
            .map(|(name, claim)| (name.clone(), self.judge(claim)))
            .collect()
    }

    fn judge(&self, claim: &Claim) -> ClaimResult {
        let levels = Levels {
            to_true: self.alpha_falsified,
            to_false: self.alpha_pass,
        };
        let conditions = self.conditions(claim, levels);
        let (by_conditions, reasons) = decide(&conditions);
        let share = Levels {
            to_true: self.alpha_falsified.share(claim.on.len()),
            ..levels
        };
        let at_share = decide(&self.conditions(claim, share)).0;
        let abstains = !self.obstacles.is_empty();
        ClaimResult {
            headline: headline::on_targets(claim, &[self.target]),
            text: claim.text.clone(),
            verdict: if abstains {
                Verdict::Abstained
            } else {
                by_conditions
            },
            reasons: if abstains {
                self.obstacles.to_vec()
            } else {
                reasons
            },
            counterfactual: abstains.then_some(by_conditions),
            disagreement: self.disagreement(claim, by_conditions),
            falsified_at_share: !abstains && at_share == Verdict::Falsified,
            conditions,
        }
    }

    fn conditions(&self, claim: &Claim, levels: Levels) -> Vec<ConditionResult> {
        let leaves = level::assign(&claim.kill, levels);
        claim
            .kill
            .iter()
            .zip(leaves)
            .map(|(kill, leaves)| {
                let comparisons: Vec<_> = leaves.iter().map(|leaf| self.compare(leaf)).collect();
                let mut truths = comparisons.iter().map(|comparison| truth(comparison.state));
                ConditionResult {
                    expression: kill.source.clone(),
                    state: state(level::combine(&kill.condition, &mut truths)),
                    comparisons,
                }
            })
            .collect()
    }

    fn compare(&self, leaf: &Leaf<'_>) -> ComparisonResult {
        let comparison = comparison(leaf.comparison);
        let threshold = leaf.threshold.value();
        let values = self.values.get(leaf.metric);
        let sessions = values.map_or_else(|| Sessions::all_missing(0), Values::sessions);
        // Small values make an upper limit true, so its upper bound carries the α of "true".
        let Levels { to_true, to_false } = leaf.levels;
        let (alpha_lower, alpha_upper) = if comparison.is_upper_limit() {
            (to_false, to_true)
        } else {
            (to_true, to_false)
        };
        let lower = order_statistic::lower_bound(&sessions, alpha_lower);
        let upper = order_statistic::upper_bound(&sessions, alpha_upper);
        let decided = comparison.decide(lower, upper, threshold);
        let p_value = |comparison| {
            let readable = !values.is_none_or(Values::is_degenerate) && sessions.count() > 0;
            readable.then(|| rounded(order_statistic::p_value(&sessions, comparison, threshold)))
        };
        ComparisonResult {
            metric: leaf.metric.to_owned(),
            comparison: leaf.comparison.symbol(),
            threshold: leaf.threshold,
            state: state(decided),
            bounds: Bounds {
                lower: lower.finite().map(rounded),
                alpha_lower: alpha_lower.get(),
                upper: upper.finite().map(rounded),
                alpha_upper: alpha_upper.get(),
            },
            p_true: p_value(comparison),
            p_false: p_value(comparison.negated()),
            margin: margin(leaf, decided, lower, upper),
            cause: (decided == Truth::Undetermined).then(|| cause(values, lower, upper)),
        }
    }

    /// Whether the bootstrap intervals that are reported would have decided otherwise.
    fn disagreement(&self, claim: &Claim, by_conditions: Verdict) -> Option<String> {
        let truths = claim
            .kill
            .iter()
            .map(|kill| self.on_bootstrap(&kill.condition));
        let truths = truths.collect::<Option<Vec<_>>>()?;
        let bootstrap = verdict(Truth::any(truths));
        (bootstrap != by_conditions).then(|| {
            format!(
                "the 95 % bootstrap intervals would have said {}; the order-statistic bounds, which \
                 decide, say {}",
                bootstrap.as_str(),
                by_conditions.as_str()
            )
        })
    }

    fn on_bootstrap(&self, condition: &Condition) -> Option<Truth> {
        let all = |parts: &[Condition]| -> Option<Vec<Truth>> {
            parts.iter().map(|part| self.on_bootstrap(part)).collect()
        };
        Some(match condition {
            Condition::Compare {
                metric,
                comparison: operator,
                threshold,
            } => {
                let interval = self.metrics.get(metric)?.bootstrap_percentile?;
                let (lower, upper) = (
                    Bound::Finite(interval.lower?),
                    Bound::Finite(interval.upper?),
                );
                comparison(*operator).decide(lower, upper, threshold.value())
            }
            Condition::And(parts) => Truth::all(all(parts)?),
            Condition::Or(parts) => Truth::any(all(parts)?),
            Condition::Not(part) => !self.on_bootstrap(part)?,
        })
    }
}

/// Any condition true: falsified. Else any undetermined: abstained. All false: pass.
fn decide(conditions: &[ConditionResult]) -> (Verdict, Vec<Reason>) {
    let decided = verdict(Truth::any(
        conditions.iter().map(|condition| truth(condition.state)),
    ));
    let reasons = match decided {
        Verdict::Pass => vec![Reason::AllConditionsFalse],
        Verdict::Falsified => with_state(conditions, State::True)
            .map(|(condition, _)| Reason::ConditionTrue { condition })
            .collect(),
        Verdict::Abstained => with_state(conditions, State::Undetermined)
            .map(|(condition, result)| Reason::Undetermined {
                condition,
                cause: first_cause(result),
            })
            .collect(),
    };
    (decided, reasons)
}

fn with_state(
    conditions: &[ConditionResult],
    state: State,
) -> impl Iterator<Item = (usize, &ConditionResult)> {
    conditions
        .iter()
        .enumerate()
        .filter(move |(_, condition)| condition.state == state)
}

fn first_cause(condition: &ConditionResult) -> UndeterminedCause {
    let causes = condition
        .comparisons
        .iter()
        .find_map(|comparison| comparison.cause);
    causes.unwrap_or(UndeterminedCause::ThresholdWithinBounds)
}

/// Why bounds decide nothing.
fn cause(values: Option<&Values>, lower: Bound, upper: Bound) -> UndeterminedCause {
    let unbounded = [lower, upper].into_iter().find_map(Bound::unbounded);
    let not_finite = values.is_none_or(|v| v.unreadable == Some(Unreadable::NotFinite));
    match unbounded {
        None => UndeterminedCause::ThresholdWithinBounds,
        Some(Unbounded::Degenerate) => UndeterminedCause::Degenerate,
        Some(Unbounded::OutOfRange) => UndeterminedCause::NonFinite,
        Some(_) if not_finite => UndeterminedCause::NonFinite,
        Some(_) => UndeterminedCause::TooFewSessions,
    }
}

/// The bound that decided: any threshold up to it would have been decided alike.
fn margin(leaf: &Leaf<'_>, decided: Truth, lower: Bound, upper: Bound) -> Option<Quantity> {
    let upper_limit = comparison(leaf.comparison).is_upper_limit();
    let bound = match decided {
        Truth::Undetermined => return None,
        Truth::True if upper_limit => upper,
        Truth::False if !upper_limit => upper,
        _ => lower,
    };
    let quantity = Quantity::new(bound.finite()?, leaf.threshold.dimension()).ok()?;
    Some(rounded_quantity(quantity))
}

fn verdict(any_condition: Truth) -> Verdict {
    match any_condition {
        Truth::True => Verdict::Falsified,
        Truth::Undetermined => Verdict::Abstained,
        Truth::False => Verdict::Pass,
    }
}

fn state(truth: Truth) -> State {
    match truth {
        Truth::True => State::True,
        Truth::False => State::False,
        Truth::Undetermined => State::Undetermined,
    }
}

fn truth(state: State) -> Truth {
    match state {
        State::True => Truth::True,
        State::False => Truth::False,
        State::Undetermined => Truth::Undetermined,
    }
}

/// The operator of a declaration as one that decides on bounds.
pub(crate) fn comparison(operator: Comparison) -> prereg_stats::Comparison {
    match operator {
        Comparison::Less => prereg_stats::Comparison::Less,
        Comparison::LessOrEqual => prereg_stats::Comparison::LessOrEqual,
        Comparison::Greater => prereg_stats::Comparison::Greater,
        Comparison::GreaterOrEqual => prereg_stats::Comparison::GreaterOrEqual,
    }
}
