//! Exit codes. 0 to 3 are results; 64 and up are errors, after `sysexits.h`.

use prereg_judgement::Verdict;

/// Exit code of the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// The command did what was asked; for verdicts: pass.
    Success = 0,
    /// A claim is falsified.
    Falsified = 1,
    /// A claim abstains and none is falsified.
    Abstained = 2,
    /// The record is inconsistent: no verdict.
    Inconsistent = 3,
    /// Wrong use of the command line.
    Usage = 64,
    /// The declaration is not acceptable, not locked, or not what was locked.
    Declaration = 65,
    /// An input is missing, or there is nothing to do.
    Missing = 66,
    /// The target is not here.
    Unavailable = 69,
    /// A defect of this program, or rules that it does not know.
    Internal = 70,
    /// Reading or writing failed.
    Io = 74,
    /// Stopped by Ctrl-C or a signal: 128 + 2, as shells say it.
    Interrupted = 130,
}

impl Exit {
    /// The code of several verdicts together: falsified wins over abstained, abstained over pass.
    pub(crate) fn of(verdicts: impl IntoIterator<Item = Verdict>) -> Self {
        verdicts
            .into_iter()
            .map(|verdict| match verdict {
                Verdict::Pass => Self::Success,
                Verdict::Abstained => Self::Abstained,
                Verdict::Falsified => Self::Falsified,
            })
            .fold(Self::Success, Self::worse)
    }

    /// The code that wins: 3 over 1, over 2, over 0.
    pub(crate) fn worse(self, other: Self) -> Self {
        let rank = |exit: Self| match exit {
            Self::Success => 0,
            Self::Abstained => 1,
            Self::Falsified => 2,
            _ => 3,
        };
        if rank(other) > rank(self) {
            other
        } else {
            self
        }
    }
}

impl From<Exit> for std::process::ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn falsified_wins_over_abstained_and_abstained_over_pass() {
        let all = [Verdict::Pass, Verdict::Falsified, Verdict::Abstained];
        assert_eq!(Exit::of(all), Exit::Falsified);
        assert_eq!(
            Exit::of([Verdict::Pass, Verdict::Abstained]),
            Exit::Abstained
        );
        assert_eq!(Exit::of([Verdict::Pass]), Exit::Success);
    }

    #[test]
    fn an_inconsistent_record_wins_over_every_verdict() {
        assert_eq!(
            Exit::Falsified.worse(Exit::Inconsistent),
            Exit::Inconsistent
        );
        assert_eq!(
            Exit::Inconsistent.worse(Exit::Falsified),
            Exit::Inconsistent
        );
    }
}
