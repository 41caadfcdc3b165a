//! `prereg trace`: where the number of a metric comes from.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use prereg_judgement::{MetricResult, Observations, Samples, Session, Trace, TraceSource, trace};
use prereg_ledger::{History, Locked, LockedConstant, Run, Standing, Status, Study};
use serde::Serialize;

use crate::analysis::{constants, judge_run, samples_of};
use crate::error::CommandError;
use crate::exit::Exit;
use crate::output::{self, say};
use crate::{find, open};

/// Arguments of `prereg trace`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  prereg trace speedup --of replay_tax\n  prereg trace speedup --of cpu-2465 --session 7 --json"
)]
pub(crate) struct Arguments {
    /// A metric.
    metric: String,
    /// An experiment's id (its first sealed run of record), or the beginning of a run's id; not needed where only one
    /// experiment has the metric.
    #[arg(long, value_name = "ID")]
    of: Option<String>,
    /// The session whose number is traced: an index from 0.
    #[arg(long, default_value_t = 0)]
    session: usize,
    /// Print one JSON object (prereg-trace/1).
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    experiment: &'a str,
    run: &'a str,
    session: usize,
    trace: &'a Trace,
    over_sessions: &'a MetricResult,
}

pub(crate) fn execute(arguments: &Arguments) -> Result<Exit, CommandError> {
    let study = open::study()?;
    let history = open::history(&study)?;
    let of = match arguments.of.clone() {
        Some(of) => of,
        None => only_experiment(&history, &arguments.metric)?,
    };
    let run = run(&study, &history, &of)?;
    let locked =
        Locked::load(&history, run.announced.lock).map_err(|error| open::not_loaded(&error))?;
    let metrics = &locked.declaration().metrics;
    if !metrics.contains_key(&arguments.metric) {
        let message = format!(
            "{} has no metric `{}`",
            run.announced.experiment, arguments.metric
        );
        let names: Vec<&str> = metrics.keys().map(String::as_str).collect();
        return Err(CommandError::new(Exit::Missing, message)
            .hint(format!("its metrics are {}", names.join(", "))));
    }
    let samples = samples_of(&study, &locked, run)?;
    let constants = constants(&locked, &run.announced.target)?;
    let session = complete(&samples, arguments.session)?;
    let judgement = judge_run(&study, &locked, run)?;
    let traced = trace(locked.declaration(), &constants, session, &arguments.metric);
    let (Some(traced), Some(metric)) = (traced, judgement.metrics.get(&arguments.metric)) else {
        let message = format!("metric `{}` was not judged", arguments.metric);
        return Err(CommandError::new(Exit::Internal, message));
    };
    if arguments.json {
        output::json(&Document {
            schema: "prereg-trace/1",
            experiment: &run.announced.experiment,
            run: run.id.as_str(),
            session: arguments.session,
            trace: &traced,
            over_sessions: metric,
        })?;
        return Ok(Exit::Success);
    }
    let (experiment, index) = (&run.announced.experiment, arguments.session);
    say!(
        "{} of {experiment}, run {} on {} ({}), session {index} of {}\n",
        arguments.metric,
        run.id,
        run.announced.target,
        run.standing,
        samples.sessions.len()
    );
    let place = Place {
        locked: &locked,
        session: format!("runs/{experiment}/{}/sessions/{index}", run.id),
    };
    place.print(&traced, "", "");
    over_sessions(metric, locked.declaration().inference.estimand.name());
    Ok(Exit::Success)
}

/// The one experiment that has the metric.
fn only_experiment(history: &History, metric: &str) -> Result<String, CommandError> {
    let mut found = BTreeSet::new();
    for lock in history.locks() {
        let locked =
            Locked::load(history, lock.event.lock).map_err(|error| open::not_loaded(&error))?;
        if locked.declaration().metrics.contains_key(metric) {
            found.insert(lock.event.experiment.clone());
        }
    }
    let names: Vec<String> = found.into_iter().collect();
    match &names[..] {
        [] => Err(CommandError::new(
            Exit::Missing,
            format!("no locked experiment has a metric `{metric}`"),
        )),
        [only] => Ok(only.clone()),
        several => Err(CommandError::new(
            Exit::Usage,
            format!("{} experiments have a metric `{metric}`", several.len()),
        )
        .hint(format!("say --of {}", several.join(" | ")))),
    }
}

/// The run that is named, or the first sealed run of record of an experiment.
fn run<'h>(
    study: &Study,
    history: &'h History,
    argument: &'h str,
) -> Result<&'h Run, CommandError> {
    let is_sealed = |run: &&Run| matches!(run.status, Status::Sealed { .. });
    if let Some(run) = find::run(history, argument) {
        return Some(run).filter(is_sealed).ok_or_else(|| {
            CommandError::new(Exit::Missing, format!("run {} is not sealed", run.id))
        });
    }
    let lock = find::lock(study, history, argument)?;
    let mut runs = history.runs_of_lock(lock.event.lock).filter(is_sealed);
    runs.find(|run| run.standing == Standing::OfRecord)
        .ok_or_else(|| {
            let message = format!("{argument} has no sealed run of record");
            CommandError::new(Exit::Missing, message).hint("prereg list shows every run")
        })
}

fn complete(samples: &Samples, index: usize) -> Result<&Observations, CommandError> {
    match samples.sessions.get(index) {
        Some(Session::Complete(observations)) => Ok(observations),
        Some(Session::Missing(_)) => Err(CommandError::new(
            Exit::Missing,
            format!("session {index} is missing, so it has no numbers"),
        )),
        None => Err(CommandError::new(
            Exit::Usage,
            format!(
                "there is no session {index}; the run has 0 to {}",
                samples.sessions.len().saturating_sub(1)
            ),
        )),
    }
}

/// Where the numbers of a tree stand on disk.
struct Place<'a> {
    locked: &'a Locked,
    session: String,
}

impl Place<'_> {
    /// `lead` stands before this part, `below` before the lines under it.
    fn print(&self, part: &Trace, lead: &str, below: &str) {
        let value = part
            .value
            .map_or_else(|| "not observed".to_owned(), |value| format!("{value:.6}"));
        say!(
            "{lead}{} = {value}{}",
            part.expression,
            self.source(&part.source)
        );
        for (index, child) in part.parts.iter().enumerate() {
            let last = index + 1 == part.parts.len();
            let (branch, bar) = if last {
                ("└─ ", "   ")
            } else {
                ("├─ ", "│  ")
            };
            self.print(child, &format!("{below}{branch}"), &format!("{below}{bar}"));
        }
    }

    fn source(&self, source: &TraceSource) -> String {
        match source {
            TraceSource::Metric | TraceSource::Arithmetic => String::new(),
            TraceSource::Declaration => "  (the declaration)".to_owned(),
            TraceSource::Lock { name, arm } => {
                let constants = &self.locked.lock().constants;
                let is_it =
                    |constant: &&LockedConstant| constant.name == *name && constant.arm == *arm;
                let formula = constants.iter().find(is_it);
                let formula = formula.map_or("", |constant| constant.formula.as_str());
                format!("  (lock.json: {formula})")
            }
            TraceSource::Slots { arm } => format!("  (mean over the slots of {arm})"),
            TraceSource::Slot { slot, steps } => format!(
                "  (slot {slot}, {steps} steps, {}/steps.jsonl)",
                self.session
            ),
            TraceSource::Readings { readings } => {
                format!("  ({readings} readings, {}/telemetry.jsonl)", self.session)
            }
        }
    }
}

fn over_sessions(metric: &MetricResult, estimand: &str) {
    let mut values = String::new();
    for value in &metric.values {
        let value = value.map_or_else(|| "missing".to_owned(), |value| format!("{value:.6}"));
        // Writing to a String cannot fail.
        let _ = write!(values, " {value}");
    }
    let unit = match metric.unit.as_str() {
        "1" => String::new(),
        unit => format!(", in {unit}"),
    };
    say!("\nsessions in order{unit}:{values}");
    if let Some(estimate) = metric.estimate {
        say!("{estimand} over sessions{unit}: {estimate:.6}");
    }
}
