//! The template sources: the study's own where it has them, else those that come with the tool.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use prereg_declaration::Digest;
use thiserror::Error;

/// A template's name, which is its path below the study's `templates/` folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Template {
    /// The report below its opening, which no template renders.
    Report,
    /// Estimate and intervals of one metric against the thresholds, one row a run.
    Forest,
    /// One metric's value in each session.
    Strip,
    /// Colours and type of both figures.
    Style,
}

impl Template {
    const ALL: [Self; 4] = [Self::Report, Self::Forest, Self::Strip, Self::Style];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Report => "report.md.j2",
            Self::Forest => "figures/forest.svg.j2",
            Self::Strip => "figures/strip.svg.j2",
            Self::Style => "figures/style.css",
        }
    }

    const fn embedded(self) -> &'static str {
        match self {
            Self::Report => include_str!("../../../templates/report.md.j2"),
            Self::Forest => include_str!("../../../templates/figures/forest.svg.j2"),
            Self::Strip => include_str!("../../../templates/figures/strip.svg.j2"),
            Self::Style => include_str!("../../../templates/figures/style.css"),
        }
    }
}

/// A template of the study that could not be read.
#[derive(Debug, Error)]
#[error("could not read the template {}; make it readable UTF-8, or remove it to use the one that comes with the tool", path.display())]
pub struct TemplateReadError {
    /// The file.
    pub path: PathBuf,
    /// What the system said.
    pub source: std::io::Error,
}

/// A complete set of template sources.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Templates {
    sources: BTreeMap<Template, String>,
}

impl Templates {
    /// Those that come with the tool.
    #[must_use]
    pub fn embedded() -> Self {
        Self {
            sources: Template::ALL
                .map(|template| (template, template.embedded().to_owned()))
                .into(),
        }
    }

    /// Those of a study: each file of `folder` that has a template's name replaces the embedded one.
    /// A folder that does not exist replaces none.
    ///
    /// # Errors
    /// [`TemplateReadError`] where a file is there and cannot be read.
    pub fn of_study(folder: &Path) -> Result<Self, TemplateReadError> {
        let mut templates = Self::embedded();
        for template in Template::ALL {
            let path = folder.join(template.name());
            match std::fs::read_to_string(&path) {
                Ok(source) => {
                    templates.sources.insert(template, source);
                }
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                Err(source) => return Err(TemplateReadError { path, source }),
            }
        }
        Ok(templates)
    }

    /// Names, below `templates/`, and sources.
    pub fn sources(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.sources
            .iter()
            .map(|(template, source)| (template.name(), source.as_str()))
    }

    /// SHA-256 over all names and sources, each preceded by its length in bytes and a line feed.
    #[must_use]
    pub fn digest(&self) -> Digest {
        let mut bytes = Vec::new();
        for part in self.sources().flat_map(|(name, source)| [name, source]) {
            bytes.extend_from_slice(format!("{}\n", part.len()).as_bytes());
            bytes.extend_from_slice(part.as_bytes());
        }
        Digest::of(&bytes)
    }

    pub(crate) fn source(&self, template: Template) -> &str {
        self.sources
            .get(&template)
            .map_or_else(|| template.embedded(), String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_changes_with_any_source() {
        let embedded = Templates::embedded();
        for template in Template::ALL {
            let mut edited = embedded.clone();
            edited
                .sources
                .insert(template, format!("{}\n", embedded.source(template)));
            assert_ne!(edited.digest(), embedded.digest(), "{}", template.name());
        }
    }

    #[test]
    fn a_study_without_the_folder_uses_the_embedded_templates() {
        let templates = Templates::of_study(Path::new("no/such/folder")).unwrap();
        assert_eq!(templates, Templates::embedded());
    }
}
