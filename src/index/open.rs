//! An index that is open for reading.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use serde::{Deserialize, Serialize};
use tantivy::collector::TopDocs;
use tantivy::query::TermQuery;
use tantivy::schema::{Field, IndexRecordOption, Value};
use tantivy::{DocAddress, ReloadPolicy, Searcher, TantivyDocument, Term};

use super::columns::Columns;
use super::docids::Docids;
use super::labels::OpenLabels;
use super::layout::Layout;
use super::manifest::Manifest;
use super::schema::{self, BlockFields, PageFields};
use super::subset::Subset;
use super::{Filter, IndexError};
use crate::html::segment;
use crate::page::{Block, DensityUnit, Tag};
use crate::text::Analyzer;

/// What is stored of a page besides its blocks.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageRecord {
    /// Its identifier.
    pub docid: String,
    /// Where it was fetched from; may be empty.
    pub url: String,
    /// Its title; may be empty.
    pub title: String,
    /// When it was fetched, as the collection has it; may be empty.
    pub date: String,
    /// The collection file.
    pub file: String,
    /// Where its record stands in that file.
    pub offset: u64,
}

/// An index that is open for reading. Cheap to share between threads.
pub struct Index {
    /// What the index was made of.
    pub manifest: Manifest,
    pub(super) path: PathBuf,
    pub(super) analyzer: Analyzer,
    pub(super) unit: DensityUnit,
    pub(super) blocks: Searcher,
    /// The columns of each segment of `blocks`.
    pub(super) columns: Vec<Columns>,
    pub(super) block_fields: BlockFields,
    pub(super) docids: Docids,
    pub(super) pages: Searcher,
    pub(super) page_fields: PageFields,
    /// Where each page's blocks stand.
    pub(super) layout: Layout,
    pub(super) block_lengths: OnceLock<Vec<u32>>,
    subsets: Mutex<Vec<(Filter, Arc<Subset>)>>,
    pub(super) open_labels: OpenLabels,
}

/// How many filters' statistics are kept: a person moves between a few, and a sweep uses each once.
const KEPT_SUBSETS: usize = 8;

impl Index {
    /// Opens an index directory.
    pub fn open(path: &Path) -> Result<Index, IndexError> {
        let manifest = Manifest::read(path)?;
        let damaged = |why: String| IndexError::Damaged {
            path: path.join(super::manifest::MANIFEST),
            why,
        };
        let unit = segment::by_name(&manifest.segmenter)
            .map(|segmenter| segmenter.unit)
            .ok_or_else(|| damaged(format!("no segmenter is called '{}'", manifest.segmenter)))?;
        let analyzer = manifest.analyzer.name;
        if analyzer.describe() != manifest.analyzer {
            return Err(damaged(format!(
                "its analyzer '{}' (version {}) makes other terms than this program's (version {})",
                analyzer.name(),
                manifest.analyzer.version,
                analyzer.describe().version
            )));
        }
        let blocks_path = path.join("blocks");
        let blocks = open_searcher(&blocks_path)?;
        let segments = blocks.segment_readers();
        let columns = segments
            .iter()
            .map(|segment| Columns::open(segment, &blocks_path))
            .collect::<Result<Vec<_>, _>>()?;
        let docids = Docids::open(path)?;
        let layout = Layout::read(segments, &columns, docids.len(), &blocks_path)?;
        Ok(Index {
            analyzer,
            unit,
            columns,
            blocks,
            block_fields: schema::block_schema().1,
            docids,
            pages: open_searcher(&path.join("pages"))?,
            page_fields: schema::page_schema().1,
            layout,
            block_lengths: OnceLock::new(),
            subsets: Mutex::default(),
            open_labels: OpenLabels::default(),
            path: path.to_owned(),
            manifest,
        })
    }

    /// Number of pages, those without text included. Page numbers run from 0 to this.
    pub fn num_pages(&self) -> usize {
        self.docids.len()
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

    /// What is stored of a page.
    pub fn page(&self, page: u32) -> Result<PageRecord, IndexError> {
        let term = Term::from_field_u64(self.page_fields.page, u64::from(page));
        let path = self.path.join("pages");
        let address = self.find_page(term)?.ok_or_else(|| IndexError::Damaged {
            path: path.clone(),
            why: format!("page {page} is missing"),
        })?;
        let document: TantivyDocument = self
            .pages
            .doc(address)
            .map_err(IndexError::tantivy(&path))?;
        Ok(PageRecord {
            docid: text(&document, self.page_fields.docid),
            url: text(&document, self.page_fields.url),
            title: text(&document, self.page_fields.title),
            date: text(&document, self.page_fields.date),
            file: text(&document, self.page_fields.file),
            offset: document
                .get_first(self.page_fields.offset)
                .and_then(|v| v.as_u64())
                .unwrap_or(0),
        })
    }

    fn find_page(&self, term: Term) -> Result<Option<DocAddress>, IndexError> {
        let query = TermQuery::new(term, IndexRecordOption::Basic);
        let found = self
            .pages
            .search(&query, &TopDocs::with_limit(1).order_by_score())
            .map_err(IndexError::tantivy(&self.path.join("pages")))?;
        Ok(found.first().map(|(_, address)| *address))
    }

    /// The blocks of a page in order, as they were indexed.
    pub fn page_blocks(&self, page: u32) -> Result<Vec<Block>, IndexError> {
        let extent = self.layout.extent(page);
        if extent.count == 0 {
            return Ok(Vec::new());
        }
        let path = self.path.join("blocks");
        let columns = &self.columns[extent.segment as usize];
        (extent.first_doc..extent.first_doc + extent.count)
            .map(|doc| {
                let stored: TantivyDocument = self
                    .blocks
                    .doc(DocAddress::new(extent.segment, doc))
                    .map_err(IndexError::tantivy(&path))?;
                Ok(Block {
                    text: text(&stored, self.block_fields.text),
                    tag: Tag::from_name(&text(&stored, self.block_fields.tag)),
                    ..columns.counts(doc)
                })
            })
            .collect()
    }

    /// The statistics of the index under a filter; the last few are kept.
    pub(super) fn subset(&self, filter: &Filter) -> Result<Arc<Subset>, IndexError> {
        // Held while the subset is computed, so that threads that want the same one do not all compute it.
        let mut kept = self.subsets.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, subset)) = kept.iter().find(|(f, _)| f == filter) {
            return Ok(Arc::clone(subset));
        }
        let subset = Arc::new(Subset::read(self, filter)?);
        if kept.len() == KEPT_SUBSETS {
            kept.remove(0);
        }
        kept.push((filter.clone(), Arc::clone(&subset)));
        Ok(subset)
    }
}

/// The text stored in a field; empty if there is none.
fn text(document: &TantivyDocument, field: Field) -> String {
    let value = document.get_first(field).and_then(|value| value.as_str());
    value.unwrap_or_default().to_owned()
}

fn open_searcher(path: &Path) -> Result<Searcher, IndexError> {
    let mut index = tantivy::Index::open_in_dir(path).map_err(IndexError::tantivy(path))?;
    index.set_tokenizers(schema::tokenizers());
    let reader = index
        .reader_builder()
        .reload_policy(ReloadPolicy::Manual)
        .try_into()
        .map_err(IndexError::tantivy(path))?;
    Ok(reader.searcher())
}
