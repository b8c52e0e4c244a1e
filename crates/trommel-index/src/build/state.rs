//! How far a build has come: what `index --resume` goes on from.
//!
//! `build.json` is written anew, by rename, after each part that is on disk, and removed when the manifest is written. What the
//! directory holds besides what it lists is of no use.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::UNIX_EPOCH;

use serde::{Deserialize, Serialize};
use trommel_archive as collection;
use trommel_archive::Input;
use trommel_text::AnalyzerDescription;

use crate::build::label_sets::new_labels;
use crate::build::options::BuildOptions;
use crate::format::error::IndexError;
use crate::format::labels::{LabelSet, NewLabels, WrittenLabels, check_names};
use crate::format::manifest::{Counts, InputEntry, Manifest, STATE};
use crate::format::part::PartEntry;
use crate::format::schema::SCHEMA_VERSION;
use crate::format::sealed::{self, Seal};

/// How far a build has come.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct State {
    pub plan: Plan,
    /// The files that are to be read, in order.
    pub inputs: Vec<InputState>,
    /// The files that were read to their end.
    pub done: Vec<InputEntry>,
    pub position: Position,
    pub parts: Vec<PartEntry>,
    /// By label set.
    pub content_blocks: Vec<u64>,
    pub counts: Counts,
    /// Length of the ledger.
    pub ledger_bytes: u64,
}

/// What decides on the content of an index besides its inputs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Plan {
    pub trommel_version: String,
    pub schema_version: u32,
    pub segmenter: String,
    pub analyzer: AnalyzerDescription,
    /// As in the manifest, without counts.
    pub extractors: Vec<LabelSet>,
    /// As in the manifest.
    pub options: BTreeMap<String, String>,
}

/// A file that is to be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct InputState {
    pub path: String,
    pub relative: Option<String>,
    pub record: Option<String>,
    pub bytes: Option<u64>,
    /// When it was changed last, in nanoseconds since 1970; none where the system does not say.
    pub modified: Option<u64>,
}

/// Where reading goes on.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Position {
    /// Number of the input.
    pub input: usize,
    /// Pages and ledger lines of it that were taken.
    pub items: u64,
    /// Stored bytes of it that were hashed.
    pub bytes: u64,
    /// Their SHA-256, in hexadecimal.
    pub sha256: Option<String>,
}

impl Plan {
    /// The plan of a build.
    ///
    /// # Errors
    /// [`IndexError::LabelName`], and those of hashing a model.
    pub fn of(options: &BuildOptions) -> Result<Plan, IndexError> {
        let labels = new_labels(&options.extractors)?;
        check_names(&labels)?;
        let entry = |set: NewLabels| set.entry(WrittenLabels::default());
        Ok(Plan {
            trommel_version: env!("CARGO_PKG_VERSION").to_owned(),
            schema_version: SCHEMA_VERSION,
            segmenter: options.segmenter.name.to_owned(),
            analyzer: options.analyzer.describe(),
            extractors: labels.into_iter().map(entry).collect(),
            options: options.describe(),
        })
    }

    /// What of the other plan is different, in words; none if nothing is.
    fn difference(&self, now: &Plan) -> Option<String> {
        let differ =
            |what: &str, then: &str, now: &str| Some(format!("{what} was {then}, and is {now}"));
        if (&self.trommel_version, self.schema_version)
            != (&now.trommel_version, now.schema_version)
        {
            return differ(
                "the program's version",
                &self.trommel_version,
                &now.trommel_version,
            );
        }
        if self.segmenter != now.segmenter {
            return differ("the segmenter", &self.segmenter, &now.segmenter);
        }
        if self.analyzer != now.analyzer {
            let (then, now) = (self.analyzer.name.name(), now.analyzer.name.name());
            return differ("the analyzer", then, now);
        }
        if self.extractors != now.extractors {
            let names = |plan: &Plan| {
                let specs = plan.extractors.iter().map(|set| set.extractor.as_str());
                match specs.collect::<Vec<_>>().as_slice() {
                    [] => "none".to_owned(),
                    names => names.join(","),
                }
            };
            let (then, now) = (names(self), names(now));
            return match then == now {
                true => Some(format!("a model of the extractors {now} has changed")),
                false => differ("the list of extractors", &then, &now),
            };
        }
        let options = self.options.iter();
        let mut changed = options.filter(|(name, then)| now.options.get(*name) != Some(then));
        let (name, then) = changed.next()?;
        let now = now.options.get(name).map_or("none", String::as_str);
        differ(&format!("the option {name}"), then, now)
    }
}

impl InputState {
    pub fn of(input: &Input) -> InputState {
        let metadata = input.path.as_ref().and_then(|path| fs::metadata(path).ok());
        let modified = metadata.and_then(|metadata| metadata.modified().ok());
        let modified = modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        InputState {
            path: input.name.to_string(),
            relative: input.relative.clone(),
            record: input.record.clone(),
            bytes: input.size,
            modified: modified.and_then(|time| u64::try_from(time.as_nanos()).ok()),
        }
    }
}

impl State {
    /// The state of a build that has just begun.
    pub fn new(plan: Plan, inputs: &[Input]) -> State {
        State {
            plan,
            inputs: inputs.iter().map(InputState::of).collect(),
            done: Vec::new(),
            position: Position::default(),
            parts: Vec::new(),
            content_blocks: Vec::new(),
            counts: Counts::default(),
            ledger_bytes: 0,
        }
    }

    /// Reads the state of a build; none if there is none.
    pub fn read(index: &Path) -> Result<Option<State>, IndexError> {
        let path = index.join(STATE);
        let text = match fs::read(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            other => other.map_err(IndexError::io(&path))?,
        };
        let unreadable = |why: String| IndexError::Changed {
            path: index.to_owned(),
            why: format!("{STATE} cannot be read ({why})"),
        };
        match sealed::seal(&text) {
            Seal::Whole => {
                serde_json::from_slice(&text).map_err(|error| unreadable(error.to_string()))
            }
            Seal::Broken => Err(unreadable("it has other bytes than it had".to_owned())),
            Seal::Missing => Err(unreadable("it has no check sum".to_owned())),
        }
    }

    /// Writes the state: whole or not at all.
    pub fn write(&self, index: &Path) -> Result<(), IndexError> {
        sealed::write(&index.join(STATE), self)
    }

    /// Makes sure that a build of these options and inputs may go on from here: files that were read are unchanged, those that
    /// were not have the names that they had.
    ///
    /// # Errors
    /// [`IndexError::Changed`] with what is different.
    pub fn check(&self, index: &Path, plan: &Plan, inputs: &[Input]) -> Result<(), IndexError> {
        let changed = |why: String| IndexError::Changed {
            path: index.to_owned(),
            why,
        };
        if let Some(why) = self.plan.difference(plan) {
            return Err(changed(why));
        }
        same_names(&self.inputs, inputs).map_err(changed)?;
        for (number, (input, then)) in inputs.iter().zip(&self.inputs).enumerate() {
            let (name, now) = (&input.name, InputState::of(input));
            if now.bytes != then.bytes {
                return Err(changed(format!("{name} has another size than it had")));
            }
            if number > self.position.input {
                continue;
            }
            let entry = self.done.iter().find(|entry| entry.path == **name);
            let path = match &input.path {
                None => return Err(changed("standard input cannot be read twice".to_owned())),
                // A link that leads nowhere, a socket: nothing of it is in the index.
                Some(_) if input.size.is_none() && self.has_nothing_of(number, input, entry) => {
                    continue;
                }
                // To look into a pipe would take what is in it.
                Some(_) if input.size.is_none() => {
                    return Err(changed(format!(
                        "{name} is no regular file, and cannot be read twice"
                    )));
                }
                Some(path) => path,
            };
            let unchanged = now.modified.is_some() && now.modified == then.modified;
            let hashes = match entry {
                _ if number == self.position.input => {
                    let bytes = self.position.bytes;
                    let now = collection::sha256_of_prefix(path, bytes);
                    (
                        self.position.sha256.clone(),
                        now.map_err(IndexError::io(path))?,
                    )
                }
                Some(entry) if !unchanged => {
                    let now = collection::sha256_of_file(path).map_err(IndexError::io(path))?;
                    (entry.sha256.clone(), Some(now))
                }
                _ => continue,
            };
            if hashes.0.is_some() && hashes.0 != hashes.1 {
                return Err(changed(format!(
                    "{name} has other bytes than when it was read"
                )));
            }
        }
        Ok(())
    }

    /// Was nothing read of an input that is no regular file? If it is done this is its entry. Below a directory none is opened; a pipe
    /// that was named is, and what was in it is gone.
    fn has_nothing_of(&self, number: usize, input: &Input, entry: Option<&InputEntry>) -> bool {
        match number == self.position.input {
            true => input.relative.is_some() && self.position.items == 0,
            false => entry.is_none_or(|entry| entry.sha256.is_none()),
        }
    }
}

/// Is a finished index one of these options and inputs?
///
/// # Errors
/// [`IndexError::Changed`] with what is different.
pub(crate) fn check_finished(
    index: &Path,
    manifest: &Manifest,
    plan: &Plan,
    inputs: &[Input],
) -> Result<(), IndexError> {
    let mut extractors = manifest.extractors.clone();
    for set in &mut extractors {
        set.content_blocks = 0;
        set.files.clear();
    }
    // Labels may have been added since.
    if plan.extractors.iter().all(|set| extractors.contains(set)) {
        extractors.clone_from(&plan.extractors);
    }
    let then = Plan {
        trommel_version: manifest.trommel_version.clone(),
        schema_version: manifest.schema_version,
        segmenter: manifest.segmenter.clone(),
        analyzer: manifest.analyzer.clone(),
        extractors,
        options: manifest.options.clone(),
    };
    let listed: Vec<InputState> = manifest
        .inputs
        .iter()
        .map(|entry| InputState {
            path: entry.path.clone(),
            relative: entry.relative.clone(),
            record: entry.record.clone(),
            bytes: entry.bytes,
            modified: None,
        })
        .collect();
    let why = match then.difference(plan) {
        Some(why) => Some(why),
        None => {
            let inputs = without_unreadable(manifest, &listed, inputs);
            same_names(&listed, &inputs).err().or_else(|| {
                let mut both = listed.iter().zip(&inputs);
                let other = both.find(|(then, now)| then.bytes != now.size)?;
                Some(format!("{} has another size than it had", other.1.name))
            })
        }
    };
    match why {
        None => Ok(()),
        Some(why) => Err(IndexError::Changed {
            path: index.to_owned(),
            why,
        }),
    }
}

/// The inputs without those that could not be opened, which the manifest counts and does not list.
fn without_unreadable(manifest: &Manifest, listed: &[InputState], inputs: &[Input]) -> Vec<Input> {
    let mut left_out = manifest.ledger.get("unreadable-file").copied().unwrap_or(0);
    let mut listed = listed.iter().peekable();
    let mut readable = Vec::new();
    for input in inputs {
        let is_next = listed.peek().is_some_and(|then| *then.path == *input.name);
        // A socket or a device below a directory is listed with its reason alone.
        let is_file = input.path.is_none() || input.size.is_some();
        if !is_next && !is_file {
            continue;
        }
        if !is_next && left_out > 0 {
            left_out -= 1;
            continue;
        }
        listed.next();
        readable.push(input.clone());
    }
    readable
}

/// Are these the same files by name, in the same order?
fn same_names(then: &[InputState], now: &[Input]) -> Result<(), String> {
    if then.len() != now.len() {
        return Err(format!(
            "there were {} files to read, and there are {}",
            then.len(),
            now.len()
        ));
    }
    let differs = |(then, now): &(&InputState, &Input)| {
        (then.path.as_str(), &then.relative, &then.record)
            != (&*now.name, &now.relative, &now.record)
    };
    match then.iter().zip(now).find(differs) {
        Some((then, now)) => Err(format!(
            "{} was to be read where {} stands",
            then.path, now.name
        )),
        None => Ok(()),
    }
}
