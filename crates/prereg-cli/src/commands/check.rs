//! `prereg check`: is a declaration well formed, and can the plan lose and win?

use prereg_declaration::{Declaration, meaning_digest, question_digest};
use prereg_executor::model;
use prereg_judgement::{LintFinding, PowerRow, PowerTable, lint, power};
use serde::Serialize;

use crate::error::CommandError;
use crate::exit::Exit;
use crate::find::DeclarationFile;
use crate::open;
use crate::output::{self, say};

/// Arguments of `prereg check`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  prereg check experiments/replay_tax.toml")]
pub(crate) struct Arguments {
    /// A declaration: a path, or a name under experiments/.
    file: String,
    /// Print one JSON object.
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
}

#[derive(Serialize)]
struct Finding {
    message: String,
    #[serde(flatten)]
    finding: LintFinding,
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
    model::shape(study.root(), &declaration.workload.model)
        .map_err(|error| CommandError::caused(Exit::Missing, &error))?;
    let findings = lint(&declaration);
    let table = power(&declaration).ok();
    if arguments.json {
        output::json(&Document {
            schema: "prereg-check/1",
            experiment: declaration.id.clone(),
            declaration: file.digest().to_string(),
            meaning: meaning_digest(&declaration).to_string(),
            question: question_digest(&declaration).to_string(),
            accepted: findings.is_empty(),
            findings: findings
                .iter()
                .map(|finding| Finding {
                    message: finding.to_string(),
                    finding: finding.clone(),
                })
                .collect(),
            power: table,
        })?;
        return Ok(if findings.is_empty() {
            Exit::Success
        } else {
            Exit::Declaration
        });
    }
    describe(&file, &declaration);
    if let Some(table) = &table {
        describe_power(table);
    }
    accept(&file, &findings)?;
    say!(
        "\nthe plan can lose and can win; next: prereg lock {}",
        arguments.file
    );
    Ok(Exit::Success)
}

/// Refuses a plan that has findings, each with what to do.
pub(crate) fn accept(file: &DeclarationFile, findings: &[LintFinding]) -> Result<(), CommandError> {
    if findings.is_empty() {
        return Ok(());
    }
    let refusal = CommandError::new(
        Exit::Declaration,
        format!("the plan of {} is refused", file.name),
    );
    Err(findings.iter().fold(refusal, |refusal, finding| {
        refusal.because(finding.to_string())
    }))
}

fn describe(file: &DeclarationFile, declaration: &Declaration) {
    let protocol = &declaration.protocol;
    say!("{}: {}", declaration.id, declaration.title);
    say!(
        "  {} sessions on {}, arms {}, {} measured steps an arm and session",
        protocol.sessions,
        declaration.targets.join(", "),
        declaration
            .arms
            .keys()
            .map(String::as_str)
            .collect::<Vec<_>>()
            .join(", "),
        protocol.measured_steps,
    );
    say!("  declaration  {}", file.digest());
    say!("  meaning      {}", meaning_digest(declaration));
    say!("  question     {}", question_digest(declaration));
}

fn describe_power(table: &PowerTable) {
    for (name, claim) in &table.claims {
        say!(
            "\nclaim {name}: what {} sessions decide, at the assumed spread",
            table.sessions
        );
        say!(
            "  {:<32} {:>8} {:>10} {:>8}",
            "true value",
            "pass",
            "falsified",
            "open"
        );
        let row = |label: &str, row: &PowerRow| {
            let open = (1.0 - row.pass - row.falsified).max(0.0);
            say!(
                "  {label:<32} {:>8.3} {:>10.3} {open:>8.3}",
                row.pass,
                row.falsified
            );
        };
        row(&format!("rival: {}", values(&claim.rival)), &claim.rival);
        let between = |row: &&PowerRow| {
            row.values != claim.rival.values && row.values != claim.expected.values
        };
        for between in claim.rows.iter().filter(between) {
            row(&values(between), between);
        }
        row(
            &format!("expected: {}", values(&claim.expected)),
            &claim.expected,
        );
    }
    match (table.fewer_sessions, table.sufficient_sessions) {
        (Some(fewer), _) => say!(
            "\n{fewer} sessions would decide as well as {}",
            table.sessions
        ),
        (None, Some(enough)) if enough > table.sessions => say!("\n{enough} sessions would do"),
        _ => {}
    }
}

fn values(row: &PowerRow) -> String {
    row.values
        .iter()
        .map(|(metric, value)| format!("{metric} {value}"))
        .collect::<Vec<_>>()
        .join(", ")
}
