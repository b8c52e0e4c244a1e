//! Experiment files: inputs, options and expected figures, in TOML.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use trommel_archive as collection;

use crate::LabError;

/// An experiment as its file describes it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Definition {
    /// What is done: a row of [`super::kinds`].
    pub kind: String,
    /// Heading of the report.
    pub title: String,
    /// What a reader of the report should know first.
    #[serde(default)]
    pub about: String,
    /// Files and folders by name. Relative paths start at the experiment's file; `${NAME}` and `${NAME:-default}` stand for
    /// variables; `demo` alone is the built-in collection (a folder of that name is `./demo`).
    #[serde(default)]
    pub input: BTreeMap<String, PathBuf>,
    /// SHA-256 of inputs that are single files, by name, in hexadecimal.
    #[serde(default)]
    pub sha256: BTreeMap<String, String>,
    /// What the kind takes.
    #[serde(default)]
    pub options: toml::Table,
    /// Published figures to compare with.
    #[serde(default)]
    pub table: Vec<PaperTable>,
    /// Figures that are known to differ by more than their table's tolerance, and why.
    #[serde(default)]
    pub deviation: Vec<Deviation>,
}

/// The input that stands for the built-in collection.
pub const DEMO: &str = "demo";

/// A published table, or part of one.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PaperTable {
    /// The name that the kind gives its table.
    pub name: String,
    /// Names of columns.
    pub columns: Vec<String>,
    /// By name of row a figure for each column.
    pub rows: BTreeMap<String, Vec<f64>>,
    /// How far a figure may lie from the published one.
    pub tolerance: f64,
    /// Is the tolerance in percent of the published figure?
    #[serde(default)]
    pub relative: bool,
}

/// Why figures differ.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Deviation {
    /// Name of the table, or how the names of several tables begin.
    pub table: String,
    /// Name of the row; all rows without it.
    pub row: Option<String>,
    /// Name of the column; all columns without it.
    pub column: Option<String>,
    /// How far the figures may lie from the published ones instead, in the table's terms.
    pub within: f64,
    /// The explanation.
    pub why: String,
}

impl Definition {
    /// Reads an experiment from TOML. `folder` is where its file stands; `variable` looks variables up.
    ///
    /// # Errors
    /// Text that is no experiment, and variables without value or default.
    pub fn parse(
        text: &str,
        folder: &Path,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Definition, LabError> {
        let mut definition: Definition =
            toml::from_str(text).map_err(|error| LabError::Definition(error.to_string()))?;
        for path in definition.input.values_mut() {
            let expanded = expand(&path.to_string_lossy(), &variable)?;
            // The built-in collection is no place.
            *path = match expanded == DEMO {
                true => PathBuf::from(expanded),
                false => folder.join(expanded),
            };
        }
        Ok(definition)
    }

    /// An input.
    ///
    /// # Errors
    /// None of this name, or nothing there.
    pub fn input(&self, name: &str) -> Result<&Path, LabError> {
        let path = self.input.get(name).ok_or_else(|| {
            LabError::Definition(format!("kind '{}' needs an input '{name}'", self.kind))
        })?;
        match path.exists() {
            true => Ok(path),
            false => Err(LabError::Missing { path: path.clone() }),
        }
    }

    /// Compares the inputs with their hashes.
    ///
    /// # Errors
    /// An input that is missing, or another than the experiment was written for.
    pub fn check_hashes(&self) -> Result<(), LabError> {
        for (name, expected) in &self.sha256 {
            let path = self.input.get(name).ok_or_else(|| {
                LabError::Definition(format!("a hash of '{name}', which is no input"))
            })?;
            if !path.exists() {
                return Err(LabError::Missing { path: path.clone() });
            }
            let found =
                collection::sha256_of_file(path).map_err(|error| LabError::file(path, error))?;
            if !found.eq_ignore_ascii_case(expected) {
                return Err(LabError::Changed {
                    path: path.clone(),
                    found,
                    expected: expected.clone(),
                });
            }
        }
        Ok(())
    }

    /// The options as a kind wants them.
    ///
    /// # Errors
    /// Unknown options and values of a wrong type.
    pub fn options<T: DeserializeOwned>(&self) -> Result<T, LabError> {
        let options = self.options.clone().try_into();
        options.map_err(|error: toml::de::Error| {
            LabError::Definition(format!("options of kind '{}': {error}", self.kind))
        })
    }
}

/// Replaces `${NAME}` and `${NAME:-default}`.
fn expand(text: &str, variable: impl Fn(&str) -> Option<String>) -> Result<String, LabError> {
    let mut expanded = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        let wrong = |why: &str| LabError::Definition(format!("'{text}': {why}"));
        let (inner, after) = after
            .split_once('}')
            .ok_or_else(|| wrong("no '}' after '${'"))?;
        let (name, default) = match inner.split_once(":-") {
            Some((name, default)) => (name, Some(default.to_owned())),
            None => (inner, None),
        };
        let value = variable(name).or(default);
        expanded.push_str(before);
        expanded += &value.ok_or_else(|| wrong(&format!("the variable {name} is not set")))?;
        rest = after;
    }
    Ok(expanded + rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables() {
        let variable = |name: &str| (name == "HERE").then(|| "/here".to_owned());
        let expand = |text: &str| expand(text, variable).ok();
        assert_eq!(expand("${HERE}/a").as_deref(), Some("/here/a"));
        assert_eq!(
            expand("x${NONE:-../b}/${HERE:-c}").as_deref(),
            Some("x../b//here")
        );
        assert_eq!(expand("${NONE}"), None);
        assert_eq!(expand("${HERE"), None);
    }
}
