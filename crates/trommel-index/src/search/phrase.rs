//! Phrases: terms that stand in one block in the places that the phrase has them in.
//!
//! A phrase is written as a pseudo-term: its terms with [`TERM_SEPARATOR`] between them, and nothing in the place of a word that
//! the analyzer leaves out, just as the text of a block is handed to tantivy. So a phrase goes wherever a term goes, and has
//! postings, df and cf of its own.

use std::io;

use tantivy::postings::{Postings, SegmentPostings};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocSet, InvertedIndexReader, TERMINATED, Term};
use trommel_text::Analyzer;

use crate::format::schema::TERM_SEPARATOR;

/// The pseudo-term of a text in quotes; of one word its term, of none nothing. Words that are left out at its beginning and end
/// are no part of it.
pub(crate) fn of_text(analyzer: Analyzer, text: &str) -> String {
    let mut joined = String::new();
    let mut last = None;
    analyzer.for_each_term(text, |term| {
        let gap = last.map_or(0, |last| term.position - last);
        joined.extend(std::iter::repeat_n(TERM_SEPARATOR, gap));
        joined.push_str(term.term);
        last = Some(term.position);
    });
    joined
}

/// Is a pseudo-term that of several terms?
pub(crate) fn is_phrase(term: &str) -> bool {
    term.contains(TERM_SEPARATOR)
}

/// The terms of a pseudo-term, each with its place.
pub(crate) fn terms(term: &str) -> impl Iterator<Item = (u32, &str)> {
    let places = (0u32..).zip(term.split(TERM_SEPARATOR));
    places.filter(|(_, term)| !term.is_empty())
}

/// A pseudo-term as a person reads it: a phrase in quotes, with `_` for words that are left out.
pub(crate) fn shown(term: &str) -> String {
    if !is_phrase(term) {
        return term.to_owned();
    }
    let mut words: Vec<&str> = term.split(TERM_SEPARATOR).collect();
    for left_out in words.iter_mut().filter(|word| word.is_empty()) {
        *left_out = "_";
    }
    format!("\"{}\"", words.join(" "))
}

/// Calls `each` with every document of a segment that has the phrase (or the single term), in order, and how often it has it.
///
/// # Errors
/// Those of reading, and of `each`; if postings do not ascend, or have more positions than the segment has words.
pub(crate) fn for_each_match(
    inverted: &InvertedIndexReader,
    field: Field,
    phrase: &str,
    mut each: impl FnMut(u32, u32) -> io::Result<()>,
) -> io::Result<()> {
    let strange = |what: &str| io::Error::new(io::ErrorKind::InvalidData, what.to_owned());
    let ascends = |before: u32, now: u32| match before < now {
        true => Ok(now),
        false => Err(strange("its postings do not ascend")),
    };
    let mut parts = Vec::new();
    for (place, term) in terms(phrase) {
        let term = Term::from_field_text(field, term);
        match inverted.read_postings(&term, IndexRecordOption::WithFreqsAndPositions)? {
            Some(postings) => parts.push((place, postings)),
            None => return Ok(()),
        }
    }
    let (mut starts, mut places) = (Vec::new(), Vec::new());
    let mut doc = parts.first().map_or(TERMINATED, |(_, first)| first.doc());
    while doc != TERMINATED {
        match disagreeing(&mut parts, doc) {
            Some(later) => doc = ascends(doc, later)?,
            None => {
                // A damaged frequency would take as much memory as it says.
                let words = inverted.total_num_tokens();
                if (parts.iter()).any(|(_, postings)| u64::from(postings.term_freq()) > words) {
                    return Err(strange("its postings have more positions than words"));
                }
                let times = count(&mut parts, &mut starts, &mut places);
                if times > 0 {
                    each(doc, times)?;
                }
                let next = parts.first_mut().map(|(_, first)| first.advance());
                doc = ascends(doc, next.unwrap_or(TERMINATED))?;
            }
        }
    }
    Ok(())
}

/// Moves all postings to a document. If one has it not, its next document.
fn disagreeing(parts: &mut [(u32, SegmentPostings)], doc: u32) -> Option<u32> {
    for (_, postings) in parts {
        let at = match postings.doc() {
            at if at < doc => postings.seek(doc),
            at => at,
        };
        if at != doc {
            return Some(at);
        }
    }
    None
}

/// How often the phrase stands in the document that all postings are at. Occurrences may overlap.
fn count(
    parts: &mut [(u32, SegmentPostings)],
    starts: &mut Vec<u32>,
    places: &mut Vec<u32>,
) -> u32 {
    let Some(((_, first), others)) = parts.split_first_mut() else {
        return 0;
    };
    first.positions(starts);
    for (place, postings) in others {
        postings.positions(places);
        starts.retain(|start| places.binary_search(&(start + *place)).is_ok());
        if starts.is_empty() {
            return 0;
        }
    }
    starts.len() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_left_out_keep_their_places() {
        for (text, expected) in [
            ("rain", "rain"),
            ("Rain barrels", "rain\nbarrel"),
            ("the state of the art", "state\n\n\nart"),
            ("to be or not", ""),
            ("", ""),
        ] {
            assert_eq!(of_text(Analyzer::English, text), expected);
        }
        let places: Vec<(u32, &str)> = terms("state\n\n\nart").collect();
        assert_eq!(places, [(0, "state"), (3, "art")]);
        assert_eq!(shown("state\n\n\nart"), "\"state _ _ art\"");
        assert_eq!(shown("rain"), "rain");
    }
}
