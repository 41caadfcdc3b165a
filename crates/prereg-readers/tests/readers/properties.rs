//! Properties over any input.

use std::fmt::Write as _;

use prereg_readers::{Format, detect, read};
use proptest::prelude::*;

use crate::fixture::{ACCEPTED, bytes};

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = detect(&bytes);
        for format in Format::ALL {
            let _ = read(format, &*bytes);
        }
    }

    #[test]
    fn a_damaged_file_is_read_or_refused_and_gives_no_value_that_is_not_finite(
        which in 0..ACCEPTED.len(),
        at in any::<prop::sample::Index>(),
        byte in prop::sample::select(b"0123456789.eE+-\"{}[],:nullNaN\xff \n".to_vec()),
    ) {
        let (format, path) = ACCEPTED[which];
        let mut bytes = bytes(path);
        let at = at.index(bytes.len());
        bytes[at] = byte;
        let _ = detect(&bytes);
        if let Ok(reading) = read(format, &*bytes) {
            let values = reading.observations.iter().flat_map(|step| step.values.values());
            let readings = reading.telemetry.iter().map(|sample| &sample.value);
            prop_assert!(values.chain(readings).all(|value| value.is_finite()));
        }
    }

    #[test]
    fn every_value_printed_in_base_units_is_read_with_the_same_bits(
        times in prop::collection::vec((1e-12..1e6_f64, any::<i32>()), 1..20),
    ) {
        let mut text = String::from(
            "{\"prereg\":\"prereg-observations/1\",\"units\":{\"step_time\":\"s\",\"gain\":\"1\"}}\n",
        );
        for (time, gain) in &times {
            writeln!(text, "{{\"step_time\":{time:?},\"gain\":{gain}}}").unwrap();
        }
        writeln!(text, "{{\"end\":{{\"observations\":{}}}}}", times.len()).unwrap();
        let reading = read(Format::Lines, text.as_bytes()).unwrap();
        let back: Vec<(f64, f64)> = reading
            .observations
            .iter()
            .map(|step| (step.values["step_time"], step.values["gain"]))
            .collect();
        let expected: Vec<(f64, f64)> =
            times.iter().map(|(time, gain)| (*time, f64::from(*gain))).collect();
        prop_assert_eq!(back, expected);
    }
}
