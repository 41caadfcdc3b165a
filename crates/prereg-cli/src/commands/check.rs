//! `prereg check`: is a declaration well formed, can the plan lose and win, and what would it cost?

mod table;

use std::collections::BTreeMap;

use prereg_declaration::Declaration;
use prereg_judgement::{LintFinding, PowerTable, lint, power, power_at};
use prereg_ledger::{History, Locked, Run, RunId, Standing, Status, Study};
use serde::Serialize;

use crate::analysis::judge_run;
use crate::cost::{self, Cost};
use crate::draft::{Draft, accept};
use crate::error::CommandError;
use crate::exit::Exit;
use crate::find::DeclarationFile;
use crate::open;
use crate::output::{self, say};
use crate::reading;

/// Arguments of `prereg check`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  prereg check experiments/replay_tax.toml")]
pub(crate) struct Arguments {
    /// A declaration: a path, or a name under experiments/.
    file: String,
    /// Print one JSON object (prereg-check/1).
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document {
    schema: &'static str,
    experiment: String,
    declaration: String,
    meaning: String,
    question: String,
    accepted: bool,
    findings: Vec<Finding>,
    power: Option<PowerTable>,
    /// The power at the spread that a pilot measured.
    at_pilot: Option<AtPilot>,
    costs: Vec<Cost>,
}

#[derive(Serialize)]
struct Finding {
    message: String,
    #[serde(flatten)]
    finding: LintFinding,
}

/// The spread that a pilot measured, and what the plan decides at it.
#[derive(Serialize)]
struct AtPilot {
    run: RunId,
    /// Log standard deviation over sessions, by metric.
    spreads: BTreeMap<String, f64>,
    power: PowerTable,
}

pub(crate) fn execute(arguments: &Arguments) -> Result<Exit, CommandError> {
    let study = open::study()?;
    let targets = open::targets(&study)?;
    let file = DeclarationFile::read(&study, &arguments.file)?;
    let declaration = match prereg_declaration::check(&file.name, &file.bytes, &targets) {
        Ok(declaration) => declaration,
        Err(diagnostics) if arguments.json => {
            output::json(
                &serde_json::json!({ "schema": "prereg-check/1", "accepted": false, "diagnostics": diagnostics }),
            )?;
            return Ok(Exit::Declaration);
        }
        Err(diagnostics) => return Err(open::refused(&file.name, &diagnostics)),
    };
    let draft = Draft::of(&study, &targets, file, declaration)?;
    let history = open::history(&study)?;
    let declaration = &draft.declaration;
    let findings = lint(declaration);
    let document = Document {
        schema: "prereg-check/1",
        experiment: declaration.id.clone(),
        declaration: draft.lock.declaration.to_string(),
        meaning: draft.lock.meaning.to_string(),
        question: draft.lock.question.to_string(),
        accepted: findings.is_empty(),
        findings: findings
            .iter()
            .map(|finding| Finding {
                message: finding.to_string(),
                finding: finding.clone(),
            })
            .collect(),
        power: power(declaration).ok(),
        at_pilot: at_pilot(&study, &history, &draft)?,
        costs: cost::of(&draft, &targets, &history),
    };
    if arguments.json {
        output::json(&document)?;
        return Ok(if document.accepted {
            Exit::Success
        } else {
            Exit::Declaration
        });
    }
    describe(&document, declaration);
    accept(&draft.file, &findings)?;
    say!(
        "\nthe plan can lose and can win; next: prereg lock {}",
        arguments.file
    );
    Ok(Exit::Success)
}

/// The power at the spread of the latest pilot of this draft's experiment or question.
fn at_pilot(
    study: &Study,
    history: &History,
    draft: &Draft,
) -> Result<Option<AtPilot>, CommandError> {
    let related = |run: &&Run| {
        let lock = history.lock(run.announced.lock);
        let same_question = lock.is_some_and(|lock| lock.event.question == draft.lock.question);
        same_question || run.announced.experiment == draft.declaration.id
    };
    let pilot = history.runs().iter().rfind(|run| {
        run.standing == Standing::Pilot
            && matches!(run.status, Status::Sealed { .. })
            && related(run)
    });
    let Some(pilot) = pilot else {
        return Ok(None);
    };
    let locked =
        Locked::load(history, pilot.announced.lock).map_err(|error| open::not_loaded(&error))?;
    let judgement = judge_run(study, &locked, pilot)?;
    let spreads: BTreeMap<String, f64> = judgement
        .metrics
        .iter()
        .filter_map(|(name, metric)| Some((name.clone(), metric.log_sd().filter(|sd| *sd > 0.0)?)))
        .collect();
    let power = power_at(&draft.declaration, &spreads).ok();
    Ok(power.map(|power| AtPilot {
        run: pilot.id.clone(),
        spreads,
        power,
    }))
}

fn describe(document: &Document, declaration: &Declaration) {
    let protocol = &declaration.protocol;
    // An author's title must not move the cursor.
    let title = declaration.title.replace(char::is_control, "\u{fffd}");
    say!("{}: {title}", declaration.id);
    let names: Vec<&str> = declaration.arms.keys().map(String::as_str).collect();
    say!(
        "  {} sessions on {}, arms {}, {} measured steps an arm and session",
        protocol.sessions,
        declaration.targets.join(", "),
        names.join(", "),
        protocol.measured_steps,
    );
    say!("  {}", reading::line(declaration));
    say!("  declaration  {}", document.declaration);
    say!("  meaning      {}", document.meaning);
    say!("  question     {}", document.question);
    if let Some(power) = &document.power {
        table::print(power);
    }
    if let Some(pilot) = &document.at_pilot {
        table::print_at_pilot(&pilot.run, &pilot.spreads, &pilot.power);
    }
    say!("");
    for cost in &document.costs {
        table::print_cost(cost);
    }
}
