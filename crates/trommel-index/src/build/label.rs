//! Adds extractors' verdicts to an index: the sources are read again, and every page must be cut as it was.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use trommel_archive as collection;
use trommel_archive::{Document, Input, Skipped};
use trommel_extract::Extractor;
use trommel_page::Block;
use trommel_page::html::segment::{self, Segmenter};

use crate::build::label_sets::new_labels;
use crate::build::label_writer::{LabelWriter, Naming};
use crate::build::progress::Progress;
use crate::build::settings::Reading;
use crate::build::source::{self, Consumer, FirstError, Source, Work};
use crate::build::verdicts::{judge, parse};
use crate::format::error::IndexError;
use crate::format::manifest::{InputEntry, MANIFEST, Manifest};
use crate::format::{file, labels, lock, origin};
use crate::search::open::Index;

/// How to add labels.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct LabelOptions {
    /// The extractors; the name of each names its labels.
    pub extractors: Vec<Arc<Extractor>>,
    /// What becomes of labels of the same name.
    pub existing: Existing,
    /// Threads that parse pages; one if there are none.
    pub threads: usize,
    /// Where the files that were indexed are, if they are not where they were.
    pub sources: Option<PathBuf>,
    /// Wait while another process writes to the index; else that is [`IndexError::Busy`].
    pub wait: bool,
}

impl LabelOptions {
    /// Sets [`LabelOptions::extractors`].
    #[must_use]
    pub fn with_extractors(mut self, extractors: Vec<Arc<Extractor>>) -> Self {
        self.extractors = extractors;
        self
    }

    /// Sets [`LabelOptions::existing`].
    #[must_use]
    pub fn with_existing(mut self, existing: Existing) -> Self {
        self.existing = existing;
        self
    }

    /// Sets [`LabelOptions::threads`].
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// Sets [`LabelOptions::sources`].
    #[must_use]
    pub fn with_sources(mut self, sources: Option<PathBuf>) -> Self {
        self.sources = sources;
        self
    }

    /// Sets [`LabelOptions::wait`].
    #[must_use]
    pub fn with_wait(mut self, wait: bool) -> Self {
        self.wait = wait;
        self
    }
}

/// What becomes of labels that an index has when labels of their name are to be added.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Existing {
    /// Nothing is added.
    #[default]
    Refuse,
    /// The new ones take their place.
    Replace,
    /// They stay, and the extractors of their names are not asked.
    Keep,
}

/// What came of adding labels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelReport {
    /// The manifest that the index has now.
    pub manifest: Manifest,
    /// Names of the labels that were added.
    pub added: Vec<String>,
}

/// Adds the verdicts of extractors to an index. Neither its text nor its blocks are touched, and its readers go on reading.
///
/// `inputs` are the files that were indexed, in the same order; if there are none, they are looked for in
/// [`LabelOptions::sources`], else where they were and beside the index. The index is locked before anything of it is
/// read, so that nothing that another process adds is lost. Pages on which an extractor panicked, so that all their blocks are boilerplate for
/// it, are counted in [`Progress::failures`].
///
/// # Errors
/// [`IndexError::SourceChanged`] if a file is missing, has another size or hash, or gives other pages or blocks than the
/// index has; [`IndexError::LabelsExist`], [`IndexError::LabelName`] and [`IndexError::Busy`]; what the operating system
/// reports. The index is then as it was.
pub fn label(
    directory: &Path,
    inputs: &[Input],
    options: &LabelOptions,
    progress: &Progress,
) -> Result<LabelReport, IndexError> {
    // What is no index gets no lock.
    Manifest::read(directory)?;
    let _lock = match options.wait {
        true => lock::lock_in_turn(directory)?,
        false => lock::lock(directory)?,
    };
    let index = Index::open(directory)?;
    tidy(directory, &index.manifest)?;
    let is_there = |name: &str| {
        let mut sets = index.manifest.extractors.iter();
        sets.any(|set| set.name == name)
    };
    let mut extractors = options.extractors.clone();
    match options.existing {
        Existing::Refuse => {
            if let Some(extractor) = extractors
                .iter()
                .find(|extractor| is_there(&extractor.name))
            {
                return Err(IndexError::LabelsExist {
                    path: directory.to_owned(),
                    name: extractor.name.clone(),
                });
            }
        }
        Existing::Replace => {}
        Existing::Keep => extractors.retain(|extractor| !is_there(&extractor.name)),
    }
    if extractors.is_empty() {
        return Ok(LabelReport {
            manifest: index.manifest,
            added: Vec::new(),
        });
    }
    let new = new_labels(&extractors)?;
    let damaged = |why: String| IndexError::Damaged {
        path: directory.join(MANIFEST),
        why,
    };
    let reading = Reading::parse(&index.manifest.options)
        .map_err(|name| damaged(format!("the option '{name}' is missing or unknown")))?;
    let segmenter = segment::by_name(&index.manifest.segmenter).ok_or_else(|| {
        damaged(format!(
            "no segmenter is called '{}'",
            index.manifest.segmenter
        ))
    })?;
    let inputs = sources(
        directory,
        &index.manifest,
        inputs,
        options.sources.as_deref(),
    )?;
    let job = Job {
        writer: LabelWriter::create(directory, new.clone())?,
        index,
        reading,
        segmenter,
        extractors: &extractors,
        progress,
        next: AtomicU64::new(0),
        error: FirstError::default(),
    };
    let mut source = Source::new(&inputs);
    source.run(&job, &source::pool(options.threads)?, |work| {
        job.label(work)
    });
    let Job {
        index,
        writer,
        next,
        error,
        ..
    } = job;
    let result = match error.take() {
        Some(error) => Err(error),
        None => same_sources(&index, source.entries(), next.into_inner()),
    };
    if let Err(error) = result {
        writer.abandon()?;
        return Err(error);
    }
    let mut manifest = index.manifest.clone();
    let is_new = |name: &String| new.iter().any(|set| set.name == *name);
    manifest.extractors.retain(|set| !is_new(&set.name));
    let written = writer.finish(Naming::Hashed)?;
    let entries = new.iter().cloned().zip(written);
    let entries = entries.map(|(set, written)| set.entry(written));
    manifest.extractors.extend(entries);
    manifest.write(directory)?;
    // Where what is open cannot be removed, the next writer does it.
    drop(index);
    let _ = tidy(directory, &manifest);
    Ok(LabelReport {
        manifest,
        added: new.into_iter().map(|set| set.name).collect(),
    })
}

/// Removes what processes have left that were ended. Whoever calls this holds the lock.
fn tidy(directory: &Path, manifest: &Manifest) -> Result<(), IndexError> {
    let files = file::entries(directory)?.into_iter();
    let temporary = files.filter(|path| file::is_temporary(path) && !path.is_dir());
    temporary
        .into_iter()
        .try_for_each(|path| file::remove(&path))?;
    labels::tidy(directory, &manifest.extractors)
}

/// The files to read: those that are named, or those that the manifest names. Sizes are compared before anything is read.
fn sources(
    directory: &Path,
    manifest: &Manifest,
    named: &[Input],
    sources: Option<&Path>,
) -> Result<Vec<Input>, IndexError> {
    let entries = &manifest.inputs;
    let changed = |path: &str, why: String| IndexError::SourceChanged {
        path: path.to_owned(),
        why,
    };
    // What is no file gives nothing, and is not listed where that was so when it was indexed.
    let is_listed = |input: &&Input| {
        input.path.as_ref().is_none_or(|path| path.is_file())
            || entries.iter().any(|entry| *entry.path == *input.name)
    };
    let named: Vec<Input> = named.iter().filter(is_listed).cloned().collect();
    if !named.is_empty() && named.len() != entries.len() {
        let why = format!(
            "{} files were named, and the index was made of {}",
            named.len(),
            entries.len()
        );
        return Err(changed(&named[0].name, why));
    }
    let from_manifest = |entry: &InputEntry| {
        let path = origin::find(directory, manifest, entry, sources);
        let metadata = fs::metadata(&path).ok().filter(fs::Metadata::is_file);
        Input {
            size: metadata.map(|metadata| metadata.len()),
            path: Some(path),
            ..Input::again(&entry.path, entry.relative.clone(), entry.record.clone())
        }
    };
    let is_named = !named.is_empty();
    let inputs = match is_named {
        true => named,
        false => entries.iter().map(from_manifest).collect(),
    };
    for (input, entry) in inputs.iter().zip(entries) {
        let there = input.path.as_ref().is_none_or(|path| path.is_file());
        let is_stdin = entry.path == "-";
        let why = match (entry.bytes, input.size) {
            _ if !is_named && is_stdin => {
                "the index was made of standard input: name a file with the same bytes".to_owned()
            }
            // A link that led nowhere, a socket: nothing of it is in the index.
            _ if entry.sha256.is_none() && entry.bytes.is_none() && !is_stdin => continue,
            _ if !there => match sources {
                Some(sources) => format!("it is not in {}", sources.display()),
                None => {
                    "it is no file (any more): name the files that the index was made of, or with \
                     --sources the directory that they are in"
                        .to_owned()
                }
            },
            (Some(then), Some(now)) if then != now => {
                format!("it has {now} bytes, and had {then} when it was indexed")
            }
            _ => continue,
        };
        return Err(changed(&input.name, why));
    }
    Ok(inputs)
}

/// Were the files that were read those that were indexed, and gave they as many pages?
fn same_sources(index: &Index, read: &[InputEntry], pages: u64) -> Result<(), IndexError> {
    let indexed = &index.manifest.inputs;
    for (then, now) in indexed.iter().zip(read) {
        let differs = |then: &Option<String>, now: &Option<String>| match (then, now) {
            (Some(then), Some(now)) => then != now,
            _ => false,
        };
        if differs(&then.sha256, &now.sha256) {
            return Err(IndexError::SourceChanged {
                path: now.path.clone(),
                why: "its bytes are not those that were indexed".to_owned(),
            });
        }
    }
    if pages != index.num_pages() as u64 || read.len() != indexed.len() {
        let first = read.first().or(indexed.first());
        return Err(IndexError::SourceChanged {
            path: first.map_or_else(String::new, |entry| entry.path.clone()),
            why: format!(
                "the sources give {pages} pages in {} files, and the index has {} of {}",
                read.len(),
                index.num_pages(),
                indexed.len()
            ),
        });
    }
    Ok(())
}

struct Job<'a> {
    index: Index,
    reading: Reading,
    segmenter: &'static Segmenter,
    extractors: &'a [Arc<Extractor>],
    writer: LabelWriter,
    progress: &'a Progress,
    /// Number of the next page.
    next: AtomicU64,
    error: FirstError,
}

impl Consumer for Job<'_> {
    /// The number of a page of the index.
    type Number = u32;

    fn options(&self) -> &collection::Options {
        &self.reading.collection
    }

    fn progress(&self) -> &Progress {
        self.progress
    }

    fn stopped(&self) -> bool {
        self.error.is_set()
    }

    /// The ledger of the index has it.
    fn skip(&self, _: &Skipped) {}

    fn number(&self, document: &Document) -> Result<u32, IndexError> {
        let number = self.next.fetch_add(1, Relaxed) as u32;
        if self.index.docid(number) == document.docid {
            return Ok(number);
        }
        let why = format!(
            "its page {} stands where the index has '{}'",
            document.docid,
            self.index.docid(number)
        );
        Err(changed(document, why))
    }

    fn fail(&self, error: IndexError) {
        self.error.set(error);
    }
}

fn changed(document: &Document, why: String) -> IndexError {
    IndexError::SourceChanged {
        path: format!("{} at {}", document.file, document.offset),
        why,
    }
}

impl Job<'_> {
    /// Parses a page and labels its blocks.
    fn label(&self, work: Work<u32>) {
        let Work { number, document } = work;
        // A page that the parser gave up when it was indexed has no blocks.
        let labelled = catch_unwind(AssertUnwindSafe(|| {
            let page = parse(&document, &self.reading);
            judge(&page, &document, self.segmenter, self.extractors)
        }));
        let judged = labelled.unwrap_or_default();
        if !judged.failed.is_empty() {
            self.progress.failures.fetch_add(1, Relaxed);
        }
        let added = match self.is_cut_alike(number, &judged.blocks) {
            Ok(true) => self.writer.add(number, &judged.verdicts),
            Ok(false) => Err(changed(
                &document,
                format!(
                    "page {} is cut into other blocks than when it was indexed; build the index again",
                    document.docid
                ),
            )),
            Err(error) => Err(error),
        };
        if let Err(error) = added {
            self.fail(error);
        }
    }

    /// Has the index the same blocks, by their counts?
    fn is_cut_alike(&self, page: u32, blocks: &[Block]) -> Result<bool, IndexError> {
        let stored = self.index.page_counts(page)?;
        let counts = blocks.iter().map(|block| Block {
            text: String::new(),
            tag: Default::default(),
            ..block.clone()
        });
        Ok(stored.into_iter().eq(counts))
    }
}
