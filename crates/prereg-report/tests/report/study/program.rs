//! The same study with a program as workload: facts, pins, telemetry, a control and a calibrated range.

use std::collections::BTreeMap;
use std::time::Duration;

use prereg_declaration::{
    Arithmetic, Arm, CalibratedRange, Column, Command, Control, Declaration, DeclaredColumn, Gate,
    Metric, Number, Outcome, Predicate, Reader, Scope, Statistic, Workload,
};
use prereg_units::{Dimension, Unit};

use super::plan::{declaration, kill, median_step};
use super::quantity;

/// `replay_tax` by a script: eager and graphed arms, and eager once more.
pub(crate) fn of_a_program() -> Declaration {
    let mut declaration = declaration(&["cpu"], vec![kill("speedup", "<", "1.15")]);
    declaration.workload = Workload::Command(Box::new(command()));
    let protocol = &mut declaration.protocol;
    (protocol.warmup_steps, protocol.sync) = (0, None);
    protocol.environment = vec!["PATH".to_owned()];
    declaration.arms = ["eager", "eager_again", "graphed"]
        .map(|name| {
            let launch = name.trim_end_matches("_again");
            let values = BTreeMap::from([("launch".to_owned(), launch.to_owned())]);
            (name.to_owned(), Arm::Command(values))
        })
        .into();
    declaration.metrics.extend([
        ("same_arm_twice".to_owned(), same_arm_twice()),
        ("clock".to_owned(), clock()),
    ]);
    declaration.gates.extend([
        ("same_output".to_owned(), same_output()),
        ("python".to_owned(), python()),
    ]);
    let control = Control {
        metric: "same_arm_twice".to_owned(),
        within: 0.02,
    };
    declaration
        .controls
        .insert("eager_twice".to_owned(), control);
    let range = CalibratedRange {
        from: quantity("1.2 GHz"),
        to: quantity("1.9 GHz"),
    };
    declaration
        .calibrated_range
        .insert("clock".to_owned(), range);
    declaration
}

fn command() -> Command {
    let text = |text: &str| text.to_owned();
    let map = |pairs: &[(&str, &str)]| -> BTreeMap<String, String> {
        pairs
            .iter()
            .map(|(name, value)| (text(name), text(value)))
            .collect()
    };
    let column = |unit: &str| DeclaredColumn::of(&Unit::parse(unit).unwrap(), unit);
    Command {
        words: [
            "python3",
            "decode.py",
            "--launch",
            "{launch}",
            "--seed",
            "{seed}",
        ]
        .map(text)
        .into(),
        reader: Reader::Lines,
        inputs: vec![text("decode.py")],
        environment: map(&[("OMP_NUM_THREADS", "{threads}")]),
        columns: BTreeMap::from([(text("ttft"), column("s"))]),
        telemetry: BTreeMap::from([(text("gpu_util"), column("%"))]),
        pins: map(&[(
            "weights",
            "hf:owner/model@d149729398750b98c0af14eb82c78cfe92750796",
        )]),
        facts: BTreeMap::from([
            (text("driver"), ["meter", "--version"].map(text).into()),
            (text("python"), ["python3", "--version"].map(text).into()),
        ]),
        probe: Some(["python3", "meter.py", "--probe"].map(text).into()),
        slot_time: Duration::from_secs(4),
    }
}

fn same_arm_twice() -> Metric {
    let [first, again] = ["eager", "eager_again"].map(median_step).map(Box::new);
    Metric {
        source: "median(step_time[eager]) / median(step_time[eager_again])".to_owned(),
        expression: Number::Binary(Arithmetic::Divide, first, again),
        dimension: Dimension::NONE,
    }
}

fn clock() -> Metric {
    let column = Column {
        name: "cpu_clock".to_owned(),
        arm: None,
        dimension: Dimension::FREQUENCY,
    };
    Metric {
        source: "median(cpu_clock)".to_owned(),
        expression: Number::OverSteps(Statistic::Median, column),
        dimension: Dimension::FREQUENCY,
    }
}

fn same_output() -> Gate {
    Gate {
        source: "output[eager] == output[graphed]".to_owned(),
        scope: Scope::EachSession,
        predicate: Predicate::SameOutput("eager".to_owned(), "graphed".to_owned()),
        otherwise: Outcome::Abstain,
    }
}

fn python() -> Gate {
    Gate {
        source: "fact[python] == \"Python 3.11.2\"".to_owned(),
        scope: Scope::EachSession,
        predicate: Predicate::FactIs("python".to_owned(), "Python 3.11.2".to_owned()),
        otherwise: Outcome::Abstain,
    }
}
