//! Whether the machine is the target: an H200 cannot answer for `h100`, and no processor for a GPU.

use std::fmt;

use prereg_declaration::{Device, Target};
use prereg_decode::cuda;

use crate::environment::Machine;

/// What this machine is, in the terms in which a target asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// Model name of the processor.
    pub cpu_model: Option<String>,
    /// Logical processors that are online.
    pub processors: u32,
    /// Main memory, bytes.
    pub memory_bytes: Option<u64>,
}

impl Identity {
    /// What `machine` is.
    #[must_use]
    pub fn of(machine: &Machine) -> Self {
        Self {
            cpu_model: machine.cpu_model(),
            processors: machine.processors().len() as u32,
            memory_bytes: machine.memory_bytes(),
        }
    }
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let model = self
            .cpu_model
            .as_deref()
            .unwrap_or("a processor without a name");
        write!(f, "{model}, {} logical processors", self.processors)?;
        match self.memory_bytes {
            Some(bytes) => write!(f, ", {:.1} GB of memory", bytes as f64 / 1e9),
            None => Ok(()),
        }
    }
}

/// Proves that `machine` is `target`.
///
/// # Errors
/// [`Unavailable`]: it is not, or it cannot be told.
pub fn identify(target: &Target, machine: &Machine) -> Result<Identity, Unavailable> {
    let here = Identity::of(machine);
    let unavailable = |looked_for, found| Unavailable {
        target: target.name.clone(),
        looked_for,
        found,
        here: here.clone(),
    };
    match target.device {
        Device::Cuda => {
            let looked_for = format!("a CUDA device named `{}`", target.pattern);
            Err(unavailable(looked_for, cuda_found(&cuda::probe())))
        }
        Device::Cpu => match mismatch(target, &here) {
            Some((looked_for, found)) => Err(unavailable(looked_for, found)),
            None => Ok(here),
        },
    }
}

/// What stands in the way of a CUDA device.
fn cuda_found(probe: &cuda::Probe) -> String {
    if probe.driver.present {
        "an NVIDIA driver, but this version cannot run on a CUDA device".to_owned()
    } else {
        format!(
            "no NVIDIA driver ({} is not on the loader's path under any of its {} names)",
            probe
                .driver
                .looked_for
                .first()
                .map_or("its library", String::as_str),
            probe.driver.looked_for.len()
        )
    }
}

/// The first thing that a CPU target asks for and `here` does not have: what was looked for, and what there is.
fn mismatch(target: &Target, here: &Identity) -> Option<(String, String)> {
    let named = here
        .cpu_model
        .as_deref()
        .is_some_and(|model| target.pattern.matches(model));
    if !named && !target.pattern.is_any() {
        let found = here
            .cpu_model
            .as_ref()
            .map_or("no model name".to_owned(), |model| format!("`{model}`"));
        return Some((format!("a processor named `{}`", target.pattern), found));
    }
    if let Some(cores) = target.cores.filter(|&cores| cores != here.processors) {
        return Some((
            format!("{cores} logical processors"),
            here.processors.to_string(),
        ));
    }
    let least = target.memory.as_ref()?.value();
    let enough = here.memory_bytes.is_some_and(|bytes| bytes as f64 >= least);
    let found = || {
        here.memory_bytes
            .map_or("an unknown amount".to_owned(), |bytes| format!("{bytes} B"))
    };
    (!enough).then(|| (format!("at least {least} B of memory"), found()))
}

/// A target is not here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "target `{target}` is not here: looked for {looked_for}, found {found}; this machine is {here}"
)]
pub struct Unavailable {
    /// The target.
    pub target: String,
    /// What was looked for.
    pub looked_for: String,
    /// What was found in its place.
    pub found: String,
    /// The machine.
    pub here: Identity,
}

#[cfg(test)]
mod tests {
    use prereg_declaration::Targets;

    use super::*;
    use crate::environment::fake::machine;

    fn target(entry: &str) -> Target {
        let targets = Targets::parse("targets.toml", format!("[t]\n{entry}\n").as_bytes()).unwrap();
        targets.get("t").unwrap().clone()
    }

    fn check(entry: &str) -> Result<Identity, Unavailable> {
        let machine = machine(&[
            ("proc/cpuinfo", "model name\t: Test CPU 9000\n"),
            ("proc/meminfo", "MemTotal: 4000000 kB\n"),
            ("sys/devices/system/cpu/online", "0-3\n"),
        ]);
        identify(&target(entry), &machine)
    }

    #[test]
    fn any_processor_answers_for_any_and_says_what_it_is() {
        let identity = check("device = \"cpu\"\nname = \"any\"").unwrap();
        assert_eq!(
            identity.to_string(),
            "Test CPU 9000, 4 logical processors, 4.1 GB of memory"
        );
    }

    #[test]
    fn a_processor_of_another_name_is_refused() {
        let error = check("device = \"cpu\"\nname = \"Other*\"").unwrap_err();
        assert_eq!(
            error.to_string(),
            "target `t` is not here: looked for a processor named `Other*`, found `Test CPU 9000`; \
             this machine is Test CPU 9000, 4 logical processors, 4.1 GB of memory"
        );
    }

    #[test]
    fn another_number_of_processors_is_refused() {
        assert!(check("device = \"cpu\"\nname = \"Test*\"\ncores = 4").is_ok());
        let error = check("device = \"cpu\"\nname = \"Test*\"\ncores = 8").unwrap_err();
        assert_eq!(
            (error.looked_for.as_str(), error.found.as_str()),
            ("8 logical processors", "4")
        );
    }

    #[test]
    fn less_memory_than_asked_for_is_refused() {
        assert!(check("device = \"cpu\"\nname = \"any\"\nmemory = \"4 GB\"").is_ok());
        assert!(check("device = \"cpu\"\nname = \"any\"\nmemory = \"5 GB\"").is_err());
    }

    #[test]
    fn a_gpu_target_is_unavailable_and_says_what_was_looked_for() {
        let entry = "device = \"cuda\"\nname = \"NVIDIA H100*\"\ncompute-capability = \"9.0\"";
        let error = check(entry).unwrap_err();
        assert_eq!(error.looked_for, "a CUDA device named `NVIDIA H100*`");
        assert!(!error.found.is_empty());
    }
}
