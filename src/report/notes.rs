//! What there is to say of what was made, though it was made: sentences that whoever calls passes on as warnings.

use crate::experiment::sweep::unmatched;
use crate::extractor::Extractor;
use crate::index::Manifest;
use crate::measure::Evaluation;
use crate::trec::Qrels;

use super::counted;

/// How many topic ids a note names.
const IDS: usize = 5;

/// The first few topic ids.
pub fn some_ids<S: AsRef<str>>(ids: &[S]) -> String {
    let shown: Vec<&str> = ids.iter().take(IDS).map(AsRef::as_ref).collect();
    let shown = shown.join(", ");
    match ids.len().saturating_sub(IDS) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// Of the pages for which an extractor that reads what others made has found nothing.
pub fn missing_output(extractor: &Extractor) -> Option<String> {
    let missing = &extractor.arguments.missing;
    let first = missing.first()?;
    let pages = counted(missing.pages(), "page");
    Some(format!(
        "{}: no output for {pages}, which count as boilerplate; the first is {first}",
        extractor.name
    ))
}

/// Fewer pages may well have nothing to keep.
const PAGES_OF_A_COLLECTION: u64 = 10;

/// Of an extractor that kept nothing of a whole collection: it may be one for other pages.
pub fn nothing_kept(extractor: &Extractor, kept: u64, pages: u64) -> Option<String> {
    if kept > 0 || pages < PAGES_OF_A_COLLECTION {
        return None;
    }
    let language = extractor.arguments.parameters.get("language");
    let language = match language.filter(|language| *language != "none") {
        Some(language) => format!(": its language is {language}, is that of the pages?"),
        None => String::new(),
    };
    let pages = counted(pages, "page");
    Some(format!(
        "{}: nothing kept of {pages}{language}",
        extractor.name
    ))
}

/// [`missing_output`] and [`nothing_kept`] for labels that an index has.
pub fn label_notes<'a>(
    extractors: impl IntoIterator<Item = &'a Extractor>,
    manifest: &Manifest,
) -> Vec<String> {
    let (mut missing, mut nothing) = (Vec::new(), Vec::new());
    for extractor in extractors {
        missing.extend(missing_output(extractor));
        let mut sets = manifest.extractors.iter();
        let set = sets.find(|set| set.name == extractor.name);
        nothing.extend(
            set.and_then(|set| nothing_kept(extractor, set.content_blocks, manifest.counts.pages)),
        );
    }
    missing.extend(nothing);
    missing
}

/// Of topics that are in a run, named `of`, or in the judgments alone. `fate` says what becomes of those that are judged alone.
pub fn topic_notes(of: &str, evaluation: &Evaluation, fate: &str) -> Vec<String> {
    let mut notes = Vec::new();
    let (unjudged, missing) = (&evaluation.unjudged_topics, &evaluation.missing_topics);
    if !unjudged.is_empty() {
        let ids = some_ids(unjudged);
        notes.push(format!(
            "{of}: left out, as they are not judged: topics {ids}"
        ));
    }
    if !missing.is_empty() {
        let ids = some_ids(missing);
        notes.push(format!(
            "{of}: judged, but not in the run, and {fate}: topics {ids}"
        ));
    }
    notes
}

/// Of topics that are only searched, or only judged; a sweep counts the latter as empty.
pub fn unmatched_notes(topics: &[(String, String)], judgments: &Qrels) -> Vec<String> {
    let (not_searched, not_judged) = unmatched(topics, judgments);
    let mut notes = Vec::new();
    if !not_searched.is_empty() {
        notes.push(format!(
            "judged, but not among the topics, and counted as empty: topics {}",
            some_ids(&not_searched)
        ));
    }
    if !not_judged.is_empty() {
        notes.push(format!(
            "left out of the measures, as they are not judged: topics {}",
            some_ids(&not_judged)
        ));
    }
    notes
}

/// Of topics for which nothing was found, of how many.
pub fn nothing_found(topics: &[String], of: usize) -> Option<String> {
    let some = !topics.is_empty();
    some.then(|| {
        let found = topics.len();
        format!(
            "nothing found for {found} of {of} topics: {}",
            topics.join(" ")
        )
    })
}
