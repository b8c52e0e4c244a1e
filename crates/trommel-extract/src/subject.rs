//! A page as extractors see it.

use std::cell::OnceCell;

use trommel_page::html::segment::{self, Segmenter};
use trommel_page::{Page, Segmentation};
use trommel_text::count_tokens;

/// A page with what is known of it, and what several extractors need of it, made when first asked for.
pub struct Subject<'a> {
    /// The parsed page.
    pub page: &'a Page,
    /// Its identifier.
    pub docid: &'a str,
    /// Where it was fetched from; empty where that is not known.
    pub url: &'a str,
    /// One place for each row of [`segment::all`].
    segmentations: Vec<OnceCell<Segmentation>>,
    leaves: OnceCell<LeafCounts>,
}

/// What was counted in each leaf.
struct LeafCounts {
    tokens: Vec<u32>,
    words: Vec<u32>,
}

impl<'a> Subject<'a> {
    /// A page under its docid and url.
    pub fn new(page: &'a Page, docid: &'a str, url: &'a str) -> Self {
        Subject {
            page,
            docid,
            url,
            segmentations: segment::all().iter().map(|_| OnceCell::new()).collect(),
            leaves: OnceCell::new(),
        }
    }

    /// The page's blocks as a segmenter cuts them.
    pub fn blocks(&self, segmenter: &Segmenter) -> &Segmentation {
        let row = segment::all()
            .iter()
            .position(|row| row.name == segmenter.name);
        let place = &self.segmentations[row.unwrap_or(0)];
        place.get_or_init(|| (segmenter.segment)(self.page))
    }

    /// Gives up the blocks of a segmenter, for who wants to own them.
    pub fn into_blocks(mut self, segmenter: &Segmenter) -> Segmentation {
        let row = segment::all()
            .iter()
            .position(|row| row.name == segmenter.name);
        let place = self.segmentations[row.unwrap_or(0)].take();
        place.unwrap_or_else(|| (segmenter.segment)(self.page))
    }

    /// For each leaf the number of its white-space tokens.
    pub fn leaf_tokens(&self) -> &[u32] {
        &self.leaves().tokens
    }

    /// For each leaf the number of its words: white-space tokens with a letter or digit.
    pub fn leaf_words(&self) -> &[u32] {
        &self.leaves().words
    }

    fn leaves(&self) -> &LeafCounts {
        self.leaves.get_or_init(|| {
            let leaves = 0..self.page.leaves.len() as u32;
            let (tokens, words) = leaves
                .map(|leaf| count_tokens(self.page.leaf_text(leaf)))
                .unzip();
            LeafCounts { tokens, words }
        })
    }
}
