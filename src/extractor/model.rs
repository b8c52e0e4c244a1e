//! Model files: what `trommel learn` writes and the removers that need a collection read.
//!
//! A model is one JSON object: `model` says whose it is, `version` which form `data` has, `learnt` what was learnt, in words.

use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::ExtractorError;

/// The kind of a model, and the version of its form that this program writes and reads.
#[derive(Debug, Clone, Copy)]
pub struct ModelKind {
    /// The name of the learner and of the extractor.
    pub name: &'static str,
    /// Goes up whenever `data` changes its form or meaning.
    pub version: u32,
}

#[derive(Serialize)]
struct Written<'a, T> {
    model: &'a str,
    version: u32,
    learnt: &'a str,
    data: &'a T,
}

#[derive(Deserialize)]
struct Head {
    model: String,
    version: u32,
    learnt: String,
}

#[derive(Deserialize)]
struct Body<T> {
    data: T,
}

impl ModelKind {
    /// The text of a model file. `learnt` says in words what was learnt, as a heading would: `3 sites, 120 patterns`.
    ///
    /// # Errors
    /// [`ExtractorError::Model`] if `data` cannot be said in JSON.
    pub fn write(&self, learnt: &str, data: &impl Serialize) -> Result<String, ExtractorError> {
        let written = Written {
            model: self.name,
            version: self.version,
            learnt,
            data,
        };
        serde_json::to_string(&written).map_err(|error| ExtractorError::Model(error.to_string()))
    }

    /// Reads a model file.
    ///
    /// # Errors
    /// [`ExtractorError::File`] with the remedy: no such file, no model, one of another kind or version, or a damaged one.
    pub fn read<T: DeserializeOwned>(&self, path: &Path) -> Result<T, ExtractorError> {
        let wrong = |why: String| ExtractorError::File {
            path: path.to_owned(),
            why,
        };
        let again = format!(
            "make one with 'trommel learn {} --output MODEL PATH…'",
            self.name
        );
        let text =
            std::fs::read_to_string(path).map_err(|error| wrong(format!("{error}; {again}")))?;
        let head: Head = serde_json::from_str(&text)
            .map_err(|error| wrong(format!("no model of 'trommel learn' ({error}); {again}")))?;
        if head.model != self.name {
            let found = &head.model;
            return Err(wrong(format!(
                "a model of {found}, not {}; {again}",
                self.name
            )));
        }
        if head.version != self.version {
            let (found, own) = (head.version, self.version);
            return Err(wrong(format!(
                "a model of version {found}, while this program reads version {own}; {again}"
            )));
        }
        let body: Body<T> = serde_json::from_str(&text)
            .map_err(|error| wrong(format!("a damaged model ({error}); {again}")))?;
        Ok(body.data)
    }
}

/// What a model says was learnt, in words; empty for a text that is no model.
pub fn learnt(model: &str) -> String {
    let head: Result<Head, _> = serde_json::from_str(model);
    head.map(|head| head.learnt).unwrap_or_default()
}
