//! Pages and blocks as they are written, many at a time.

use rayon::prelude::*;
use trommel_index::{Index, IndexError, PageRecord};
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
    /// By extractor and block: is it content, and how surely, if that is known?
    pub verdicts: Vec<Vec<(bool, Option<f64>)>>,
}

impl PageRow {
    /// The text that passes, a block a line.
    pub fn text(&self) -> String {
        let kept = self.blocks.iter().zip(&self.kept);
        let kept = kept.filter(|(block, kept)| **kept && block.num_tokens > 0);
        let lines: Vec<String> = kept.map(|(block, _)| block.line()).collect();
        lines.join("\n")
    }

    /// The numbers of the blocks that pass.
    pub fn kept_blocks(&self) -> impl Iterator<Item = usize> {
        let kept = self.kept.iter().enumerate();
        kept.filter(|(_, kept)| **kept).map(|(block, _)| block)
    }
}

/// The extractors whose verdicts are stored.
pub(crate) fn extractors(index: &Index) -> Vec<String> {
    let sets = index.manifest.extractors.iter();
    sets.map(|set| set.name.clone()).collect()
}

/// Calls `each` with the pages of an index, in their order, on this thread; they are read on those of the current rayon pool. Verdicts
/// are read if `verdicts` names their extractors.
pub(crate) fn for_each_batch(
    index: &Index,
    options: &ExportOptions,
    verdicts: &[String],
    mut each: impl FnMut(&[PageRow]) -> Result<(), ExportError>,
) -> Result<(), ExportError> {
    let pages: Vec<u32> = index.pages().collect();
    for some in pages.chunks(TOGETHER) {
        let read = some
            .par_iter()
            .map(|page| read(index, options, verdicts, *page));
        each(&read.collect::<Result<Vec<_>, IndexError>>()?)?;
    }
    Ok(())
}

fn read(
    index: &Index,
    options: &ExportOptions,
    verdicts: &[String],
    page: u32,
) -> Result<PageRow, IndexError> {
    let of_extractor = |name: &String| {
        let verdicts = index.page_verdicts(page, name)?;
        let confidences = verdicts.confidences.as_ref();
        let content = verdicts.content().into_iter().enumerate();
        let both = content.map(|(block, content)| {
            let confidence = confidences.and_then(|all| all.get(block));
            (content, confidence.map(|it| it.to_f64()))
        });
        Ok(both.collect())
    };
    Ok(PageRow {
        record: index.page(page)?,
        blocks: index.page_blocks(page)?,
        kept: index.passing(page, &options.filter)?,
        verdicts: verdicts
            .iter()
            .map(of_extractor)
            .collect::<Result<_, IndexError>>()?,
    })
}
