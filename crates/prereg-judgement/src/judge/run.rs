//! A run while its gates and metrics are read.

use std::collections::BTreeMap;

use prereg_declaration::{Declaration, Outcome, Scope};
use prereg_stats::Truth;

use crate::constants::Constants;
use crate::evaluate::SessionReader;
use crate::method::Reading;
use crate::metric::Values;
use crate::samples::{Missing, Samples, Session};
use crate::verdict::{GateResult, MissingSession, RangeResult};
use crate::{calibrated_range, gate};

/// A run while its gates are read.
pub(super) struct Run<'a> {
    declaration: &'a Declaration,
    constants: &'a Constants,
    samples: &'a Samples,
    /// `None` where missing.
    sessions: Vec<Option<SessionReader<'a>>>,
    pub(super) missing: Vec<MissingSession>,
    pub(super) gates: BTreeMap<String, GateResult>,
    pub(super) calibrated_range: BTreeMap<String, RangeResult>,
    pub(super) values: BTreeMap<String, Values>,
}

impl<'a> Run<'a> {
    /// Reads gates and metrics. A gate with outcome `exclude` is read in every complete session, and
    /// the first by name that fails or is not observed makes the session missing. Gates with outcome
    /// `abstain` read what is left, and so do calibrated ranges and metrics.
    pub(super) fn read(
        declaration: &'a Declaration,
        constants: &'a Constants,
        samples: &'a Samples,
    ) -> Self {
        let mut run = Self::of_complete_sessions(declaration, constants, samples);
        run.gates_that_exclude();
        run.gates_that_abstain();
        run.calibrated_ranges();
        let reading = Reading::of(declaration);
        for (name, metric) in &declaration.metrics {
            let values = Values::read(name, metric, &mut run.sessions, reading);
            run.values.insert(name.clone(), values);
        }
        run.gates_across_sessions();
        run
    }

    fn of_complete_sessions(
        declaration: &'a Declaration,
        constants: &'a Constants,
        samples: &'a Samples,
    ) -> Self {
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
            samples,
            sessions,
            missing,
            gates: BTreeMap::new(),
            calibrated_range: BTreeMap::new(),
            values: BTreeMap::new(),
        }
    }

    fn gates_that_exclude(&mut self) {
        let mut excluded = BTreeMap::new();
        for (name, gate) in &self.declaration.gates {
            if gate.otherwise != Outcome::Exclude {
                continue;
            }
            let states = gate::read_sessions(&gate.predicate, &mut self.sessions);
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
                let states = gate::read_sessions(&gate.predicate, &mut self.sessions);
                let result = gate::each_session(gate, &states, &mut self.sessions);
                self.gates.insert(name.clone(), result);
            }
        }
    }

    fn calibrated_ranges(&mut self) {
        for (metric, range) in &self.declaration.calibrated_range {
            let result = calibrated_range::read(metric, range, &mut self.sessions);
            self.calibrated_range.insert(metric.clone(), result);
        }
    }

    fn gates_across_sessions(&mut self) {
        for (name, gate) in &self.declaration.gates {
            if gate.scope == Scope::AcrossSessions {
                let result = gate::across_sessions(gate, &self.values, self.constants);
                self.gates.insert(name.clone(), result);
            }
        }
    }

    /// Of each session, whether it started with the baseline; `None` where it has no slots.
    pub(super) fn baseline_first(&self) -> Vec<Option<bool>> {
        let baseline = &self.declaration.baseline;
        let sessions = self.samples.sessions.iter();
        sessions
            .map(|session| match session {
                Session::Complete(observations) => {
                    observations.slots.first().map(|slot| slot.arm == *baseline)
                }
                Session::Missing(_) => None,
            })
            .collect()
    }
}
