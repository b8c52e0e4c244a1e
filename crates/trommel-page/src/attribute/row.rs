//! The row of the table: an attribute, and how its values are got and compared.

use trommel_text::{Decimal, RangeError};

use super::column::{self, Column};
use crate::page::DensityUnit;

/// What is known of a block, or of all blocks of a page.
#[derive(Debug)]
pub struct Attribute {
    /// Its name in filters.
    pub name: &'static str,
    /// What it is, in a few words: "words in a block".
    pub label: &'static str,
    /// Whether it is the page's, so that all blocks of a page have the same value.
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

/// How a word about the page is got.
#[derive(Debug)]
pub struct Word {
    /// The word that is stored with the page.
    pub of: PageWord,
    /// What is made of it, where it is not the value itself.
    pub derive: Option<fn(&str) -> String>,
}

/// The words that are stored with a page, each in a fast field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageWord {
    /// The host of its address, in lower case.
    Host,
    /// Its media type, in lower case.
    MediaType,
    /// Its language: ISO 639-1, two letters, where there is such a code.
    Language,
}

impl PageWord {
    /// All of them.
    pub const ALL: [PageWord; 3] = [PageWord::Host, PageWord::MediaType, PageWord::Language];

    /// The name of its fast field.
    pub fn field(self) -> &'static str {
        match self {
            PageWord::Host => "host",
            PageWord::MediaType => "media_type",
            PageWord::Language => "language",
        }
    }
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

impl Count {
    /// The column of [`Count::Units`] is that of the segmenter's unit; all others stay as they are.
    pub fn of_unit(self, unit: DensityUnit) -> Count {
        match (self, unit) {
            (Count::Units, DensityUnit::Words) => Count::Stored(&column::NUM_WORDS),
            (Count::Units, DensityUnit::Tokens) => Count::Stored(&column::NUM_TOKENS),
            (other, _) => other,
        }
    }
}

/// Which end of an attribute's values a bound cuts off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// A least value: `min-NAME`.
    Least,
    /// A greatest value: `max-NAME`.
    Greatest,
}

impl Side {
    /// The prefix before the attribute's name.
    pub const fn prefix(self) -> &'static str {
        match self {
            Side::Least => "min-",
            Side::Greatest => "max-",
        }
    }
}
