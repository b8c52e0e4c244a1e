//! Topics to a run file.

use std::io::Write;

use rayon::prelude::*;
use trommel_eval::trec::RunWriter;
use trommel_eval::trec::run::RunWriteError;

use crate::format::error::IndexError;
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

/// Topics that are searched side by side before their results are written.
const BATCH: usize = 256;

/// Ranks pages for each topic (its id and the text of the chosen field) and writes them as a run, topics in the order
/// given, on the threads of the current rayon pool. Gives the ids of topics for which nothing was found.
pub fn run<W: Write>(
    index: &Index,
    topics: &[(String, String)],
    ranking: &Ranking,
    k: usize,
    writer: &mut RunWriter<W>,
) -> Result<Vec<String>, RunError> {
    let mut empty = Vec::new();
    for batch in topics.chunks(BATCH) {
        let results: Vec<_> = batch
            .into_par_iter()
            .map(|(_, text)| index.search(text, ranking, k))
            .collect::<Result<_, IndexError>>()?;
        for ((id, _), hits) in batch.iter().zip(results) {
            if hits.is_empty() {
                empty.push(id.clone());
            }
            writer.write_topic(
                id,
                hits.iter().map(|hit| (index.docid(hit.page), hit.score)),
            )?;
        }
    }
    Ok(empty)
}
