//! Model files: what learners and training write, and the removers that need a model read.
//!
//! A model is one JSON object: `model` says whose it is, `version` which form `data` has, `learnt` what was learnt, in words. One that
//! was trained on a gold standard has `pages` as well: those that it has seen ([`TrainingPages`]).

use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::{Arguments, ExtractorError, TrainingPages};

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
    #[serde(skip_serializing_if = "TrainingPages::is_empty")]
    pages: &'a TrainingPages,
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
    #[serde(default)]
    pages: TrainingPages,
    data: T,
}

impl ModelKind {
    /// The text of a model file. `learnt` says in words what was learnt, as a heading would: `3 sites, 120 patterns`.
    ///
    /// # Errors
    /// [`ExtractorError::Model`] if `data` cannot be said in JSON.
    pub fn write(&self, learnt: &str, data: &impl Serialize) -> Result<String, ExtractorError> {
        self.write_trained(learnt, &TrainingPages::default(), data)
    }

    /// As [`ModelKind::write`], of a model that was trained on these pages with their gold texts.
    ///
    /// # Errors
    /// As there.
    pub fn write_trained(
        &self,
        learnt: &str,
        pages: &TrainingPages,
        data: &impl Serialize,
    ) -> Result<String, ExtractorError> {
        let written = Written {
            model: self.name,
            version: self.version,
            learnt,
            pages,
            data,
        };
        serde_json::to_string(&written).map_err(|error| ExtractorError::Model(error.to_string()))
    }

    /// The error that a model cannot be read, and why.
    pub fn refused(&self, path: &Path, why: impl Into<String>) -> ExtractorError {
        ExtractorError::BadModel {
            path: path.to_owned(),
            of: self.name,
            why: why.into(),
        }
    }

    /// Reads a model file.
    ///
    /// # Errors
    /// [`ExtractorError::BadModel`]: no such file, no model, one of another kind or version, or a damaged one.
    pub fn read<T: DeserializeOwned>(&self, path: &Path) -> Result<T, ExtractorError> {
        self.parse(&self.text_of(path)?, path)
    }

    fn text_of(&self, path: &Path) -> Result<String, ExtractorError> {
        std::fs::read_to_string(path).map_err(|error| self.refused(path, error.to_string()))
    }

    /// Reads the model file that the arguments name, or the built-in one where they name none. It was trained on a gold standard: on
    /// which pages is noted in the arguments.
    ///
    /// # Errors
    /// As [`ModelKind::read`].
    pub(super) fn read_trained<T: DeserializeOwned>(
        &self,
        arguments: &Arguments,
        built_in: &str,
    ) -> Result<T, ExtractorError> {
        let path = &arguments.path;
        let body: Body<T> = match path.as_os_str().is_empty() {
            true => self.body(built_in, Path::new("the built-in model"))?,
            false => self.body(&self.text_of(path)?, path)?,
        };
        arguments.trained_on.note(body.pages);
        Ok(body.data)
    }

    /// Reads the text of a model file. `path` is what an error calls it.
    ///
    /// # Errors
    /// As [`ModelKind::read`].
    pub fn parse<T: DeserializeOwned>(&self, text: &str, path: &Path) -> Result<T, ExtractorError> {
        self.body(text, path).map(|body| body.data)
    }

    fn body<T: DeserializeOwned>(
        &self,
        text: &str,
        path: &Path,
    ) -> Result<Body<T>, ExtractorError> {
        let wrong = |why: String| self.refused(path, why);
        let head: Head = serde_json::from_str(text)
            .map_err(|error| wrong(format!("no model of an extractor ({error})")))?;
        if head.model != self.name {
            let found = &head.model;
            return Err(wrong(format!("a model of {found}, not {}", self.name)));
        }
        if head.version != self.version {
            let (found, own) = (head.version, self.version);
            return Err(wrong(format!(
                "a model of version {found}, while this program reads version {own}"
            )));
        }
        serde_json::from_str(text).map_err(|error| wrong(format!("a damaged model ({error})")))
    }
}

/// Returns what a model says was learnt, in words; empty for a text that is no model.
pub fn learnt(model: &str) -> String {
    let head: Result<Head, _> = serde_json::from_str(model);
    head.map(|head| head.learnt).unwrap_or_default()
}
