//! JSON, one object a line.
//!
//! Of pages: `docid`, `url`, `title`, `date`, `language`, `num_words` and `text`, which is what passes, a block a line; pages of which
//! nothing passes are there too. `trommel index` reads it again, as other tools read texts. Of blocks those that pass: `docid`, `block`, `text`, `tag`,
//! the counts and densities, `labels` and `confidences` by extractor.

use std::collections::BTreeMap;
use std::io::Write;

use serde::Serialize;
use trommel_index::{Index, Unit};

use crate::error::ExportError;
use crate::options::{ExportOptions, Exported};
use crate::rows::{PageRow, extractors, for_each_batch};

#[derive(Serialize)]
struct PageLine<'a> {
    docid: &'a str,
    url: &'a str,
    title: &'a str,
    date: &'a str,
    language: &'a str,
    num_words: u64,
    text: String,
}

#[derive(Serialize)]
struct BlockLine<'a> {
    docid: &'a str,
    block: usize,
    text: &'a str,
    tag: &'a str,
    num_words: u32,
    num_tokens: u32,
    num_linked_words: u32,
    num_words_in_full_lines: u32,
    num_lines: u32,
    text_density: f64,
    link_density: f64,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    labels: BTreeMap<&'a str, bool>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    confidences: BTreeMap<&'a str, f64>,
}

/// Writes what a filter leaves of an index.
///
/// # Errors
/// Those of reading and writing.
pub fn write(
    index: &Index,
    options: &ExportOptions,
    out: &mut (dyn Write + Send),
) -> Result<Exported, ExportError> {
    let names = match options.unit {
        Unit::Page => Vec::new(),
        Unit::Block => extractors(index),
    };
    let mut exported = Exported::default();
    for_each_batch(index, options, &names, |pages| {
        for page in pages {
            exported.rows += match options.unit {
                Unit::Page => write_page(page, out)?,
                Unit::Block => write_blocks(index, page, &names, out)?,
            };
        }
        Ok(())
    })?;
    Ok(exported)
}

fn write_page(page: &PageRow, out: &mut (dyn Write + Send)) -> Result<u64, ExportError> {
    let words = page
        .kept_blocks()
        .map(|block| u64::from(page.blocks[block].num_words));
    let line = PageLine {
        docid: &page.record.docid,
        url: &page.record.url,
        title: &page.record.title,
        date: &page.record.date,
        language: &page.record.language,
        num_words: words.sum(),
        text: page.text(),
    };
    put(&line, out)?;
    Ok(1)
}

fn write_blocks(
    index: &Index,
    page: &PageRow,
    names: &[String],
    out: &mut (dyn Write + Send),
) -> Result<u64, ExportError> {
    let mut count = 0;
    for number in page.kept_blocks() {
        let block = &page.blocks[number];
        let verdicts = || names.iter().map(String::as_str).zip(&page.verdicts);
        let confidence = |(name, of): (_, &Vec<(bool, Option<f64>)>)| Some((name, of[number].1?));
        put(
            &BlockLine {
                docid: &page.record.docid,
                block: number,
                text: &block.text,
                tag: block.tag.name(),
                num_words: block.num_words,
                num_tokens: block.num_tokens,
                num_linked_words: block.num_linked_words,
                num_words_in_full_lines: block.num_words_in_full_lines,
                num_lines: block.num_lines,
                text_density: block.text_density(),
                link_density: block.link_density(index.density_unit()),
                labels: verdicts().map(|(name, of)| (name, of[number].0)).collect(),
                confidences: verdicts().filter_map(confidence).collect(),
            },
            out,
        )?;
        count += 1;
    }
    Ok(count)
}

fn put(line: &impl Serialize, out: &mut (dyn Write + Send)) -> Result<(), ExportError> {
    let mut text = serde_json::to_vec(line).map_err(std::io::Error::from)?;
    text.push(b'\n');
    Ok(out.write_all(&text)?)
}
