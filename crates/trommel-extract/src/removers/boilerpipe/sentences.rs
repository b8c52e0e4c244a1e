//! boilerpipe's `ArticleSentencesExtractor`: of what `ArticleExtractor` keeps, the blocks with a clause of five words.

use trommel_page::Segmentation;

use super::article;
use super::filter::{Document, min_clause_words_filter, split_paragraph_blocks_filter};
use crate::{ExtractorRow, Label, Make, Subject, Takes};

pub(crate) const ROW: ExtractorRow = ExtractorRow {
    name: "boilerpipe-sentences",
    summary: "boilerpipe-article, blocks without a clause of five words left out",
    source: "boilerpipe 1.2 ArticleSentencesExtractor",
    segmenter: Some("boilerpipe"),
    takes: Takes::Parameters(&[]),
    make: Make::Labels(|_| Ok(Box::new(label))),
};

fn label(_: &Subject, segmentation: &Segmentation) -> Vec<Label> {
    let mut document = Document::new(segmentation);
    article::process(&mut document);
    split_paragraph_blocks_filter::apply(&mut document);
    min_clause_words_filter::apply(&mut document, min_clause_words_filter::MIN_WORDS);
    document.labels()
}
