//! JSON, one object a line.
//!
//! Of pages: `docid`, `url`, `title`, `date`, `language`, `num_words` and `text`, which is what passes, a block a line; pages of which
//! nothing passes are there too. `trommel index` reads it again, as other tools read texts. Of blocks those that pass: `docid`, `block`, `text`, `tag`,
//! the counts and densities, `labels` and `confidences` by extractor.

use std::io::Write;

use serde::Serialize;
use trommel_extract::{BlockNumbers, BlockVerdicts};
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
    #[serde(flatten)]
    numbers: BlockNumbers,
    #[serde(flatten)]
    verdicts: BlockVerdicts,
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
    let mut exported = Exported::default();
    for_each_batch(index, options, |pages| {
        for page in pages {
            exported.rows += match options.unit {
                Unit::Page => write_page(page, out)?,
                Unit::Block => write_blocks(index, page, out)?,
            };
        }
        Ok(())
    })?;
    Ok(exported)
}

fn write_page(page: &PageRow, out: &mut (dyn Write + Send)) -> Result<u64, ExportError> {
    let line = PageLine {
        docid: &page.record.docid,
        url: &page.record.url,
        title: &page.record.title,
        date: &page.record.date,
        language: &page.record.language,
        num_words: page.num_words(),
        text: page.text(),
    };
    put(&line, out)?;
    Ok(1)
}

fn write_blocks(
    index: &Index,
    page: &PageRow,
    out: &mut (dyn Write + Send),
) -> Result<u64, ExportError> {
    let mut count = 0;
    for (number, block) in page.kept_blocks() {
        let sets = extractors(index, Unit::Block).iter();
        let named = sets.map(|set| set.name.as_str()).zip(&page.verdicts);
        let line = BlockLine {
            docid: &page.record.docid,
            block: number,
            text: &block.text,
            tag: block.tag.name(),
            numbers: BlockNumbers::of(block, index.density_unit()),
            verdicts: BlockVerdicts::of(number, named),
        };
        put(&line, out)?;
        count += 1;
    }
    Ok(count)
}

fn put(line: &impl Serialize, out: &mut (dyn Write + Send)) -> Result<(), ExportError> {
    let mut text = serde_json::to_vec(line).map_err(std::io::Error::from)?;
    text.push(b'\n');
    Ok(out.write_all(&text)?)
}
