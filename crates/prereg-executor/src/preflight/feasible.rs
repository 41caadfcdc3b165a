//! Gates against instruments: a gate that no session of the declared length can satisfy stops a run before it begins.
//!
//! Only comparisons that must all hold are looked at; of alternatives, another one may hold.

use std::time::Duration;

use prereg_declaration::{
    Column, Comparison, Declaration, Device, Number, Predicate, Statistic, Target,
};
use prereg_ledger::{InstrumentReading, PreflightReadings};
use prereg_units::{Dimension, Quantity};

/// A gate asks for more than an instrument gives.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Infeasible {
    /// The machine has no such counter, and the program is not the one to read it.
    #[error(
        "gate `{gate}` reads `{column}`, which this machine does not give; leave the gate out, or run where it is read"
    )]
    Absent {
        /// The gate.
        gate: String,
        /// The column.
        column: String,
    },
    /// A column that is read once a slot is asked for changes within a slot.
    #[error(
        "gate `{gate}` asks how often `{column}` changes within a slot, and here it is read once a slot; ask for its `coverage`"
    )]
    OncePerSlot {
        /// The gate.
        gate: String,
        /// The column.
        column: String,
    },
    /// An instrument whose value was not seen to change twice.
    #[error("gate `{gate}` asks how often `{column}` changes, and it changed less than twice in {}; follow it for longer, or use a meter that is read", seconds(*.followed))]
    Unchanging {
        /// The gate.
        gate: String,
        /// The column.
        column: String,
        /// For how long it was followed.
        followed: Duration,
    },
    /// Too few updates in a session, with the length that would do.
    #[error("gate `{gate}` asks for {updates} updates of `{column}`, which changes every {}: that takes {} of measured time a session, and the declared session has {} ({slots} slots of `slot-time`); make a slot last {} or more", seconds(*.period), seconds(*.needed), seconds(*.session), seconds(*.slot))]
    TooShort {
        /// The gate.
        gate: String,
        /// The column.
        column: String,
        /// Updates that it asks for.
        updates: u64,
        /// Time between two.
        period: Duration,
        /// Measured time that as many take.
        needed: Duration,
        /// Measured time of the declared session.
        session: Duration,
        /// Slots of a session.
        slots: u32,
        /// Length of a slot that would do.
        slot: Duration,
    },
    /// Updates asked for faster than they come.
    #[error("gate `{gate}` asks for {} of `{column}`, which changes every {}: no length of a session satisfies it; use a faster meter, or ask for {} at most", hertz(*.asked), seconds(*.period), hertz(*.possible))]
    TooSlow {
        /// The gate.
        gate: String,
        /// The column.
        column: String,
        /// Rate that it asks for, Hz.
        asked: f64,
        /// Time between two updates.
        period: Duration,
        /// Rate that the instrument has, Hz.
        possible: f64,
    },
}

fn seconds(duration: Duration) -> String {
    in_unit(duration.as_secs_f64(), Dimension::TIME)
}

fn hertz(rate: f64) -> String {
    in_unit(rate, Dimension::FREQUENCY)
}

/// Two digits tell enough of a length or a rate.
fn in_unit(value: f64, dimension: Dimension) -> String {
    let digits = 10_f64.powf(1.0 - value.abs().log10().floor());
    let rounded = (value * digits).round() / digits;
    Quantity::new(rounded, dimension).map_or_else(|_| value.to_string(), |value| value.to_string())
}

/// Checks every gate.
pub(super) fn check(
    declaration: &Declaration,
    target: &Target,
    readings: &PreflightReadings,
) -> Result<(), Box<Infeasible>> {
    for (name, gate) in &declaration.gates {
        let mut demands = Vec::new();
        collect(&gate.predicate, &mut demands);
        for demand in demands {
            Check {
                gate: name,
                declaration,
                target,
                readings,
            }
            .demand(&demand)?;
        }
    }
    Ok(())
}

/// A lower limit on a statistic of a column.
struct Demand<'d> {
    statistic: Statistic,
    column: &'d Column,
    /// The limit, and whether the statistic must lie above it; nothing where something else is asked.
    least: Option<(f64, bool)>,
}

fn collect<'d>(predicate: &'d Predicate, demands: &mut Vec<Demand<'d>>) {
    match predicate {
        Predicate::And(parts) => parts.iter().for_each(|part| collect(part, demands)),
        Predicate::Compare(comparison, left, right) => {
            for (own, other, comparison) in [
                (left, right, *comparison),
                (right, left, mirrored(*comparison)),
            ] {
                if let Number::OverSteps(statistic, column) = &**own
                    && column.arm.is_none()
                {
                    demands.push(Demand {
                        statistic: *statistic,
                        column,
                        least: least(comparison, other),
                    });
                }
            }
        }
        Predicate::SameLogits(..)
        | Predicate::SameOutput(..)
        | Predicate::FactIs(..)
        | Predicate::Or(_)
        | Predicate::Not(_) => {}
    }
}

const fn mirrored(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Less => Comparison::Greater,
        Comparison::LessOrEqual => Comparison::GreaterOrEqual,
        Comparison::Greater => Comparison::Less,
        Comparison::GreaterOrEqual => Comparison::LessOrEqual,
    }
}

fn least(comparison: Comparison, limit: &Number) -> Option<(f64, bool)> {
    let Number::Literal(limit) = limit else {
        return None;
    };
    match comparison {
        Comparison::Greater => Some((limit.value(), true)),
        Comparison::GreaterOrEqual => Some((limit.value(), false)),
        Comparison::Less | Comparison::LessOrEqual => None,
    }
}

struct Check<'d> {
    gate: &'d str,
    declaration: &'d Declaration,
    target: &'d Target,
    readings: &'d PreflightReadings,
}

impl Check<'_> {
    fn demand(&self, demand: &Demand<'_>) -> Result<(), Box<Infeasible>> {
        let (gate, column) = (self.gate.to_owned(), demand.column.name.clone());
        let is_change = matches!(demand.statistic, Statistic::Updates | Statistic::UpdateRate);
        if !self.is_reported(&column) && self.target.device == Device::Cpu {
            if !self.readings.counters.contains(&column) {
                return Err(Infeasible::Absent { gate, column }.into());
            }
            if is_change {
                return Err(Infeasible::OncePerSlot { gate, column }.into());
            }
        }
        let (Some((least, above)), Some(instrument)) = (demand.least, self.instrument(&column))
        else {
            return Ok(());
        };
        let Some(period) = instrument.period_ns.map(Duration::from_nanos) else {
            // It may change less often than it was followed for; how often it does is then not known.
            if !is_change || least <= 0.0 {
                return Ok(());
            }
            let followed = Duration::from_nanos(instrument.followed_ns);
            return Err(Infeasible::Unchanging {
                gate,
                column,
                followed,
            }
            .into());
        };
        match demand.statistic {
            Statistic::Updates => {
                let updates = if above {
                    least.floor() + 1.0
                } else {
                    least.ceil()
                } as u64;
                self.long_enough(gate, column, updates, period)
            }
            Statistic::UpdateRate => {
                let possible = period.as_secs_f64().recip();
                // A measured period is known to a tenth at best.
                if least <= possible * 1.1 {
                    return Ok(());
                }
                Err(Infeasible::TooSlow {
                    gate,
                    column,
                    asked: least,
                    period,
                    possible,
                }
                .into())
            }
            _ => Ok(()),
        }
    }

    /// Whether the program may report the column, so that the machine need not give it.
    fn is_reported(&self, column: &str) -> bool {
        let command = self.declaration.workload.command();
        command.is_some_and(|command| command.reported_telemetry().contains_key(column))
    }

    /// The instrument of a column; the program's, where it has one of the machine's name.
    fn instrument(&self, column: &str) -> Option<&InstrumentReading> {
        let mut instruments = self.readings.instruments.iter().rev();
        instruments.find(|instrument| instrument.column == column)
    }

    fn long_enough(
        &self,
        gate: String,
        column: String,
        updates: u64,
        period: Duration,
    ) -> Result<(), Box<Infeasible>> {
        let Some(command) = self.declaration.workload.command() else {
            return Ok(());
        };
        let slots = 2 * self.declaration.arms.len() as u32;
        let session = command.slot_time * slots;
        let needed = Duration::from_secs_f64(period.as_secs_f64() * updates as f64);
        if needed <= session {
            return Ok(());
        }
        Err(Infeasible::TooShort {
            gate,
            column,
            updates,
            period,
            needed,
            session,
            slots,
            slot: needed / slots,
        }
        .into())
    }
}
