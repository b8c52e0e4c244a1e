//! Are an index and judgments of the same collection?

use std::borrow::Cow;
use std::collections::HashSet;

use crate::index::Index;
use crate::measure::{Examples, Mismatch, topics_agree};
use crate::text::to_word;
use crate::trec::Qrels;

/// Compares topics (ids and texts) and an index with judgments. Gives warnings where fewer than half of the topics are judged, or
/// fewer than half of their judged documents are in the index.
///
/// # Errors
/// As [`check_agreement`].
pub fn agreement(
    index: &Index,
    topics: &[(String, String)],
    qrels: &Qrels,
) -> Result<Vec<String>, Mismatch> {
    check_agreement(index, topics, qrels)?;
    let qrels = &*as_in_runs(index, qrels);
    let mut warnings = Vec::new();
    warnings.extend(topics_agree(ids(topics), qrels, TOPICS)?);
    let searched = ids(topics).filter_map(|id| qrels.topics.get(id));
    let judged: HashSet<&str> = searched
        .flatten()
        .map(|(docid, _)| docid.as_str())
        .collect();
    let is_judged = |page: &u32| judged.contains(&*to_word(index.docid(*page)));
    let found = index.pages().filter(is_judged).count();
    if 2 * found < judged.len() {
        warnings.push(format!(
            "only {found} of the {} documents that are judged for these topics are in the index",
            judged.len()
        ));
    }
    Ok(warnings)
}

/// What topics are called in messages.
const TOPICS: &str = "the topics file";
/// What an index is called.
const INDEX: &str = "the index";

fn ids(topics: &[(String, String)]) -> impl Iterator<Item = &str> {
    topics.iter().map(|(id, _)| id.as_str())
}

/// Refuses judgments that know none of the topics, or none of the documents of an index: by them everything would be 0.
///
/// # Errors
/// [`Mismatch`].
pub fn check_agreement(
    index: &Index,
    topics: &[(String, String)],
    qrels: &Qrels,
) -> Result<(), Mismatch> {
    topics_agree(ids(topics), qrels, TOPICS)?;
    let qrels = &*as_in_runs(index, qrels);
    let judged = || qrels.topics.values().flat_map(|judgments| judgments.keys());
    let known: HashSet<&str> = judged().map(String::as_str).collect();
    let is_judged = |page: u32| known.contains(&*to_word(index.docid(page)));
    if known.is_empty() || index.pages().next().is_none() || index.pages().any(is_judged) {
        return Ok(());
    }
    let found: Vec<_> = index
        .pages()
        .map(|page| to_word(index.docid(page)))
        .collect();
    Err(Mismatch::Documents {
        of: INDEX.to_owned(),
        found: Examples::of(found.iter().map(|docid| &**docid)),
        judged: Examples::of(judged().map(String::as_str)),
    })
}

/// The judgments with the docids that run files of the index have.
pub fn as_in_runs<'a>(index: &'a Index, qrels: &'a Qrels) -> Cow<'a, Qrels> {
    let pages = index.pages();
    qrels.in_words(|| pages.map(|page| to_word(index.docid(page))).collect())
}
