//! Titles, authors and days that are read from pages, against those of a gold standard.
//!
//! A title or an author is right if it has the same words in the same order: runs of letters and digits in small letters. So `By Ann Oak` is not
//! `Ann Oak`, but `Rain: a story` is `Rain - A Story`. A day is right if it is the same day; `published` of the gold standard is read as days
//! of pages are.

use std::collections::{BTreeMap, HashMap};

use rayon::prelude::*;
use trommel_extract::metadata::{Found, Metadata, day};
use trommel_page::html::{Charset, Limits, parse_with_source};

use crate::LabError;
use crate::gold::{Format, Pair, read, read_page};

/// What somebody says of a page.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Deserialize)]
pub struct Said {
    /// The title.
    #[serde(default)]
    pub title: Option<String>,
    /// Who wrote it.
    #[serde(default)]
    pub author: Option<String>,
    /// The day when it was published.
    #[serde(default)]
    pub date: Option<String>,
}

/// How often one value is right.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FieldScore {
    /// Pages of which the gold standard has the value.
    pub gold: usize,
    /// Of these, pages of which one was found.
    pub found: usize,
    /// Of these, pages of which the right one was.
    pub right: usize,
    /// Pages of which the gold standard has none.
    pub none: usize,
    /// Of these, pages of which one was found all the same.
    pub extra: usize,
    /// Of each source pages with a value of the gold standard of which it had one, and the right one.
    pub by_source: BTreeMap<String, (usize, usize)>,
}

/// How often what somebody says is right.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MetadataScore {
    /// Who says it.
    pub name: String,
    /// Pages.
    pub pages: usize,
    /// Title, author, date.
    pub fields: [FieldScore; 3],
}

/// The names of [`MetadataScore::fields`].
pub const FIELDS: [&str; 3] = ["title", "author", "date"];

/// Scores what pages say of themselves as `trommel` reads it, and what others say of pages by name.
///
/// # Errors
/// A file that cannot be read, and a gold standard that says nothing of these values.
pub fn score_metadata(
    pairs: &[Pair],
    format: &Format,
    charset: Charset,
    others: &[(String, HashMap<String, Said>)],
    done: &(dyn Fn() + Sync),
) -> Result<Vec<MetadataScore>, LabError> {
    type Values = [Option<(String, String)>; 3];
    let pages: Vec<(Values, Vec<Values>)> = pairs
        .par_iter()
        .filter_map(|pair| Some((pair, pair.gold.as_ref()?)))
        .map(|(pair, gold)| {
            let gold = read(gold, format)?;
            let bytes = read_page(&pair.page)?;
            let (page, source) = parse_with_source(&bytes, charset, None, &Limits::default());
            let url = gold.url.as_deref().unwrap_or_default();
            let own = Metadata::new(&page, &source, url);
            let mut said = vec![
                [own.title, own.author, own.date]
                    .map(|found| found.map(|Found { value, source }| (value, source.to_owned()))),
            ];
            for (_, pages) in others {
                let it = pages.get(&pair.name).cloned().unwrap_or_default();
                let of = |value: Option<String>| {
                    let value = value.filter(|value| !value.trim().is_empty());
                    value.map(|value| (value, String::new()))
                };
                said.push([of(it.title), of(it.author), of(it.date)]);
            }
            done();
            let is = |value: Option<String>| {
                let value = value.filter(|value| !value.trim().is_empty());
                value.map(|value| (value, String::new()))
            };
            let gold = gold.metadata;
            Ok(([is(gold.title), is(gold.author), is(gold.published)], said))
        })
        .collect::<Result<_, LabError>>()?;
    let names = ["trommel"]
        .into_iter()
        .chain(others.iter().map(|(name, _)| name.as_str()));
    let scores = names.enumerate().map(|(number, name)| {
        let mut score = MetadataScore {
            name: name.to_owned(),
            pages: pages.len(),
            ..MetadataScore::default()
        };
        for (gold, said) in &pages {
            for (field, it) in score.fields.iter_mut().enumerate() {
                let gold = gold[field].as_ref().map(|(value, _)| value.as_str());
                let said = said[number][field].as_ref();
                it.add(
                    field,
                    gold,
                    said.map(|(value, source)| (value.as_str(), source.as_str())),
                );
            }
        }
        score
    });
    Ok(scores.collect())
}

impl FieldScore {
    fn add(&mut self, field: usize, gold: Option<&str>, said: Option<(&str, &str)>) {
        let Some(gold) = gold else {
            self.none += 1;
            self.extra += usize::from(said.is_some());
            return;
        };
        self.gold += 1;
        let Some((value, source)) = said else { return };
        let is_right = is_right(field, gold, value);
        self.found += 1;
        self.right += usize::from(is_right);
        if !source.is_empty() {
            let (found, right) = self.by_source.entry(source.to_owned()).or_default();
            *found += 1;
            *right += usize::from(is_right);
        }
    }
}

/// Does a value mean what the gold standard's means?
fn is_right(field: usize, gold: &str, said: &str) -> bool {
    match FIELDS[field] {
        "date" => day(gold).is_some_and(|gold| day(said) == Some(gold)),
        _ => words(gold) == words(said),
    }
}

fn words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_right() {
        for (field, gold, said, expected) in [
            (0, "Rain: a story", "Rain \u{2013} A\u{a0}Story", true),
            (0, "Rain", "Rain | Garden", false),
            (1, "Ann Oak", "By Ann Oak", false),
            (1, "Ann Oak, Bo Elm", "Ann Oak & Bo Elm", true),
            (2, "2025-12-09", "2025-12-09T10:00:00Z", true),
            (2, "2025-12-09", "2025-12-10", false),
            (2, "soon", "soon", false),
        ] {
            assert_eq!(is_right(field, gold, said), expected, "{gold} {said}");
        }
        // Of four pages two have an author, of one the right one was found, and of one of the others one that is not there.
        let mut score = FieldScore::default();
        score.add(1, Some("a"), Some(("A", "meta")));
        score.add(1, Some("b"), None);
        score.add(1, None, Some(("c", "meta")));
        score.add(1, None, None);
        let counts = (
            score.gold,
            score.found,
            score.right,
            score.none,
            score.extra,
        );
        assert_eq!(counts, (2, 1, 1, 2, 1));
        assert_eq!(score.by_source["meta"], (1, 1));
    }
}
