//! All that is needed to make a run again.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use trommel_archive::{path_of, sha256_of};
use trommel_index::{Model, Ranking, Stats, Unit};
use trommel_page::weight::Sieve;

use super::error::ProvenanceError;
use super::sidecar::sidecar;

/// All that is needed to make a run again: what stands under `trommel` in its metadata.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Recipe {
    /// Version of the program that made the run.
    pub version: String,
    /// The directory that relative paths start from, as seen from the file of metadata; none where that is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The index directories, as they were named, or those of shards that were found in them.
    pub indexes: Vec<String>,
    /// [`index_hash`](fn@super::index_hash) of them.
    #[serde(rename = "index sha256")]
    pub index_sha256: String,
    /// The file of topics.
    pub topics: RecordedFile,
    /// The field of the topics that was searched with.
    #[serde(rename = "topic field")]
    pub topic_field: String,
    /// How topics are named: `exact` or `loose`.
    #[serde(rename = "topic ids")]
    pub topic_ids: String,
    /// Statistics of a collection that the index is a part of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counts: Option<RecordedFile>,
    /// Filter and weights.
    #[serde(flatten)]
    pub sieve: Sieve,
    /// The model, with all of its parameters.
    pub model: String,
    /// Where N, df, cf and the average length come from.
    pub stats: Stats,
    /// Pages for each topic.
    pub k: usize,
    /// The last column.
    pub tag: String,
}

/// A file that was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedFile {
    /// As it was named; `-` is standard input.
    pub path: String,
    /// SHA-256 of what was taken from it, in hexadecimal: of topics, [`queries_hash`]; else of its bytes.
    pub sha256: String,
}

impl Recipe {
    /// How pages are ranked, but for shared statistics.
    ///
    /// # Errors
    /// A model that this program does not know.
    pub fn ranking(&self) -> Result<Ranking, trommel_index::ModelError> {
        Ok(Ranking {
            filter: self.sieve.filter.clone(),
            weights: self.sieve.weights.clone(),
            model: self.model.parse::<Model>()?,
            stats: self.stats.clone(),
            unit: Unit::Page,
            shared: None,
        })
    }

    /// Where a file is that the recipe names, `metadata` being the recipe's own: as seen from there, or else from where the program runs.
    pub fn find(&self, path: &str, metadata: &Path) -> PathBuf {
        let path = path_of(path);
        let folder = metadata.parent().unwrap_or(Path::new(""));
        let seen = self.from.as_ref().map(|from| folder.join(from).join(&path));
        match seen {
            Some(seen) if path.is_relative() && seen.exists() => seen,
            _ => path,
        }
    }
}

/// SHA-256, in hexadecimal, of what is searched for: ids and texts of the chosen field, in their order. However the file of topics is
/// packed, and whatever else it says, does not count.
pub fn queries_hash(queries: &[(String, String)]) -> String {
    let text = serde_json::to_vec(queries).unwrap_or_default();
    sha256_of(&text[..]).unwrap_or_default()
}

/// Reads the recipe of a run from the file of metadata: that which is named, or that beside the run, or that which a sweep has written
/// apart from its runs. Gives that file, too.
///
/// # Errors
/// There is none, or it is not what this program writes.
pub fn read_recipe(
    run: &Path,
    metadata: Option<&Path>,
) -> Result<(Recipe, PathBuf), ProvenanceError> {
    let path = match metadata {
        Some(path) => path.to_owned(),
        None => {
            let places = [sidecar(run), apart(run)];
            let found = places.iter().find(|path| path.is_file()).cloned();
            let [beside, apart] = places;
            found.ok_or(ProvenanceError::None {
                run: run.to_owned(),
                beside,
                apart,
            })?
        }
    };
    let text = fs::read_to_string(&path).map_err(|source| ProvenanceError::File {
        path: path.clone(),
        source,
    })?;
    let unreadable = |why: String| ProvenanceError::Unreadable {
        path: path.clone(),
        why,
    };
    let document: Value = serde_saphyr::from_str(&text)
        .map_err(|error| unreadable(first_line(&error.to_string())))?;
    let Some(own) = document.get("trommel") else {
        return Err(unreadable("it has no key 'trommel'".to_owned()));
    };
    let recipe = Recipe::deserialize(own).map_err(|error| unreadable(error.to_string()))?;
    Ok((recipe, path))
}

/// Where a sweep writes the metadata of a run, which stands in its folder of runs: nothing but runs is to be there.
fn apart(run: &Path) -> PathBuf {
    let sidecar = sidecar(run);
    let name = sidecar.file_name().unwrap_or_default();
    let runs = run.parent().unwrap_or(Path::new(""));
    let folder = match runs.as_os_str().is_empty() {
        true => Path::new("..").to_owned(),
        false => runs.join(".."),
    };
    folder.join(crate::experiment::sweep::METADATA).join(name)
}

/// What a reader of YAML says goes on with a picture of the place.
fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}
