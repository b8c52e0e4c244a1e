//! How the blocks of a collection are spread over what a filter can bound.

use serde::Serialize;

use super::columns::{CHUNK, Wanted, chunks};
use super::part::Segment;
use super::{Index, IndexError};
use crate::page::{Block, DensityUnit};

/// Blocks counted by a value, so that a threshold at a bin's number times `width` parts the bins that pass from those that do not.
///
/// Where the threshold is a least value, bin `i` holds the blocks whose value is at least `i · width` and below `(i + 1) · width`, and
/// the last one also all that are greater: bins from `i` on pass. Where it is a greatest value, bin `i` holds those above
/// `(i − 1) · width` and up to `i · width`, so that bin 0 is the value 0 itself: bins up to `i` pass.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Histogram {
    /// The bound of the filter that the value is compared with: `min_words`, `min_density`, `max_link_density` or `min_confidence`.
    pub filter: &'static str,
    /// What the value is.
    pub label: &'static str,
    /// Width of a bin.
    pub width: f64,
    /// For each bin the number of blocks.
    pub blocks: Vec<u64>,
    /// For each bin the words of these blocks.
    pub words: Vec<u64>,
}

/// A value that is counted: the histogram without its counts, and the bin of a value.
#[derive(Clone, Copy)]
struct Axis {
    filter: &'static str,
    label: &'static str,
    /// Bins to one unit of the value.
    bins_per_unit: u32,
    /// The greatest bin.
    last: u32,
    /// Is the bound a greatest value?
    is_greatest: bool,
}

/// Numerator and denominator of a value.
type Quotient = fn(&Block, DensityUnit) -> (u32, u32);

/// What is counted in blocks.
const COUNTED: [(Axis, Quotient); 3] = [
    (WORDS, |block, _| (block.num_words, 1)),
    (DENSITY, |block, _| {
        (block.num_words_in_full_lines, block.num_lines)
    }),
    (LINKS, |block, unit| {
        (block.num_linked_words, block.num_units(unit))
    }),
];

/// One word a bin: up to the thresholds that the sweeps of the literature go to.
const WORDS: Axis = Axis {
    filter: "min_words",
    label: "words in a block",
    bins_per_unit: 1,
    last: 100,
    is_greatest: false,
};
/// WSDM 2010, Equation 1. Lines of 80 characters hold more than 20 words of running text hardly ever.
const DENSITY: Axis = Axis {
    filter: "min_density",
    label: "text density of a block",
    bins_per_unit: 2,
    last: 40,
    is_greatest: false,
};
const LINKS: Axis = Axis {
    filter: "max_link_density",
    label: "link density of a block",
    bins_per_unit: 20,
    last: 20,
    is_greatest: true,
};
const CONFIDENCE: Axis = Axis {
    filter: "min_confidence",
    label: "confidence that a block is content",
    bins_per_unit: 20,
    last: 20,
    is_greatest: false,
};

impl Histogram {
    fn add(&mut self, bin: usize, block: &Block) {
        self.blocks[bin] += 1;
        self.words[bin] += u64::from(block.num_words);
    }
}

impl Axis {
    /// The bin of a quotient, computed in integers: no value falls beside its bin by rounding.
    fn bin(&self, (numerator, denominator): (u32, u32)) -> usize {
        let scaled = u64::from(numerator) * u64::from(self.bins_per_unit);
        let bin = match (denominator, self.is_greatest) {
            (0, _) => 0,
            (denominator, true) => scaled.div_ceil(u64::from(denominator)),
            (denominator, false) => scaled / u64::from(denominator),
        };
        bin.min(u64::from(self.last)) as usize
    }

    fn histogram(&self) -> Histogram {
        let bins = self.last as usize + 1;
        Histogram {
            filter: self.filter,
            label: self.label,
            width: 1.0 / f64::from(self.bins_per_unit),
            blocks: vec![0; bins],
            words: vec![0; bins],
        }
    }
}

impl Index {
    /// Histograms of words, text density and link density, in one pass over the counts of all blocks.
    pub fn histograms(&self) -> Result<Vec<Histogram>, IndexError> {
        let mut histograms = COUNTED.each_ref().map(|(axis, _)| axis.histogram());
        self.for_each_counts(|_, block| {
            for ((axis, quotient), histogram) in COUNTED.iter().zip(&mut histograms) {
                histogram.add(axis.bin(quotient(block, self.unit)), block);
            }
        });
        Ok(histograms.into())
    }

    /// The histogram of an extractor's confidences.
    ///
    /// # Errors
    /// Those of [`Index::confidences_of`], and those of reading them.
    pub fn confidence_histogram(&self, extractor: &str) -> Result<Histogram, IndexError> {
        let labels = self.labels(&self.confidences_of(Some(extractor))?.name)?;
        let mut histogram = CONFIDENCE.histogram();
        self.for_each_counts(|number, block| {
            let confidence = labels.confidence(self.layout.in_page_order(number));
            let hundredths = u32::from(confidence.in_hundredths());
            histogram.add(CONFIDENCE.bin((hundredths, 100)), block);
        });
        Ok(histogram)
    }

    /// Calls `each` with every block, numbered through, that is on no repeated page, and its counts.
    fn for_each_counts(&self, mut each: impl FnMut(u32, &Block)) {
        let mut counts = vec![Block::default(); CHUNK];
        let bases = &self.layout.segment_base;
        let repeated = |block| {
            let layout = &self.layout;
            layout.repeated.is_some() && layout.is_repeated(layout.page(block).0)
        };
        for (Segment { columns, .. }, base) in self.segments.iter().zip(bases) {
            for (first, count) in chunks(columns.num_blocks()) {
                columns.read_counts(first, Wanted::ALL, &mut counts[..count]);
                for (number, block) in (base + first..).zip(&counts[..count]) {
                    if !repeated(number) {
                        each(number, block);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check((axis, quotient): (Axis, Quotient), block: Block, bin: usize) {
        assert_eq!(axis.bin(quotient(&block, DensityUnit::Words)), bin);
    }

    #[test]
    fn thresholds_part_bins() {
        let [of_words, of_density, of_links] = COUNTED;
        let words = |num_words| Block {
            num_words,
            ..Block::default()
        };
        check(of_words, words(0), 0);
        check(of_words, words(99), 99);
        check(of_words, words(100), 100);
        check(of_words, words(u32::MAX), 100);
        let density = |num_words_in_full_lines, num_lines| Block {
            num_words_in_full_lines,
            num_lines,
            ..Block::default()
        };
        check(of_density, density(21, 2), 21);
        check(of_density, density(31, 3), 20);
        check(of_density, density(300, 1), 40);
        check(of_density, density(3, 0), 0);
        let linked = |num_linked_words, num_words| Block {
            num_linked_words,
            num_words,
            ..Block::default()
        };
        // 0.15 · 20 is 3.0000000000000004 in doubles.
        check(of_links, linked(3, 20), 3);
        check(of_links, linked(1, 3), 7);
        check(of_links, linked(1, 1000), 1);
        check(of_links, linked(5, 5), 20);
        check(of_links, linked(0, 5), 0);
        check(of_links, linked(0, 0), 0);
        for (hundredths, bin) in [(0, 0), (4, 0), (5, 1), (15, 3), (99, 19), (100, 20)] {
            assert_eq!(CONFIDENCE.bin((hundredths, 100)), bin);
        }
    }
}
