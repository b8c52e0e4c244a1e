//! boilerpipe's `ArticleExtractor`, for news: Algorithm 2, the comments cut off, the largest fused block, and what stands
//! between it and the title.
//!
//! This is the chain of 1.2.0. Later versions of the source fuse by tag level and have more filters
//! (`TrailingHeadlineToBoilerplateFilter`, `LargeBlockSameTagLevelToContentFilter`, `ListAtEndFilter`).

use trommel_page::Segmentation;

use super::filter::{
    Document, block_proximity_fusion, boilerplate_block_filter, document_title_match_classifier,
    expand_title_to_content_filter, ignore_blocks_after_content_filter, keep_largest_block_filter,
    num_words_rules_classifier, terminating_blocks_finder,
};
use crate::{ExtractorRow, Label, Make, Subject, Takes};

pub(crate) const ROW: ExtractorRow = ExtractorRow {
    name: "boilerpipe-article",
    summary: "news articles: the largest fused block, up to the title and without comments",
    source: "boilerpipe 1.2 ArticleExtractor",
    segmenter: Some("boilerpipe"),
    takes: Takes::Parameters(&[]),
    make: Make::Labels(|_| Ok(Box::new(label))),
};

fn label(_: &Subject, segmentation: &Segmentation) -> Vec<Label> {
    let mut document = Document::new(segmentation);
    process(&mut document);
    document.labels()
}

/// The chain; `boilerpipe-sentences` goes on from it.
pub(super) fn process(document: &mut Document) {
    terminating_blocks_finder::apply(document);
    document_title_match_classifier::apply(document);
    num_words_rules_classifier::apply(document);
    ignore_blocks_after_content_filter::apply(
        document,
        ignore_blocks_after_content_filter::MIN_WORDS,
    );
    keep_largest_and_title(document);
}

/// The second half of the chain; `main-content` ends with it.
pub(super) fn keep_largest_and_title(document: &mut Document) {
    block_proximity_fusion::apply(document, block_proximity_fusion::MAX_DISTANCE, false);
    boilerplate_block_filter::apply(document);
    block_proximity_fusion::apply(document, block_proximity_fusion::MAX_DISTANCE, true);
    keep_largest_block_filter::apply(document);
    expand_title_to_content_filter::apply(document);
}
