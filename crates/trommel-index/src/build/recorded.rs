//! What a build was asked for, as it noted it: a build that goes on need not be told again.

use std::path::Path;

use trommel_archive::Input;
use trommel_page::html::segment::{self, Segmenter};
use trommel_text::Analyzer;

use crate::build::options::has_page_postings;
use crate::build::settings::Reading;
use crate::build::shard::{self, Shard};
use crate::build::state::State;
use crate::format::error::IndexError;
use crate::format::manifest::{InputEntry, MANIFEST, Manifest};

/// What a build was asked for.
#[derive(Debug, Clone)]
pub struct Recorded {
    /// How files become pages.
    pub reading: Reading,
    /// How pages are cut into blocks.
    pub segmenter: Segmenter,
    /// How text becomes terms.
    pub analyzer: Analyzer,
    /// The extractors whose verdicts are stored, with their parameters; none for an index that is finished, since nothing is
    /// asked of them any more.
    pub extractors: Vec<String>,
    /// Were postings by page asked for?
    pub page_postings: bool,
    /// The files, in order.
    pub inputs: Vec<Input>,
}

/// What the build in a directory was asked for, whether it is finished or not; none if there was no build that noted anything.
///
/// # Errors
/// Those of reading what it noted, and [`IndexError::Changed`] if this program does not know it.
pub fn recorded(directory: &Path) -> Result<Option<Recorded>, IndexError> {
    if directory.join(MANIFEST).exists() {
        let Manifest {
            options,
            segmenter,
            analyzer,
            inputs,
            ..
        } = Manifest::read(directory)?;
        let again = |entry: InputEntry| Input::again(&entry.path, entry.relative, entry.record);
        let inputs = inputs.into_iter().map(again).collect();
        let words = (&options, segmenter.as_str(), analyzer.name);
        return read(directory, words, Vec::new(), inputs).map(Some);
    }
    let Some(State { plan, inputs, .. }) = State::read(directory)? else {
        return Ok(None);
    };
    let inputs = inputs.into_iter();
    let inputs = inputs.map(|input| Input::again(&input.path, input.relative, input.record));
    let words = (&plan.options, plan.segmenter.as_str(), plan.analyzer.name);
    let extractors = plan.extractors.into_iter().map(|set| set.extractor);
    read(directory, words, extractors.collect(), inputs.collect()).map(Some)
}

/// [`recorded`] of a shard: of the one that is finished, or of the attempt that would be gone on with.
///
/// # Errors
/// As [`recorded`].
pub fn recorded_shard(
    directory: &Path,
    shard: Shard,
    attempt: &str,
) -> Result<Option<Recorded>, IndexError> {
    match shard::furthest(directory, shard, attempt)? {
        Some(path) => recorded(&path),
        None => Ok(None),
    }
}

fn read(
    directory: &Path,
    (options, segmenter, analyzer): (&std::collections::BTreeMap<String, String>, &str, Analyzer),
    extractors: Vec<String>,
    inputs: Vec<Input>,
) -> Result<Recorded, IndexError> {
    let changed = |why: String| IndexError::Changed {
        path: directory.to_owned(),
        why,
    };
    let unknown = || changed(format!("no segmenter is called '{segmenter}'"));
    Ok(Recorded {
        reading: Reading::parse(options)
            .map_err(|name| changed(format!("the option '{name}' is missing or unknown")))?,
        segmenter: segment::by_name(segmenter).copied().ok_or_else(unknown)?,
        analyzer,
        extractors,
        page_postings: has_page_postings(options),
        inputs,
    })
}
