//! What originals make of pages that were written for that: `originals/pages`, by `originals/make_pages.py`.
//!
//! - `originals/cetd.json`: the authors' `ContentExtraction` (github.com/FeiSun/ContentExtraction) with Qt 5.15 and QtWebKit 5.212, called as
//!   its `window.cpp` calls it, on a page of 1024 by 768 without images and scripts; then `body.toPlainText()`.
//! - `originals/unfluff.json`: npm's unfluff 3.2.0: `require("unfluff")(html, "en").text`.

use std::collections::BTreeMap;
use std::path::Path;

use trommel_page::html::{Limits, parse_text};

use crate::{Subject, parse};

pub(super) const CETD: &str = include_str!("originals/cetd.json");
pub(super) const UNFLUFF: &str = include_str!("originals/unfluff.json");

/// Gives for each page its name, the texts of the blocks that an extractor leaves, and the text that the original left.
pub(super) fn each(
    original: &str,
    extractor: &str,
    mut compare: impl FnMut(&str, Vec<&str>, &str),
) {
    let texts: BTreeMap<String, String> = serde_json::from_str(original).unwrap();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/removers/originals/pages");
    let extractor = parse(extractor).unwrap();
    for (name, text) in &texts {
        let markup = std::fs::read_to_string(folder.join(format!("{name}.html"))).unwrap();
        let page = parse_text(&markup, &Limits::default());
        let subject = Subject::new(&page, name, "");
        let blocks = extractor.content(&subject);
        compare(
            name,
            blocks.map(|block| block.text.as_str()).collect(),
            text,
        );
    }
}
