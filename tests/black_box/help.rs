//! The command line's reference, and its examples.

use std::fmt::Write as _;

use crate::study::{prereg, temporary_folder};

const COMMANDS: [&str; 17] = [
    "init", "inspect", "check", "lock", "amend", "withdraw", "diff", "run", "analyze", "report",
    "verify", "list", "show", "trace", "explain", "targets", "decode",
];

fn help(arguments: &[&str]) -> String {
    let folder = temporary_folder();
    prereg(folder.path(), arguments).exits(0).stdout
}

#[test]
fn the_reference_of_the_command_line_is_as_recorded() {
    let mut reference = help(&["--help"]);
    for command in COMMANDS {
        write!(
            reference,
            "\n---- prereg {command}\n\n{}",
            help(&[command, "--help"])
        )
        .unwrap();
    }
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("cli_reference", reference);
    });
}

#[test]
fn every_command_is_listed_and_has_an_example() {
    let overview = help(&["--help"]);
    for command in COMMANDS {
        assert!(
            overview.contains(&format!("\n  {command} ")),
            "{command} in {overview}"
        );
        let text = help(&[command, "--help"]);
        assert!(
            text.contains("Example") && text.contains(&format!("prereg {command}")),
            "{text}"
        );
    }
}

#[test]
fn the_version_is_that_of_the_package() {
    assert_eq!(
        help(&["--version"]),
        format!("prereg {}\n", env!("CARGO_PKG_VERSION"))
    );
}
