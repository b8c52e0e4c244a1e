//! What stands behind the name of an extractor or learner: `NAME:key=value,…`, `NAME:MODEL`, `external:NAME=OUTPUTS`.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::{Arc, Mutex, PoisonError};

use trommel_text::{choice, parameters};

use super::{ExtractorError, TrainedOn};

/// What an extractor or learner takes behind its name.
#[derive(Debug, Clone, Copy)]
pub enum Takes {
    /// Parameters, each with a default; none for an empty list. One that is called `model` is the path of a model that is taken
    /// instead of the one that is built in.
    Parameters(&'static [Parameter]),
    /// The path of a model's file ([`ModelKind`](crate::ModelKind)).
    Model,
    /// A name, and the path of a directory or JSONL file with a tool's outputs.
    Outputs,
}

/// The parameter that names a model's file.
pub(super) const MODEL: &str = "model";

/// A parameter of an extractor or learner.
#[derive(Debug, Clone, Copy)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// The value without which it is not named.
    pub default: &'static str,
    /// One line for `--help`: meaning, unit, range.
    pub summary: &'static str,
}

/// The arguments of one extractor or learner, complete.
#[derive(Debug, Clone, Default)]
pub struct Arguments {
    /// Every parameter with its value.
    pub parameters: BTreeMap<&'static str, String>,
    /// What the user calls the outputs of another tool.
    pub label: String,
    /// Path of the model or of the outputs; empty where there is none, or where the built-in model is meant.
    pub path: PathBuf,
    /// The pages for which the outputs had nothing so far. Clones count together.
    pub missing: Missing,
    /// The pages that the model was trained on, once the extractor is made.
    pub trained_on: TrainedOn,
}

/// Counts pages that could not be labelled for want of an output.
#[derive(Debug, Clone, Default)]
pub struct Missing(Arc<Mutex<(u64, Option<String>)>>);

impl Missing {
    /// One more page, and why there is no output for it.
    pub(super) fn add(&self, docid: &str, why: &str) {
        let mut missing = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        missing.0 += 1;
        missing.1.get_or_insert_with(|| format!("{docid}: {why}"));
    }

    /// Number of pages; a page that was labelled twice counts twice.
    pub fn pages(&self) -> u64 {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).0
    }

    /// The docid of the first such page, and why.
    pub fn first(&self) -> Option<String> {
        let missing = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        missing.1.clone()
    }
}

impl Arguments {
    /// Reads what stands behind the colon (empty where there is none). `name` is that of the row.
    pub(super) fn parse(
        name: &'static str,
        takes: Takes,
        text: &str,
    ) -> Result<Arguments, ExtractorError> {
        let mut arguments = Arguments::default();
        match takes {
            Takes::Parameters(known) => {
                for parameter in known {
                    let default = parameter.default.to_owned();
                    arguments.parameters.insert(parameter.name, default);
                }
                for (key, value) in parameters(text) {
                    let value = value.unwrap_or_default();
                    let place = arguments.parameters.get_mut(key);
                    *place.ok_or_else(|| unknown_parameter(name, known, key))? = value.to_owned();
                    if key == MODEL {
                        arguments.path = value.into();
                    }
                }
            }
            Takes::Model if text.is_empty() => {
                return Err(ExtractorError::Incomplete {
                    extractor: name,
                    usage: format!("{name}:MODEL"),
                });
            }
            Takes::Model => arguments.path = text.into(),
            Takes::Outputs => match text.split_once('=') {
                Some((label, path)) if is_label(label) && !path.is_empty() => {
                    arguments.label = label.to_owned();
                    arguments.path = path.into();
                }
                _ => {
                    return Err(ExtractorError::Incomplete {
                        extractor: name,
                        usage: format!(
                            "{name}:NAME=DIR_OR_JSONL, the name of letters, digits, '-' and '_'"
                        ),
                    });
                }
            },
        }
        Ok(arguments)
    }

    /// A parameter's value.
    ///
    /// # Errors
    /// [`ExtractorError::Value`] if it cannot be read as a `T`.
    pub fn get<T: FromStr>(&self, name: &'static str) -> Result<T, ExtractorError>
    where
        T::Err: fmt::Display,
    {
        let value = self.parameters.get(name).map_or("", String::as_str);
        value
            .parse()
            .map_err(|error: T::Err| ExtractorError::Value {
                parameter: name,
                value: value.to_owned(),
                why: error.to_string(),
            })
    }

    /// Whether a parameter's value is `yes`, not `no`.
    ///
    /// # Errors
    /// [`ExtractorError::Value`] if it is neither.
    pub fn yes(&self, name: &'static str) -> Result<bool, ExtractorError> {
        match self.get::<String>(name)?.as_str() {
            "yes" => Ok(true),
            "no" => Ok(false),
            value => Err(ExtractorError::Value {
                parameter: name,
                value: value.to_owned(),
                why: "not yes or no".to_owned(),
            }),
        }
    }

    /// A parameter's value as a number; infinities and what is no number are refused.
    ///
    /// # Errors
    /// [`ExtractorError::Value`] if it is no finite number.
    pub fn number(&self, name: &'static str) -> Result<f64, ExtractorError> {
        let number: f64 = self.get(name)?;
        match number.is_finite() {
            true => Ok(number),
            false => Err(ExtractorError::Value {
                parameter: name,
                value: number.to_string(),
                why: "not a finite number".to_owned(),
            }),
        }
    }

    /// A parameter's value as a share.
    ///
    /// # Errors
    /// [`ExtractorError::Value`] if it is no number in 0..=1.
    pub fn share(&self, name: &'static str) -> Result<f64, ExtractorError> {
        let number = self.number(name)?;
        match (0.0..=1.0).contains(&number) {
            true => Ok(number),
            false => Err(ExtractorError::Value {
                parameter: name,
                value: number.to_string(),
                why: "the range is from 0 to 1".to_owned(),
            }),
        }
    }

    /// The name under which these arguments' labels go: the extractor's with the parameters that are not the defaults. The
    /// path of a model is no part of it.
    pub(super) fn canonical_name(&self, name: &str, takes: Takes) -> String {
        let known = match takes {
            Takes::Parameters(known) => known,
            Takes::Model => return name.to_owned(),
            Takes::Outputs => return format!("{name}:{}", self.label),
        };
        let changed: Vec<String> = known
            .iter()
            .filter(|parameter| parameter.name != MODEL)
            .filter_map(|parameter| {
                let value = self.parameters.get(parameter.name)?;
                (value != parameter.default).then(|| format!("{}={value}", parameter.name))
            })
            .collect();
        match changed.as_slice() {
            [] => name.to_owned(),
            changed => format!("{name}:{}", changed.join(",")),
        }
    }
}

fn is_label(text: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    !text.is_empty() && text.chars().all(allowed)
}

fn unknown_parameter(name: &'static str, known: &[Parameter], key: &str) -> ExtractorError {
    let names: Vec<&str> = known.iter().map(|parameter| parameter.name).collect();
    ExtractorError::UnknownParameter {
        extractor: name,
        parameter: key.to_owned(),
        known: match names.as_slice() {
            [] => "it takes none".to_owned(),
            names => choice(key, names),
        },
    }
}
