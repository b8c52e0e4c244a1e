//! Attributes: what is known of a block or of its page and can be filtered by.
//!
//! [`all`] is the one table of them. Filters, the flags and parameters that are short forms of filters, sweeps, histograms,
//! reports' axes and the web page's sliders read it, so that a new attribute is a new row and nothing else.

mod bound;
mod column;
mod date;
mod place;
mod row;
mod table;

pub use bound::{Bound, bound, bounds};
pub use column::{Column, words_column};
pub use date::{Date, DateError, Span};
pub use place::{Place, places};
pub use row::{Attribute, Axis, Count, Kind, Number, PageWord, Range, Side, Word};
pub use table::{all, by_name, columns};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{Block, DensityUnit};

    #[test]
    fn names_are_words_of_filters_and_stand_once() {
        for (number, attribute) in all().iter().enumerate() {
            let name = attribute.name;
            let plain = |c: char| c.is_ascii_lowercase() || c == '-';
            assert!(name.chars().all(plain), "{name}");
            assert!(all()[..number].iter().all(|other| other.name != name));
            assert!(!name.starts_with("min-") && !name.starts_with("max-"));
        }
    }

    #[test]
    fn a_quotient_is_made_of_what_the_segmenter_counts() {
        let block = Block {
            num_words: 5,
            num_tokens: 15,
            ..Block::default()
        };
        for (unit, units) in [(DensityUnit::Words, 5), (DensityUnit::Tokens, 15)] {
            let blocks = [block.clone(), block.clone()];
            let second = places(&blocks, unit).nth(1).unwrap();
            assert_eq!(second.count(Count::Units), units);
            assert_eq!(second.count(Count::Position), 1);
            assert_eq!(second.count(Count::WordsBefore), 5);
            assert_eq!(second.count(Count::PageWords), 10);
        }
    }
}
