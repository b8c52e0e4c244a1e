//! Training of the extractor `ncleaner`.

use trommel_extract::ncleaner::{NCleanerModel, Ngrams};

use crate::LabError;
use crate::gold::{GoldLabel, LabelledPage};

/// How it is trained.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct NCleanerOptions {
    /// Characters of a sequence.
    pub n: usize,
    /// Sequences that stand there fewer times are left out.
    pub least: u32,
}

impl Default for NCleanerOptions {
    fn default() -> Self {
        NCleanerOptions { n: 3, least: 2 }
    }
}

/// Trains on the blocks that have labels.
///
/// # Errors
/// Pages without text of both kinds.
pub fn train_ncleaner(
    pages: &[LabelledPage],
    options: &NCleanerOptions,
) -> Result<NCleanerModel, LabError> {
    let texts = |content: bool| {
        pages.iter().flat_map(move |page| {
            let blocks = page.segmentation.blocks.iter().zip(&page.labels);
            let own =
                blocks.filter(move |(_, label)| label.map(GoldLabel::is_content) == Some(content));
            own.map(|(block, _)| block.text.as_str())
        })
    };
    let ngrams = |content: bool| {
        let mut ngrams = Ngrams::of(options.n, texts(content));
        ngrams.counts.retain(|_, count| *count >= options.least);
        ngrams
    };
    let model = NCleanerModel {
        clean: ngrams(true),
        dirty: ngrams(false),
    };
    if model.clean.counts.is_empty() || model.dirty.counts.is_empty() {
        let text =
            "the pages have no content, or nothing else; is the gold standard of another format?";
        return Err(LabError::Definition(text.to_owned()));
    }
    Ok(model)
}
