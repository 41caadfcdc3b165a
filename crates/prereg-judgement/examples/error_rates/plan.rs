//! Declarations, and samples whose metrics have given values.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use prereg_declaration::{Declaration, Targets, check};
use prereg_judgement::{
    Constants, Missing, Observations, Samples, Session, Slot, Verdict, on_conditions,
};
use prereg_stats::{Generator, Seed};

/// Arms and, for each, the metric that is its step time over one second.
const ARMS: [(&str, &str, &str); 3] = [
    ("a", "x", "{ launch = \"eager\" }"),
    ("b", "y", "{ launch = \"graph\" }"),
    ("c", "z", "{ launch = \"eager\", plan = \"op-by-op\" }"),
];

/// A plan to be judged.
pub(crate) struct Plan {
    declaration: Declaration,
}

impl Plan {
    /// A claim with these kill conditions on `x`, `y`, `z` (step times of the arms in seconds) and
    /// `ratio` (of `a` to `b`); `inference` and `protocol` are further lines of their tables.
    pub(crate) fn new(sessions: u32, kill: &[&str], inference: &str, protocol: &str) -> Self {
        let used = |metric: &str| kill.iter().any(|kill| kill.contains(metric));
        let mut toml = format!(
            "schema = \"prereg/1\"\nid = \"simulated\"\ntitle = \"Simulated\"\ndata-seen = \"none\"\n\
             targets = [\"cpu\"]\nbaseline = \"a\"\n\
             [workload]\nkind = \"decode\"\nmodel = \"smollm2-135m\"\nweights = \"random\"\nplan = \"fused\"\ncontext = 1\n\
             [protocol]\nsessions = {sessions}\norder = \"mirror\"\nwarmup-steps = 0\nmeasured-steps = 2\n\
             sync = \"per-step\"\nseed = \"1\"\nthreads = 1\n{protocol}\n[inference]\n{inference}\n"
        );
        // Writing to a String cannot fail. Only metrics that decide are declared: every metric costs a bootstrap.
        let mut metrics = String::new();
        let mut values = Vec::new();
        for (arm, metric, _) in ARMS.iter().filter(|(_, metric, _)| used(metric)) {
            let _ = writeln!(metrics, "{metric} = \"median(step_time[{arm}]) / 1 s\"");
            values.push(*metric);
        }
        if used("ratio") {
            metrics.push_str("ratio = \"median(step_time[a]) / median(step_time[b])\"\n");
            values.push("ratio");
        }
        let each = |value: &str| {
            let parts: Vec<String> = values
                .iter()
                .map(|metric| format!("{metric} = {value}"))
                .collect();
            format!("{{ {} }}", parts.join(", "))
        };
        let _ = write!(toml, "assumed-cv = {}\n[arms]\n", each("\"5 %\""));
        for (arm, _, form) in ARMS {
            let _ = writeln!(toml, "{arm} = {form}");
        }
        let _ = write!(
            toml,
            "[metrics]\n{metrics}[claims.claim]\ntext = \"Simulated.\"\non = [\"cpu\"]\nexpected = {}\nrival = {}\nkill = {kill:?}\n",
            each("1.5"),
            each("0.5")
        );
        let targets = Targets::parse("targets.toml", b"[cpu]\ndevice = \"cpu\"\nname = \"any\"\n");
        let declaration =
            targets.and_then(|targets| check("simulated.toml", toml.as_bytes(), &targets));
        match declaration {
            Ok(declaration) => Self { declaration },
            Err(problems) => panic!("the simulated plan is wrong: {problems}"),
        }
    }

    /// The verdict on samples.
    pub(crate) fn verdict(&self, samples: &Samples) -> Verdict {
        let seed = |_: &str| Seed([7; 32]);
        match on_conditions(
            &self.declaration,
            &Constants::default(),
            "cpu",
            samples,
            &seed,
        ) {
            Ok(said) => said["claim"],
            Err(error) => panic!("simulated samples cannot be judged: {error}"),
        }
    }
}

/// Sessions in which every arm has a step time of its own, in seconds; `None` is a missing one.
pub(crate) fn samples(sessions: impl IntoIterator<Item = Option<[f64; 3]>>) -> Samples {
    let session = |times: Option<[f64; 3]>| match times {
        Some([a, b, c]) => Session::Complete(Observations {
            slots: [("a", a), ("b", b), ("c", c), ("c", c), ("b", b), ("a", a)]
                .map(|(arm, time)| slot(arm, vec![time]))
                .to_vec(),
            columns: BTreeMap::new(),
            facts: BTreeMap::new(),
        }),
        None => Session::Missing(Missing::Torn),
    };
    Samples {
        sessions: sessions.into_iter().map(session).collect(),
    }
}

/// A slot of an arm with these step times.
pub(crate) fn slot(arm: &str, step_time: Vec<f64>) -> Slot {
    Slot {
        arm: arm.to_owned(),
        invalid: None,
        tokens: vec![1.0; step_time.len()],
        logits: vec![[0; 32]; step_time.len()],
        step_time,
        columns: BTreeMap::new(),
    }
}

/// Samples in which `x`, `y` and `z` are drawn alone.
pub(crate) fn independent(
    generator: &mut Generator,
    sessions: u32,
    draw: fn(&mut Generator, u32) -> Vec<f64>,
) -> Samples {
    let columns = [0; 3].map(|_| draw(generator, sessions));
    samples((0..sessions as usize).map(|session| {
        let [x, y, z] = &columns;
        Some([x[session], y[session], z[session]])
    }))
}

/// Samples of one metric, `x`.
pub(crate) fn one_metric(values: impl IntoIterator<Item = Option<f64>>) -> Samples {
    samples(values.into_iter().map(|value| Some([value?, 1.0, 1.0])))
}
