//! What recording and telemetry cost, call by call. How often each is made:
//!
//! | call | a step | a slot | a session | where |
//! |---|---|---|---|---|
//! | mark: a read of the clock, written to its place | 1 | 1 more | | inside the timed region |
//! | own CPU time | | 2 | | outside |
//! | counters of the host | | 2 | | outside |
//! | readings between two instants | | 1 | | outside |
//! | digest of a step's logits | 1 | | | outside |
//! | line of a step | 1 | | | outside |
//! | line of a slot | | 1 | | outside |
//! | line of a sample | | 1 a reading | 1 | outside |
//! | line of a sweep | | 3 | 3 more | outside |
//!
//! All that is outside happens between the last mark of a slot and the first of the next.

use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use prereg_declaration::Digest;
use prereg_executor::Machine;
use prereg_executor::telemetry::{HostCounters, between, own_cpu_time};
use prereg_runs::{
    SampleRecord, SessionFolder, SlotRecord, StepLine, StepRecord, SweepRecord, TelemetryLine,
};
use rustix::time::{ClockId, clock_gettime};

/// Steps of a slot of the smallest committed plan, `experiments/replay_sequence.toml`.
const STEPS: usize = 20;

/// Its model's vocabulary.
const VOCABULARY: usize = 49_152;

/// Processors of a large host.
const PROCESSORS: usize = 64;

/// As steps are marked.
fn monotonic_ns() -> u64 {
    let now = clock_gettime(ClockId::Monotonic);
    now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64
}

fn marks(criterion: &mut Criterion) {
    let mut marks = [0; STEPS];
    criterion.bench_function("20 marks", |bench| {
        bench.iter(|| {
            for mark in &mut marks {
                *mark = monotonic_ns();
            }
            black_box(&mut marks);
        });
    });
}

fn host(criterion: &mut Criterion) {
    criterion.bench_function("own CPU time", |bench| bench.iter(own_cpu_time));
    let Ok(folder) = tempfile::tempdir() else {
        return;
    };
    let prepared = prepare(folder.path());
    for (name, machine) in [
        ("this host", Some(Machine::here())),
        (
            "files of a host of 64 processors that has everything",
            prepared,
        ),
    ] {
        let Some(machine) = machine else { return };
        let own = own_cpu_time();
        criterion.bench_function(&format!("counters, {name}"), |bench| {
            bench.iter(|| HostCounters::now(&machine, own));
        });
        let before = HostCounters::now(&machine, own);
        let after = HostCounters::now(&machine, own);
        criterion.bench_function(&format!("readings, {name}"), |bench| {
            bench.iter(|| between(&before, &after, 0));
        });
    }
}

/// Files of a host that has every counter; `None` where they cannot be written.
fn prepare(root: &Path) -> Option<Machine> {
    let write = |path: String, text: &str| {
        let path = root.join(path);
        std::fs::create_dir_all(path.parent()?).ok()?;
        prereg_ledger::write_atomic(&path, text.as_bytes()).ok()
    };
    let each = "cpu7 1 2 3 4 5 6 7 8 0 0\n".repeat(PROCESSORS);
    let interrupts = " 0".repeat(1000);
    let stat = format!("cpu  9 9 9 9 9 9 9 9 0 0\n{each}intr 9{interrupts}\nctxt 12345\n");
    write("proc/stat".to_owned(), &stat)?;
    let cpu = "sys/devices/system/cpu";
    write(format!("{cpu}/online"), &format!("0-{}\n", PROCESSORS - 1))?;
    write("sys/class/hwmon/hwmon0/name".to_owned(), "coretemp\n")?;
    for processor in 0..PROCESSORS {
        write(
            format!("{cpu}/cpu{processor}/cpufreq/scaling_cur_freq"),
            "2000000\n",
        )?;
        write(
            format!("sys/class/hwmon/hwmon0/temp{processor}_input"),
            "45000\n",
        )?;
    }
    write(
        "proc/pressure/cpu".to_owned(),
        "some avg10=0.00 avg60=0.00 avg300=0.00 total=1000\n",
    )?;
    for (file, text) in [
        ("name", "package-0\n"),
        ("energy_uj", "1000\n"),
        ("max_energy_range_uj", "262143328850\n"),
    ] {
        write(format!("sys/class/powercap/intel-rapl:0/{file}"), text)?;
    }
    Some(Machine::at(root))
}

fn records(criterion: &mut Criterion) {
    let logits = vec![1.5_f32; VOCABULARY];
    criterion.bench_function("digest of 49152 logits", |bench| {
        bench.iter(|| {
            let bytes: Vec<u8> = black_box(&logits)
                .iter()
                .flat_map(|logit| logit.to_le_bytes())
                .collect();
            Digest::of(&bytes)
        });
    });
    let Ok(keep) = tempfile::tempdir() else {
        return;
    };
    let folder = SessionFolder::claimed(keep.path().to_owned(), 0);
    let (Ok(mut steps), Ok(mut telemetry)) = (folder.write_steps(), folder.write_telemetry())
    else {
        return;
    };
    let arm = "graphed".to_owned();
    for (name, line) in [
        (
            "line of a step",
            StepLine::Step(StepRecord {
                slot: 3,
                arm: arm.clone(),
                step: 17,
                step_ns: 12_345_678,
                tokens: 1,
                token: 31_415,
                logits: Digest::of(b"logits"),
            }),
        ),
        (
            "line of a slot",
            StepLine::Slot(SlotRecord {
                slot: 3,
                arm,
                steps: 20,
                start_ns: 123_456_789_012_345,
                slot_ns: 246_913_578,
                rejected: 0,
                invalid: None,
                graph: None,
            }),
        ),
    ] {
        criterion.bench_function(name, |bench| bench.iter(|| steps.write(&line)));
    }
    for (name, line) in [
        (
            "line of a sample",
            TelemetryLine::Sample(SampleRecord {
                column: "context_switches".to_owned(),
                slot: Some(3),
                value: 1_234.567_890_1,
                at_ns: Some(123_456_789_012_345),
            }),
        ),
        (
            "line of a sweep",
            TelemetryLine::Sweep(SweepRecord {
                before: 3,
                bytes: 269_000_000,
                start_ns: 123_456_789_012_345,
                duration_ns: 12_345_678,
            }),
        ),
    ] {
        criterion.bench_function(name, |bench| bench.iter(|| telemetry.write(&line)));
    }
}

/// Short, since lines go to a file.
fn short() -> Criterion {
    Criterion::default()
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(800))
}

criterion_group!(name = benches; config = short(); targets = marks, host, records);
criterion_main!(benches);
