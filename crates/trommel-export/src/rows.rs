//! Pages and blocks as they are written, many at a time.

use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;
use trommel_extract::Verdicts;
use trommel_index::{Index, IndexError, LabelSet, PageRecord, Unit};
use trommel_page::Block;

use crate::error::ExportError;
use crate::options::ExportOptions;

/// Pages that are read at the same time, and whose rows are written together.
const TOGETHER: usize = 1024;

/// A page and its blocks.
pub(crate) struct PageRow {
    pub record: PageRecord,
    pub blocks: Vec<Block>,
    /// By block: does it pass?
    pub kept: Vec<bool>,
    /// By extractor.
    pub verdicts: Vec<Verdicts>,
}

impl PageRow {
    /// The text that passes, a block a line.
    pub fn text(&self) -> String {
        let with_text = self.kept_blocks().filter(|(_, block)| block.num_tokens > 0);
        let lines: Vec<String> = with_text.map(|(_, block)| block.line()).collect();
        lines.join("\n")
    }

    /// The blocks that pass, with their numbers.
    pub fn kept_blocks(&self) -> impl Iterator<Item = (usize, &Block)> {
        let kept = self.blocks.iter().zip(&self.kept).enumerate();
        kept.filter_map(|(number, (block, kept))| kept.then_some((number, block)))
    }

    /// Words of all blocks.
    pub fn page_words(&self) -> u64 {
        let words = self.blocks.iter().map(|block| u64::from(block.num_words));
        words.sum()
    }

    /// Words of the blocks that pass.
    pub fn num_words(&self) -> u64 {
        let words = self
            .kept_blocks()
            .map(|(_, block)| u64::from(block.num_words));
        words.sum()
    }
}

/// The extractors whose verdicts are written: of blocks all that the index has.
pub(crate) fn extractors(index: &Index, unit: Unit) -> &[LabelSet] {
    match unit {
        Unit::Page => &[],
        Unit::Block => &index.manifest.extractors,
    }
}

/// Calls `each` with the pages of an index, in their order, on this thread; they are read on those of the current rayon pool.
pub(crate) fn for_each_batch(
    index: &Index,
    options: &ExportOptions,
    mut each: impl FnMut(&[PageRow]) -> Result<(), ExportError>,
) -> Result<(), ExportError> {
    let pages: Vec<u32> = index.pages().collect();
    options.state.all.store(pages.len() as u64, Relaxed);
    for some in pages.chunks(TOGETHER) {
        let read = some.par_iter().map(|page| read(index, options, *page));
        each(&read.collect::<Result<Vec<_>, IndexError>>()?)?;
        options.state.step(some.len() as u64)?;
    }
    Ok(())
}

fn read(index: &Index, options: &ExportOptions, page: u32) -> Result<PageRow, IndexError> {
    let sets = extractors(index, options.unit).iter();
    let verdicts = sets.map(|set| index.page_verdicts(page, &set.name));
    Ok(PageRow {
        record: index.page(page)?,
        blocks: index.page_blocks(page)?,
        kept: index.passing(page, &options.filter)?,
        verdicts: verdicts.collect::<Result<_, IndexError>>()?,
    })
}
