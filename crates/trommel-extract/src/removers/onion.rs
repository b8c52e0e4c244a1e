//! Onion, "one instance only": drops paragraphs that consist of text seen before in the collection.
//!
//! Source: J. Pomikálek, *Removing Boilerplate and Duplicate Content from Web Corpora*, PhD thesis, Brno 2011; his program
//! onion 1.0 (`onion.c`), whose procedure and defaults these are; GoldMiner §II.D runs it after jusText. A base remover
//! says what is content. Of the paragraphs that it keeps, page by page in input order: a token is bad if it stands in an
//! n-gram that ended earlier in the page, or in a paragraph kept of an earlier page; a paragraph is bad if more than the
//! threshold of its tokens are. Smoothing then drops stubs: kept paragraphs between two bad ones (or the ends of the page)
//! of so few tokens in sum. N-grams cross the bounds of paragraphs but not of pages.
//!
//! Where the original marks pages on the way, [`Learner`] writes a model, so that pages can be labelled one by one, in any
//! order: the n-grams that are kept on one page and stand on another, each with the first page that keeps it. A page's own
//! n-grams are not held against it, and that gives the verdicts of the original: a paragraph with an n-gram that only a
//! later page was the first to keep was dropped anyway, and counting more of its tokens as bad changes nothing.
//!
//! `same-page=no` lets a page repeat itself: the outputs that the authors of GoldMiner published keep such paragraphs.
//!
//! Deviations. Tokens are delimited by white space; the original leaves tokenizing to another program. "More than" is
//! exact on integers. Hashes are FNV-1a and not Buzhash. The original's `-n` sizes the n-grams, but bad tokens are counted
//! with its compiled-in 5 whatever `-n` says; here with n. A docid that comes twice counts as one page, the first. Of a page
//! that was not among those learnt from, only text that recurs among those is known.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use trommel_page::Segmentation;
use trommel_page::html::segment;
use trommel_text::{Decimal, Fnv1a, fnv1a, tokens_of_white_space};

use crate::{
    Base, Bases, ExtractorError, ExtractorRow, Label, Learner, LearnerRow, Make, ModelKind,
    Parameter, Subject, Takes,
};

/// What decides on content before Onion does: jusText, as in GoldMiner §II.D.
const BASE: &str = "justext";
/// The blocks that are paragraphs.
const PARAGRAPHS: &str = "paragraph";

const MODEL: ModelKind = ModelKind {
    name: "onion",
    version: 1,
};

pub(super) const ROW: ExtractorRow = ExtractorRow {
    name: "onion",
    summary: "the paragraphs of a base remover without those seen before in the collection",
    source: "Pomikálek 2011; onion 1.0; GoldMiner §II.D",
    segmenter: Some(PARAGRAPHS),
    takes: Takes::Model,
    make: Make::Based(|arguments, bases| {
        let model: Model = MODEL.read(&arguments.path)?;
        let onion = Onion::new(model.options, bases)?;
        let mut first: HashMap<u64, u64> = HashMap::new();
        for page in model.pages {
            first.extend(page.ngrams.iter().map(|ngram| (*ngram, page.docid)));
        }
        Ok(Box::new(move |subject, blocks| {
            let own = fnv1a(subject.docid.as_bytes());
            let seen = |ngram: u64| first.get(&ngram).is_some_and(|docid| *docid != own);
            onion.label(subject, blocks, seen).0
        }))
    }),
};

pub(super) const LEARNER: LearnerRow = LearnerRow {
    name: "onion",
    summary: "text that recurs on several pages (Pomikálek 2011)",
    takes: Takes::Parameters(&[
        Parameter {
            name: "n",
            default: "5",
            summary: "words in an n-gram, 1 to 100",
        },
        Parameter {
            name: "threshold",
            default: "0.5",
            summary: "share of seen words above which a paragraph is dropped, 0 to 1",
        },
        Parameter {
            name: "granularity",
            default: "paragraph",
            summary: "what is dropped: paragraph or page",
        },
        Parameter {
            name: "stub",
            default: "20",
            summary: "words up to which what is left between dropped paragraphs is dropped too; 0 for none",
        },
        Parameter {
            name: "same-page",
            default: "yes",
            summary: "does what stands earlier on the same page count as seen: yes or no",
        },
        Parameter {
            name: "base",
            default: BASE,
            summary: "the extractor that decides before; with parameters of its own it stands last",
        },
    ]),
    make: |arguments, bases| {
        let options = Options {
            n: arguments.get("n")?,
            threshold: arguments.get("threshold")?,
            granularity: arguments.get("granularity")?,
            stub: arguments.get("stub")?,
            same_page: arguments.get("same-page")?,
            base: arguments.get("base")?,
        };
        Ok(Box::new(Learning {
            onion: Onion::new(options, bases)?,
            pages: Vec::new(),
            docids: HashSet::new(),
            ngrams: HashMap::new(),
        }))
    },
};

/// What Onion was told, kept in the model so that pages are labelled by what was learnt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Options {
    n: usize,
    threshold: Decimal,
    granularity: Granularity,
    stub: u64,
    same_page: SamePage,
    base: String,
}

/// Does what stands earlier on the same page count as seen?
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum SamePage {
    Yes,
    No,
}

impl FromStr for SamePage {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "yes" => Ok(SamePage::Yes),
            "no" => Ok(SamePage::No),
            _ => Err("there are: yes, no".to_owned()),
        }
    }
}

/// What is dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Granularity {
    Paragraph,
    Page,
}

impl FromStr for Granularity {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "paragraph" => Ok(Granularity::Paragraph),
            "page" => Ok(Granularity::Page),
            _ => Err("there are: paragraph, page".to_owned()),
        }
    }
}

impl fmt::Display for Granularity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Granularity::Paragraph => "paragraph",
            Granularity::Page => "page",
        })
    }
}

#[derive(Serialize, Deserialize)]
struct Model {
    options: Options,
    /// Pages that are the first to keep something that recurs.
    pages: Vec<FirstPage>,
}

#[derive(Serialize, Deserialize)]
struct FirstPage {
    /// Fingerprint of the docid.
    docid: u64,
    /// Hashes of the n-grams that this page keeps first, ascending.
    ngrams: Vec<u64>,
}

struct Onion {
    options: Options,
    base: Base,
}

/// A paragraph or page that the base remover keeps.
struct Paragraph {
    tokens: u64,
    bad: bool,
    /// The n-grams that end in it.
    ngrams: Vec<u64>,
}

impl Onion {
    fn new(options: Options, bases: &Bases) -> Result<Onion, ExtractorError> {
        let wrong = |parameter, value: &dyn fmt::Display, why: &str| ExtractorError::Value {
            parameter,
            value: value.to_string(),
            why: why.to_owned(),
        };
        if !(1..=100).contains(&options.n) {
            return Err(wrong("n", &options.n, "from 1 to 100"));
        }
        if options.threshold > Decimal::whole(1) {
            return Err(wrong("threshold", &options.threshold, "from 0 to 1"));
        }
        let name = options.base.split(':').next();
        if name == Some(ROW.name) {
            return Err(wrong("base", &options.base, "Onion cannot stand on itself"));
        }
        let base = bases(&options.base, PARAGRAPHS)?;
        Ok(Onion { options, base })
    }

    /// Labels for the paragraphs of a page, and what was seen in those that the base remover keeps. `seen` tells the n-grams
    /// that earlier pages kept.
    fn label(
        &self,
        subject: &Subject,
        blocks: &Segmentation,
        seen: impl Fn(u64) -> bool,
    ) -> (Vec<Label>, Vec<Paragraph>) {
        let mut labels = (self.base.label)(subject, blocks);
        let kept: Vec<usize> = (0..labels.len())
            .filter(|i| labels[*i] == Label::Content)
            .collect();
        let text_of = |i: &usize| blocks.blocks[*i].text.as_str();
        let texts: Vec<Vec<&str>> = match self.options.granularity {
            Granularity::Paragraph => kept.iter().map(|i| vec![text_of(i)]).collect(),
            Granularity::Page => vec![kept.iter().map(text_of).collect()],
        };
        let mut paragraphs = self.paragraphs(&texts, seen);
        smooth(&mut paragraphs, self.options.stub);
        for (position, i) in kept.into_iter().enumerate() {
            let of = match self.options.granularity {
                Granularity::Paragraph => position,
                Granularity::Page => 0,
            };
            labels[i] = Label::content_if(!paragraphs[of].bad);
        }
        (labels, paragraphs)
    }

    fn paragraphs(&self, texts: &[Vec<&str>], seen: impl Fn(u64) -> bool) -> Vec<Paragraph> {
        let n = self.options.n;
        let same_page = self.options.same_page == SamePage::Yes;
        let mut on_page = HashSet::new();
        // Fingerprints of all tokens of the page so far.
        let mut tokens: Vec<u64> = Vec::new();
        let paragraph = |parts: &Vec<&str>| {
            let start = tokens.len();
            // Tokens up to this one are counted.
            let mut counted = start;
            let mut bad_tokens = 0;
            let mut ngrams = Vec::new();
            for token in parts.iter().flat_map(|part| tokens_of_white_space(part)) {
                tokens.push(fnv1a(token.as_bytes()));
                let Some(begin) = tokens.len().checked_sub(n) else {
                    continue;
                };
                let ngram = tokens[begin..]
                    .iter()
                    .fold(Fnv1a::new(), |hash, token| hash.push(&token.to_le_bytes()))
                    .finish();
                let repeated = same_page && !on_page.insert(ngram);
                if repeated || seen(ngram) {
                    bad_tokens += tokens.len() - counted.max(begin);
                    counted = tokens.len();
                }
                ngrams.push(ngram);
            }
            let share = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
            let total = tokens.len() - start;
            let threshold = self.options.threshold;
            Paragraph {
                tokens: total as u64,
                bad: total > 0
                    && threshold
                        .cmp_quotient(share(bad_tokens), share(total))
                        .is_gt(),
                ngrams,
            }
        };
        texts.iter().map(paragraph).collect()
    }
}

/// Drops what is left between bad paragraphs, or a bad one and an end of the page, if it has at most so many tokens.
fn smooth(paragraphs: &mut [Paragraph], stub: u64) {
    if stub == 0 {
        return;
    }
    let (mut begin, mut tokens) = (0, 0);
    for end in 0..=paragraphs.len() {
        match paragraphs.get(end) {
            Some(paragraph) if !paragraph.bad => tokens += paragraph.tokens,
            _ => {
                if tokens <= stub {
                    paragraphs[begin..end].iter_mut().for_each(|p| p.bad = true);
                }
                (begin, tokens) = (end + 1, 0);
            }
        }
    }
}

struct Learning {
    onion: Onion,
    /// Fingerprints of the docids, in input order.
    pages: Vec<u64>,
    docids: HashSet<u64>,
    /// For each n-gram that is kept: the first page that does, and whether it stands on another.
    ngrams: HashMap<u64, (u32, bool)>,
}

impl Learner for Learning {
    fn add(&mut self, subject: &Subject) {
        let docid = fnv1a(subject.docid.as_bytes());
        if !self.docids.insert(docid) {
            return;
        }
        let number = self.pages.len() as u32;
        self.pages.push(docid);
        let Some(segmenter) = segment::by_name(PARAGRAPHS) else {
            return;
        };
        let seen = |ngram: u64| self.ngrams.contains_key(&ngram);
        let (_, paragraphs) = self.onion.label(subject, subject.blocks(segmenter), seen);
        for paragraph in paragraphs {
            for ngram in paragraph.ngrams {
                if let Some((page, recurs)) = self.ngrams.get_mut(&ngram) {
                    *recurs |= *page != number;
                } else if !paragraph.bad {
                    self.ngrams.insert(ngram, (number, false));
                }
            }
        }
    }

    fn finish(self: Box<Self>) -> Result<String, ExtractorError> {
        let mut kept: Vec<(u32, u64)> = self
            .ngrams
            .iter()
            .filter(|(_, (_, recurs))| *recurs)
            .map(|(ngram, (page, _))| (*page, *ngram))
            .collect();
        kept.sort_unstable();
        let learnt = format!(
            "{} n-grams that recur, of {} on {} pages",
            kept.len(),
            self.ngrams.len(),
            self.pages.len()
        );
        let pages = kept
            .chunk_by(|a, b| a.0 == b.0)
            .map(|group| FirstPage {
                docid: self.pages[group[0].0 as usize],
                ngrams: group.iter().map(|(_, ngram)| *ngram).collect(),
            })
            .collect();
        let options = self.onion.options;
        MODEL.write(&learnt, &Model { options, pages })
    }
}
