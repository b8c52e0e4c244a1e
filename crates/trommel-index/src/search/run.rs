//! Topics to a run file.

use std::io::Write;

use rayon::prelude::*;
use trommel_eval::trec::RunWriter;
use trommel_eval::trec::run::RunWriteError;

use crate::format::error::IndexError;
use crate::search::hit::Hit;
use crate::search::open::Index;
use crate::search::query::Ranking;

/// Why a run could not be made.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The index could not be searched.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// The run could not be written.
    #[error(transparent)]
    Write(#[from] RunWriteError),
}

/// Topics that are searched side by side before their results are given.
const BATCH: usize = 64;

/// Ranks pages for each topic (its id and the text of the chosen field) and calls `each` with the id and the hits, topics in the order given, on the
/// threads of the current rayon pool.
///
/// # Errors
/// Those of the index, and those of `each`, which end it.
pub fn for_each_topic<E: From<IndexError>>(
    index: &Index,
    topics: &[(String, String)],
    ranking: &Ranking,
    k: usize,
    mut each: impl FnMut(&str, Vec<Hit>) -> Result<(), E>,
) -> Result<(), E> {
    for batch in topics.chunks(BATCH) {
        let results = batch
            .par_iter()
            .map(|(_, text)| index.search(text, ranking, k));
        let results = results.collect::<Result<Vec<_>, IndexError>>()?;
        for ((id, _), hits) in batch.iter().zip(results) {
            each(id, hits)?;
        }
    }
    Ok(())
}

/// [`for_each_topic`] written as a run. Gives the ids of topics for which nothing was found.
///
/// # Errors
/// Those of the index and of writing.
pub fn run<W: Write>(
    index: &Index,
    topics: &[(String, String)],
    ranking: &Ranking,
    k: usize,
    writer: &mut RunWriter<W>,
) -> Result<Vec<String>, RunError> {
    let mut empty = Vec::new();
    for_each_topic(index, topics, ranking, k, |id, hits| {
        if hits.is_empty() {
            empty.push(id.to_owned());
        }
        let docs = hits.iter().map(|hit| (index.docid(hit.page), hit.score));
        writer.write_topic(id, docs)?;
        Ok::<(), RunError>(())
    })?;
    Ok(empty)
}
