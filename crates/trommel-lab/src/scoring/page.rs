//! Extractors on one page.

use trommel_extract::{Subject, TrainingPages};
use trommel_page::html::{self, Limits};

use super::extracted::extracted;
use super::gold_labels::{aligned_labels, confusions, gold_labels};
use super::options::ScoreOptions;
use crate::LabError;
use crate::gold::{self, Gold, Pair};
use crate::score::labels::Confusion;
use crate::score::{Counts, num_words, snippets_found};

/// What came of all extractors on a page.
pub(super) struct PageScore {
    pub name: String,
    pub fingerprint: Option<u64>,
    pub empty_gold: bool,
    pub page_type: Option<String>,
    pub extractors: Vec<OnPage>,
}

/// What came of one extractor on a page.
pub(super) struct OnPage {
    pub texts: Vec<Counts>,
    pub blocks: Option<Confusion>,
    pub block_words: Option<Confusion>,
    pub text: String,
    /// Shares of the snippets that stand in it and should, and that do not and should not; none without such snippets.
    pub snippets: [Option<f64>; 2],
}

pub(super) fn score_page(pair: &Pair, options: &ScoreOptions) -> Result<PageScore, LabError> {
    let gold: Option<Gold> = match (options.format, &pair.gold) {
        (Some(format), Some(path)) => Some(gold::read(path, format)?),
        _ => None,
    };
    let page = html::parse(
        &gold::read_page(&pair.page)?,
        options.charset,
        None,
        &Limits::default(),
    );
    let url = gold
        .as_ref()
        .and_then(|gold| gold.url.as_deref())
        .unwrap_or_default();
    let subject = Subject::new(&page, &pair.name, url);
    let empty_gold = gold
        .as_ref()
        .is_some_and(|gold| num_words(&gold.text.plain) == 0);
    let annotated = gold.as_ref().and_then(|gold| gold.annotated.as_ref());
    let annotated_subject =
        annotated.map(|annotated| Subject::new(&annotated.page, &pair.name, url));
    // The page on which labels are compared, and which of its blocks are content.
    let gold_blocks = match (&gold, options.segmenter) {
        (Some(gold), Some(segmenter)) => {
            let subject = annotated_subject.as_ref().unwrap_or(&subject);
            let blocks = subject.blocks(segmenter);
            let labels = match annotated {
                Some(annotated) => Some(gold_labels(annotated, subject, blocks)),
                None if empty_gold => None,
                None => Some(aligned_labels(subject, blocks, &gold.text.plain)),
            };
            labels.map(|labels| (subject, segmenter, blocks, labels))
        }
        _ => None,
    };
    let extractors = options.extractors.iter().map(|extractor| {
        let text = extracted(extractor, &subject);
        let texts = gold.as_ref().map_or(Vec::new(), |gold| {
            let measures = options.measures.iter();
            measures
                .map(|measure| (measure.compare)(&text, &gold.text))
                .collect()
        });
        let labels = gold_blocks
            .as_ref()
            .map(|(subject, segmenter, blocks, gold)| {
                confusions(blocks, gold, &extractor.labels(subject, segmenter))
            });
        let snippets = gold.as_ref().map_or([None; 2], |gold| {
            let share = |snippets: &[String], found: usize| {
                (!snippets.is_empty()).then(|| found as f64 / snippets.len() as f64)
            };
            let (with, without) = (&gold.snippets.with, &gold.snippets.without);
            let found = |snippets| snippets_found(&text.plain, snippets);
            [
                share(with, found(with)),
                share(without, without.len() - found(without)),
            ]
        });
        OnPage {
            texts,
            snippets,
            blocks: labels.map(|(blocks, _)| blocks),
            block_words: labels.map(|(_, words)| words),
            text: text.plain,
        }
    });
    Ok(PageScore {
        name: pair.name.clone(),
        fingerprint: TrainingPages::fingerprint(&page),
        extractors: extractors.collect(),
        empty_gold,
        page_type: gold.and_then(|gold| gold.page_type),
    })
}
