//! Gold standards that are learnt from.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::gold::{Format, Pair};

/// A gold standard.
pub struct Corpus {
    /// Its name in tables.
    pub name: String,
    /// How its gold files are read; none if it has none.
    pub format: Option<&'static Format>,
    /// Its pages, if it has a gold standard.
    pub pairs: Vec<Pair>,
    /// Where its pages are, if it has none.
    pub collection: Option<PathBuf>,
    /// Where pages come from, by their names, where a file says so.
    pub urls: BTreeMap<String, String>,
    /// Is the site what stands before the first `_` of a page's name?
    pub site_by_name: bool,
}

impl Corpus {
    /// A corpus of which nothing is known but its files.
    pub fn new(name: &str, format: Option<&'static Format>, pairs: Vec<Pair>) -> Corpus {
        Corpus {
            name: name.to_owned(),
            format,
            pairs,
            collection: None,
            urls: BTreeMap::new(),
            site_by_name: false,
        }
    }
}
