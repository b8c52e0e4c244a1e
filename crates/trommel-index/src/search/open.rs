//! An index that is open for reading.

use std::borrow::Cow;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use trommel_page::attribute::PageWord;
use trommel_page::html::segment;
use trommel_page::{Block, DensityUnit};
use trommel_text::{Analyzer, from_word};

use crate::format::docids::{Docids, repeated_across};
use crate::format::error::IndexError;
use crate::format::layout::Layout;
use crate::format::ledger::LEDGER;
use crate::format::manifest::{MANIFEST, Manifest};
use crate::format::page_record::PageRecord;
use crate::format::part::{self, Part, Segment};
use crate::format::recent::Recent;
use crate::format::schema::{self, BlockFields, PageFields};
use crate::format::sum::{self, Verify};
use crate::format::{guard, labels};
use crate::search::cache::Cache;
use crate::search::filtered::store::Store;
use crate::search::open_labels::{OpenLabels, Opening, open};
use crate::search::subset::{KEPT_SUBSETS, Subsets};

/// An index that is open for reading: that of one directory, or of several that are searched as one. Cheap to share between
/// threads.
pub struct Index {
    /// What the index was made of; of several directories all in one, their manifests as one: what follows in a row, counts added up, labels that all have.
    pub manifest: Manifest,
    pub(crate) directories: Vec<Opening>,
    pub(crate) analyzer: Analyzer,
    pub(crate) unit: DensityUnit,
    pub(crate) parts: Vec<Part>,
    /// The segments of all parts.
    pub(crate) segments: Vec<Segment>,
    pub(crate) block_fields: BlockFields,
    pub(crate) docids: Docids,
    pub(crate) page_fields: PageFields,
    /// Where each page's blocks stand.
    pub(crate) layout: Layout,
    pub(crate) subsets: Subsets,
    /// Where statistics of filters are kept for other processes, if that was asked for.
    pub(crate) cache: Option<Cache>,
    pub(crate) open_labels: OpenLabels,
    /// Postings by page that searches have made of those by block.
    pub(crate) filtered: Store,
    pub(crate) exhaustive: bool,
    pub(crate) one_thread: bool,
}

/// Bytes that lists of terms under filters take in memory at most, if nobody says otherwise.
const LISTS: usize = 256 << 20;

/// How often an index is opened anew that another process changes meanwhile.
const TRIES: usize = 10;

impl Index {
    /// Opens an index directory. Nothing is written to it.
    ///
    /// # Errors
    /// Those of [`Manifest::read`]; [`IndexError::Damaged`] if a file is missing, or has another size or other ends than it had.
    pub fn open(path: &Path) -> Result<Index, IndexError> {
        Index::open_all(&[path.to_owned()])
    }

    /// Opens several index directories, shards of a collection, to be searched as the index that [`crate::merge()`] would make of
    /// them in this order. A docid that comes again is left out where it comes again.
    ///
    /// # Errors
    /// [`IndexError::Differs`] if they were not built alike, and those of [`Index::open`].
    pub fn open_all(paths: &[PathBuf]) -> Result<Index, IndexError> {
        Index::open_verified(paths, Verify::Ends)
    }

    /// [`Index::open_all`], with a choice of how much is read to see whether files are what they were.
    ///
    /// # Errors
    /// Those of [`Index::open_all`].
    pub fn open_verified(paths: &[PathBuf], how: Verify) -> Result<Index, IndexError> {
        let read = |path: &PathBuf| Manifest::read(path);
        let read = || paths.iter().map(read).collect::<Result<Vec<_>, _>>();
        let mut manifests = read()?;
        let mut tries = 0;
        loop {
            let opened = Index::open_as(paths, &manifests, how);
            let is_whole = opened
                .as_ref()
                .is_ok_and(|index| index.open_labels.values().all(Result::is_ok));
            tries += 1;
            if is_whole || tries == TRIES {
                return opened;
            }
            // Labels may have been replaced after their names were read.
            let now = read()?;
            if now == manifests {
                return opened;
            }
            manifests = now;
        }
    }

    /// Opens directories that have these manifests.
    fn open_as(
        paths: &[PathBuf],
        manifests: &[Manifest],
        how: Verify,
    ) -> Result<Index, IndexError> {
        let manifest = Manifest::joined(paths, manifests)?;
        let place = paths.first().cloned().unwrap_or_default();
        let damaged = |why: String| IndexError::Damaged {
            path: place.join(MANIFEST),
            why,
        };
        let unit = segment::by_name(&manifest.segmenter)
            .map(|segmenter| segmenter.unit)
            .ok_or_else(|| damaged(format!("no segmenter is called '{}'", manifest.segmenter)))?;
        let analyzer = manifest.analyzer.name;
        let (own, its) = (analyzer.describe(), &manifest.analyzer);
        if own != *its {
            let name = analyzer.name();
            let what = match own.version == its.version {
                true => "has other stop words or another stemmer".to_owned(),
                false => format!("is version {}, and not {}", its.version, own.version),
            };
            return Err(damaged(format!(
                "its analyzer '{name}' makes other terms than this program's: it {what}"
            )));
        }
        let mut directories = Vec::with_capacity(paths.len());
        let (mut parts, mut segments) = (Vec::new(), Vec::new());
        let (mut docids, mut extents) = (Docids::default(), Vec::new());
        let mut firsts = Vec::with_capacity(paths.len());
        for (path, manifest) in paths.iter().zip(manifests) {
            firsts.push(docids.parts());
            if how == Verify::Whole {
                verify_whole(path, manifest)?;
            }
            let first_segment = segments.len();
            for entry in &manifest.parts {
                let opened = part::open(path, entry, Verify::Ends)?;
                parts.push(Part {
                    first_page: u32::try_from(docids.len())
                        .map_err(|_| IndexError::TooManyPages)?,
                    pages: opened.pages,
                });
                extents.push((opened.extents, entry.segments.clone()));
                docids.push(opened.docids);
                segments.extend(opened.segments);
            }
            let blocks = segments[first_segment..].iter();
            directories.push(Opening {
                path: path.clone(),
                manifest: manifest.clone(),
                blocks: blocks
                    .map(|segment: &Segment| u64::from(segment.columns.num_blocks()))
                    .sum(),
            });
        }
        if docids.len() >= u32::MAX as usize {
            return Err(IndexError::TooManyPages);
        }
        let mut layout = Layout::new(extents)?;
        if how == Verify::Whole {
            layout.verify()?;
        }
        if paths.len() > 1 {
            layout.repeated = repeated_across(&docids, &firsts);
        }
        Ok(Index {
            analyzer,
            unit,
            open_labels: open(&directories, &manifest.extractors),
            directories,
            parts,
            segments,
            block_fields: schema::block_schema().1,
            docids,
            page_fields: schema::page_schema().1,
            layout,
            subsets: Mutex::new(Recent::new(KEPT_SUBSETS)),
            cache: None,
            filtered: Store::new(LISTS),
            exhaustive: false,
            one_thread: false,
            manifest,
        })
    }

    /// Has every page scored that has a term of a query, instead of those alone that can be among the first. That changes no hit and no
    /// score: it is the truth that pruning is held to.
    #[must_use]
    pub fn exhaustive(self, exhaustive: bool) -> Index {
        Index { exhaustive, ..self }
    }

    /// Keeps in memory, in so many bytes at most, what terms that are searched for again and again have under each filter: 256 MB if nobody says
    /// otherwise, nothing for 0. Results are the same.
    #[must_use]
    pub fn with_memory_for_terms(self, bytes: usize) -> Index {
        let filtered = Store::new(bytes);
        Index { filtered, ..self }
    }

    /// Has each query searched by the thread that asks, whatever pool there is: best where several are searched at the same time by threads
    /// that are no pool's. Else a query that comes from outside a pool has all its threads.
    #[must_use]
    pub fn one_thread_a_query(self, one_thread: bool) -> Index {
        Index { one_thread, ..self }
    }

    /// The first directory.
    pub(crate) fn path(&self) -> &Path {
        let first = self.directories.first();
        first.map_or(Path::new(""), |first| &first.path)
    }

    /// Number of pages, those without text included. Page numbers run from 0 to this.
    pub fn num_pages(&self) -> usize {
        self.docids.len()
    }

    /// The numbers of the pages that are searched: all but those that repeat a docid. Whatever maps docids to pages goes over
    /// these, for a repeated page is in no ranking.
    pub fn pages(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.num_pages() as u32).filter(|page| !self.is_repeated(*page))
    }

    /// Is the page left out of everything, since a page before it has the same docid?
    pub fn is_repeated(&self, page: u32) -> bool {
        self.layout.is_repeated(page)
    }

    /// The analyzer that made the terms.
    pub fn analyzer(&self) -> Analyzer {
        self.analyzer
    }

    /// What densities are counted in.
    pub fn density_unit(&self) -> DensityUnit {
        self.unit
    }

    /// The docid of a page.
    pub fn docid(&self, page: u32) -> &str {
        self.docids.get(page)
    }

    /// The part of a page.
    fn part_of(&self, page: u32) -> Result<&Part, IndexError> {
        let part = self.parts.partition_point(|part| part.first_page <= page);
        let part = part.checked_sub(1).and_then(|part| self.parts.get(part));
        let part = part.filter(|_| (page as usize) < self.num_pages());
        part.ok_or_else(|| IndexError::Damaged {
            path: self.path().to_owned(),
            why: format!("page {page} is missing"),
        })
    }

    /// A word about a page; empty if there is none.
    pub(crate) fn page_word(&self, page: u32, word: PageWord) -> Result<String, IndexError> {
        let part = self.part_of(page)?;
        part.word(word, page - part.first_page)
    }

    /// What is stored of a page.
    pub fn page(&self, page: u32) -> Result<PageRecord, IndexError> {
        let part = self.part_of(page)?;
        let document = part.pages.document(page - part.first_page)?;
        let text = |field| document.text(field).to_owned();
        Ok(PageRecord {
            docid: text(self.page_fields.docid),
            url: text(self.page_fields.url),
            title: text(self.page_fields.title),
            date: text(self.page_fields.date_text),
            media_type: part.word(PageWord::MediaType, page - part.first_page)?,
            language: part.word(PageWord::Language, page - part.first_page)?,
            file: text(self.page_fields.file),
            offset: document.number(self.page_fields.offset),
        })
    }

    /// The blocks of a page in order, as they were indexed.
    pub fn page_blocks(&self, page: u32) -> Result<Vec<Block>, IndexError> {
        self.page_blocks_in(page, 0..u32::MAX)
    }

    /// Those blocks of a page whose numbers are in a range, as far as there are any.
    pub fn page_blocks_in(&self, page: u32, range: Range<u32>) -> Result<Vec<Block>, IndexError> {
        let Some((segment, docs)) = self.page_docs(page)? else {
            return Ok(Vec::new());
        };
        let at = |number: u32| docs.start.saturating_add(number).min(docs.end);
        let docs = at(range.start)..at(range.end);
        let texts = segment.texts.read(docs.clone())?;
        guard::reading(&segment.stored.path, || {
            let blocks = docs.zip(texts).map(|(doc, text)| {
                let block = segment.columns.block(doc)?;
                Ok(Block { text, ..block })
            });
            blocks.collect()
        })
    }

    /// The blocks of a page with their counts alone, without text and tag: no text is read.
    ///
    /// # Errors
    /// [`IndexError::Damaged`] if they cannot be read.
    pub fn page_counts(&self, page: u32) -> Result<Vec<Block>, IndexError> {
        let Some((segment, docs)) = self.page_docs(page)? else {
            return Ok(Vec::new());
        };
        guard::reading(&segment.stored.path, || {
            docs.map(|doc| segment.columns.counts(doc)).collect()
        })
    }

    /// The segment of a page, and its blocks there; none for one without blocks.
    ///
    /// # Errors
    /// [`IndexError::Damaged`] if they cannot be there.
    pub(crate) fn page_docs(
        &self,
        page: u32,
    ) -> Result<Option<(&Segment, Range<u32>)>, IndexError> {
        let extent = self.layout.extent(page)?;
        let docs = extent.first_doc..extent.first_doc.saturating_add(extent.count);
        let segment = self.segments.get(extent.segment as usize);
        Ok(segment
            .filter(|_| extent.count > 0)
            .map(|segment| (segment, docs)))
    }

    /// The number of the page with a docid, which may be given as runs have it, too ([`trommel_text::to_word`]); of several pages that
    /// of the one that is searched. All docids are looked through.
    pub fn find(&self, docid: &str) -> Option<u32> {
        let find = |docid: &str| {
            let same = |page: &u32| self.docids.bytes(*page) == docid.as_bytes();
            self.pages().find(same)
        };
        find(docid).or_else(|| match from_word(docid) {
            Cow::Owned(docid) => find(&docid),
            Cow::Borrowed(_) => None,
        })
    }
}

/// Are all files of an index what they were when they were written?
///
/// # Errors
/// What is wrong with the first that is not.
fn verify_whole(index: &Path, manifest: &Manifest) -> Result<(), IndexError> {
    for part in &manifest.parts {
        part::verify(index, part, Verify::Whole)?;
    }
    let labels = manifest.extractors.iter().flat_map(|set| &set.files);
    let labels = sum::verify(&index.join(labels::FOLDER), labels, Verify::Whole);
    labels
        .into_iter()
        .next()
        .map_or(Ok(()), |(_, error)| Err(error))?;
    let ledger = manifest.ledger_file.as_ref();
    ledger.map_or(Ok(()), |sum| sum.verify(&index.join(LEDGER), Verify::Whole))
}
