//! A TOML string that remembers where each of its bytes stands in the file.

use std::ops::Range;

/// Content of a string, and the way back to the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Text {
    pub(crate) value: String,
    /// The token in the file, quotes included.
    pub(crate) span: Range<usize>,
    /// For every byte of `value`, and for its end, the offset in the file.
    offsets: Vec<usize>,
}

impl Text {
    /// `token` is the string as the file spells it, at `span`; `value` is its content.
    pub(crate) fn new(value: &str, token: &str, span: Range<usize>) -> Self {
        let offsets = offsets(token)
            .into_iter()
            .map(|offset| span.start + offset)
            .collect();
        Self {
            value: value.to_owned(),
            span,
            offsets,
        }
    }

    /// A range of the content as a range of the file; the whole token where the way back is not known.
    pub(crate) fn at(&self, range: &Range<usize>) -> Range<usize> {
        if self.offsets.len() != self.value.len() + 1 {
            return self.span.clone();
        }
        match (self.offsets.get(range.start), self.offsets.get(range.end)) {
            (Some(&start), Some(&end)) => start..end,
            _ => self.span.clone(),
        }
    }
}

/// Offsets in `token` of every byte of its content, and of the content's end.
fn offsets(token: &str) -> Vec<usize> {
    let quote = if token.starts_with("\"\"\"") || token.starts_with("'''") {
        3
    } else {
        1
    };
    let escapes = token.starts_with('"');
    let end = token.len().saturating_sub(quote);
    let mut at = quote;
    // A newline right after an opening triple quote is not content.
    if quote == 3 && token[at.min(token.len())..].starts_with('\n') {
        at += 1;
    }
    let mut offsets = Vec::new();
    while at < end {
        let rest = &token[at..end];
        let (content, length) = if escapes && rest.starts_with('\\') {
            escape(rest)
        } else {
            let width = rest.chars().next().map_or(1, char::len_utf8);
            (width, width)
        };
        // A character written as itself maps byte for byte; one written as an escape maps to the escape's start.
        offsets.extend((0..content).map(|byte| at + if content == length { byte } else { 0 }));
        at += length;
    }
    offsets.push(end);
    offsets
}

/// How many content bytes the escape at the start of `rest` gives, and how many bytes it takes.
fn escape(rest: &str) -> (usize, usize) {
    let scalar = |digits: usize| {
        let code = rest
            .get(2..2 + digits)
            .and_then(|hex| u32::from_str_radix(hex, 16).ok());
        let width = code.and_then(char::from_u32).map_or(0, char::len_utf8);
        (width, 2 + digits)
    };
    match rest.as_bytes().get(1) {
        Some(b'u') => scalar(4),
        Some(b'U') => scalar(8),
        Some(b' ' | b'\t' | b'\n') => {
            let blank = rest[1..].len() - rest[1..].trim_start_matches([' ', '\t', '\n']).len();
            (0, 1 + blank)
        }
        _ => (1, 2),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(token: &str) -> Text {
        let table = format!("k = {token}");
        let parsed = toml::de::DeTable::parse(&table).unwrap();
        let value = parsed.get_ref().get("k").unwrap();
        Text::new(
            value.get_ref().as_str().unwrap(),
            &table[value.span()],
            value.span(),
        )
    }

    fn found(token: &str, part: &str) -> String {
        let text = text(token);
        let start = text.value.find(part).unwrap();
        format!("k = {token}")[text.at(&(start..start + part.len()))].to_owned()
    }

    #[test]
    fn a_part_of_the_content_is_found_in_every_kind_of_string() {
        assert_eq!(found("\"a < µ b\"", "b"), "b");
        assert_eq!(found("'a \\ b'", "b"), "b");
        assert_eq!(found("\"\"\"\n\"a\" b\"\"\"", "b"), "b");
        assert_eq!(found("'''\n\na b'''", "b"), "b");
    }

    #[test]
    fn escapes_before_the_part_do_not_move_it() {
        assert_eq!(found("\"\\t\\u00b5\\U0001F600 \\\" b\"", "b"), "b");
        assert_eq!(found("\"\"\"a \\\n   \n  b\"\"\"", "b"), "b");
        assert_eq!(found("\"x \\u00b5\"", "µ"), "\\u00b5");
    }
}
