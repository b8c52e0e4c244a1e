//! Pages of gold standards as the own remover learns from them, and as it is measured on them.

use std::path::{Path, PathBuf};

use rayon::prelude::*;
use trommel_archive::{self as collection, Item};
use trommel_extract::TrainingPages;
use trommel_extract::align::{self, Aligned};
use trommel_extract::feature::own::{self, Row};
use trommel_extract::own::Convention;
use trommel_page::html::{self, Charset, Limits, segment};
use trommel_page::{Leaf, Page, Segmentation, Tag};
use trommel_text::fnv1a;

use super::corpus::Corpus;
use super::shingles::shingles;
use super::site::site_of;
use crate::LabError;
use crate::gold::{self, Class, Gold, Pair, Snippets};
use crate::score::{self, Text, TextMeasure, num_words};

/// A page with its paragraphs.
pub struct LearningPage {
    /// The number of its corpus.
    pub corpus: usize,
    /// The name of its files.
    pub name: String,
    /// Its file, or the one that it stands in.
    pub path: PathBuf,
    /// The site that it comes from.
    pub site: String,
    /// A hash of its file.
    pub markup: u64,
    /// What it is known again by.
    pub fingerprint: Option<u64>,
    /// Hashes of its gold text's shingles, the least ones.
    pub shingles: Vec<u64>,
    /// Its gold text; of a page without words nothing is learnt, nor is it measured but by a measure that counts such pages.
    pub gold: Text,
    /// What the gold standard takes for main content.
    pub convention: Convention,
    /// What kind of page it is, where the gold standard says it.
    pub page_type: Option<String>,
    /// Pieces of text that must and must not be kept, where the gold standard has any.
    pub snippets: Snippets,
    /// The paragraphs.
    pub paragraphs: Vec<LearningParagraph>,
    /// For each paragraph the values of its features, one after the other.
    pub features: Vec<f32>,
}

/// A paragraph with its labels.
pub struct LearningParagraph {
    /// Its text.
    pub text: String,
    /// Its words as the features count them.
    pub words: f32,
    /// Is it the page's title?
    pub is_title: bool,
    /// How much of it counts in learning.
    pub weight: f32,
    /// What the gold text takes for main content.
    pub convention: Convention,
    /// Share of its characters that stand in the gold text, comments aside.
    pub main: f32,
    /// Share that stands in the comments; none where the corpus does not tell.
    pub comments: Option<f32>,
    /// Share that stands in related content; none where the corpus does not tell.
    pub related: Option<f32>,
}

impl LearningParagraph {
    /// [`Self::main`], if the gold standard is of this convention.
    pub fn main_of(&self, convention: Convention) -> Option<f32> {
        (self.convention == convention).then_some(self.main)
    }
}

impl LearningPage {
    /// The features of a paragraph.
    pub fn row(&self, paragraph: usize) -> Row<'_> {
        let width = self.features.len() / self.paragraphs.len().max(1);
        Row {
            words: self.paragraphs[paragraph].words,
            is_title: self.paragraphs[paragraph].is_title,
            values: &self.features[paragraph * width..(paragraph + 1) * width],
        }
    }

    /// How what is kept of it is measured: by [`Convention::Main`] as WCXB does, else by the bag of words.
    pub fn measure(&self) -> &'static TextMeasure {
        let name = match self.convention {
            Convention::Article => "words",
            Convention::Main => "wcxb",
        };
        score::by_name(name).unwrap_or(&score::all()[0])
    }

    /// Is it measured?
    pub fn is_measured(&self) -> bool {
        self.counts() || self.measure().counts_empty_gold
    }

    /// Has it gold words?
    pub fn counts(&self) -> bool {
        num_words(&self.gold.plain) > 0
    }
}

/// The pages of all corpora, one corpus after the other.
///
/// # Errors
/// Files that cannot be read.
pub fn learning_pages(
    corpora: &[Corpus],
    charset: Charset,
    done: &(dyn Fn() + Sync),
) -> Result<Vec<LearningPage>, LabError> {
    let mut pages = Vec::new();
    for (number, corpus) in corpora.iter().enumerate() {
        pages.extend(match &corpus.collection {
            None => read(corpus, number, charset, done)?,
            Some(path) => read_collection(corpus, number, path, charset, done)?,
        });
    }
    Ok(pages)
}

/// Reads the pages of a corpus, in the order of their names. `done` is called after each page.
///
/// # Errors
/// A file that cannot be read.
fn read(
    corpus: &Corpus,
    number: usize,
    charset: Charset,
    done: &(dyn Fn() + Sync),
) -> Result<Vec<LearningPage>, LabError> {
    let pages = corpus.pairs.par_iter().map(|pair| {
        let page = read_page(corpus, number, pair, charset);
        done();
        page
    });
    pages.collect()
}

/// Reads the pages of a collection for which there is no gold standard, in their order. What is no page is left out.
///
/// # Errors
/// An input that cannot be read.
fn read_collection(
    corpus: &Corpus,
    number: usize,
    path: &Path,
    charset: Charset,
    done: &(dyn Fn() + Sync),
) -> Result<Vec<LearningPage>, LabError> {
    let wrong = |error: collection::Error| LabError::Definition(error.to_string());
    let mut sources = Vec::new();
    for input in collection::inputs(&[path.to_owned()]).map_err(wrong)? {
        let reader = collection::open(&input, &collection::Options::default()).map_err(wrong)?;
        sources.extend(reader.filter_map(|item| match item {
            Item::Document(document) => Some(Source {
                url: corpus.urls.get(&document.docid).cloned(),
                name: document.docid,
                path: path.to_owned(),
                bytes: document.bytes,
                gold: Gold::default(),
            }),
            Item::Skipped(_) => None,
        }));
    }
    let pages = sources.into_par_iter().map(|source| {
        let page = learning_page(corpus, number, source, charset);
        done();
        page
    });
    Ok(pages.collect())
}

fn read_page(
    corpus: &Corpus,
    number: usize,
    pair: &Pair,
    charset: Charset,
) -> Result<LearningPage, LabError> {
    let gold = match (corpus.format, &pair.gold) {
        (Some(format), Some(path)) => gold::read(path, format)?,
        _ => Gold::default(),
    };
    let source = Source {
        url: corpus.urls.get(&pair.name).or(gold.url.as_ref()).cloned(),
        name: pair.name.clone(),
        path: pair.page.clone(),
        bytes: gold::read_page(&pair.page)?,
        gold,
    };
    Ok(learning_page(corpus, number, source, charset))
}

/// A page before it is parsed.
struct Source {
    name: String,
    path: PathBuf,
    url: Option<String>,
    bytes: Vec<u8>,
    gold: Gold,
}

fn learning_page(corpus: &Corpus, number: usize, source: Source, charset: Charset) -> LearningPage {
    let Source {
        name,
        path,
        url,
        bytes,
        gold,
    } = source;
    let page = html::parse(&bytes, charset, None, &Limits::default());
    let segmenter = &segment::by_name("paragraph").unwrap_or(&segment::all()[0]);
    let blocks = (segmenter.segment)(&page);
    let shares = |text: &str| shares(&page, &blocks, text);
    let in_gold = shares(&gold.text.plain);
    let tells_comments = corpus.format.is_some_and(|format| format.comments);
    let comments = tells_comments.then(|| shares(&gold.comments));
    let related = gold.annotated.as_ref();
    let related = related.map(|annotated| shares(&annotated.text_of(Class::Related)));
    // The gold text of an annotated page has the comments in it, that of the others has not.
    let with_comments = gold.annotated.is_some();
    let mut features = Vec::new();
    let mut words = Vec::with_capacity(blocks.blocks.len());
    let mut titles = Vec::with_capacity(blocks.blocks.len());
    own::for_each_row(&page, &blocks, |row| {
        words.push(row.words);
        titles.push(row.is_title);
        features.extend_from_slice(row.values);
    });
    let (gold_words, page_words) = (
        num_words(&gold.text.plain) as f32,
        words.iter().sum::<f32>(),
    );
    // Pages count alike, as in a macro average, whatever their length: a paragraph counts its share of the page's words and the
    // gold text's. Bounded for pages that are nearly empty, and not quite nothing for a paragraph without words.
    let size = ((gold_words + page_words) / 2.0).max(20.0);
    let weight = |words: f32| match gold_words {
        0.0 => 0.0,
        _ => (words / size).min(3.0) + 0.002,
    };
    let paragraphs = blocks.blocks.into_iter().enumerate().map(|(at, block)| {
        let commented = comments.as_ref().map(|of| of[at]);
        let both = commented.unwrap_or(0.0);
        LearningParagraph {
            text: block.text,
            convention: corpus
                .format
                .map_or(Convention::Article, |of| of.convention),
            words: words[at],
            is_title: titles[at],
            weight: if titles[at] { 0.0 } else { weight(words[at]) },
            main: match with_comments {
                true => (in_gold[at] - both).max(0.0),
                false => in_gold[at],
            },
            comments: commented.map(|commented| match with_comments {
                true => commented,
                false => (commented - in_gold[at]).max(0.0),
            }),
            related: related.as_ref().map(|of| of[at]),
        }
    });
    let paragraphs = paragraphs.collect();
    LearningPage {
        corpus: number,
        site: site_of(corpus, &name, url.as_deref(), &bytes),
        name,
        path,
        markup: fnv1a(&bytes),
        fingerprint: TrainingPages::fingerprint(&page),
        shingles: shingles(&gold.text.plain),
        convention: corpus
            .format
            .map_or(Convention::Article, |of| of.convention),
        page_type: gold.page_type,
        snippets: gold.snippets,
        gold: gold.text,
        paragraphs,
        features,
    }
}

/// For each block the share of its characters that is found in the text. Titles are left out, so that a headline of the same words is
/// found.
fn shares(page: &Page, blocks: &Segmentation, text: &str) -> Vec<f32> {
    let is_no_title = |leaf: &Leaf| *page.tag(leaf.parent) != Tag::Title;
    let aligned = match num_words(text) {
        0 => vec![Aligned::default(); blocks.blocks.len()],
        _ => align::of_blocks(page, blocks, text, is_no_title),
    };
    aligned.into_iter().map(Aligned::share).collect()
}
