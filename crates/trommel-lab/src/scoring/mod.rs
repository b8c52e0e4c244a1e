//! Extractors against a gold standard, page by page.

mod extracted;
mod gold_labels;
mod metadata;
mod options;
mod page;
mod scores;

use rayon::prelude::*;
use trommel_eval::measure::significance::{self, Test};

use self::page::{OnPage, PageScore, score_page};
use crate::LabError;
use crate::gold::Pair;
use crate::score::duplicates::uniqueness;
use crate::score::labels::Confusion;
use crate::score::{Counts, Summary, TextMeasure};

pub use extracted::extracted;
pub use metadata::{FIELDS, FieldScore, MetadataScore, Said, score_metadata};
pub use options::ScoreOptions;
pub use scores::{ExtractorScore, F1Comparison, LEVEL, Scores, SnippetScore, TextScore};

/// Seed of intervals and tests: fixed, so that the same data give the same digits.
pub(crate) const SEED: u64 = 2010;

/// Scores extractors on pages, in parallel. `done` is called after each page.
///
/// # Errors
/// A file that cannot be read.
pub fn score(
    pairs: &[Pair],
    options: &ScoreOptions,
    done: &(dyn Fn() + Sync),
) -> Result<Scores, LabError> {
    let pages: Vec<PageScore> = pairs
        .par_iter()
        .map(|pair| {
            let page = score_page(pair, options);
            done();
            page
        })
        .collect::<Result<_, _>>()?;
    let is_empty = |page: &&PageScore| page.empty_gold;
    let mut scores = Scores {
        pages: pages.len(),
        empty_gold: pages
            .iter()
            .filter(is_empty)
            .map(|page| page.name.clone())
            .collect(),
        page_types: pages
            .iter()
            .filter_map(|page| Some((page.name.clone(), page.page_type.clone()?)))
            .collect(),
        extractors: Vec::new(),
    };
    for (number, extractor) in options.extractors.iter().enumerate() {
        let of_extractor = || pages.iter().map(move |page| &page.extractors[number]);
        let confusion = |get: fn(&OnPage) -> Option<Confusion>| {
            of_extractor().filter_map(get).reduce(Confusion::plus)
        };
        scores.extractors.push(ExtractorScore {
            name: extractor.name.clone(),
            texts: match options.format {
                None => Vec::new(),
                Some(_) => text_scores(&pages, number, options.measures),
            },
            blocks: confusion(|outcome| outcome.blocks),
            block_words: confusion(|outcome| outcome.block_words),
            uniqueness: uniqueness(
                of_extractor().map(|outcome| outcome.text.as_str()),
                options.phrases,
            ),
            snippets: snippets(of_extractor()),
            seen_pages: match extractor.arguments.trained_on.pages() {
                None => Some(0),
                Some(known) if known.is_empty() => None,
                Some(known) => {
                    let seen = |page: &&PageScore| known.contains(page.fingerprint);
                    Some(pages.iter().filter(seen).count())
                }
            },
        });
    }
    if let Some(baseline) = options.baseline {
        compare(&mut scores.extractors, baseline, options.test);
    }
    Ok(scores)
}

fn snippets<'a>(pages: impl Iterator<Item = &'a OnPage>) -> Option<SnippetScore> {
    let (mut sums, mut numbers) = ([0.0f64; 2], [0.0f64; 2]);
    for page in pages {
        for (kind, share) in page.snippets.iter().enumerate() {
            if let Some(share) = share {
                sums[kind] += share;
                numbers[kind] += 1.0;
            }
        }
    }
    (numbers[0] + numbers[1] > 0.0).then(|| SnippetScore {
        with: sums[0] / numbers[0].max(1.0),
        without: sums[1] / numbers[1].max(1.0),
    })
}

fn text_scores(pages: &[PageScore], extractor: usize, measures: &[&TextMeasure]) -> Vec<TextScore> {
    let measures = measures.iter().enumerate();
    measures
        .map(|(number, measure)| {
            let pages: Vec<(String, Counts)> = pages
                .iter()
                .filter(|page| measure.counts_empty_gold || !page.empty_gold)
                .map(|page| (page.name.clone(), page.extractors[extractor].texts[number]))
                .collect();
            let counts: Vec<Counts> = pages.iter().map(|(_, counts)| *counts).collect();
            let f1: Vec<f64> = counts.iter().map(Counts::f1).collect();
            let n = counts.len();
            TextScore {
                measure: measure.name,
                pages,
                summary: Summary::of(&counts),
                macro_f1_interval: significance::bootstrap(n, LEVEL, SEED, |drawn| {
                    drawn.iter().map(|page| f1[*page]).sum::<f64>() / n as f64
                }),
                micro_f1_interval: significance::bootstrap(n, LEVEL, SEED, |drawn| {
                    drawn.iter().map(|page| counts[*page]).sum::<Counts>().f1()
                }),
                comparison: None,
            }
        })
        .collect()
}

/// Compares the F1 of pages with the baseline's, measure by measure.
fn compare(extractors: &mut [ExtractorScore], baseline: usize, test: &Test) {
    let measures = extractors.get(baseline).map_or(0, |base| base.texts.len());
    let f1 = |score: &ExtractorScore, measure: usize| -> Vec<f64> {
        let pages = score.texts[measure].pages.iter();
        pages.map(|(_, counts)| counts.f1()).collect()
    };
    let mut compared = Vec::new();
    for measure in 0..measures {
        let base = f1(&extractors[baseline], measure);
        for number in (0..extractors.len()).filter(|number| *number != baseline) {
            let other = f1(&extractors[number], measure);
            compared.push((
                (measure, number),
                significance::compare(&base, &other, test, SEED),
            ));
        }
    }
    let tested = compared.iter().map(|((measure, _), it)| (*measure, it.p));
    let corrected = significance::corrected(&tested.collect::<Vec<_>>());
    for (((measure, number), compared), corrected) in compared.into_iter().zip(corrected) {
        extractors[number].texts[measure].comparison = Some(F1Comparison {
            difference: compared.difference,
            p: compared.p,
            p_holm: corrected.p,
            family: corrected.family,
            effect_size: compared.effect_size,
        });
    }
}
