//! A page's blocks and what extractors say of them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use trommel_archive::Document;
use trommel_extract::{Confidence, Extractor, Label, Subject, Verdicts};
use trommel_page::html::segment::Segmenter;
use trommel_page::{Block, Page};

use crate::build::settings::Reading;

/// Parses a document as an index's options say.
pub(crate) fn parse(document: &Document, reading: &Reading) -> Page {
    reading.page(document)
}

/// A page's blocks and what extractors say of them.
#[derive(Debug, Default)]
pub(crate) struct Judged {
    pub blocks: Vec<Block>,
    /// By extractor.
    pub verdicts: Vec<Verdicts>,
    /// Extractors that panicked: a flaw of theirs must cost neither the page nor the job. All blocks are boilerplate for them, with
    /// confidence 0.
    pub failed: Vec<String>,
}

/// Cuts a page into blocks and asks the extractors.
pub(crate) fn judge(
    page: &Page,
    document: &Document,
    segmenter: &Segmenter,
    extractors: &[Arc<Extractor>],
) -> Judged {
    let subject = Subject::new(page, &document.docid, &document.url);
    let count = subject.blocks(segmenter).blocks.len();
    let mut judged = Judged::default();
    for extractor in extractors {
        let verdicts = catch_unwind(AssertUnwindSafe(|| extractor.verdicts(&subject, segmenter)));
        judged.verdicts.push(verdicts.unwrap_or_else(|_| {
            judged.failed.push(extractor.name.clone());
            let confidences = vec![Confidence::default(); count];
            Verdicts {
                labels: vec![Label::Boilerplate; count],
                confidences: extractor.has_confidences().then_some(confidences),
            }
        }));
    }
    judged.blocks = subject.into_blocks(segmenter).blocks;
    judged
}

#[cfg(test)]
mod tests {
    use super::*;
    use trommel_extract::{ExtractorRow, Make, Takes};
    use trommel_page::html::{self, segment};

    /// One extractor that panics leaves the page and the other extractors alone.
    #[test]
    fn a_panicking_extractor_costs_its_own_verdicts() {
        let page = html::parse_text("<p>one</p><p>two</p>", &Default::default());
        let document = Document {
            docid: "d".to_owned(),
            url: String::new(),
            date: String::new(),
            bytes: Vec::new(),
            charset: None,
            language: None,
            media_type: None,
            content: Default::default(),
            record_id: None,
            file: "f".into(),
            offset: 0,
            truncated: false,
        };
        static BAD: ExtractorRow = ExtractorRow {
            name: "bad",
            summary: "panics",
            source: "none",
            segmenter: None,
            takes: Takes::Parameters(&[]),
            make: Make::Labels(|_| Ok(Box::new(|_, _| panic!("a flaw")))),
        };
        static GOOD: ExtractorRow = ExtractorRow {
            name: "good",
            make: Make::Labels(|_| Ok(Box::new(|_, of| vec![Label::Content; of.blocks.len()]))),
            ..BAD
        };
        let extractors =
            [&BAD, &GOOD].map(|row| Arc::new(Extractor::new(row, "").expect("it takes nothing")));
        let found = judge(&page, &document, &segment::all()[0], &extractors);
        assert_eq!(found.blocks.len(), 2);
        let labels: Vec<Vec<Label>> = found.verdicts.into_iter().map(|of| of.labels).collect();
        assert_eq!(labels, [[Label::Boilerplate; 2], [Label::Content; 2]]);
        assert_eq!(found.failed, ["bad"]);
    }
}
