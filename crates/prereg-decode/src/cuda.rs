//! What this machine has of CUDA. There is no CUDA device yet: this answers what a target that needs one would find.
//!
//! The driver is looked for before anything else is asked of it, because the binding's calls panic without it.

use cudarc::{driver, get_lib_name_candidates, nvrtc};

/// One shared library: whether it can be loaded, and the names that were tried in turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Library {
    /// Whether one of the names could be loaded.
    pub present: bool,
    /// File names that were looked for on the loader's path.
    pub looked_for: Vec<String>,
}

/// The two libraries that a CUDA device would need.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    /// The NVIDIA driver.
    pub driver: Library,
    /// The run-time compiler; shipped kernels run without it.
    pub nvrtc: Library,
}

/// Looks for both libraries.
#[must_use]
pub fn probe() -> Probe {
    // SAFETY: loading either library runs its initialisers, which is what a program that uses CUDA does at its start; no
    // other requirement is known.
    let (driver, nvrtc) = unsafe {
        (
            driver::sys::is_culib_present(),
            nvrtc::sys::is_culib_present(),
        )
    };
    let library = |present, stems: &[&str]| Library {
        present,
        looked_for: stems
            .iter()
            .flat_map(|stem| get_lib_name_candidates(stem))
            .collect(),
    };
    Probe {
        driver: library(driver, &["cuda", "nvcuda"]),
        nvrtc: library(nvrtc, &["nvrtc"]),
    }
}

#[cfg(test)]
mod tests {
    use super::probe;

    #[test]
    fn probing_names_what_it_looked_for_with_or_without_a_driver() {
        let probe = probe();
        assert!(
            probe
                .driver
                .looked_for
                .iter()
                .any(|name| name.contains("cuda"))
        );
        assert!(
            probe
                .nvrtc
                .looked_for
                .iter()
                .any(|name| name.contains("nvrtc"))
        );
    }
}
