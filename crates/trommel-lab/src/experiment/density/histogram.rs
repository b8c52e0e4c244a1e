//! How blocks, and the words and tokens in them, are spread over a value: WSDM 2010, Figures 3 to 5; WWW 2009, Figure 1.

use std::ops::AddAssign;

use serde::Serialize;
use trommel_page::Block;

/// Blocks, and the words and tokens in them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Amount {
    /// Number of blocks.
    pub blocks: u64,
    /// Their words.
    pub words: u64,
    /// Their tokens, words included.
    pub tokens: u64,
}

impl Amount {
    /// One block.
    pub fn of(block: &Block) -> Amount {
        Amount {
            blocks: 1,
            words: u64::from(block.num_words),
            tokens: u64::from(block.num_tokens),
        }
    }
}

impl AddAssign for Amount {
    fn add_assign(&mut self, other: Amount) {
        self.blocks += other.blocks;
        self.words += other.words;
        self.tokens += other.tokens;
    }
}

/// Amounts by a whole number.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Histogram {
    /// For each value from 0 on what has it; the last also holds what is above.
    pub bins: Vec<Amount>,
    /// The same of each class that a gold standard has, by name.
    pub classes: Vec<(&'static str, Vec<Amount>)>,
}

impl Histogram {
    /// Bins for the values 0 to `last`, and for each of these classes.
    pub fn new(last: usize, classes: &[&'static str]) -> Histogram {
        let bins = vec![Amount::default(); last + 1];
        let of_class = |name: &&'static str| (*name, bins.clone());
        Histogram {
            classes: classes.iter().map(of_class).collect(),
            bins,
        }
    }

    /// Counts a block under a value and its class, if it has one of this histogram's.
    pub fn add(&mut self, value: usize, class: Option<&str>, amount: Amount) {
        let at = value.min(self.bins.len().saturating_sub(1));
        if let Some(bin) = self.bins.get_mut(at) {
            *bin += amount;
        }
        let mut classes = self.classes.iter_mut();
        if let Some((_, bins)) = classes.find(|(name, _)| Some(*name) == class) {
            bins[at] += amount;
        }
    }

    /// Share of each value in the sum over all values of what `part` takes; all 0 if there is none.
    pub fn shares(&self, part: fn(&Amount) -> u64) -> Vec<f64> {
        let sum: u64 = self.bins.iter().map(part).sum();
        let share = |bin: &Amount| part(bin) as f64 / sum.max(1) as f64;
        self.bins.iter().map(share).collect()
    }
}

/// ϱ′ of WWW 2009 §2: the text density rounded to a whole number, halves upwards, computed in integers.
pub fn rounded_density(block: &Block) -> usize {
    let lines = u64::from(block.num_lines.max(1));
    ((2 * u64::from(block.num_words_in_full_lines) + lines) / (2 * lines)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn densities_are_rounded() {
        for (words, lines, rounded) in [
            (0, 0, 0),
            (0, 1, 0),
            (7, 1, 7),
            (21, 2, 11),
            (31, 3, 10),
            (32, 3, 11),
            (20, 3, 7),
            (u32::MAX, 1, u32::MAX as usize),
        ] {
            let block = Block {
                num_words_in_full_lines: words,
                num_lines: lines,
                ..Block::default()
            };
            assert_eq!(rounded_density(&block), rounded, "{words}/{lines}");
        }
    }

    #[test]
    fn blocks_are_counted_once_in_all_and_once_in_their_class() {
        let mut histogram = Histogram::new(2, &["a", "b"]);
        let amount = |words, tokens| Amount {
            blocks: 1,
            words,
            tokens,
        };
        histogram.add(1, Some("b"), amount(1, 2));
        histogram.add(2, None, amount(2, 2));
        histogram.add(90, Some("a"), amount(90, 91));
        let beyond = Amount {
            blocks: 2,
            words: 92,
            tokens: 93,
        };
        assert_eq!(histogram.bins, [Amount::default(), amount(1, 2), beyond]);
        assert_eq!(histogram.classes[0].1[2], amount(90, 91));
        assert_eq!(histogram.classes[1].1[1], amount(1, 2));
        assert_eq!(
            histogram.shares(|bin| bin.words),
            [0.0, 1.0 / 93.0, 92.0 / 93.0]
        );
    }
}
