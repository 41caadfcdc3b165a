//! Text that fits: an SVG does not wrap, and names have no limit.

/// Average width of a letter as a share of the type size, in the widest of the usual fonts.
const LETTER: f64 = 0.62;

/// Size of ordinary text in the figures.
pub(crate) const TEXT: f64 = 13.0;

/// Size of a figure's heading.
pub(crate) const HEADING: f64 = 17.0;

/// `text`, cut with an ellipsis where it would not fit into `width` pixels at `size`.
pub(crate) fn fit(text: &str, width: f64, size: f64) -> String {
    let most = (width / (size * LETTER)) as usize;
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let mut cut: String = text.chars().take(most.saturating_sub(1)).collect();
    cut.push('…');
    cut
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_text_stays_and_long_text_is_cut_visibly() {
        assert_eq!(fit("speedup", 200.0, TEXT), "speedup");
        assert_eq!(fit("a_very_long_metric_name", 100.0, TEXT), "a_very_long…");
    }
}
