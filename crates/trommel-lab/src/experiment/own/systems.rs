//! Whose texts are compared: the own remover's by models that have not seen the page, and others'.

use std::collections::BTreeMap;
use std::path::Path;

use rayon::prelude::*;
use serde::Deserialize;
use trommel_extract::own::{Paragraph, decide};
use trommel_extract::{self as extractor, Extractor, Subject};
use trommel_page::html::{self, Limits};

use super::held_out::Probabilities;
use super::settings::{OwnSettings, charset};
use crate::LabError;
use crate::experiment::Definition;
use crate::gold::read_page;
use crate::score::{Counts, Text};
use crate::scoring::extracted;
use crate::training::own::{Corpus, LearningPage};

/// Extractors with built-in models.
const LEARNT: [&str; 2] = ["trommel", "web2text"];

/// The first of the systems that are not the own remover and its bounds.
pub(super) const HELD_OUT: usize = 4;

/// What gave texts, with its counts on each page, one for each time that it was asked; none for pages that do not count.
pub(super) struct System {
    pub name: String,
    pub pages: Vec<Vec<Counts>>,
}

pub(super) fn systems(
    definition: &Definition,
    settings: &OwnSettings,
    corpora: &[Corpus],
    pages: &[LearningPage],
    rounds: &[Vec<Probabilities>],
) -> Result<Vec<System>, LabError> {
    let counts = |page: &LearningPage, text: &Text| (page.measure().compare)(text, &page.gold);
    let own = |name: &str, text: &(dyn Fn(&LearningPage, &Probabilities) -> Text + Sync)| {
        let of_page = |(number, page): (usize, &LearningPage)| {
            let rounds = rounds.iter().filter(|_| page.is_measured());
            let texts = rounds.map(|round| text(page, &round[number]));
            texts.map(|text| counts(page, &text)).collect()
        };
        System {
            name: name.to_owned(),
            pages: pages.par_iter().enumerate().map(of_page).collect(),
        }
    };
    let mut systems = vec![
        own("trommel, held out", &|page, of| decided(page, &of.main)),
        own("trommel:comments=yes, held out", &|page, of| {
            decided(page, &of.with_comments)
        }),
        own("each paragraph by itself at 0.5, held out", &|page, of| {
            kept(page, of.main.iter().map(|share| *share >= 0.5))
        }),
        own("all that the labels would keep", &|page, _| {
            kept(page, page.paragraphs.iter().map(|of| of.main >= 0.5))
        }),
    ];
    let names = settings.extractors.iter().map(String::as_str);
    let mut extractors = extractor::parse_all(names)?;
    // The models that are built in were learnt from these pages.
    extractors.retain(|extractor| !LEARNT.contains(&extractor.row.name));
    let charset = charset(settings)?;
    let of_page = |page: &LearningPage| -> Result<Option<Vec<Counts>>, LabError> {
        if !page.is_measured() || extractors.is_empty() {
            return Ok(page.is_measured().then(Vec::new));
        }
        let bytes = read_page(&page.path)?;
        let parsed = html::parse(&bytes, charset, None, &Limits::default());
        let subject = Subject::new(&parsed, &page.name, "");
        let text = |extractor: &Extractor| counts(page, &extracted(extractor, &subject));
        Ok(Some(extractors.iter().map(text).collect()))
    };
    let others: Vec<Option<Vec<Counts>>> =
        pages.par_iter().map(of_page).collect::<Result<_, _>>()?;
    for (number, extractor) in extractors.iter().enumerate() {
        systems.push(System {
            name: extractor.name.clone(),
            pages: others
                .iter()
                .map(|counts| counts.iter().map(|counts| counts[number]).collect())
                .collect(),
        });
    }
    for name in &settings.outputs {
        let texts = outputs(definition.input(name)?, corpora)?;
        let text = |page: &LearningPage| {
            let plain = texts[page.corpus].get(&page.name).cloned();
            Text {
                plain: plain.unwrap_or_default(),
                marked: Vec::new(),
            }
        };
        systems.push(System {
            name: name.clone(),
            pages: pages
                .par_iter()
                .map(|page| {
                    let page = page.is_measured().then_some(page);
                    page.map(|page| counts(page, &text(page)))
                        .into_iter()
                        .collect()
                })
                .collect(),
        });
    }
    Ok(systems)
}

#[derive(Deserialize)]
struct Output {
    docid: String,
    text: String,
}

/// For each corpus the texts by the pages' names that another tool gave; none of a corpus without a file.
fn outputs(folder: &Path, corpora: &[Corpus]) -> Result<Vec<BTreeMap<String, String>>, LabError> {
    let of = |corpus: &Corpus| {
        let path = folder.join(format!("{}.jsonl", corpus.name));
        if !path.exists() {
            return Ok(BTreeMap::new());
        }
        let text = std::fs::read_to_string(&path).map_err(|error| LabError::file(&path, error))?;
        let line = |(number, line): (usize, &str)| {
            let output: Output = serde_json::from_str(line).map_err(|error| {
                let path = path.display();
                LabError::Definition(format!("{path}, line {}: {error}", number + 1))
            })?;
            Ok((output.docid, output.text))
        };
        text.lines().enumerate().map(line).collect()
    };
    corpora.iter().map(of).collect()
}

/// The text of the paragraphs that are kept.
fn kept(page: &LearningPage, kept: impl IntoIterator<Item = bool>) -> Text {
    let mut text = Text::default();
    for (paragraph, kept) in page.paragraphs.iter().zip(kept) {
        if kept {
            text.plain.push_str(&paragraph.text);
            text.plain.push('\n');
        }
    }
    text
}

/// The text of what the extractor decides to keep.
pub(super) fn decided(page: &LearningPage, probabilities: &[f32]) -> Text {
    let paragraphs = page.paragraphs.iter().zip(probabilities);
    let paragraphs: Vec<Paragraph> = paragraphs
        .map(|(paragraph, probability)| Paragraph {
            words: paragraph.words,
            is_title: paragraph.is_title,
            probability: *probability,
        })
        .collect();
    kept(page, decide(&paragraphs))
}
