//! Extractors against a gold standard, page by page.

use std::collections::BTreeMap;
use std::io;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use crate::gold::{self, Annotated, Format, Gold};
use crate::score::duplicates::{Uniqueness, uniqueness};
use crate::score::labels::{Confusion, Labelled};
use crate::score::{Counts, Summary, Text, TextMeasure, num_words};
use trommel_archive as collection;
use trommel_eval::measure::significance::{self, Test};
use trommel_extract::{Label, Labeler, Subject, TrainingPages, align};
use trommel_page::html::segment::Segmenter;
use trommel_page::html::{self, Charset, Limits};
use trommel_page::{Block, Segmentation, Tag};
use trommel_text::is_letter_or_digit;

use super::ExperimentError;

/// A page and its gold text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pair {
    /// The file's path inside its folder, without extension.
    pub name: String,
    /// The page.
    pub page: PathBuf,
    /// The gold text, unless there is none.
    pub gold: Option<PathBuf>,
}

/// How to score.
pub struct Options<'a> {
    /// What is scored.
    pub extractors: &'a [Labeler],
    /// The format of the gold files.
    pub format: Option<&'a Format>,
    /// How texts are measured.
    pub measures: &'a [&'static TextMeasure],
    /// On which blocks labels are scored; none leaves them out. Where the gold standard has no classes, its text is aligned to
    /// the page; blocks without letter or digit do not count then.
    pub segmenter: Option<&'a Segmenter>,
    /// How pages are decoded.
    pub charset: Charset,
    /// Number of the extractor that the others are compared with.
    pub baseline: Option<usize>,
    /// By which test.
    pub test: &'a Test,
    /// How many over-represented sentences are wanted.
    pub phrases: usize,
}

/// Seed of intervals and tests: fixed, so that the same data give the same digits.
pub(super) const SEED: u64 = 2010;
/// Level of the confidence intervals.
pub const LEVEL: f64 = 0.95;

/// The scores of all extractors.
#[derive(Debug, Clone, Default)]
pub struct Scores {
    /// Pages that were read.
    pub pages: usize,
    /// Names of the pages whose gold text is empty: they are left out of the measures on texts, and of those on labels where
    /// the labels come from the text.
    pub empty_gold: Vec<String>,
    /// What became of each extractor, in the order in which they were given.
    pub extractors: Vec<ExtractorScore>,
}

/// One extractor's scores.
#[derive(Debug, Clone)]
pub struct ExtractorScore {
    /// Its name.
    pub name: String,
    /// One for each measure, in the order in which they were given; none without a gold standard.
    pub texts: Vec<TextScore>,
    /// Scores of the labels on the blocks of the segmenter, every block counting 1; none without a gold standard.
    pub blocks: Option<Confusion>,
    /// The same, every block counting its words.
    pub block_words: Option<Confusion>,
    /// How much of the text recurs.
    pub uniqueness: Uniqueness,
    /// On how many of the pages it was trained: its figures on those are no test. None where its model does not say.
    pub seen_pages: Option<usize>,
}

/// The scores of one measure.
#[derive(Debug, Clone)]
pub struct TextScore {
    /// The measure's name.
    pub measure: &'static str,
    /// Name and counts of each page with a gold text.
    pub pages: Vec<(String, Counts)>,
    /// Averages.
    pub summary: Summary,
    /// Confidence interval of the macro F1 at [`LEVEL`].
    pub macro_f1_interval: RangeInclusive<f64>,
    /// Confidence interval of the micro F1.
    pub micro_f1_interval: RangeInclusive<f64>,
    /// Against the baseline; none for the baseline itself.
    pub comparison: Option<Comparison>,
}

/// A paired comparison of F1 on the same pages.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Comparison {
    /// Mean difference to the baseline.
    pub difference: f64,
    /// Two-sided p-value.
    pub p: f64,
    /// The same, corrected by Holm's method for all extractors that are compared by this measure.
    pub p_holm: f64,
    /// How many these are.
    pub family: usize,
    /// Cohen's d of the paired differences.
    pub effect_size: f64,
}

/// Pairs of page and gold text by name, in the order of their names. Without `gold` all pages; with it all gold texts.
///
/// # Errors
/// A folder that cannot be listed, and gold texts whose page is missing.
pub fn pairs(gold: Option<&Path>, pages: &Path) -> Result<Vec<Pair>, ExperimentError> {
    // What was named comes first: the folder of pages may have been made up from it.
    let gold = gold.map(files).transpose()?;
    let pages_by_name = files(pages)?;
    let Some(gold) = gold else {
        let pairs = pages_by_name.into_iter().map(|(name, page)| Pair {
            name,
            page,
            gold: None,
        });
        return Ok(pairs.collect());
    };
    let pair = |(name, gold): (String, PathBuf)| match pages_by_name.get(&name) {
        Some(page) => Ok(Pair {
            name,
            page: page.clone(),
            gold: Some(gold),
        }),
        None => Err(ExperimentError::NoPage {
            gold,
            pages: pages.to_owned(),
        }),
    };
    gold.into_iter().map(pair).collect()
}

/// The files of a folder by their path in it without extension.
fn files(folder: &Path) -> Result<BTreeMap<String, PathBuf>, ExperimentError> {
    if !folder.is_dir() {
        let error = io::Error::new(io::ErrorKind::NotFound, "no such directory");
        return Err(ExperimentError::file(folder, error));
    }
    let inputs = collection::inputs(&[folder.to_owned()])
        .map_err(|error| ExperimentError::file(folder, io::Error::other(error.to_string())))?;
    let by_name = inputs.into_iter().filter_map(|input| {
        let relative = PathBuf::from(input.relative?);
        let name = relative.with_extension("").to_string_lossy().into_owned();
        Some((name, input.path?))
    });
    Ok(by_name.collect())
}

/// Scores extractors on pages, in parallel. `done` is called after each page.
///
/// # Errors
/// A file that cannot be read.
pub fn score(
    pairs: &[Pair],
    options: &Options,
    done: &(dyn Fn() + Sync),
) -> Result<Scores, ExperimentError> {
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
        extractors: Vec::new(),
    };
    for (number, extractor) in options.extractors.iter().enumerate() {
        let of_extractor = || pages.iter().map(move |page| &page.extractors[number]);
        let confusion = |get: fn(&Outcome) -> Option<Confusion>| {
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

fn text_scores(pages: &[PageScore], extractor: usize, measures: &[&TextMeasure]) -> Vec<TextScore> {
    let measures = measures.iter().enumerate();
    measures
        .map(|(number, measure)| {
            let pages: Vec<(String, Counts)> = pages
                .iter()
                .filter(|page| !page.empty_gold)
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
        extractors[number].texts[measure].comparison = Some(Comparison {
            difference: compared.difference,
            p: compared.p,
            p_holm: corrected.p,
            family: corrected.family,
            effect_size: compared.effect_size,
        });
    }
}

struct PageScore {
    name: String,
    fingerprint: Option<u64>,
    empty_gold: bool,
    extractors: Vec<Outcome>,
}

struct Outcome {
    texts: Vec<Counts>,
    blocks: Option<Confusion>,
    block_words: Option<Confusion>,
    text: String,
}

/// Reads a gold text. They have encodings of their own, and GN1's are pages.
///
/// # Errors
/// A file that cannot be read, or is of another format.
pub(super) fn read_gold(path: &Path, format: &Format) -> Result<Gold, ExperimentError> {
    let bytes = std::fs::read(path).map_err(|error| ExperimentError::file(path, error))?;
    match gold::mistaken(format, &bytes) {
        None => Ok((format.read)(&bytes, Charset::Auto)),
        Some(found) => Err(ExperimentError::GoldFormat {
            path: path.to_owned(),
            asked: format.name,
            found,
        }),
    }
}

fn score_page(pair: &Pair, options: &Options) -> Result<PageScore, ExperimentError> {
    let read =
        |path: &Path| std::fs::read(path).map_err(|error| ExperimentError::file(path, error));
    let gold: Option<Gold> = match (options.format, &pair.gold) {
        (Some(format), Some(path)) => Some(read_gold(path, format)?),
        _ => None,
    };
    let page = html::parse(
        &read(&pair.page)?,
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
        Outcome {
            texts,
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
    })
}

/// Whether each block is content by a gold text. None for blocks without letter or digit: gold texts lack the bars between the
/// items of a content block (`Home | About`), so alignment says nothing of them.
fn aligned_labels(subject: &Subject, blocks: &Segmentation, gold: &str) -> Vec<Option<bool>> {
    let content = align::content(subject.page, blocks, gold);
    let labels = blocks.blocks.iter().zip(content);
    labels
        .map(|(block, content)| block.text.contains(is_letter_or_digit).then_some(content))
        .collect()
}

/// Whether each block is content: at least half of its words stand in leaves of a content class. Of a block without words,
/// such as a full stop behind a link, the leaves decide.
fn gold_labels(
    annotated: &Annotated,
    subject: &Subject,
    blocks: &Segmentation,
) -> Vec<Option<bool>> {
    // Words and leaves of content and of the rest: what has no words is compared by its leaves.
    let mut words = vec![((0, 0), (0, 0)); blocks.blocks.len()];
    for (leaf, block) in blocks.block_of_leaf.iter().enumerate() {
        let Some(block) = block else { continue };
        let (content, other) = &mut words[*block as usize];
        let place = if annotated.classes[leaf].is_content() {
            content
        } else {
            other
        };
        place.0 += subject.leaf_words()[leaf];
        place.1 += 1;
    }
    words
        .into_iter()
        .map(|(content, other)| {
            let none = content.0 + other.0 == 0;
            let (content, other) = if none {
                (content.1, other.1)
            } else {
                (content.0, other.0)
            };
            Some(content > 0 && content >= other)
        })
        .collect()
}

/// Counts the blocks of which the gold standard says something.
fn confusions(
    blocks: &Segmentation,
    gold: &[Option<bool>],
    labels: &[Label],
) -> (Confusion, Confusion) {
    let labelled = |weight: fn(&Block) -> u64| {
        let blocks = blocks.blocks.iter().zip(gold).zip(labels);
        Confusion::of(blocks.filter_map(|((block, gold), label)| {
            Some(Labelled {
                gold: (*gold)?,
                verdict: *label == Label::Content,
                weight: weight(block),
            })
        }))
    };
    (
        labelled(|_| 1),
        labelled(|block| u64::from(block.num_words)),
    )
}

/// The text of an extractor: that of its content blocks on its own segmenter, a line each.
pub fn extracted(extractor: &Labeler, subject: &Subject) -> Text {
    let mut text = Text::default();
    for block in extractor.content(subject) {
        text.plain.push_str(&block.text);
        text.plain.push('\n');
        text.marked.extend_from_slice(match block.tag {
            Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6 => b"<h>",
            Tag::Li | Tag::Dt | Tag::Dd => b"<l>",
            _ => b"<p>",
        });
        text.marked.extend_from_slice(block.text.as_bytes());
        text.marked.push(b'\n');
    }
    text
}
