//! What dom_smoothie keeps of pages: `peer-dom-smoothie HTML_DIR > OUT.jsonl`.
//!
//! A line a page, `{"docid": "page", "text": "…"}`, in the order of their names; the docid is the file's name without its extension.
//! Pages are decoded as UTF-8 with replacement characters. A page of which nothing is kept has an empty text, and a line on
//! standard error says why.

use std::error::Error;
use std::io::{BufWriter, Write, stdout};
use std::path::PathBuf;

use dom_smoothie::{Readability, TextMode};
use serde_json::json;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args()
        .nth(1)
        .ok_or("usage: peer-dom-smoothie HTML_DIR > OUT.jsonl")?;
    let entries: Result<Vec<_>, _> = std::fs::read_dir(folder)?.collect();
    let mut pages: Vec<PathBuf> = entries?.into_iter().map(|entry| entry.path()).collect();
    pages.sort();
    let mut out = BufWriter::new(stdout().lock());
    for page in pages {
        let name = page.file_stem().unwrap_or_default().to_string_lossy();
        let bytes = std::fs::read(&page)?;
        let markup = String::from_utf8_lossy(&bytes);
        let text = kept(&markup).unwrap_or_else(|error| {
            eprintln!("{name}: {error}");
            String::new()
        });
        writeln!(out, "{}", json!({"docid": name, "text": text}))?;
    }
    out.flush()?;
    Ok(())
}

fn kept(markup: &str) -> Result<String, Box<dyn Error>> {
    // `Raw` runs the last word of a paragraph into the first of the next one.
    let config = dom_smoothie::Config {
        text_mode: TextMode::Formatted,
        ..Default::default()
    };
    let article = Readability::new(markup, None, Some(config))?.parse()?;
    Ok(article.text_content.to_string())
}
