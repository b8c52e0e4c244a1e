//! Writes an index directory: pages come in any order and from any thread, each with its number.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use tantivy::indexer::UserOperation;
use tantivy::{Index, IndexWriter, TantivyDocument};

use super::docids::DocidWriter;
use super::manifest::{Counts, MANIFEST, Manifest};
use super::schema::{self, BlockFields, PageFields, TERM_SEPARATOR};
use super::{IndexError, PageRecord};
use crate::page::Block;
use crate::text::Analyzer;

/// How to write an index.
#[derive(Debug, Clone)]
pub struct WriterOptions {
    /// How text becomes terms.
    pub analyzer: Analyzer,
    /// Threads that build segments.
    pub threads: usize,
    /// Memory for segments that are being built, in bytes; raised to 15 MB a thread where it is less.
    pub memory: usize,
}

impl Default for WriterOptions {
    fn default() -> Self {
        WriterOptions {
            analyzer: Analyzer::English,
            threads: 1,
            memory: 256 << 20,
        }
    }
}

/// An index that is being written. Without [`Writer::finish`] the directory holds no index.
pub struct Writer {
    directory: PathBuf,
    analyzer: Analyzer,
    blocks: IndexWriter,
    block_fields: BlockFields,
    pages: IndexWriter,
    page_fields: PageFields,
    docids: Mutex<DocidWriter>,
    counts: AtomicCounts,
}

#[derive(Default)]
struct AtomicCounts {
    pages: AtomicU64,
    blocks: AtomicU64,
    terms: AtomicU64,
    words: AtomicU64,
}

/// tantivy asks for so much a thread at least.
const LEAST_MEMORY: usize = 15_000_000;
/// tantivy takes no more than this a thread.
const MOST_MEMORY: usize = 4_000_000_000;

impl Writer {
    /// Begins an index in a directory that is empty or does not exist.
    pub fn create(directory: &Path, options: &WriterOptions) -> Result<Writer, IndexError> {
        prepare(directory)?;
        let threads = options.threads.max(1);
        let memory = (options.memory / threads).clamp(LEAST_MEMORY, MOST_MEMORY) * threads;
        let (block_schema, block_fields) = schema::block_schema();
        let (page_schema, page_fields) = schema::page_schema();
        Ok(Writer {
            directory: directory.to_owned(),
            analyzer: options.analyzer,
            blocks: open_writer(&directory.join("blocks"), block_schema, threads, memory)?,
            block_fields,
            pages: open_writer(&directory.join("pages"), page_schema, 1, LEAST_MEMORY)?,
            page_fields,
            docids: Mutex::new(DocidWriter::create(directory)?),
            counts: AtomicCounts::default(),
        })
    }

    /// Gives a docid the next page number. Numbers follow the order of calls, so the caller calls in input order, and once
    /// for each docid.
    pub fn number(&self, docid: &str) -> Result<u32, IndexError> {
        let mut docids = self.docids.lock().unwrap_or_else(PoisonError::into_inner);
        let number = self.counts.pages.fetch_add(1, Relaxed);
        docids
            .push(docid)
            .map_err(IndexError::io(&self.directory))?;
        // The last number stays free: it stands for "no page" elsewhere.
        u32::try_from(number)
            .ok()
            .filter(|number| *number < u32::MAX)
            .ok_or(IndexError::TooManyPages)
    }

    /// Adds a page under its number.
    pub fn add(&self, number: u32, page: &PageRecord, blocks: &[Block]) -> Result<(), IndexError> {
        let mut operations = Vec::with_capacity(blocks.len());
        let (mut terms, mut words) = (0, 0);
        for (ordinal, block) in blocks.iter().enumerate() {
            let (document, num_terms) = self.block_document(number, ordinal, block);
            terms += num_terms;
            words += u64::from(block.num_words);
            operations.push(UserOperation::Add(document));
        }
        let before = self.counts.blocks.fetch_add(blocks.len() as u64, Relaxed);
        if before + blocks.len() as u64 > u64::from(u32::MAX) {
            return Err(IndexError::TooManyBlocks);
        }
        self.counts.terms.fetch_add(terms, Relaxed);
        self.counts.words.fetch_add(words, Relaxed);
        // One group, so that the blocks of a page stand side by side in one segment.
        self.blocks
            .run(operations)
            .map_err(IndexError::tantivy(&self.directory.join("blocks")))?;
        self.pages
            .add_document(self.page_document(number, page))
            .map_err(IndexError::tantivy(&self.directory.join("pages")))?;
        Ok(())
    }

    /// What was added so far. Payload bytes and parse limits are the caller's to count.
    pub fn counts(&self) -> Counts {
        Counts {
            pages: self.counts.pages.load(Relaxed),
            blocks: self.counts.blocks.load(Relaxed),
            terms: self.counts.terms.load(Relaxed),
            words: self.counts.words.load(Relaxed),
            ..Counts::default()
        }
    }

    /// Removes what was written: the directory is empty again.
    pub fn abandon(self) -> Result<(), IndexError> {
        let directory = self.directory.clone();
        drop(self);
        let entries = fs::read_dir(&directory).map_err(IndexError::io(&directory))?;
        for entry in entries {
            let path = entry.map_err(IndexError::io(&directory))?.path();
            let removed = if path.is_dir() {
                fs::remove_dir_all(&path)
            } else {
                fs::remove_file(&path)
            };
            removed.map_err(IndexError::io(&path))?;
        }
        Ok(())
    }

    /// Commits everything and writes the manifest, which makes the directory an index.
    pub fn finish(self, manifest: &Manifest) -> Result<(), IndexError> {
        for (mut writer, name) in [(self.blocks, "blocks"), (self.pages, "pages")] {
            let path = self.directory.join(name);
            writer.commit().map_err(IndexError::tantivy(&path))?;
            writer
                .wait_merging_threads()
                .map_err(IndexError::tantivy(&path))?;
        }
        let docids = self
            .docids
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        docids.finish(&self.directory)?;
        manifest.write(&self.directory)
    }

    fn block_document(&self, page: u32, ordinal: usize, block: &Block) -> (TantivyDocument, u64) {
        let (terms, num_terms) = joined_terms(self.analyzer, &block.text);
        let fields = &self.block_fields;
        let mut document = TantivyDocument::new();
        document.add_text(fields.terms, terms);
        document.add_text(fields.text, &block.text);
        document.add_text(fields.tag, block.tag.name());
        for (field, value) in [
            (fields.page, u64::from(page)),
            (fields.block, ordinal as u64),
            (fields.num_terms, num_terms),
            (fields.num_words, u64::from(block.num_words)),
            (fields.num_tokens, u64::from(block.num_tokens)),
            (fields.num_linked_words, u64::from(block.num_linked_words)),
            (
                fields.num_words_in_full_lines,
                u64::from(block.num_words_in_full_lines),
            ),
            (fields.num_lines, u64::from(block.num_lines)),
        ] {
            document.add_u64(field, value);
        }
        (document, num_terms)
    }

    fn page_document(&self, number: u32, page: &PageRecord) -> TantivyDocument {
        let fields = &self.page_fields;
        let mut document = TantivyDocument::new();
        document.add_u64(fields.page, u64::from(number));
        document.add_text(fields.docid, &page.docid);
        document.add_text(fields.url, &page.url);
        document.add_text(fields.title, &page.title);
        document.add_text(
            fields.title_terms,
            joined_terms(self.analyzer, &page.title).0,
        );
        document.add_text(fields.url_terms, url_terms(&page.url));
        document.add_text(fields.date, &page.date);
        document.add_text(fields.file, &page.file);
        document.add_u64(fields.offset, page.offset);
        document
    }
}

/// The terms of a text with [`TERM_SEPARATOR`] between them and nothing in the places of words that were left out, and
/// how many terms there are.
fn joined_terms(analyzer: Analyzer, text: &str) -> (String, u64) {
    let mut joined = String::with_capacity(text.len());
    let (mut count, mut separators) = (0, 0);
    analyzer.for_each_term(text, |term| {
        while separators < term.position {
            joined.push(TERM_SEPARATOR);
            separators += 1;
        }
        joined.push_str(term.term);
        count += 1;
    });
    (joined, count)
}

pub(super) fn url_terms(url: &str) -> String {
    let runs = url
        .split(|c: char| !c.is_alphanumeric())
        .filter(|run| !run.is_empty());
    runs.map(str::to_lowercase)
        .collect::<Vec<_>>()
        .join(&TERM_SEPARATOR.to_string())
}

fn open_writer(
    path: &Path,
    schema: tantivy::schema::Schema,
    threads: usize,
    memory: usize,
) -> Result<IndexWriter, IndexError> {
    fs::create_dir_all(path).map_err(IndexError::io(path))?;
    let index = Index::builder()
        .schema(schema)
        .tokenizers(schema::tokenizers())
        .create_in_dir(path)
        .map_err(IndexError::tantivy(path))?;
    index
        .writer_with_num_threads(threads, memory)
        .map_err(IndexError::tantivy(path))
}

/// Makes the directory, or makes sure that it is empty.
fn prepare(directory: &Path) -> Result<(), IndexError> {
    if directory.join(MANIFEST).exists() {
        return Err(IndexError::Exists(directory.to_owned()));
    }
    fs::create_dir_all(directory).map_err(IndexError::io(directory))?;
    let mut entries = fs::read_dir(directory).map_err(IndexError::io(directory))?;
    if entries.next().is_none() {
        return Ok(());
    }
    Err(if directory.join("blocks/meta.json").exists() {
        IndexError::Unfinished(directory.to_owned())
    } else {
        IndexError::NotEmpty(directory.to_owned())
    })
}
