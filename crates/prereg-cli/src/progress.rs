//! Progress on the terminal: sessions and time left, never an arm or a step time.

use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};
use prereg_executor::{Advance, Finished, Progress};

use crate::output::note;

/// A bar on a terminal, a line a session elsewhere.
pub(crate) struct Sessions {
    bar: ProgressBar,
    is_terminal: bool,
}

impl Sessions {
    /// Progress of `total` sessions of a run.
    pub(crate) fn new(total: u32) -> Self {
        let is_terminal = std::io::stderr().is_terminal();
        let target = if is_terminal {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(Some(u64::from(total)), target);
        // The template is constant; one that does not parse shows indicatif's own bar.
        if let Ok(style) = ProgressStyle::with_template("  sessions {bar:30} {pos}/{len}  {msg}") {
            bar.set_style(style);
        }
        Self { bar, is_terminal }
    }

    /// Clears the bar.
    pub(crate) fn end(&self) {
        self.bar.finish_and_clear();
    }
}

impl Progress for Sessions {
    fn started(&mut self, advance: Advance) {
        self.bar.set_position(u64::from(advance.over));
        self.bar.set_message(left(advance.remaining));
        // Drawn once a session: a ticking bar would take time from the workers.
        self.bar.tick();
    }

    fn waiting(&mut self, block: u32, blocks: u32, left: Duration) {
        let left = HumanDuration(left);
        self.bar.suspend(|| {
            note!("  block {} of {blocks} may begin in {left}", block + 1);
        });
    }

    fn finished(&mut self, advance: Advance, session: &Finished) {
        self.bar.set_position(u64::from(advance.over));
        self.bar.set_message(left(advance.remaining));
        let Advance {
            session: index,
            over,
            total,
            ..
        } = advance;
        match session {
            Finished::Complete if self.is_terminal => {}
            Finished::Complete => {
                note!(
                    "  session {index} complete, {over} of {total} over, {}",
                    left(advance.remaining)
                );
            }
            Finished::Missing { why, stderr } => {
                self.bar.suspend(|| {
                    note!("  session {index} is missing: {why}");
                    for line in stderr.lines() {
                        note!("    {line}");
                    }
                });
            }
        }
    }
}

fn left(remaining: Option<Duration>) -> String {
    match remaining {
        Some(time) if time.is_zero() => "none left".to_owned(),
        Some(time) => format!("about {} left", HumanDuration(time)),
        None => "time left is known after the first session".to_owned(),
    }
}
