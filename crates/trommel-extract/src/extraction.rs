//! What is left of a page, as one value: blocks, leaves, metadata, and how all that is written.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::Serialize;
use trommel_page::html::{Charset, Limits, Source, parse_with_source};
use trommel_page::{Block, Page};
use trommel_text::{host_of, registrable_domain};

use crate::confidence::Confidence;
use crate::embedded::embedded;
use crate::extractor::Extractor;
use crate::hidden::hidden_leaves;
use crate::label::Label;
use crate::metadata::{Gathered, Metadata};
use crate::page_filter::{PageFacts, PageFilter};
use crate::structure::{Structure, StructureOptions, html, markdown};
use crate::subject::Subject;

/// What is kept of a page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExtractionOptions {
    /// Links and images.
    pub structure: StructureOptions,
    /// The least confidence of what is kept, in the place of the extractor's own verdict.
    pub least: Option<Confidence>,
    /// Leave out what the markup hides from readers.
    pub without_hidden: bool,
    /// Where the page shows (almost) no text itself, take what is embedded in its scripts.
    pub embedded: bool,
}

impl ExtractionOptions {
    /// Sets [`ExtractionOptions::structure`].
    #[must_use]
    pub fn with_structure(mut self, structure: StructureOptions) -> Self {
        self.structure = structure;
        self
    }

    /// Sets [`ExtractionOptions::least`].
    #[must_use]
    pub fn with_least(mut self, least: Option<Confidence>) -> Self {
        self.least = least;
        self
    }

    /// Sets [`ExtractionOptions::without_hidden`].
    #[must_use]
    pub fn with_without_hidden(mut self, without_hidden: bool) -> Self {
        self.without_hidden = without_hidden;
        self
    }

    /// Sets [`ExtractionOptions::embedded`].
    #[must_use]
    pub fn with_embedded(mut self, embedded: bool) -> Self {
        self.embedded = embedded;
        self
    }
}

/// A page of which an extractor keeps fewer words shows almost no text.
const ALMOST_NONE: u32 = 25;
/// And one that has more in all shows something.
const SHOWN: u32 = 100;

/// A block that is left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fragment {
    /// Its number among the blocks of the page, as `trommel blocks` with the same segmenter counts them, from 0.
    pub number: usize,
    /// The block.
    pub block: Block,
    /// Where its text stands in the markup, from its first leaf to its last; see [`Source::place`]. None without markup.
    pub place: Option<Range<usize>>,
}

/// What is left of a page.
#[derive(Debug, Clone, PartialEq)]
pub struct Extraction {
    /// The blocks that are left, in their order.
    pub blocks: Vec<Fragment>,
    /// The way in which the text was embedded in a script ([`crate::embedded::all`]); none if it is the page's own. Then numbers and places
    /// of blocks are not those of the page.
    pub embedded: Option<&'static str>,
    /// What the page says of itself.
    pub metadata: Metadata,
    page: Option<(Page, Source)>,
    leaves: Vec<bool>,
    structure: StructureOptions,
}

impl Extractor {
    /// What is left of a page: the blocks that [`Extractor::kept_blocks`] gives, with what belongs to them. Without the page's source (a
    /// default one) attributes, scripts and places are not seen.
    pub fn extraction(
        &self,
        subject: &Subject,
        source: &Source,
        filter: Option<(&PageFilter, &PageFacts)>,
        options: &ExtractionOptions,
    ) -> Extraction {
        let gathered = Gathered::new(subject.page, source, subject.url);
        let mut kept = self.kept_numbers(subject, options.least, filter);
        let segmentation = subject.blocks(self.own_segmenter());
        if options.without_hidden {
            let hidden = hidden_leaves(subject.page, source);
            let mut shown = vec![false; segmentation.blocks.len()];
            for (block, hidden) in segmentation.block_of_leaf.iter().zip(&hidden) {
                if let Some(block) = block {
                    shown[*block as usize] |= !hidden;
                }
            }
            kept.retain(|number| shown[*number]);
        }
        let metadata = Metadata::of(&gathered);
        let words: u32 = kept
            .iter()
            .map(|number| segmentation.blocks[*number].num_words)
            .sum();
        let all: u32 = segmentation.blocks.iter().map(|it| it.num_words).sum();
        if options.embedded
            && words < ALMOST_NONE
            && all < SHOWN
            && let Some(found) = embedded(&gathered)
        {
            let utf8: Charset = "utf-8".parse().unwrap_or_default();
            let page = parse_with_source(found.markup.as_bytes(), utf8, None, &Limits::default());
            let inner = Subject::new(&page.0, subject.docid, subject.url);
            let segmentation = inner.blocks(self.own_segmenter());
            let blocks = segmentation
                .blocks
                .iter()
                .enumerate()
                .filter(|(_, block)| block.num_tokens > 0);
            let blocks: Vec<Fragment> = blocks
                .map(|(number, block)| Fragment {
                    number,
                    block: block.clone(),
                    place: None,
                })
                .collect();
            let more: u32 = blocks.iter().map(|it| it.block.num_words).sum();
            if more > words {
                let leaves = segmentation
                    .block_of_leaf
                    .iter()
                    .map(Option::is_some)
                    .collect();
                return Extraction {
                    blocks,
                    embedded: Some(found.source),
                    metadata,
                    leaves,
                    page: Some(page),
                    structure: options.structure.clone(),
                };
            }
        }
        let mut places: BTreeMap<usize, Option<Range<usize>>> =
            kept.iter().map(|number| (*number, None)).collect();
        let mut leaves = vec![false; subject.page.leaves.len()];
        for (leaf, block) in segmentation.block_of_leaf.iter().enumerate() {
            let Some(whole) = block.and_then(|block| places.get_mut(&(block as usize))) else {
                continue;
            };
            leaves[leaf] = true;
            if let Some(place) = source.place(leaf as u32) {
                // Text of a table that stands before it comes in another order than in the markup.
                *whole = Some(match whole.take() {
                    None => place,
                    Some(before) => before.start.min(place.start)..before.end.max(place.end),
                });
            }
        }
        if options.without_hidden {
            let hidden = hidden_leaves(subject.page, source);
            leaves
                .iter_mut()
                .zip(hidden)
                .for_each(|(leaf, hidden)| *leaf &= !hidden);
        }
        Extraction {
            blocks: places
                .into_iter()
                .map(|(number, place)| Fragment {
                    number,
                    block: segmentation.blocks[number].clone(),
                    place,
                })
                .collect(),
            embedded: None,
            metadata,
            page: None,
            leaves,
            structure: options.structure.clone(),
        }
    }
}

impl Extraction {
    /// The text: a block a line.
    pub fn text(&self) -> String {
        let lines = self.blocks.iter().map(|it| it.block.line());
        let lines: Vec<String> = lines.filter(|line| !line.is_empty()).collect();
        lines.join("\n")
    }

    /// Its words, as the segmenter counts them.
    pub fn words(&self) -> u64 {
        self.blocks
            .iter()
            .map(|it| u64::from(it.block.num_words))
            .sum()
    }

    /// The F1 that the extractor's confidences let one expect of what is left ([`Verdicts::expected_f1`](crate::Verdicts::expected_f1)), whatever left it: the extractor's
    /// own verdicts, a least confidence, a filter. None without confidences, and of embedded text. The extractor looks at the page again.
    pub fn expected_f1(&self, extractor: &Extractor, subject: &Subject) -> Option<f64> {
        if !extractor.has_confidences() || self.embedded.is_some() {
            return None;
        }
        let segmenter = extractor.own_segmenter();
        let blocks = &subject.blocks(segmenter).blocks;
        let mut verdicts = extractor.verdicts(subject, segmenter);
        verdicts.labels = vec![Label::Boilerplate; blocks.len()];
        for left in &self.blocks {
            if let Some(label) = verdicts.labels.get_mut(left.number) {
                *label = Label::Content;
            }
        }
        verdicts.expected_f1(blocks)
    }

    /// The text with its structure. The page and its source are those of which the extraction was made.
    pub fn structure(&self, page: &Page, source: &Source, url: &str) -> Structure {
        let (page, source) = match &self.page {
            Some((page, source)) => (page, source),
            None => (page, source),
        };
        Structure::new(page, source, &self.leaves, url, &self.structure)
    }

    /// The text as Markdown.
    pub fn markdown(&self, page: &Page, source: &Source, url: &str) -> String {
        markdown(&self.structure(page, source, url))
    }

    /// The text as what stands in the body of an HTML page.
    pub fn html(&self, page: &Page, source: &Source, url: &str) -> String {
        html(&self.structure(page, source, url))
    }
}

/// A page as one line of JSON: `extract --format jsonl`. docs/extract.md says what each field is.
#[derive(Debug, Clone, Serialize)]
pub struct Record<'a> {
    docid: &'a str,
    url: &'a str,
    site: String,
    title: &'a str,
    author: Option<&'a str>,
    date: Option<&'a str>,
    modified: Option<&'a str>,
    description: Option<&'a str>,
    site_name: Option<&'a str>,
    sources: BTreeMap<&'static str, &'static str>,
    language: &'a str,
    expected_f1: Option<f64>,
    extractor: &'a str,
    segmenter: &'a str,
    words: u64,
    page_words: u64,
    embedded: Option<&'a str>,
    blocks: Vec<RecordBlock>,
    text: String,
}

#[derive(Debug, Clone, Serialize)]
struct RecordBlock {
    block: usize,
    words: u32,
    start: Option<usize>,
    end: Option<usize>,
}

impl<'a> Record<'a> {
    /// The record of a page. `payload` is what was parsed, for the offsets of the blocks; `language` is the page's.
    pub fn new(
        extractor: &'a Extractor,
        subject: &'a Subject,
        source: &Source,
        payload: &[u8],
        language: &'a str,
        extraction: &'a Extraction,
    ) -> Record<'a> {
        let places: Vec<Range<usize>> = extraction
            .blocks
            .iter()
            .filter_map(|it| it.place.clone())
            .collect();
        let mut found = source
            .in_payload(payload, &places)
            .unwrap_or_default()
            .into_iter();
        let blocks = extraction.blocks.iter().map(|it| {
            let place = it.place.as_ref().and_then(|_| found.next());
            RecordBlock {
                block: it.number,
                words: it.block.num_words,
                start: place.as_ref().map(|place| place.start),
                end: place.as_ref().map(|place| place.end),
            }
        });
        let blocks = blocks.collect();
        let said = &extraction.metadata;
        let all = [
            ("title", &said.title),
            ("author", &said.author),
            ("date", &said.date),
            ("modified", &said.modified),
            ("description", &said.description),
            ("site_name", &said.site_name),
        ];
        let value =
            |found: &'a Option<crate::metadata::Found>| found.as_ref().map(|it| it.value.as_str());
        let of_page = subject.blocks(extractor.own_segmenter()).blocks.iter();
        Record {
            docid: subject.docid,
            url: subject.url,
            site: host_of(subject.url)
                .map(|host| registrable_domain(&host).to_owned())
                .unwrap_or_default(),
            title: value(&said.title).unwrap_or(&subject.page.title),
            author: value(&said.author),
            date: value(&said.date),
            modified: value(&said.modified),
            description: value(&said.description),
            site_name: value(&said.site_name),
            sources: all
                .iter()
                .filter_map(|(name, found)| Some((*name, found.as_ref()?.source)))
                .collect(),
            language,
            expected_f1: extraction.expected_f1(extractor, subject),
            extractor: &extractor.name,
            segmenter: extractor.own_segmenter().name,
            words: extraction.words(),
            page_words: of_page.map(|block| u64::from(block.num_words)).sum(),
            embedded: extraction.embedded,
            blocks,
            text: extraction.text(),
        }
    }
}
