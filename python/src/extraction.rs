//! Single pages, without an index.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use trommel::extractor::{
    self, Confidence, Extractor, ExtractorError, PageFacts, PageFilter, Subject, Verdicts,
};
use trommel::html::{self, Charset, Limits};
use trommel::page::Page;

use crate::building::segmenter;
use crate::error::{parse, unreadable};
use crate::index::block_table;
use crate::table::Table;

/// Markup, decoded or not.
#[derive(FromPyObject)]
pub(crate) enum Markup {
    /// Decoded.
    Text(String),
    /// As it was sent.
    Bytes(Vec<u8>),
}

impl Markup {
    fn parse(&self, charset: Charset) -> Page {
        match self {
            Markup::Text(text) => html::parse_text(text, &Limits::default()),
            Markup::Bytes(bytes) => html::parse(bytes, charset, None, &Limits::default()),
        }
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
        let subject = Subject::new(&page, docid, url);
        let facts = PageFacts {
            url,
            ..PageFacts::default()
        };
        let filter = filter.as_ref().map(|filter| (filter, &facts));
        let blocks = extractor.kept_blocks(&subject, least, filter);
        let texts = blocks.iter().map(|block| block.line()).collect();
        (page.title.clone(), texts)
    }))
}

/// The blocks of a page with the verdicts of some extractors.
#[pyfunction]
pub(crate) fn blocks(
    py: Python<'_>,
    html: Markup,
    extractors: Vec<String>,
    segmenter: &str,
    url: &str,
    charset: &str,
) -> PyResult<Table> {
    let segmenter = self::segmenter(segmenter)?;
    let charset = parse(charset)?;
    let extractors = extractor::parse_all(extractors.iter().map(String::as_str));
    let extractors = extractors.map_err(unreadable)?;
    py.detach(|| {
        let page = html.parse(charset);
        let subject = Subject::new(&page, "", url);
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
