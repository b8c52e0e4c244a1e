//! A page as extractors see it.

use std::cell::OnceCell;

use crate::html::segment::{self, Segmenter};
use crate::page::{Page, Segmentation};
use crate::text::{is_letter_or_digit, tokens_of_white_space};

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
    words: OnceCell<Vec<u32>>,
}

impl<'a> Subject<'a> {
    /// A page under its docid and url.
    pub fn new(page: &'a Page, docid: &'a str, url: &'a str) -> Self {
        Subject {
            page,
            docid,
            url,
            segmentations: segment::all().iter().map(|_| OnceCell::new()).collect(),
            words: OnceCell::new(),
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

    /// For each leaf the number of its words: white-space tokens with a letter or digit.
    pub fn leaf_words(&self) -> &[u32] {
        self.words.get_or_init(|| {
            (0..self.page.leaves.len() as u32)
                .map(|leaf| {
                    tokens_of_white_space(self.page.leaf_text(leaf))
                        .filter(|token| token.chars().any(is_letter_or_digit))
                        .count() as u32
                })
                .collect()
        })
    }
}
