//! Writes an index directory, part after part.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use trommel_extract::Verdicts;
use trommel_page::Block;
use trommel_page::html::segment::{self, Segmenter};
use trommel_text::Analyzer;

use crate::build::label_writer::LabelWriter;
use crate::build::part_writer::PartWriter;
use crate::format::error::IndexError;
use crate::format::file::{entries, own_entries, remove, sync_directory, temporary};
use crate::format::labels::{self, NewLabels};
use crate::format::ledger::LEDGER;
use crate::format::lock::{self, lock};
use crate::format::manifest::{Counts, InputEntry, MANIFEST, Manifest, STATE};
use crate::format::origin;
use crate::format::page_record::PageRecord;
use crate::format::part::{FOLDER, PartEntry};
use crate::format::sum::FileSum;

/// How to write an index.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct WriterOptions {
    /// What cut the pages into blocks.
    pub segmenter: Segmenter,
    /// How text becomes terms.
    pub analyzer: Analyzer,
    /// Are frequent terms' postings written by page, too?
    pub page_postings: bool,
    /// Threads that add pages: each writes a segment of its own. Others share these segments.
    pub threads: usize,
    /// The label sets that pages come with.
    pub labels: Vec<NewLabels>,
}

impl WriterOptions {
    /// Sets [`WriterOptions::segmenter`].
    #[must_use]
    pub fn with_segmenter(mut self, segmenter: Segmenter) -> Self {
        self.segmenter = segmenter;
        self
    }

    /// Sets [`WriterOptions::analyzer`].
    #[must_use]
    pub fn with_analyzer(mut self, analyzer: Analyzer) -> Self {
        self.analyzer = analyzer;
        self
    }

    /// Sets [`WriterOptions::page_postings`].
    #[must_use]
    pub fn with_page_postings(mut self, page_postings: bool) -> Self {
        self.page_postings = page_postings;
        self
    }

    /// Sets [`WriterOptions::threads`].
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// Sets [`WriterOptions::labels`].
    #[must_use]
    pub fn with_labels(mut self, labels: Vec<NewLabels>) -> Self {
        self.labels = labels;
        self
    }
}

impl Default for WriterOptions {
    fn default() -> Self {
        WriterOptions {
            segmenter: segment::all()[0],
            analyzer: Analyzer::English,
            page_postings: true,
            threads: 1,
            labels: Vec::new(),
        }
    }
}

/// Where the pages of an index came from: what the manifest says besides what its writer knows.
#[derive(Debug, Clone, Default)]
pub struct Provenance {
    /// How docids and charsets were chosen and what else bears on the content ([`Manifest::options`]).
    pub options: BTreeMap<String, String>,
    /// The files that were read, in order.
    pub inputs: Vec<InputEntry>,
    /// Ledger lines by reason.
    pub ledger: BTreeMap<String, u64>,
    /// Bytes of decoded payload.
    pub payload_bytes: u64,
    /// Pages that ran into a limit of the HTML parser.
    pub pages_over_parse_limits: u64,
}

/// The number of a page in an index that is being written. It is spent when the page is added.
#[derive(Debug)]
pub struct PageNumber(u32);

impl PageNumber {
    /// The number: pages are counted from 0.
    pub fn get(&self) -> u32 {
        self.0
    }
}

/// An index that is being written. Without [`Writer::finish`] the directory holds no index.
///
/// Pages are numbered, and then added from any thread. When all that were numbered have been added, [`Writer::flush`] may end
/// the part that they make up: what is in a finished part is on disk, and takes no memory.
pub struct Writer {
    directory: PathBuf,
    options: WriterOptions,
    part: PartWriter,
    parts: Vec<PartEntry>,
    /// By label set.
    content_blocks: Vec<u64>,
    counts: AtomicCounts,
    _lock: File,
}

#[derive(Default)]
struct AtomicCounts {
    pages: AtomicU64,
    blocks: AtomicU64,
    terms: AtomicU64,
    words: AtomicU64,
}

/// What a writer goes on from.
#[derive(Debug, Clone, Default)]
pub(crate) struct Written {
    pub parts: Vec<PartEntry>,
    pub content_blocks: Vec<u64>,
    pub counts: Counts,
}

impl Writer {
    /// Begins an index in a directory that is empty or does not exist.
    ///
    /// # Errors
    /// [`IndexError::Exists`], [`IndexError::Unfinished`] and [`IndexError::NotEmpty`] for the directory, [`IndexError::Busy`] if
    /// another process writes to it.
    pub fn create(directory: &Path, options: &WriterOptions) -> Result<Writer, IndexError> {
        labels::check_names(&options.labels)?;
        let lock = open_directory(directory)?;
        prepare(directory)?;
        Writer::go_on(directory, options, lock, Written::default())
    }

    /// Goes on after the parts that are written.
    pub(crate) fn go_on(
        directory: &Path,
        options: &WriterOptions,
        lock: File,
        written: Written,
    ) -> Result<Writer, IndexError> {
        let Written {
            parts,
            mut content_blocks,
            counts,
        } = written;
        content_blocks.resize(options.labels.len(), 0);
        let counts = AtomicCounts {
            pages: counts.pages.into(),
            blocks: counts.blocks.into(),
            terms: counts.terms.into(),
            words: counts.words.into(),
        };
        Ok(Writer {
            part: begin(directory, options, parts.len(), &counts)?,
            directory: directory.to_owned(),
            options: options.clone(),
            parts,
            content_blocks,
            counts,
            _lock: lock,
        })
    }

    /// The number of the next page. Numbers follow the order of calls, so the caller calls in input order.
    ///
    /// # Errors
    /// [`IndexError::TooManyPages`].
    pub fn number(&self) -> Result<PageNumber, IndexError> {
        let number = self.counts.pages.fetch_add(1, Relaxed);
        // The last number stays free: it stands for "no page" elsewhere.
        u32::try_from(number)
            .ok()
            .filter(|number| *number < u32::MAX)
            .map(PageNumber)
            .ok_or(IndexError::TooManyPages)
    }

    /// Adds a page under its number, and for each label set the verdicts on its blocks.
    ///
    /// # Errors
    /// [`IndexError::Misused`] for a number of another writer, and for verdicts that are not one for each label set and block;
    /// [`IndexError::TooManyBlocks`]; what the operating system or tantivy report.
    pub fn add(
        &self,
        number: PageNumber,
        page: &PageRecord,
        blocks: &[Block],
        verdicts: &[Verdicts],
    ) -> Result<(), IndexError> {
        let is_whole = |(set, of): (&NewLabels, &Verdicts)| {
            let confidences = of.confidences.as_ref().map(Vec::len);
            of.labels.len() == blocks.len()
                && confidences == set.confidences.then_some(blocks.len())
        };
        let mut sets = self.options.labels.iter().zip(verdicts);
        if verdicts.len() != self.options.labels.len() || !sets.all(is_whole) {
            return Err(IndexError::Misused(
                "verdicts that are not one for each label set and block",
            ));
        }
        let before = self.counts.blocks.fetch_add(blocks.len() as u64, Relaxed);
        if before + blocks.len() as u64 > u64::from(u32::MAX) {
            return Err(IndexError::TooManyBlocks);
        }
        let added = self.part.add(number.0, page, blocks, verdicts)?;
        self.counts.terms.fetch_add(added.terms, Relaxed);
        self.counts.words.fetch_add(added.words, Relaxed);
        Ok(())
    }

    /// Memory that the part being written takes, in bytes.
    pub fn memory(&self) -> usize {
        self.part.memory()
    }

    /// Ends the part that is being written, if it has pages.
    ///
    /// # Errors
    /// [`IndexError::Misused`] if a page that was numbered has not been added; what the operating system or tantivy report.
    pub fn flush(self) -> Result<Writer, IndexError> {
        let Writer {
            directory,
            options,
            part,
            mut parts,
            mut content_blocks,
            counts,
            _lock,
        } = self;
        let numbered = counts.pages.load(Relaxed) as u32;
        if let Some((entry, content)) = part.finish(numbered)? {
            sync_directory(&directory.join(FOLDER))?;
            parts.push(entry);
            for (sum, more) in content_blocks.iter_mut().zip(content) {
                *sum += more;
            }
        }
        Ok(Writer {
            part: begin(&directory, &options, parts.len(), &counts)?,
            directory,
            options,
            parts,
            content_blocks,
            counts,
            _lock,
        })
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

    /// The parts that are finished.
    pub(crate) fn parts(&self) -> &[PartEntry] {
        &self.parts
    }

    /// For each label set the number of content blocks in the parts that are finished.
    pub(crate) fn content_blocks(&self) -> &[u64] {
        &self.content_blocks
    }

    /// Removes what was written: the directory is empty again.
    pub fn abandon(self) -> Result<(), IndexError> {
        let directory = self.directory.clone();
        drop(self.part);
        clear(&directory)
    }

    /// Writes everything and the manifest, which makes the directory an index.
    ///
    /// # Errors
    /// Those of [`Writer::flush`]; [`IndexError::Damaged`] if what was written before is not there any more.
    pub fn finish(self, provenance: Provenance) -> Result<Manifest, IndexError> {
        let writer = self.flush()?;
        let counts = Counts {
            payload_bytes: provenance.payload_bytes,
            pages_over_parse_limits: provenance.pages_over_parse_limits,
            ..writer.counts()
        };
        // The part that was begun has no pages.
        writer.part.finish(counts.pages as u32)?;
        let directory = &writer.directory;
        let parts = writer.parts.iter().map(|part| part.directory(directory));
        let parts: Vec<PathBuf> = parts.collect();
        for part in &writer.parts {
            labels::verify_part(directory, part)?;
        }
        let mut extractors = Vec::with_capacity(writer.options.labels.len());
        for set in writer.options.labels {
            let written = LabelWriter::join(directory, &parts, &set)?;
            extractors.push(set.entry(written));
        }
        // Those of the parts have been put together.
        let mut parts = writer.parts;
        for part in &mut parts {
            part.files.retain(|file, _| !labels::is_in_folder(file));
        }
        let ledger = directory.join(LEDGER);
        let ledger_file = match ledger.exists() {
            true => Some(FileSum::of(&ledger).map_err(IndexError::io(&ledger))?),
            false => None,
        };
        let WriterOptions {
            segmenter,
            analyzer,
            ..
        } = writer.options;
        let manifest = Manifest {
            extractors,
            options: provenance.options,
            inputs: provenance.inputs,
            inputs_from: origin::current(directory),
            ledger: provenance.ledger,
            ledger_file,
            parts,
            ..Manifest::new(segmenter.name, analyzer, counts)
        };
        manifest.write(directory)?;
        clean_up(directory, &manifest)?;
        Ok(manifest)
    }
}

/// Begins the part of a number.
fn begin(
    directory: &Path,
    options: &WriterOptions,
    number: usize,
    counts: &AtomicCounts,
) -> Result<PartWriter, IndexError> {
    let part = PartWriter::create(
        directory,
        format!("{number:05}"),
        counts.pages.load(Relaxed) as u32,
        (options.analyzer, options.segmenter.unit, options.threads),
        &options.labels,
    )?;
    Ok(part.with_page_postings(options.page_postings))
}

/// Removes what only a build that is not finished needs.
pub(crate) fn clean_up(directory: &Path, manifest: &Manifest) -> Result<(), IndexError> {
    for part in &manifest.parts {
        labels::remove(&part.directory(directory))?;
    }
    clear_parts(directory, &manifest.parts)?;
    remove(&temporary(&directory.join(STATE)))?;
    // Last, since it tells that the directory is not tidy yet.
    remove(&directory.join(STATE))
}

/// Makes the directory if it does not exist, and locks it.
pub(crate) fn open_directory(directory: &Path) -> Result<File, IndexError> {
    fs::create_dir_all(directory).map_err(IndexError::io(directory))?;
    if directory.join(MANIFEST).exists() {
        return Err(IndexError::Exists(directory.to_owned()));
    }
    // A directory of something else is not to be written to, not even a lock.
    let is_ours = [lock::FILE, STATE]
        .iter()
        .any(|file| directory.join(file).exists());
    match is_ours || entries(directory)?.is_empty() {
        true => lock(directory),
        false => Err(IndexError::NotEmpty(directory.to_owned())),
    }
}

/// Makes sure that the directory holds no index, no beginning of one, and nothing else.
pub(crate) fn prepare(directory: &Path) -> Result<(), IndexError> {
    if directory.join(MANIFEST).exists() {
        return Err(IndexError::Exists(directory.to_owned()));
    }
    if directory.join(STATE).exists() || directory.join(FOLDER).exists() {
        return Err(IndexError::Unfinished(directory.to_owned()));
    }
    // A build may have been killed when it made its first note.
    remove(&temporary(&directory.join(STATE)))?;
    match entries(directory)?
        .iter()
        .all(|path| path.ends_with(lock::FILE))
    {
        true => Ok(()),
        false => Err(IndexError::NotEmpty(directory.to_owned())),
    }
}

/// Removes what a build writes; what else is in the directory stays.
pub(crate) fn clear(directory: &Path) -> Result<(), IndexError> {
    for name in [FOLDER, labels::FOLDER, LEDGER, STATE, MANIFEST, lock::FILE] {
        remove(&directory.join(name))?;
        remove(&temporary(&directory.join(name)))?;
    }
    Ok(())
}

/// Removes the parts that are not listed.
pub(crate) fn clear_parts(directory: &Path, listed: &[PartEntry]) -> Result<(), IndexError> {
    let folder = directory.join(FOLDER);
    let is_listed = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default();
        listed.iter().any(|part| *part.name == *name)
    };
    let unlisted = own_entries(&folder)?.into_iter();
    unlisted
        .filter(|path| !is_listed(path))
        .try_for_each(|path| remove(&path))
}
