//! Text with ids, digests and dates replaced, so that it is the same in every study.

use std::fmt::Write as _;

/// Replaces words of 12, 16 or 64 hexadecimal digits (ids and digests) and dates of RFC 3339.
pub(crate) fn redacted(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_alphanumeric()) {
        let (before, from) = rest.split_at(start);
        result.push_str(before);
        if let Some(after) = after_date(from) {
            result.push_str("<date>");
            rest = after;
            continue;
        }
        let end = from
            .find(|c: char| !c.is_ascii_alphanumeric())
            .unwrap_or(from.len());
        let (word, after) = from.split_at(end);
        if is_digest(word) {
            // Writing to a String cannot fail.
            let _ = write!(result, "<{} hex>", word.len());
        } else {
            result.push_str(word);
        }
        rest = after;
    }
    result.push_str(rest);
    result
}

fn is_digest(word: &str) -> bool {
    matches!(word.len(), 12 | 16 | 64)
        && word
            .bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// What follows a date (`2026-01-31T12:00:00Z`) at the beginning of `text`.
fn after_date(text: &str) -> Option<&str> {
    const FORM: &[u8] = b"0000-00-00T00:00:00Z";
    let found = text.as_bytes().get(..FORM.len())?;
    let matches = found.iter().zip(FORM).all(|(byte, form)| match form {
        b'0' => byte.is_ascii_digit(),
        form => byte == form,
    });
    matches.then(|| &text[FORM.len()..])
}

#[test]
fn ids_digests_and_dates_are_redacted_and_nothing_else() {
    let digest = "0123456789abcdef".repeat(4);
    let text = format!(
        "cpu-0a1b2c3d4e5f: {digest}, 2026-01-31T12:00:00Z, 269030016 B, decided, 0a1b2c3d4e5"
    );
    assert_eq!(
        redacted(&text),
        "cpu-<12 hex>: <64 hex>, <date>, 269030016 B, decided, 0a1b2c3d4e5"
    );
}
