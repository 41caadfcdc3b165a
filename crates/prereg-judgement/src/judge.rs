//! One run on one target, from samples to verdicts.

use std::collections::BTreeMap;

use prereg_declaration::{ConstantName, Declaration, Outcome, Scope, constants_used};
use prereg_stats::{Alpha, AlphaError, Seed, Truth};
use thiserror::Error;

use crate::claim::Evidence;
use crate::constants::Constants;
use crate::evaluate::SessionReader;
use crate::gate;
use crate::metric::Values;
use crate::samples::{Missing, Samples, Session};
use crate::verdict::{GateResult, GateState, MissingSession, Reason, RunJudgement};

/// Why samples cannot be judged by a declaration.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum JudgeError {
    /// Sessions that were not locked, or locked ones that have no entry.
    #[error(
        "the declaration has {locked} sessions and the samples have {given}; give one entry a session"
    )]
    SessionCount {
        /// Locked number.
        locked: u32,
        /// Entries in the samples.
        given: usize,
    },
    /// A target that the declaration does not name.
    #[error("the declaration does not name target `{target}`; it names {}", .named.join(", "))]
    UnknownTarget {
        /// The target given.
        target: String,
        /// The declaration's.
        named: Vec<String>,
    },
    /// A constant that an expression needs and the lock did not resolve.
    #[error("the lock has no value of `{constant}`; lock the declaration again")]
    Constant {
        /// The constant.
        constant: ConstantName,
    },
    /// An error probability out of range.
    #[error("`alpha-pass` and `alpha-falsified`: {0}")]
    Alpha(#[from] AlphaError),
}

/// Judges one run on `target`: gates, metrics, and every claim that names the target.
///
/// `seed_of` gives the analysis seed of a metric.
///
/// Order of the reading: a gate with outcome `exclude` is read in every complete session, and the
/// first by name that fails or is not observed makes the session missing. Gates with outcome
/// `abstain` read what is left. Metrics are then taken from the same sessions, with N unchanged.
///
/// # Errors
/// [`JudgeError`] where samples and declaration do not belong together.
pub fn judge(
    declaration: &Declaration,
    constants: &Constants,
    target: &str,
    samples: &Samples,
    seed_of: &dyn Fn(&str) -> Seed,
) -> Result<RunJudgement, JudgeError> {
    let protocol = &declaration.protocol;
    if samples.sessions.len() != protocol.sessions as usize {
        let (locked, given) = (protocol.sessions, samples.sessions.len());
        return Err(JudgeError::SessionCount { locked, given });
    }
    if !declaration.targets.iter().any(|named| named == target) {
        let (target, named) = (target.to_owned(), declaration.targets.clone());
        return Err(JudgeError::UnknownTarget { target, named });
    }
    let needed = constants_used(declaration);
    if let Some(constant) = needed
        .into_iter()
        .find(|name| constants.get(name).is_none())
    {
        return Err(JudgeError::Constant { constant });
    }
    let mut run = Run::read(declaration, constants, samples);
    run.gates_that_exclude();
    run.gates_that_abstain();
    let values: BTreeMap<String, Values> = declaration
        .metrics
        .iter()
        .map(|(name, metric)| (name.clone(), Values::read(name, metric, &mut run.sessions)))
        .collect();
    run.gates_across_sessions(&values);

    let metrics = declaration
        .metrics
        .iter()
        .filter_map(|(name, metric)| {
            Some((
                name.clone(),
                values.get(name)?.result(&metric.source, seed_of(name)),
            ))
        })
        .collect();
    let obstacles = run.obstacles(samples);
    let evidence = Evidence {
        declaration,
        target,
        alpha_pass: Alpha::new(declaration.inference.alpha_pass)?,
        alpha_falsified: Alpha::new(declaration.inference.alpha_falsified)?,
        values: &values,
        metrics: &metrics,
        obstacles: &obstacles,
    };
    let claims = evidence.judge_all();
    Ok(RunJudgement {
        target: target.to_owned(),
        sessions: samples.sessions.len(),
        missing: run.missing,
        gates: run.gates,
        metrics,
        claims,
    })
}

/// A run while its gates are read.
struct Run<'a> {
    declaration: &'a Declaration,
    constants: &'a Constants,
    /// `None` where missing.
    sessions: Vec<Option<SessionReader<'a>>>,
    missing: Vec<MissingSession>,
    gates: BTreeMap<String, GateResult>,
}

impl<'a> Run<'a> {
    fn read(declaration: &'a Declaration, constants: &'a Constants, samples: &'a Samples) -> Self {
        let mut missing = Vec::new();
        let reader = |(index, session): (usize, &'a Session)| match session {
            Session::Complete(observations) => Some(SessionReader::new(
                &declaration.metrics,
                constants,
                observations,
            )),
            Session::Missing(reason) => {
                missing.push(MissingSession {
                    session: index,
                    missing: reason.clone(),
                });
                None
            }
        };
        let sessions = samples.sessions.iter().enumerate().map(reader).collect();
        Self {
            declaration,
            constants,
            sessions,
            missing,
            gates: BTreeMap::new(),
        }
    }

    fn gates_that_exclude(&mut self) {
        let mut excluded = BTreeMap::new();
        for (name, gate) in &self.declaration.gates {
            if gate.otherwise != Outcome::Exclude {
                continue;
            }
            let states = gate::read_sessions(gate, &mut self.sessions);
            for (session, state) in states.iter().enumerate() {
                let missing = match state {
                    Some(Truth::False) => Missing::Excluded { gate: name.clone() },
                    Some(Truth::Undetermined) => Missing::Unobserved { gate: name.clone() },
                    Some(Truth::True) | None => continue,
                };
                excluded.entry(session).or_insert(missing);
            }
            let result = gate::each_session(gate, &states, &mut self.sessions);
            self.gates.insert(name.clone(), result);
        }
        for (session, missing) in excluded {
            self.sessions[session] = None;
            self.missing.push(MissingSession { session, missing });
        }
        self.missing.sort_by_key(|missing| missing.session);
    }

    fn gates_that_abstain(&mut self) {
        for (name, gate) in &self.declaration.gates {
            if gate.otherwise == Outcome::Abstain && gate.scope == Scope::EachSession {
                let states = gate::read_sessions(gate, &mut self.sessions);
                let result = gate::each_session(gate, &states, &mut self.sessions);
                self.gates.insert(name.clone(), result);
            }
        }
    }

    fn gates_across_sessions(&mut self, values: &BTreeMap<String, Values>) {
        for (name, gate) in &self.declaration.gates {
            if gate.scope == Scope::AcrossSessions {
                let result = gate::across_sessions(gate, values, self.constants);
                self.gates.insert(name.clone(), result);
            }
        }
    }

    /// What makes every claim abstain: gates by name, then arms that did not run as asked, once
    /// each.
    fn obstacles(&self, samples: &Samples) -> Vec<Reason> {
        let abstaining = self.gates.iter().filter(|(name, _)| {
            self.declaration
                .gates
                .get(*name)
                .is_some_and(|gate| gate.otherwise == Outcome::Abstain)
        });
        let gates = abstaining.filter_map(|(name, result)| match result.state {
            GateState::Held => None,
            GateState::Failed => Some(Reason::GateFailed { gate: name.clone() }),
            GateState::Unobserved => Some(Reason::GateUnobserved { gate: name.clone() }),
        });
        let mut reasons: Vec<Reason> = gates.collect();
        let mut invalid = BTreeMap::new();
        for session in &samples.sessions {
            let Session::Complete(observations) = session else {
                continue;
            };
            for slot in &observations.slots {
                if let Some(message) = &slot.invalid {
                    invalid.entry(&slot.arm).or_insert(message);
                }
            }
        }
        reasons.extend(
            invalid
                .into_iter()
                .map(|(arm, message)| Reason::ArmInvalid {
                    arm: arm.clone(),
                    message: message.clone(),
                }),
        );
        reasons
    }
}

#[cfg(test)]
mod tests;
