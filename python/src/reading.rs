//! Pages of archives, one after the other.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use trommel::collection::{self, Content, Document, Input, Item, Options};
use trommel::html::Charset;
use trommel::html::charset::decode;

use crate::building::{collection_options, list};
use crate::error::failed;

/// A page as it was stored.
#[pyclass(frozen, module = "trommel._trommel")]
pub(crate) struct Page {
    pub(crate) document: Document,
}

#[pymethods]
impl Page {
    /// Its identifier.
    #[getter]
    fn docid(&self) -> &str {
        &self.document.docid
    }

    /// Its address; empty where the collection has none.
    #[getter]
    fn url(&self) -> &str {
        &self.document.url
    }

    /// Its date as the record has it; may be empty.
    #[getter]
    fn date(&self) -> &str {
        &self.document.date
    }

    /// The character set that HTTP declared.
    #[getter]
    fn charset(&self) -> Option<&str> {
        self.document.charset.as_deref()
    }

    /// The media type that the record declares.
    #[getter]
    fn media_type(&self) -> Option<&str> {
        self.document.media_type.as_deref()
    }

    /// The bytes of the page, without transfer and content encodings.
    #[getter]
    fn content<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.document.bytes)
    }

    /// The language that the record declares.
    #[getter]
    fn language(&self) -> Option<&str> {
        self.document.language.as_deref()
    }

    /// The page as text, decoded as `trommel index` does.
    #[getter]
    fn html(&self) -> String {
        let Document { bytes, charset, .. } = &self.document;
        decode(bytes, Charset::Auto, charset.as_deref()).into_owned()
    }

    /// Is it text without markup?
    #[getter]
    fn is_text(&self) -> bool {
        matches!(self.document.content, Content::Text { .. })
    }

    /// Is it known to be cut short?
    #[getter]
    fn truncated(&self) -> bool {
        self.document.truncated
    }

    /// The file that it comes from.
    #[getter]
    fn file(&self) -> &str {
        &self.document.file
    }

    /// Where its record begins.
    #[getter]
    fn offset(&self) -> u64 {
        self.document.offset
    }

    fn __repr__(&self) -> String {
        let Document {
            docid, url, bytes, ..
        } = &self.document;
        format!("Page(docid={docid:?}, url={url:?}, {} bytes)", bytes.len())
    }
}

/// Goes through the pages of files. What is no page, or damaged, is a line of the ledger.
#[pyclass(frozen, module = "trommel._trommel")]
pub(crate) struct Reader {
    state: Mutex<State>,
    options: Options,
}

struct State {
    inputs: std::vec::IntoIter<Input>,
    current: Option<collection::Reader>,
    ledger: Vec<Line>,
}

/// File, offset, docid, reason, detail, whether it is a failure, and the records that it stands for.
type Line = (String, u64, Option<String>, String, String, bool, u64);

#[pymethods]
impl Reader {
    #[new]
    fn new(
        py: Python<'_>,
        paths: Vec<PathBuf>,
        format: &str,
        docid: &str,
        status: &str,
        max_record_bytes: Option<u64>,
    ) -> PyResult<Reader> {
        let inputs = list(py, &paths)?;
        Ok(Reader {
            state: Mutex::new(State {
                inputs: inputs.into_iter(),
                current: None,
                ledger: Vec::new(),
            }),
            options: collection_options(format, docid, status, max_record_bytes)?,
        })
    }

    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Page>> {
        let read = || self.next_page();
        let page = py.detach(read)?;
        py.check_signals()?;
        Ok(page)
    }

    /// The lines of the ledger so far.
    #[getter]
    fn ledger(&self) -> Vec<Line> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.ledger.clone()
    }
}

impl Reader {
    fn next_page(&self) -> PyResult<Option<Page>> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            match state.current.as_mut().and_then(Iterator::next) {
                Some(Item::Document(document)) => return Ok(Some(Page { document })),
                Some(Item::Skipped(line)) => {
                    let is_failure = line.reason.is_failure();
                    state.ledger.push((
                        line.file.to_string(),
                        line.offset,
                        line.docid,
                        line.reason.to_string(),
                        line.detail,
                        is_failure,
                        line.records,
                    ));
                }
                None => match state.inputs.next() {
                    None => return Ok(None),
                    Some(input) => {
                        let reader = collection::open(&input, &self.options);
                        state.current = Some(reader.map_err(failed)?);
                    }
                },
            }
        }
    }
}
