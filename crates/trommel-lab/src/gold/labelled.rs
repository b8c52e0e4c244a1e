//! Pages whose blocks have gold labels: what classifiers are trained on.

use rayon::prelude::*;
use trommel_extract::{TrainingPages, align};
use trommel_page::html::segment::Segmenter;
use trommel_page::html::{self, Charset, Limits};
use trommel_page::{Page, Segmentation};
use trommel_text::is_letter_or_digit;

use super::Format;
use super::annotated::classes_of_blocks;
use super::class::Class;
use super::pair::{Pair, read as read_gold, read_page};
use crate::LabError;

/// A page with its blocks and what the gold standard says of them.
#[derive(Debug, Clone)]
pub struct LabelledPage {
    /// The name of its files.
    pub name: String,
    /// The page; where the gold standard is an annotated one, that.
    pub page: Page,
    /// What the page without annotations is known again by.
    pub fingerprint: Option<u64>,
    /// Its blocks.
    pub segmentation: Segmentation,
    /// For each block its label; none where the gold standard says nothing of it, as of a block without letter or digit when
    /// a text is aligned.
    pub labels: Vec<Option<GoldLabel>>,
}

/// A label by a gold standard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GoldLabel {
    /// A class of an annotated page.
    Class(Class),
    /// Whether the block stands in a gold text.
    Content(bool),
}

impl GoldLabel {
    /// Is it main content?
    pub fn is_content(self) -> bool {
        match self {
            GoldLabel::Class(class) => class.is_content(),
            GoldLabel::Content(content) => content,
        }
    }

    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            GoldLabel::Class(class) => class.name(),
            GoldLabel::Content(true) => "content",
            GoldLabel::Content(false) => "boilerplate",
        }
    }
}

/// Reads pages and gold standard, in the order of the pairs. `done` is called after each page. Pages whose gold text is
/// empty are left out.
///
/// # Errors
/// A file that cannot be read.
pub fn labelled_pages(
    pairs: &[Pair],
    format: &Format,
    segmenter: &Segmenter,
    charset: Charset,
    done: &(dyn Fn() + Sync),
) -> Result<Vec<LabelledPage>, LabError> {
    let pages: Vec<Option<LabelledPage>> = pairs
        .par_iter()
        .map(|pair| {
            let page = labelled_page(pair, format, segmenter, charset);
            done();
            page
        })
        .collect::<Result<_, _>>()?;
    Ok(pages.into_iter().flatten().collect())
}

fn labelled_page(
    pair: &Pair,
    format: &Format,
    segmenter: &Segmenter,
    charset: Charset,
) -> Result<Option<LabelledPage>, LabError> {
    let gold = match &pair.gold {
        Some(path) => read_gold(path, format)?,
        None => return Ok(None),
    };
    let page = html::parse(&read_page(&pair.page)?, charset, None, &Limits::default());
    let fingerprint = TrainingPages::fingerprint(&page);
    if let Some(annotated) = gold.annotated {
        let segmentation = (segmenter.segment)(&annotated.page);
        let labels = classes_of_blocks(&annotated, &segmentation);
        return Ok(Some(LabelledPage {
            name: pair.name.clone(),
            page: annotated.page,
            fingerprint,
            segmentation,
            labels: labels.into_iter().map(GoldLabel::Class).map(Some).collect(),
        }));
    }
    if !gold.text.plain.contains(is_letter_or_digit) {
        return Ok(None);
    }
    let segmentation = (segmenter.segment)(&page);
    let content = align::content(&page, &segmentation, &gold.text.plain);
    let labels = segmentation.blocks.iter().zip(content);
    let labels = labels.map(|(block, content)| {
        let says = block.text.contains(is_letter_or_digit);
        says.then_some(GoldLabel::Content(content))
    });
    Ok(Some(LabelledPage {
        name: pair.name.clone(),
        labels: labels.collect(),
        page,
        fingerprint,
        segmentation,
    }))
}
