//! Problems for programs and for terminals.

use prereg_declaration::{Code, Targets};

#[test]
fn json_places_count_lines_and_characters_from_one() {
    let toml = "# a targets file\ncpu = { name = 'µµ', device = 'cup' }\n";
    let problems = Targets::parse("t.toml", toml.as_bytes()).unwrap_err();
    let json = serde_json::to_value(&problems).unwrap();
    let place = |key: &str| json[0][key].as_u64();
    assert_eq!((place("line"), place("column")), (Some(2), Some(31)));
    assert_eq!(
        (place("end_line"), place("end_column")),
        (Some(2), Some(36))
    );
}

#[test]
fn json_holds_code_message_label_and_help() {
    let problems = Targets::parse(
        "t.toml",
        b"[cpu]\ndevice = \"cpu\"\nname = \"any\"\ncores = 0\n",
    )
    .unwrap_err();
    let expected = serde_json::json!([{
        "file": "t.toml",
        "line": 4,
        "column": 9,
        "end_line": 4,
        "end_column": 10,
        "code": "invalid-value",
        "message": "`cpu.cores` is 0",
        "label": "",
        "help": "write an integer from 1 to 4294967295",
    }]);
    assert_eq!(serde_json::to_value(&problems).unwrap(), expected);
    assert_eq!(problems.iter().next().unwrap().code, Code::InvalidValue);
}

#[test]
fn colour_adds_escapes_and_plain_text_has_none() {
    let problems = Targets::parse("t.toml", b"[cpu]\n").unwrap_err();
    assert!(problems.render(true).contains('\u{1b}'));
    assert!(!problems.render(false).contains('\u{1b}'));
    assert_eq!(problems.to_string(), problems.render(false));
}
