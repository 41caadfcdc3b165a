//! `prereg targets`: where experiments can run, and what is here.

use prereg_declaration::Target;
use prereg_executor::{Identity, Machine, identify};
use serde::Serialize;

use crate::error::CommandError;
use crate::exit::Exit;
use crate::open;
use crate::output::{self, say};

/// Arguments of `prereg targets`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  prereg targets")]
pub(crate) struct Arguments {
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document {
    schema: &'static str,
    targets: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    target: String,
    device: &'static str,
    name: String,
    here: bool,
    /// What answered, or what was looked for and what was found instead.
    found: String,
    constants: Vec<Constant>,
}

#[derive(Serialize)]
struct Constant {
    name: &'static str,
    value: String,
    source: String,
}

pub(crate) fn execute(arguments: &Arguments) -> Result<Exit, CommandError> {
    let study = open::study()?;
    let targets = open::targets(&study)?;
    let machine = Machine::here();
    let rows: Vec<Row> = targets.iter().map(|target| row(target, &machine)).collect();
    if arguments.json {
        output::json(&Document {
            schema: "prereg-targets/1",
            targets: rows,
        })?;
        return Ok(Exit::Success);
    }
    say!("this machine: {}\n", Identity::of(&machine));
    for row in &rows {
        let word = if row.here { "here" } else { "not here" };
        say!(
            "{:<12} {:<5} {:<28} {word}",
            row.target,
            row.device,
            row.name
        );
        say!("  {}", row.found);
        for constant in &row.constants {
            say!(
                "  {} {} ({})",
                constant.name,
                constant.value,
                constant.source
            );
        }
    }
    Ok(Exit::Success)
}

fn row(target: &Target, machine: &Machine) -> Row {
    let (here, found) = match identify(target, machine) {
        Ok(identity) => (true, identity.to_string()),
        Err(error) => (
            false,
            format!("looked for {}, found {}", error.looked_for, error.found),
        ),
    };
    Row {
        target: target.name.clone(),
        device: target.device.name(),
        name: target.pattern.to_string(),
        here,
        found,
        constants: target
            .constants()
            .map(|(name, sourced)| Constant {
                name,
                value: sourced.value.to_string(),
                source: sourced.source.clone(),
            })
            .collect(),
    }
}
