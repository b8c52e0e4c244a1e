//! Attributes: what is known of a block or of its page and can be filtered by.
//!
//! [`all`] is the one table of them. Filters, the flags and parameters that are short forms of filters, sweeps, histograms,
//! reports' axes and the web page's sliders read it, so that a new attribute is a new row and nothing else.

mod bound;
mod date;
mod table;

pub use bound::{Bound, Side, bound, bounds};
pub use date::{Date, DateError, Span};
pub use table::all;

use std::fmt;

use crate::page::{Block, DensityUnit};
use trommel_text::{Decimal, RangeError};

/// What is known of a block, or of all blocks of a page.
#[derive(Debug)]
pub struct Attribute {
    /// Its name in filters.
    pub name: &'static str,
    /// What it is, in a few words: "words in a block".
    pub label: &'static str,
    /// Is it the page's, so that all blocks of a page have the same value?
    pub of_page: bool,
    /// How it is got, and what it can be compared with.
    pub kind: Kind,
    /// How its distribution is drawn and a slider is graded; none where it is not shown so.
    pub axis: Option<Axis>,
}

/// The kinds of attributes.
#[derive(Debug)]
pub enum Kind {
    /// A number: one integer of a block, or the quotient of two. Comparisons are exact.
    Number(Number),
    /// The confidence of an extractor, in hundredths, which comes with its labels: `confidence(NAME)`.
    Confidence,
    /// The structural tag of the block.
    Tag,
    /// A word about the page.
    Word(Word),
    /// The day on which the page was fetched or published, as the collection has it.
    Date,
}

/// How a number is got.
#[derive(Debug)]
pub struct Number {
    /// The integer itself, or what is divided.
    pub numerator: Count,
    /// What it is divided by; [`Count::One`] for an integer. A quotient by 0 is 0.
    pub denominator: Count,
    /// The greatest value that makes sense in a comparison; none if there is no such limit.
    pub most: Option<u32>,
}

/// An integer of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Count {
    /// Stored with the block in a fast field.
    Stored(&'static Column),
    /// What the segmenter's densities are counted in: words or tokens.
    Units,
    /// Number of the block on its page, from 0.
    Position,
    /// Words in the blocks of the page before it.
    WordsBefore,
    /// Words of the page.
    PageWords,
    /// 1.
    One,
}

/// An integer that is measured when a block is indexed, and its fast field.
pub struct Column {
    /// Name of the fast field.
    pub field: &'static str,
    /// Measures a block.
    pub measure: fn(&Block) -> u32,
}

impl fmt::Debug for Column {
    // The address of the function says nothing, and need not be the same in two places.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Column").field(&self.field).finish()
    }
}

impl PartialEq for Column {
    fn eq(&self, other: &Column) -> bool {
        self.field == other.field
    }
}

impl Eq for Column {}

/// How a word about the page is got.
#[derive(Debug)]
pub struct Word {
    /// The fast field of the page.
    pub field: &'static str,
    /// What it is made of, where it is not the field's own value.
    pub derive: Option<fn(&str) -> String>,
}

/// How the values of an attribute are put into bins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Axis {
    /// Bins to one unit of the value.
    pub bins_per_unit: u32,
    /// The greatest bin, which holds all greater values too.
    pub last: u32,
    /// The bound that a slider sets.
    pub side: Side,
}

impl Attribute {
    /// The numbers that it can be compared with, for messages; none if it is no number.
    pub fn range(&self) -> Option<Range> {
        let (most, digits) = match &self.kind {
            Kind::Number(number) => match number.denominator {
                Count::One => (number.most.unwrap_or(u32::MAX), 0),
                _ => (number.most.unwrap_or(u32::MAX), 9),
            },
            Kind::Confidence => (1, 2),
            _ => return None,
        };
        Some(Range { most, digits })
    }
}

/// Which numbers make sense in a comparison: from 0 to `most`, with at most so many digits behind the point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    /// The greatest number.
    pub most: u32,
    /// Digits behind the point.
    pub digits: u32,
}

impl Range {
    /// Looks whether a number is in the range.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub fn check(&self, number: Decimal) -> Result<(), String> {
        if self.digits == 0 && !number.has_digits_at_most(0) {
            let above = number.to_f64().ceil();
            return Err(format!("{number} is no whole number, such as {above}"));
        }
        let most = self.most;
        if number > Decimal::whole(most) {
            return Err(RangeError::TooGreat { number, most }.to_string());
        }
        if !number.has_digits_at_most(self.digits) {
            let digits = self.digits;
            return Err(format!(
                "{number} has more than {digits} digits behind the point"
            ));
        }
        Ok(())
    }
}

/// The attribute of a name.
pub fn by_name(name: &str) -> Option<&'static Attribute> {
    all().iter().find(|attribute| attribute.name == name)
}

/// The columns that are stored with blocks, each once, in the order of the table.
pub fn columns() -> Vec<&'static Column> {
    let mut columns: Vec<&'static Column> = Vec::new();
    for attribute in all() {
        let Kind::Number(number) = &attribute.kind else {
            continue;
        };
        for count in [number.numerator, number.denominator] {
            if let Count::Stored(column) = count
                && !columns.contains(&column)
            {
                columns.push(column);
            }
        }
    }
    columns
}

impl Count {
    /// The column of [`Count::Units`] is that of the segmenter's unit; all others stay as they are.
    pub fn of_unit(self, unit: DensityUnit) -> Count {
        match (self, unit) {
            (Count::Units, DensityUnit::Words) => Count::Stored(&table::NUM_WORDS),
            (Count::Units, DensityUnit::Tokens) => Count::Stored(&table::NUM_TOKENS),
            (other, _) => other,
        }
    }
}

/// The words of a block: what histograms weigh blocks by and positions count.
pub fn words_column() -> &'static Column {
    &table::NUM_WORDS
}

/// The integers of a block in its page, from which numbers are made.
#[derive(Debug, Clone, Copy)]
pub struct Place<'a> {
    /// The block.
    pub block: &'a Block,
    /// Its number on the page, from 0.
    pub position: u32,
    /// Words in the blocks before it.
    pub words_before: u32,
    /// Words of the page.
    pub page_words: u32,
    /// What the segmenter's densities are counted in.
    pub unit: DensityUnit,
}

impl Place<'_> {
    /// An integer of the block.
    pub fn count(&self, count: Count) -> u32 {
        match count.of_unit(self.unit) {
            Count::Stored(column) => (column.measure)(self.block),
            Count::Position => self.position,
            Count::WordsBefore => self.words_before,
            Count::PageWords => self.page_words,
            Count::One | Count::Units => 1,
        }
    }
}

/// The blocks of a page with their places on it.
pub fn places(blocks: &[Block], unit: DensityUnit) -> impl Iterator<Item = Place<'_>> {
    let words = |block: &Block| block.num_words;
    let page_words = blocks.iter().map(words).fold(0, u32::saturating_add);
    let mut before = 0u32;
    (0u32..).zip(blocks).map(move |(position, block)| {
        let place = Place {
            block,
            position,
            words_before: before,
            page_words,
            unit,
        };
        before = before.saturating_add(block.num_words);
        place
    })
}

#[cfg(test)]
mod tests {
    use super::*;

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
