//! `prereg decode`: the decode workload by hand. Prints tokens and logits, and no times.

use std::path::Path;

use prereg_decode::plan::PlanKind;
use prereg_decode::shape::Shape;
use prereg_decode::{Affinity, Decoder, LaunchMode, Options, Path as Kernels};
use prereg_executor::model;
use serde::Serialize;

use crate::error::CommandError;
use crate::exit::Exit;
use crate::output::{note, say};

/// Arguments of `prereg decode`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  prereg decode --model smollm2-135m --tokens 3,14,15 --steps 4\n  \
    prereg decode --model checkpoints/tiny --tokens 3,14,15 --steps 4 --logits --json\n\n\
    Step 0 is chosen by the logits after the last given token; each later step takes in the token\n\
    with the largest logit. Shapes by name have random weights, the same at every call."
)]
pub(crate) struct Arguments {
    /// A checkpoint folder, or a shape by name.
    #[arg(long, value_name = "DIR|SHAPE")]
    model: String,
    /// The prompt, as token numbers.
    #[arg(long, value_delimiter = ',', required = true, num_args = 1..)]
    tokens: Vec<u32>,
    /// How many steps.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    steps: u32,
    /// How kernels are issued.
    #[arg(long, value_enum, default_value_t = Launch::Eager)]
    launch: Launch,
    /// How a step is cut into kernels.
    #[arg(long, value_enum, default_value_t = Plan::Fused)]
    plan: Plan,
    /// Worker threads.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: u32,
    /// Print the logits of every step.
    #[arg(long)]
    logits: bool,
    /// Print one JSON object a step.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Launch {
    /// Kernel by kernel.
    Eager,
    /// Captured once, replayed.
    Graph,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Plan {
    /// About six kernels a layer.
    Fused,
    /// About twenty kernels a layer.
    OpByOp,
}

#[derive(Serialize)]
struct Line<'a> {
    step: u32,
    token: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    logits: Option<&'a [f32]>,
}

/// Seed of the random weights of a shape by name.
const WEIGHTS_SEED: [u8; 32] = [0; 32];

pub(crate) fn execute(arguments: &Arguments) -> Result<Exit, CommandError> {
    let here = Path::new(".");
    let missing = |error: &model::ModelError| CommandError::caused(Exit::Missing, error);
    let source = match Shape::named(&arguments.model) {
        Some(_) => model::random_weights(here, &arguments.model, WEIGHTS_SEED),
        None => model::checkpoint_weights(here, &arguments.model),
    }
    .map_err(|error| missing(&error))?;
    let options = Options {
        plan: match arguments.plan {
            Plan::Fused => PlanKind::Fused,
            Plan::OpByOp => PlanKind::OpByOp,
        },
        context: arguments.tokens.len() - 1,
        rows: arguments.steps as usize,
        threads: arguments.threads as usize,
        affinity: Affinity::None,
        path: Kernels::best(),
    };
    let usage = |error: &dyn std::error::Error| CommandError::caused(Exit::Usage, error);
    let mut decoder = Decoder::new(source.as_ref(), &options).map_err(|error| usage(&error))?;
    decoder
        .prefill(&arguments.tokens)
        .map_err(|error| usage(&error))?;
    let mode = match arguments.launch {
        Launch::Eager => LaunchMode::Eager,
        Launch::Graph => LaunchMode::Graph,
    };
    if mode == LaunchMode::Graph {
        decoder.capture();
    }
    let mut marks = vec![0; arguments.steps as usize];
    decoder
        .run(mode, &mut marks)
        .map_err(|error| usage(&error))?;
    if !arguments.json {
        note!(
            "{} with {} kernels, {} launch",
            source.shape().name,
            options.path,
            mode
        );
    }
    for step in 0..arguments.steps {
        print(&decoder, step, arguments)?;
    }
    Ok(Exit::Success)
}

fn print(decoder: &Decoder, step: u32, arguments: &Arguments) -> Result<(), CommandError> {
    let token = decoder.token(step as usize);
    let logits = arguments.logits.then(|| decoder.logits(step as usize));
    if arguments.json {
        let line = serde_json::to_string(&Line {
            step,
            token,
            logits,
        });
        say!("{}", line.map_err(|error| CommandError::internal(&error))?);
        return Ok(());
    }
    say!("step {step}: token {token}");
    if let Some(logits) = logits {
        let text: Vec<String> = logits.iter().map(ToString::to_string).collect();
        say!("  logits {}", text.join(" "));
    }
    Ok(())
}
