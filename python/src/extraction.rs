//! Single pages, without an index.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use trommel::extractor::{
    self, Confidence, Extractor, ExtractorError, PageFacts, PageFilter, Subject, Verdicts,
};
use trommel::html::{self, Charset, Limits};
use trommel::index::{Reading, facts_of};
use trommel::page::Page;

use crate::building::segmenter;
use crate::error::{parse, unreadable};
use crate::index::block_table;
use crate::reading::Page as StoredPage;
use crate::table::Table;

/// A page: as an archive has it, or its markup, decoded or not. What is Python's is read where it is.
#[derive(FromPyObject)]
pub(crate) enum Markup {
    /// With all that its record says of it.
    Stored(Py<StoredPage>),
    /// Decoded.
    Text(PyBackedStr),
    /// As it was sent.
    Bytes(PyBackedBytes),
}

impl Markup {
    fn parse(&self, charset: Charset) -> Page {
        match self {
            Markup::Stored(page) => Reading::default()
                .with_charset(charset)
                .page(&page.get().document),
            Markup::Text(text) => html::parse_text(text, &Limits::default()),
            Markup::Bytes(bytes) => html::parse(bytes, charset, None, &Limits::default()),
        }
    }

    /// What is known of the page, and its docid; an address and a docid that are named here stand before those of the record.
    fn facts<'a>(&'a self, url: &'a str, docid: &'a str) -> (PageFacts<'a>, &'a str) {
        let (mut facts, mut known) = match self {
            Markup::Stored(page) => {
                let document = &page.get().document;
                (facts_of(document), document.docid.as_str())
            }
            _ => (PageFacts::default(), ""),
        };
        if !url.is_empty() {
            facts.url = url;
        }
        if !docid.is_empty() {
            known = docid;
        }
        (facts, known)
    }
}

/// Extractors that were asked for before: some read a model when they are made.
static KNOWN: Mutex<Option<HashMap<String, Arc<Extractor>>>> = Mutex::new(None);
/// So many are kept.
const MOST_KNOWN: usize = 64;

fn extractor_of(name: &str) -> PyResult<Arc<Extractor>> {
    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(extractor) = known().as_ref().and_then(|known| known.get(name)) {
        return Ok(Arc::clone(extractor));
    }
    let extractor = Arc::new(extractor::parse(name).map_err(unreadable)?);
    let mut known = known();
    let known = known.get_or_insert_default();
    if known.len() >= MOST_KNOWN {
        known.clear();
    }
    known.insert(name.to_owned(), Arc::clone(&extractor));
    Ok(extractor)
}

/// The title of a page and the texts of the blocks that an extractor keeps and that pass a filter.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub(crate) fn extract(
    py: Python<'_>,
    html: Markup,
    extractor: &str,
    filter: &str,
    min_confidence: Option<f64>,
    url: &str,
    docid: &str,
    charset: &str,
) -> PyResult<(String, Vec<String>)> {
    let extractor = extractor_of(extractor)?;
    let least: Option<Confidence> = match min_confidence {
        None => None,
        Some(_) if !extractor.has_confidences() => {
            let name = extractor.name.as_str().into();
            return Err(unreadable(ExtractorError::NoConfidences(name)));
        }
        Some(least) => Some(parse(&least.to_string())?),
    };
    let filter = match filter {
        "" => None,
        filter => Some(PageFilter::new(parse(filter)?).map_err(unreadable)?),
    };
    let charset = parse(charset)?;
    Ok(py.detach(|| {
        let page = html.parse(charset);
        let (facts, docid) = html.facts(url, docid);
        let subject = Subject::new(&page, docid, facts.url);
        let filter = filter.as_ref().map(|filter| (filter, &facts));
        let blocks = extractor.kept_blocks(&subject, least, filter);
        let texts = blocks.iter().map(|block| block.line()).collect();
        (page.title.clone(), texts)
    }))
}

/// Bytes of a page as text, as `trommel index` decodes them; `declared` is the charset that HTTP or a collection has for them.
#[pyfunction]
pub(crate) fn decode(
    bytes: PyBackedBytes,
    charset: &str,
    declared: Option<&str>,
) -> PyResult<String> {
    let charset = parse(charset)?;
    Ok(html::charset::decode(&bytes, charset, declared).into_owned())
}

/// The blocks of a page with the verdicts of some extractors.
#[pyfunction]
pub(crate) fn blocks(
    py: Python<'_>,
    html: Markup,
    extractors: Vec<String>,
    segmenter: &str,
    url: &str,
    docid: &str,
    charset: &str,
) -> PyResult<Table> {
    let segmenter = self::segmenter(segmenter)?;
    let charset = parse(charset)?;
    let extractors = extractor::parse_all(extractors.iter().map(String::as_str));
    let extractors = extractors.map_err(unreadable)?;
    py.detach(|| {
        let page = html.parse(charset);
        let (facts, docid) = html.facts(url, docid);
        let subject = Subject::new(&page, docid, facts.url);
        let verdicts: Vec<Verdicts> = extractors
            .iter()
            .map(|extractor| extractor.verdicts(&subject, &segmenter))
            .collect();
        let names = extractors.iter().map(|extractor| extractor.name.as_str());
        let named: Vec<(&str, &Verdicts)> = names.zip(&verdicts).collect();
        let blocks = &subject.blocks(&segmenter).blocks;
        block_table(blocks, segmenter.unit, None, &named)
    })
}
