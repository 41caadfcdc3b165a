//! The wall clock. Nothing else in the workspace reads it; durations come from the monotonic clock.

use chrono::{SecondsFormat, Utc};

/// Now, as RFC 3339 UTC to the second: `2026-11-30T22:07:32Z`.
#[must_use]
#[expect(clippy::disallowed_methods, reason = "this module owns the wall clock")]
pub fn now_rfc3339() -> String {
    Utc::now().to_rfc3339_opts(SecondsFormat::Secs, true)
}

/// Now, in nanoseconds since 1970-01-01T00:00:00Z. For the offset between wall clock and
/// monotonic clock only: two readings bracket a session and show a clock step.
#[must_use]
#[expect(clippy::disallowed_methods, reason = "this module owns the wall clock")]
pub fn wall_ns() -> i64 {
    let now = Utc::now();
    now.timestamp()
        .saturating_mul(1_000_000_000)
        .saturating_add(i64::from(now.timestamp_subsec_nanos()))
}

/// Nanoseconds since 1970-01-01T00:00:00Z of a date as records hold them; `None` for other text.
#[must_use]
pub fn rfc3339_ns(text: &str) -> Option<i64> {
    chrono::DateTime::parse_from_rfc3339(text)
        .ok()?
        .timestamp_nanos_opt()
}

/// Whether `text` is a date as [`now_rfc3339`] writes them.
pub(crate) fn is_rfc3339_utc(text: &str) -> bool {
    text.ends_with('Z') && chrono::DateTime::parse_from_rfc3339(text).is_ok()
}
