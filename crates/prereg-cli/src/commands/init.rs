//! `prereg init`: a new study, ready to lock and run; or a draft from a result file of a tool.

mod draft;

use std::path::{Path, PathBuf};

use prereg_ledger::{Study, write_atomic};

use super::inspect::ResultFile;
use crate::error::CommandError;
use crate::exit::Exit;
use crate::open;
use crate::output::say;

/// Arguments of `prereg init`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  prereg init my-study && cd my-study\n  \
    prereg check example && prereg lock example\n  \
    prereg run experiments/example.toml --on cpu\n\n  \
    prereg init --from runs.json        drafts experiments/runs.toml in this study")]
pub(crate) struct Arguments {
    /// The folder of a new study; created when it does not exist.
    #[arg(required_unless_present = "from")]
    directory: Option<PathBuf>,
    /// Draft an experiment from this result file of a tool, in the study that holds the working folder.
    #[arg(long, value_name = "FILE", conflicts_with = "directory")]
    from: Option<PathBuf>,
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
    match (&arguments.directory, &arguments.from) {
        (_, Some(file)) => draft_from(file),
        (Some(root), None) => new_study(root),
        (None, None) => Err(CommandError::new(Exit::Usage, "no folder is named")
            .hint("name the folder of the new study")),
    }
}

fn new_study(root: &Path) -> Result<Exit, CommandError> {
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

fn draft_from(path: &Path) -> Result<Exit, CommandError> {
    let study = open::study()?;
    let targets = open::targets(&study)?;
    let file = ResultFile::read(path)?;
    let id = draft::id_of(path);
    let name = format!("experiments/{id}.toml");
    let to = study.experiments().join(format!("{id}.toml"));
    if to.exists() {
        return Err(
            CommandError::new(Exit::Usage, format!("{name} exists already"))
                .hint("rename the result file: the draft is named after it"),
        );
    }
    let text = draft::text(&file, &id, &targets);
    write_atomic(&to, text.as_bytes()).map_err(|error| CommandError::io(&error))?;
    say!(
        "wrote {name} from {} ({})\n\nnext:\n  fill in what prereg check {id} names\n  \
         prereg run {name} --on … --pilot        measures the spread that assumed-cv needs\n  prereg lock {id}",
        file.name,
        file.format
    );
    Ok(Exit::Success)
}
