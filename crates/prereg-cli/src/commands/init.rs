//! `prereg init`: a new study, ready to lock and run.

use std::path::PathBuf;

use prereg_ledger::{Study, write_atomic};

use crate::error::CommandError;
use crate::exit::Exit;
use crate::output::say;

/// Arguments of `prereg init`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  prereg init my-study && cd my-study\n  \
    prereg check example && prereg lock example\n  \
    prereg run experiments/example.toml --on cpu")]
pub(crate) struct Arguments {
    /// The folder; created when it does not exist.
    directory: PathBuf,
}

/// What a new study holds besides its empty folders.
const FILES: [(&str, &str); 4] = [
    (
        "experiments/example.toml",
        include_str!("init/example.toml"),
    ),
    (".gitignore", include_str!("init/gitignore")),
    (".gitattributes", include_str!("init/gitattributes")),
    // Last: this file makes the folder a study.
    (
        "experiments/targets.toml",
        include_str!("init/targets.toml"),
    ),
];

pub(crate) fn execute(arguments: &Arguments) -> Result<Exit, CommandError> {
    let root = &arguments.directory;
    // Nothing that exists is written over, so a refusal comes before the first write.
    if let Some((name, _)) = FILES.iter().find(|(name, _)| root.join(name).exists()) {
        let message = format!("{} exists already", root.join(name).display());
        return Err(CommandError::new(Exit::Usage, message).hint("name a new or empty folder"));
    }
    Study::create_layout(root).map_err(|error| CommandError::io(&error))?;
    for (name, text) in FILES {
        write_atomic(&root.join(name), text.as_bytes())
            .map_err(|error| CommandError::io(&error))?;
    }
    say!(
        "wrote a study to {root}\n\nnext:\n  cd {root}\n  prereg check example\n  prereg lock example\n  \
         prereg run experiments/example.toml --on cpu",
        root = root.display()
    );
    Ok(Exit::Success)
}
