//! Single pages, without an index.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use trommel::extractor::structure::StructureOptions;
use trommel::extractor::{
    self, Confidence, ExtractionOptions, Extractor, ExtractorError, PageFacts, PageFilter, Record,
    Subject, Verdicts,
};
use trommel::html::{self, Charset, Limits, Source};
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

    /// The page with its source.
    fn parse_with_source(&self, charset: Charset) -> PyResult<(Page, Source)> {
        let limits = Limits::default();
        Ok(match self {
            Markup::Stored(page) => Reading::default()
                .with_charset(charset)
                .page_with_source(&page.get().document),
            // What is decoded is UTF-8 here, whatever it says of itself.
            Markup::Text(text) => {
                html::parse_with_source(text.as_bytes(), parse("utf-8")?, None, &limits)
            }
            Markup::Bytes(bytes) => html::parse_with_source(bytes, charset, None, &limits),
        })
    }

    /// The bytes that are parsed.
    fn payload(&self) -> &[u8] {
        match self {
            Markup::Stored(page) => &page.get().document.bytes,
            Markup::Text(text) => text.as_bytes(),
            Markup::Bytes(bytes) => bytes,
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

fn least_of(extractor: &Extractor, least: Option<f64>) -> PyResult<Option<Confidence>> {
    match least {
        None => Ok(None),
        Some(_) if !extractor.has_confidences() => {
            let name = extractor.name.as_str().into();
            Err(unreadable(ExtractorError::NoConfidences(name)))
        }
        Some(least) => Ok(Some(parse(&least.to_string())?)),
    }
}

fn filter_of(filter: &str) -> PyResult<Option<PageFilter>> {
    match filter {
        "" => Ok(None),
        filter => Ok(Some(PageFilter::new(parse(filter)?).map_err(unreadable)?)),
    }
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
    let least = least_of(&extractor, min_confidence)?;
    let filter = filter_of(filter)?;
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

/// What an extractor keeps of a page in a format: markdown, html, text, or jsonl (one object). `options` are: with links, with images, with
/// what is hidden, with what is embedded.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub(crate) fn extract_as(
    py: Python<'_>,
    html: Markup,
    extractor: &str,
    filter: &str,
    min_confidence: Option<f64>,
    url: &str,
    docid: &str,
    charset: &str,
    format: &str,
    options: (bool, bool, bool, bool),
) -> PyResult<String> {
    let extractor = extractor_of(extractor)?;
    let least = least_of(&extractor, min_confidence)?;
    let filter = filter_of(filter)?;
    let charset = parse(charset)?;
    let (links, images, hidden, embedded) = options;
    let structure = StructureOptions::default()
        .with_links(links)
        .with_images(images);
    let options = ExtractionOptions::default()
        .with_structure(structure)
        .with_least(least)
        .with_without_hidden(!hidden)
        .with_embedded(embedded);
    py.detach(|| {
        let (page, source) = html.parse_with_source(charset)?;
        let (facts, docid) = html.facts(url, docid);
        let subject = Subject::new(&page, docid, facts.url);
        let filter = filter.as_ref().map(|filter| (filter, &facts));
        let extraction = extractor.extraction(&subject, &source, filter, &options);
        match format {
            "text" => Ok(extraction.text()),
            "markdown" => Ok(extraction.markdown(&page, &source, facts.url)),
            "html" => Ok(extraction.html(&page, &source, facts.url)),
            "jsonl" => {
                let language = page.language_or(facts.language);
                let payload = html.payload();
                let record = Record::new(
                    &extractor,
                    &subject,
                    &source,
                    payload,
                    language,
                    &extraction,
                );
                serde_json::to_string(&record)
                    .map_err(|error| PyValueError::new_err(error.to_string()))
            }
            other => Err(PyValueError::new_err(format!(
                "format: '{other}' is none; there are text, markdown, html, dict"
            ))),
        }
    })
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
