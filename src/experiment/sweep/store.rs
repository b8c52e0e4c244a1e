//! The finished steps of a sweep on disk: a crash loses one, and a sweep can go on where it was.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::error::StoreError;
use super::plan::{FinishedStep, Plan};
use crate::collection::write_whole;
use crate::experiment::tag::in_name;
use crate::text::fnv1a;
use crate::weight::Sieve;

/// The file of steps: the settings on its first line and a step on each other.
pub const STEPS: &str = "steps.jsonl";
/// The folder of run files.
pub const RUNS: &str = "runs";
/// The folder of what is known of each run: nothing but runs is in theirs.
pub const METADATA: &str = "metadata";
/// Bytes of the name of a run file, without the hash. Only so long a name has room in every file system.
const LONGEST_NAME: usize = 200;

/// What is done with a sweep that is there already.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Existing {
    /// Nothing: it is an error.
    #[default]
    Refuse,
    /// Its steps are taken, and those that it lacks are added.
    Resume,
    /// It is replaced.
    Replace,
}

/// The finished steps on disk: [`STEPS`], and the folder [`RUNS`] if the plan asks for run files.
#[derive(Debug)]
pub struct Store {
    file: File,
    path: PathBuf,
    runs: Option<PathBuf>,
}

impl Store {
    /// Opens a directory for the steps of a plan; it is made if it is not there. `settings`, an object, is what the figures of a step
    /// depend on besides its filter and model: only a sweep with the same settings is resumed. Returns the steps that are finished with
    /// the store.
    ///
    /// # Errors
    /// [`StoreError`], whatever it says.
    pub fn open(
        directory: &Path,
        settings: &Value,
        plan: &Plan,
        existing: Existing,
    ) -> Result<(Store, Vec<FinishedStep>), StoreError> {
        let with_runs = plan.run_tag.is_some();
        let path = directory.join(STEPS);
        fs::create_dir_all(directory).map_err(failed(directory))?;
        let runs = with_runs.then(|| directory.join(RUNS));
        let finished = match (path.exists(), existing) {
            (true, Existing::Resume) => read_steps(&path, settings, runs.as_deref())?,
            // Steps may have taken hours: they are not to be lost by a slip.
            (true, Existing::Refuse) => {
                return Err(StoreError::HoldsSweep(directory.to_owned()));
            }
            // The runs of two sweeps cannot be told from each other.
            _ => match &runs {
                Some(runs) if is_filled(runs) => return Err(StoreError::HoldsRuns(runs.clone())),
                _ => Vec::new(),
            },
        };
        if let Some(runs) = &runs {
            fs::create_dir_all(runs).map_err(failed(runs))?;
        }
        // Written anew, so that a line that was cut off does not stay.
        let mut text = format!("{settings}\n").into_bytes();
        for step in &finished {
            text.extend(line(step).map_err(failed(&path))?);
        }
        write_whole(&path, &text).map_err(failed(&path))?;
        let file = OpenOptions::new().append(true).open(&path);
        let file = file.map_err(failed(&path))?;
        Ok((Store { file, path, runs }, finished))
    }

    /// Keeps a step, with its run file if the plan asks for one.
    ///
    /// # Errors
    /// [`StoreError::File`].
    pub fn add(&mut self, step: &FinishedStep, run: Option<&[u8]>) -> Result<(), StoreError> {
        if let (Some(runs), Some(bytes)) = (&self.runs, run) {
            let path = runs.join(run_name(&step.sieve, &step.model));
            write_whole(&path, bytes).map_err(failed(&path))?;
        }
        let line = line(step).map_err(failed(&self.path))?;
        self.file.write_all(&line).map_err(failed(&self.path))
    }

    /// The folder of run files, if there is one.
    pub fn runs(&self) -> Option<&Path> {
        self.runs.as_deref()
    }
}

fn failed(path: &Path) -> impl Fn(io::Error) -> StoreError {
    let path = path.to_owned();
    move |source| StoreError::File {
        path: path.clone(),
        source,
    }
}

/// A step as the file has it.
fn line(step: &FinishedStep) -> io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(step)?;
    line.push(b'\n');
    Ok(line)
}

/// Does a folder hold anything?
fn is_filled(folder: &Path) -> bool {
    fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some())
}

/// The steps of an interrupted sweep; those whose run file is wanted and missing are not finished.
fn read_steps(
    path: &Path,
    settings: &Value,
    runs: Option<&Path>,
) -> Result<Vec<FinishedStep>, StoreError> {
    // As bytes: a line may have been cut off within a character.
    let mut lines = BufReader::new(File::open(path).map_err(failed(path))?).split(b'\n');
    let first = lines.next().transpose().map_err(failed(path))?;
    let before: Value = serde_json::from_slice(&first.unwrap_or_default()).unwrap_or_default();
    if before != *settings {
        return Err(StoreError::OtherSettings {
            path: path.to_owned(),
            different: different(&before, settings),
        });
    }
    let mut steps = Vec::new();
    for line in lines {
        // The last line may have been cut off; what follows it was never written.
        let line = line.map_err(failed(path))?;
        let Ok(step) = serde_json::from_slice::<FinishedStep>(&line) else {
            break;
        };
        let has_run = |runs: &Path| runs.join(run_name(&step.sieve, &step.model)).exists();
        if runs.is_none_or(has_run) {
            steps.push(step);
        }
    }
    Ok(steps)
}

/// The keys under which two objects differ.
fn different(one: &Value, other: &Value) -> Vec<String> {
    let known = [one.as_object(), other.as_object()].into_iter().flatten();
    let keys = known.flat_map(|object| object.keys());
    let mut different: Vec<String> = keys
        .filter(|key| one.get(key.as_str()) != other.get(key.as_str()))
        .cloned()
        .collect();
    different.sort_unstable();
    different.dedup();
    different
}

/// A file name that says filter, weights and model: `min-words=11.bm25-k1=0.9,b=0.4.run`. Where a name cannot have all that it
/// should say, a hash stands behind it, so that two steps never share a file.
pub fn run_name(sieve: &Sieve, model: &str) -> String {
    let mut parts = sieve.filter.short_names();
    if !sieve.weights.is_one() {
        parts.push(format!("weights={}", sieve.weights));
    }
    let text = parts.join(" ");
    let model: String = model.chars().map(in_name).collect();
    let mut name: String = text.chars().map(in_name).collect();
    let room = LONGEST_NAME.saturating_sub(model.len());
    let is_said = text.len() <= room
        && text
            .chars()
            .all(|c| c == ' ' || c != '_' && in_name(c) == c);
    if !is_said {
        name.truncate(room);
        name += "-";
        name += &format!("{:016x}", fnv1a(text.as_bytes()));
    }
    format!("{name}.{model}.run")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn run_files_have_names_of_their_own() {
        let name = |filter: &str, weights: &str| {
            let sieve = Sieve {
                filter: filter.parse().unwrap(),
                weights: weights.parse().unwrap(),
            };
            run_name(&sieve, "bm25:k1=0.9,b=0.4")
        };
        assert_eq!(
            name("words >= 11 and link-density <= 0.3", "1"),
            "min-words=11_max-link-density=0.3.bm25-k1=0.9,b=0.4.run"
        );
        let long = |last: &str| format!("{}words > {last}", "words > 1 or ".repeat(40));
        let names = [
            name("words > 11", "1"),
            name("words < 11", "1"),
            name("words != 11", "1"),
            name("\"a b\"", "1"),
            name("a_b", "1"),
            name(&long("7"), "1"),
            name(&long("8"), "1"),
            name(
                &format!("words > 7 or {}words > 8", "words > 1 or ".repeat(40)),
                "1",
            ),
            name("unfiltered", "words / 10"),
            name("unfiltered", "words * 10"),
            name("unfiltered", "if words < 3 then 1 else 2"),
            name("unfiltered", "if words > 3 then 1 else 2"),
        ];
        for (number, one) in names.iter().enumerate() {
            assert!(one.len() < 250, "{one}");
            assert!(!names[..number].contains(one), "{one}");
        }
    }
}
