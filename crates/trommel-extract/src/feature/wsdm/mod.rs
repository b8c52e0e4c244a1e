//! The features of *Boilerplate Detection using Shallow Text Features* (WSDM 2010, §3.2–3.4) on atomic blocks.
//!
//! The paper names the numbers of features that its classifiers have (Table 2), and in the text the features, but no list
//! that gives these numbers. They come about so:
//!
//! - **23, "all local features (C)"**: 9 structural tags (h1 to h6, p, div, a); number of words, average word length, average
//!   sentence length; absolute and relative position; words that start with an upper-case letter and words that are all
//!   upper-case, each as a number and as a ratio; ratio of full stops, dates, vertical bars; link density; text density:
//!   9 + 3 + 2 + 4 + 3 + 1 + 1.
//! - **25, "+ TDQ"**: the text density quotients, of the block to the previous one and of the next one to the block.
//! - **64, "all local features (P/C/N)"**: the 21 of them that are not positions, for the previous block, the block and the
//!   next one, and one position: 3 × 21 + 1. Both positions would make 65, and positions three times 69. That the absolute
//!   one is left out is our reading: the text counts the relative one among the best.
//! - **67, "+ global frequency"**: the frequency of the text, for the previous block, the block and the next one ("element
//!   frequency (P/C/N)" has 3 dimensions).
//!
//! Number-of-words quotients are in Figure 1, but in none of the classifiers, as far as the numbers tell.
//!
//! Before the first and after the last block of a page all values are 0, as in Algorithm 1, whose `next_textDensity = 0` can be
//! true of no block that is there.

mod local;
#[cfg(test)]
mod tests;

use trommel_page::{Page, Segmentation};

use super::Frequencies;
use super::set::{Feature, Set, ratio};

pub(super) const SET: Set = Set {
    name: "wsdm",
    summary: "shallow text features with those of the neighbours (WSDM 2010 §3.2–3.4)",
    segmenter: "atomic",
    features,
    counts_in_collection: true,
    measure,
};

/// A selection of the features: what a classifier of Table 2 was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dimensions {
    /// 23: those of the block itself.
    Local,
    /// 25: those and the text density quotients.
    LocalWithQuotients,
    /// 64: those of the block and its neighbours.
    Context,
    /// 67: those and the frequencies of the texts.
    ContextWithFrequency,
    /// All that are measured; Figure 1.
    All,
}

/// The blocks that are looked at.
const PLACES: [&str; 3] = ["curr", "prev", "next"];

/// What relates two blocks.
const QUOTIENTS: [(&str, &str); 4] = [
    ("curr_text_density_quotient", "§4.3.1, TDQ"),
    ("next_text_density_quotient", "§4.3.1, TDQ"),
    ("curr_num_words_quotient", "§4.3.1"),
    ("next_num_words_quotient", "§4.3.1"),
];

fn features() -> Vec<Feature> {
    let mut features = Vec::new();
    for place in PLACES {
        let rows = local::ROWS.iter();
        let repeated = rows.filter(|row| place == "curr" || !row.is_position());
        features.extend(repeated.map(|row| Feature {
            name: format!("{place}_{}", row.name),
            unit: row.unit,
            source: row.source,
        }));
    }
    features.extend(QUOTIENTS.map(|(name, source)| Feature {
        name: name.to_owned(),
        unit: "quotient",
        source,
    }));
    features.extend(PLACES.map(|place| Feature {
        name: format!("{place}_frequency"),
        unit: "blocks",
        source: "§3.1",
    }));
    features
}

impl Dimensions {
    /// The places of the selected features among those of the set.
    pub fn columns(self) -> Vec<usize> {
        let features = features();
        let is_quotient = |name: &str| name.ends_with("_quotient");
        let selected = |name: &str| match self {
            Dimensions::Local | Dimensions::LocalWithQuotients => {
                name.starts_with("curr_") && !is_quotient(name) && name != "curr_frequency"
                    || self == Dimensions::LocalWithQuotients
                        && name.ends_with("_text_density_quotient")
            }
            Dimensions::Context => {
                !is_quotient(name)
                    && !name.ends_with("_frequency")
                    && name != "curr_absolute_position"
            }
            Dimensions::ContextWithFrequency => {
                !is_quotient(name) && name != "curr_absolute_position"
            }
            Dimensions::All => true,
        };
        let places = features.iter().enumerate();
        places
            .filter(|(_, feature)| selected(&feature.name))
            .map(|(place, _)| place)
            .collect()
    }
}

fn measure(
    page: &Page,
    segmentation: &Segmentation,
    frequencies: &Frequencies,
    each: &mut dyn FnMut(&[f64]),
) {
    let tags = local::tags(page, segmentation);
    let count = segmentation.blocks.len();
    // Before the first block and after the last one there is nothing.
    let own = |i: usize| match segmentation.blocks.get(i) {
        Some(block) => local::values(block, segmentation.unit, &tags[i], i, count),
        None => vec![0.0; local::ROWS.len()],
    };
    let frequency: Vec<f64> = segmentation
        .blocks
        .iter()
        .map(|block| f64::from(frequencies.of(&block.text)))
        .collect();
    let frequency_at = |i: usize| frequency.get(i).copied().unwrap_or(0.0);
    let mut row = Vec::new();
    let (mut prev, mut curr) = (own(usize::MAX), own(0));
    for i in 0..count {
        let next = own(i + 1);
        row.clone_from(&curr);
        for other in [&prev, &next] {
            let repeated = local::ROWS.iter().zip(other);
            let repeated = repeated.filter(|(row, _)| !row.is_position());
            row.extend(repeated.map(|(_, value)| value));
        }
        for of in [local::TEXT_DENSITY, local::NUM_WORDS] {
            row.push(ratio(curr[of], prev[of]));
            row.push(ratio(next[of], curr[of]));
        }
        // Before the first block the number wraps to one that is never there.
        row.extend([i, i.wrapping_sub(1), i + 1].map(frequency_at));
        each(&row);
        (prev, curr) = (curr, next);
    }
}
