//! How extractors are scored.

use trommel_eval::measure::significance::{self, Test};
use trommel_extract::Extractor;
use trommel_page::html::Charset;
use trommel_page::html::segment::Segmenter;

use crate::gold::Format;
use crate::score::TextMeasure;

/// How to score: by default no extractor by no measure.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct ScoreOptions<'a> {
    /// What is scored.
    pub extractors: &'a [Extractor],
    /// The format of the gold files.
    pub format: Option<&'a Format>,
    /// How texts are measured.
    pub measures: &'a [&'static TextMeasure],
    /// On which blocks labels are scored; none leaves them out. Where the gold standard has no classes, its text is aligned to
    /// the page; blocks without letter or digit do not count then.
    pub segmenter: Option<&'a Segmenter>,
    /// How pages are decoded.
    pub charset: Charset,
    /// Number of the extractor that the others are compared with.
    pub baseline: Option<usize>,
    /// By which test.
    pub test: &'a Test,
    /// How many over-represented sentences are wanted.
    pub phrases: usize,
}

impl Default for ScoreOptions<'_> {
    fn default() -> Self {
        ScoreOptions {
            extractors: &[],
            format: None,
            measures: &[],
            segmenter: None,
            charset: Charset::Auto,
            baseline: None,
            test: &significance::all()[0],
            phrases: 0,
        }
    }
}
