//! Writes one part of an index: pages come in any order and from any thread, each with its number.
//!
//! Every thread writes a segment of its own, so that nothing is handed from thread to thread, and each block is written once.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU32, AtomicUsize};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;
use tantivy::indexer::SingleSegmentIndexWriter;
use tantivy::schema::Schema;
use tantivy::{DateTime, Index, TantivyDocument};
use trommel_extract::Verdicts;
use trommel_page::attribute::{Date, PageWord};
use trommel_page::{Block, DensityUnit};
use trommel_text::{Analyzer, host_of};

use crate::build::label_writer::{LabelWriter, Naming};
use crate::build::page_postings as by_page;
use crate::build::segment::SegmentWriter;
use crate::build::settle::{settings, settle};
use crate::build::texts::KNOWN_TEXTS;
use crate::format::error::IndexError;
use crate::format::extents::{self, Extent};
use crate::format::labels::NewLabels;
use crate::format::page_record::PageRecord;
use crate::format::part::{FOLDER, PAGES, PartEntry};
use crate::format::schema::{self, DAY, PageFields, TERM_SEPARATOR};
use crate::format::url_terms::url_terms;
use crate::format::{docids, file, sum};

/// A part that is being written.
pub(crate) struct PartWriter {
    directory: PathBuf,
    name: String,
    analyzer: Analyzer,
    /// What densities are counted in.
    unit: DensityUnit,
    /// Are postings by page written?
    page_postings: bool,
    /// Number of its first page.
    first_page: u32,
    /// One for each thread that has added a block.
    segments: Vec<Mutex<Option<Segment>>>,
    num_segments: AtomicU32,
    /// In order of pages; none for a page that has not come.
    pages: Mutex<Vec<Option<(PageRecord, Extent)>>>,
    labels: Option<LabelWriter>,
    memory: AtomicUsize,
}

/// A segment of a thread.
struct Segment {
    number: u32,
    writer: SegmentWriter,
    /// The most memory that it took whenever it was asked, in bytes.
    memory: usize,
}

/// What a page added to a part.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Added {
    pub blocks: u64,
    pub terms: u64,
    pub words: u64,
}

/// tantivy sizes its table of terms by this, and lets it grow.
const TABLE_MEMORY: usize = 15_000_000;

/// How a writer can be misused.
const OTHER_NUMBER: &str = "a page's number that another writer gave";
const MISSING_PAGE: &str = "a page that was numbered and never added";

/// What a page takes here besides its texts, about.
const PAGE_BYTES: usize = 200;

impl PartWriter {
    /// Begins a part, with these label sets.
    pub fn create(
        index: &Path,
        name: String,
        first_page: u32,
        (analyzer, unit, threads): (Analyzer, DensityUnit, usize),
        labels: &[NewLabels],
    ) -> Result<PartWriter, IndexError> {
        let directory = index.join(FOLDER).join(&name);
        fs::create_dir_all(&directory).map_err(IndexError::io(&directory))?;
        let labels = match labels {
            [] => None,
            sets => Some(LabelWriter::create(&directory, sets.to_vec())?),
        };
        Ok(PartWriter {
            directory,
            name,
            analyzer,
            unit,
            page_postings: true,
            first_page,
            segments: (0..threads.max(1)).map(|_| Mutex::default()).collect(),
            num_segments: AtomicU32::new(0),
            pages: Mutex::default(),
            labels,
            memory: AtomicUsize::new(0),
        })
    }

    /// Says whether postings by page are written.
    pub fn with_page_postings(mut self, page_postings: bool) -> Self {
        self.page_postings = page_postings;
        self
    }

    /// Adds a page under its number, and for each label set the verdicts on its blocks.
    pub fn add(
        &self,
        number: u32,
        page: &PageRecord,
        blocks: &[Block],
        verdicts: &[Verdicts],
    ) -> Result<Added, IndexError> {
        let index = number.checked_sub(self.first_page);
        let index = index.ok_or(IndexError::Misused(OTHER_NUMBER))?;
        let (extent, added) = self.add_blocks(blocks)?;
        if let Some(writer) = &self.labels {
            writer.add(index, verdicts)?;
        }
        let texts = [&page.docid, &page.url, &page.title, &page.date, &page.file];
        let texts: usize = texts.into_iter().map(String::len).sum();
        self.memory.fetch_add(texts + PAGE_BYTES, Relaxed);
        let mut pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
        let index = index as usize;
        if pages.len() <= index {
            pages.resize(index + 1, None);
        }
        if pages[index].replace((page.clone(), extent)).is_some() {
            return Err(IndexError::Misused(OTHER_NUMBER));
        }
        Ok(added)
    }

    /// Adds the blocks of a page, side by side, to the segment of this thread.
    fn add_blocks(&self, blocks: &[Block]) -> Result<(Extent, Added), IndexError> {
        let mut added = Added::default();
        if blocks.is_empty() {
            return Ok((Extent::default(), added));
        }
        let slot = rayon::current_thread_index().unwrap_or(0) % self.segments.len();
        let mut slot = self.segments[slot]
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let segment = match &mut *slot {
            Some(segment) => segment,
            empty => {
                let number = self.num_segments.fetch_add(1, Relaxed);
                let measured = (self.analyzer, self.unit);
                let known = KNOWN_TEXTS / self.segments.len();
                empty.insert(Segment {
                    number,
                    writer: SegmentWriter::create(
                        &self.directory,
                        number as usize,
                        measured,
                        known,
                    )?,
                    memory: 0,
                })
            }
        };
        let count = u32::try_from(blocks.len()).ok();
        let end = |count| segment.writer.blocks().checked_add(count);
        let end = count.and_then(end).ok_or(IndexError::TooManyBlocks)?;
        let extent = Extent {
            segment: segment.number,
            first_doc: end - blocks.len() as u32,
            count: blocks.len() as u32,
        };
        for block in blocks {
            let num_terms = segment.writer.add(block)?;
            added.blocks += 1;
            added.terms += u64::from(num_terms);
            added.words += u64::from(block.num_words);
        }
        segment.writer.end_page()?;
        let memory = segment.writer.memory();
        // Where it forgets texts it takes less than before, and then the same again.
        let more = memory.saturating_sub(segment.memory);
        segment.memory += more;
        self.memory.fetch_add(more, Relaxed);
        Ok((extent, added))
    }

    /// Memory that the part takes, in bytes.
    pub fn memory(&self) -> usize {
        self.memory.load(Relaxed)
    }

    /// Writes everything to disk. Gives for each label set the number of content blocks as well. None for a part without pages, of
    /// which nothing is left.
    ///
    /// # Errors
    /// [`IndexError::Misused`] if not all pages are there up to the number that the next one is to have.
    pub fn finish(self, next: u32) -> Result<Option<(PartEntry, Vec<u64>)>, IndexError> {
        let PartWriter {
            directory,
            name,
            analyzer,
            unit,
            page_postings,
            first_page,
            segments,
            pages,
            labels,
            ..
        } = self;
        let pages = pages.into_inner().unwrap_or_else(PoisonError::into_inner);
        if pages.len() as u64 != u64::from(next - first_page) {
            return Err(IndexError::Misused(MISSING_PAGE));
        }
        if pages.is_empty() {
            drop((segments, labels));
            fs::remove_dir_all(&directory).map_err(IndexError::io(&directory))?;
            return Ok(None);
        }
        let pages: Option<Vec<_>> = pages.into_iter().collect();
        let pages = pages.ok_or(IndexError::Misused(MISSING_PAGE))?;
        let segments = segments.into_iter();
        let mut segments: Vec<Segment> = segments
            .filter_map(|slot| slot.into_inner().unwrap_or_else(PoisonError::into_inner))
            .collect();
        segments.sort_by_key(|segment| segment.number);
        let sizes = segments.iter().map(|segment| segment.writer.blocks());
        let sizes: Vec<u32> = sizes.collect();
        let count = pages.len() as u32;
        let (blocks, content_blocks) = rayon::join(
            || {
                let segments = segments.into_par_iter();
                segments.try_for_each(|segment| segment.writer.finish())
            },
            || {
                let (records, extents): (Vec<PageRecord>, Vec<Extent>) = pages.into_iter().unzip();
                docids::write(&directory, records.iter().map(|page| page.docid.as_str()))?;
                extents::write(&directory, &extents, sizes.len())?;
                write_pages(&directory.join(PAGES), analyzer, &records)?;
                let written = labels.map(|labels| labels.finish(Naming::Plain));
                Ok::<_, IndexError>((written.unwrap_or(Ok(Vec::new()))?, extents))
            },
        );
        blocks?;
        let (labels, extents) = content_blocks?;
        if page_postings {
            let numbers = (0..sizes.len()).into_par_iter();
            numbers.try_for_each(|segment| by_page::write(&directory, segment, &extents, unit))?;
        }
        let labels = labels.into_iter();
        let content_blocks = labels.map(|written| written.content_blocks).collect();
        let entry = PartEntry {
            files: sum::of_directory(&directory)?,
            name,
            pages: count,
            segments: sizes,
        };
        file::sync_directory(&directory)?;
        Ok(Some((entry, content_blocks)))
    }
}

/// Begins a tantivy index of one segment in a new directory.
fn create(path: &Path, schema: Schema) -> Result<SingleSegmentIndexWriter, IndexError> {
    fs::create_dir_all(path).map_err(IndexError::io(path))?;
    let directory =
        tantivy::directory::MmapDirectory::open(path).map_err(IndexError::tantivy(path))?;
    Index::builder()
        .schema(schema)
        .tokenizers(schema::tokenizers())
        .settings(settings())
        .single_segment_index_writer(directory, TABLE_MEMORY)
        .map_err(IndexError::tantivy(path))
}

/// Ends a tantivy index of one segment: its files are on disk then, and whoever may read the others may read all.
fn finalize(path: &Path, writer: SingleSegmentIndexWriter) -> Result<(), IndexError> {
    writer.finalize().map_err(IndexError::tantivy(path))?;
    settle(path)
}

fn write_pages(path: &Path, analyzer: Analyzer, pages: &[PageRecord]) -> Result<(), IndexError> {
    let (schema, fields) = schema::page_schema();
    let mut writer = create(path, schema)?;
    for page in pages {
        let document = page_document(analyzer, &fields, page);
        writer
            .add_document(document)
            .map_err(IndexError::tantivy(path))?;
    }
    finalize(path, writer)
}

fn page_document(analyzer: Analyzer, fields: &PageFields, page: &PageRecord) -> TantivyDocument {
    let mut document = TantivyDocument::new();
    document.add_text(fields.docid, &page.docid);
    document.add_text(fields.url, &page.url);
    document.add_text(fields.title, &page.title);
    document.add_text(fields.title_terms, joined_terms(analyzer, &page.title));
    document.add_text(fields.url_terms, url_terms(&page.url));
    document.add_text(fields.date_text, &page.date);
    if let Some(date) = Date::of_time(&page.date) {
        document.add_date(
            fields.date,
            DateTime::from_timestamp_secs(date.days() * DAY),
        );
    }
    let host = host_of(&page.url).unwrap_or_default();
    for (word, field) in fields.words {
        let text = match word {
            PageWord::Host => &host,
            PageWord::MediaType => &page.media_type,
            PageWord::Language => &page.language,
        };
        if !text.is_empty() {
            document.add_text(field, text);
        }
    }
    document.add_text(fields.file, &page.file);
    document.add_u64(fields.offset, page.offset);
    document
}

/// The terms of a text with [`TERM_SEPARATOR`] between them and nothing in the places of words that were left out.
fn joined_terms(analyzer: Analyzer, text: &str) -> String {
    let mut joined = String::new();
    let mut separators = 0;
    analyzer.for_each_term(text, |term| {
        let due = term.position - separators;
        joined.extend(std::iter::repeat_n(TERM_SEPARATOR, due));
        joined.push_str(term.term);
        separators = term.position;
    });
    joined
}
