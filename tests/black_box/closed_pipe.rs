//! A reader that went away.

use crate::study::{Finished, Plan, TempStudy, binary};

#[test]
fn a_reader_that_went_away_is_no_error() {
    let study = TempStudy::locked(&Plan::default());
    for arguments in [
        &["list"][..],
        &["show", "plan"],
        &["analyze", "plan"],
        &["--help"],
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = binary(study.root())
            .args(arguments)
            .stdout(writer)
            .output()
            .unwrap();
        let finished = Finished::of(output);
        assert!(matches!(finished.code, Some(0 | 2)), "{finished:#?}");
        assert_eq!(finished.stderr, "");
    }
}
