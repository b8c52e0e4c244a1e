//! Frequent templates by density: WWW 2009 §4.
//!
//! As in the paper a segment is a frequent template if it occurs at least 10 times in the collection. Segments are the blocks at
//! hand (the paper's are those of Block Fusion: `--segmenter fusion-plain` and its kin), the same if their texts are, letter by
//! letter. For each distinct text a hash is kept, not the text.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use serde::Serialize;
use trommel_page::Block;

use super::histogram::{Amount, rounded_density};

/// Up to this rounded density the paper speaks of few-worded segments.
pub const LAST_OF_FEW_WORDED: usize = 5;
/// From this rounded density on it speaks of full sentences.
pub const FIRST_OF_FULL_TEXT: usize = 9;

/// Which text recurs.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Templates {
    /// Occurrences that make a segment frequent.
    pub min_repeats: u32,
    /// Number of frequent segments.
    pub segments: usize,
    /// For each rounded density the frequent blocks; the last bin as in the histogram.
    pub bins: Vec<Amount>,
    /// Share of all tokens that stand in frequent segments.
    pub share: f64,
    /// Of the tokens in blocks of rounded density up to 5 the share in frequent segments.
    pub share_of_few_worded: f64,
    /// Share of all tokens in blocks of rounded density up to 5 that recur less.
    pub few_worded_others: f64,
    /// Share of all tokens in frequent segments of rounded density 9 and more.
    pub full_text: f64,
}

/// Counts how often each text occurs.
#[derive(Debug, Clone, Default)]
pub(super) struct Repeats {
    /// By hash of the text: rounded density and how much of it there is.
    texts: HashMap<u64, (u32, Amount)>,
}

impl Repeats {
    /// Counts a block.
    pub fn add(&mut self, block: &Block) {
        // Its keys are fixed, and a collision of 64 bits makes two texts one in a thousandth of collections of 200 million.
        let mut hasher = DefaultHasher::new();
        block.text.hash(&mut hasher);
        let density = u32::try_from(rounded_density(block)).unwrap_or(u32::MAX);
        let (_, amount) = self
            .texts
            .entry(hasher.finish())
            .or_insert((density, Amount::default()));
        *amount += Amount::of(block);
    }

    /// What recurs at least so often, beside all blocks by density.
    pub fn finish(self, min_repeats: u32, all: &[Amount]) -> Templates {
        let mut bins = vec![Amount::default(); all.len()];
        let last = all.len().saturating_sub(1);
        let mut segments = 0;
        for (density, amount) in self.texts.into_values() {
            if amount.blocks >= u64::from(min_repeats) {
                segments += 1;
                bins[(density as usize).min(last)] += amount;
            }
        }
        let tokens = |bins: &[Amount]| bins.iter().map(|bin| bin.tokens).sum::<u64>() as f64;
        let few_worded = all.len().min(LAST_OF_FEW_WORDED + 1);
        let full_text = all.len().min(FIRST_OF_FULL_TEXT);
        let sum = tokens(all).max(1.0);
        let of_few_worded = tokens(&all[..few_worded]);
        let frequent = tokens(&bins[..few_worded]);
        Templates {
            min_repeats,
            segments,
            share: tokens(&bins) / sum,
            share_of_few_worded: frequent / of_few_worded.max(1.0),
            few_worded_others: (of_few_worded - frequent) / sum,
            full_text: tokens(&bins[full_text..]) / sum,
            bins,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequent_by_density() {
        let block = |text: &str, words: u32| Block {
            text: text.to_owned(),
            num_words: words,
            num_tokens: words,
            num_words_in_full_lines: words,
            num_lines: 1,
            ..Block::default()
        };
        let mut repeats = Repeats::default();
        let mut all = vec![Amount::default(); 13];
        let blocks = [
            ("Home", 1, 3),
            ("About us", 2, 2),
            ("All rights reserved …", 12, 3),
            ("A storm", 10, 1),
        ];
        for (text, words, times) in blocks {
            for _ in 0..times {
                let block = block(text, words);
                repeats.add(&block);
                all[words as usize] += Amount::of(&block);
            }
        }
        let found = repeats.finish(3, &all);
        // 3 + 4 + 36 + 10 tokens, of which 3 and 36 are frequent.
        assert_eq!(found.segments, 2);
        assert_eq!(found.bins[1].tokens, 3);
        assert_eq!(found.bins[12].blocks, 3);
        assert_eq!(found.share, 39.0 / 53.0);
        assert_eq!(found.share_of_few_worded, 3.0 / 7.0);
        assert_eq!(found.few_worded_others, 4.0 / 53.0);
        assert_eq!(found.full_text, 36.0 / 53.0);
    }
}
