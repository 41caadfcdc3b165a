//! Text into markdown, such that it stays text.
//!
//! What an author wrote lands in paragraphs, quotes and table cells of a report. Nothing in it may
//! end a cell, start a block, open a tag, form a link or change the direction of the line.

/// Text as one line of plain markdown, safe in a paragraph, a quote and a table cell.
pub(crate) fn escape(text: &str) -> String {
    let line = one_line(text);
    let chars: Vec<char> = line.chars().collect();
    let mut escaped = String::with_capacity(line.len() + 8);
    for (index, &character) in chars.iter().enumerate() {
        if needs_backslash(&chars, index) {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

/// Text as a code span, safe in a table cell as well.
///
/// Backticks carry the common case and keep the source readable. Text with a backtick or a pipe goes
/// into a `code` element instead: a cell is cut at a pipe even inside backticks, and outside of a
/// table the backslash that would protect it is printed.
pub(crate) fn code(text: &str) -> String {
    let line = one_line(text);
    if line.is_empty() {
        return String::new();
    }
    if !line.contains(['`', '|']) {
        return format!("`{line}`");
    }
    let content: String = line
        .chars()
        .map(|character| {
            if character.is_ascii_punctuation() {
                format!("&#{};", u32::from(character))
            } else {
                character.to_string()
            }
        })
        .collect();
    format!("<code>{content}</code>")
}

/// Line breaks and runs of blanks become one space; characters that steer a terminal or the
/// direction of writing become U+FFFD, so that they are seen.
pub(crate) fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words
        .join(" ")
        .chars()
        .map(|character| {
            if character.is_control() || is_invisible(character) {
                char::REPLACEMENT_CHARACTER
            } else {
                character
            }
        })
        .collect()
}

/// Zero-width and direction-changing characters.
fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}'
    )
}

fn needs_backslash(chars: &[char], index: usize) -> bool {
    let before = index.checked_sub(1).and_then(|at| chars.get(at)).copied();
    let after = chars.get(index + 1).copied();
    match chars[index] {
        '\\' | '`' | '*' | '[' | ']' | '<' | '>' | '|' | '~' | '$' | '&' | '#' | '@' => true,
        // Inside a word an underscore is a letter, and names are full of them.
        '_' => {
            !(before.is_some_and(char::is_alphanumeric) && after.is_some_and(char::is_alphanumeric))
        }
        // List markers and underlines of headings, at the start only.
        '-' | '+' => {
            before.is_none() && after.is_none_or(|after| after.is_whitespace() || after == '-')
        }
        '=' => before.is_none(),
        // So are numbered items.
        '.' | ')' => {
            index > 0
                && chars[..index].iter().all(char::is_ascii_digit)
                && after.is_none_or(char::is_whitespace)
        }
        // Bare addresses become links on code-hosting sites, and so do the mentions above.
        ':' => after == Some('/'),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

    use super::*;

    #[test]
    fn plain_prose_and_names_stay_as_they_are() {
        let text = "Graph replay alone speeds up eager_step by at least 1.15× (±5 %).";
        assert_eq!(escape(text), text);
    }

    #[test]
    fn a_pipe_or_a_line_break_cannot_end_a_table_cell() {
        assert_eq!(escape("a | b\n| c"), "a \\| b \\| c");
        assert_eq!(code("a | b\nc"), "<code>a &#124; b c</code>");
    }

    #[test]
    fn tags_comments_and_entities_are_text() {
        assert_eq!(
            escape("<script>x</script><!-- &lt;"),
            "\\<script\\>x\\</script\\>\\<!-- \\&lt;"
        );
    }

    #[test]
    fn links_images_emphasis_and_fences_are_text() {
        assert_eq!(
            escape("![a](b) **c** _d_ ~~e~~"),
            "!\\[a\\](b) \\*\\*c\\*\\* \\_d\\_ \\~\\~e\\~\\~"
        );
        assert_eq!(escape("```"), "\\`\\`\\`");
        assert_eq!(
            escape("see https://example.org"),
            "see https\\://example.org"
        );
    }

    #[test]
    fn nothing_at_the_start_of_a_line_begins_a_block() {
        assert_eq!(escape("# title"), "\\# title");
        assert_eq!(escape("- item"), "\\- item");
        assert_eq!(escape("12. item"), "12\\. item");
        assert_eq!(escape("> quote"), "\\> quote");
        assert_eq!(escape("---"), "\\---");
        assert_eq!(escape("==="), "\\===");
    }

    #[test]
    fn numbers_at_the_start_of_a_line_stay_as_they_are() {
        assert_eq!(escape("1.15"), "1.15");
        assert_eq!(escape("-2.5 %"), "-2.5 %");
    }

    #[test]
    fn a_backtick_cannot_end_a_code_span() {
        assert_eq!(code("a`b"), "<code>a&#96;b</code>");
        assert_eq!(code("speedup < 1.15"), "`speedup < 1.15`");
    }

    #[test]
    fn characters_that_change_the_direction_of_writing_are_shown() {
        assert_eq!(escape("pass\u{202e}x"), "pass\u{fffd}x");
    }

    /// What a markdown parser makes of `source`: the text, and whether there is anything but text.
    fn parsed(source: &str) -> (String, bool) {
        let options = Options::ENABLE_TABLES
            | Options::ENABLE_STRIKETHROUGH
            | Options::ENABLE_MATH
            | Options::ENABLE_FOOTNOTES
            | Options::ENABLE_TASKLISTS;
        let mut text = String::new();
        let mut only_text = true;
        for event in Parser::new_ext(source, options) {
            match event {
                Event::Text(part) | Event::Code(part) => text.push_str(&part),
                Event::Start(Tag::Paragraph) | Event::End(TagEnd::Paragraph) => {}
                _ => only_text = false,
            }
        }
        (text, only_text)
    }

    proptest! {
        #[test]
        fn escaped_text_is_one_paragraph_of_that_text(text in r"[ab1 \n.:/@*_~$&<>#!|`(){}\[\]=+^\\-]{1,24}") {
            prop_assume!(!text.trim().is_empty());
            let (read, only_text) = parsed(&escape(&text));
            prop_assert!(only_text, "{:?}", escape(&text));
            prop_assert_eq!(read, one_line(&text));
        }

        #[test]
        fn escaped_text_stays_in_its_cell(text in r"[ab |`\\*_\n]{1,16}") {
            let table = format!("| x | y |\n|---|---|\n| {} | {} |", escape(&text), code(&text));
            let cells = Parser::new_ext(&table, Options::ENABLE_TABLES)
                .filter(|event| matches!(event, Event::Start(Tag::TableCell)))
                .count();
            prop_assert_eq!(cells, 4);
        }
    }
}
