//! How the blocks of a collection are spread over the values of an attribute.

use serde::Serialize;
use trommel_page::attribute::{self, Attribute, Axis, Count, Kind, Side};

use crate::format::error::IndexError;
use crate::search::judge::{self, Wanted};
use crate::search::open::Index;

/// Blocks counted by a value, so that a threshold at a bin's number times `width` parts the bins that pass from those that do not.
///
/// Where the threshold is a least value, bin `i` holds the blocks whose value is at least `i · width` and below `(i + 1) · width`, and
/// the last one also all that are greater: bins from `i` on pass. Where it is a greatest value, bin `i` holds those above
/// `(i − 1) · width` and up to `i · width`, so that bin 0 is the value 0 itself: bins up to `i` pass.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Histogram {
    /// The attribute.
    pub attribute: &'static str,
    /// The bound of the filter that the value is compared with, as a parameter: `min_words`, `max_link_density`, …
    pub filter: String,
    /// What the value is.
    pub label: &'static str,
    /// Width of a bin.
    pub width: f64,
    /// For each bin the number of blocks.
    pub blocks: Vec<u64>,
    /// For each bin the words of these blocks.
    pub words: Vec<u64>,
}

impl Histogram {
    fn new(attribute: &'static Attribute, axis: &Axis) -> Histogram {
        let bins = axis.last as usize + 1;
        let filter = format!("{}{}", axis.side.prefix(), attribute.name);
        Histogram {
            attribute: attribute.name,
            filter: filter.replace('-', "_"),
            label: attribute.label,
            width: 1.0 / f64::from(axis.bins_per_unit),
            blocks: vec![0; bins],
            words: vec![0; bins],
        }
    }

    fn add(&mut self, bin: usize, words: u32) {
        self.blocks[bin] += 1;
        self.words[bin] += u64::from(words);
    }
}

/// The bin of a quotient, computed in integers: no value falls beside its bin by rounding.
fn bin(axis: &Axis, numerator: u32, denominator: u32) -> usize {
    let scaled = u64::from(numerator) * u64::from(axis.bins_per_unit);
    let bin = match (u64::from(denominator), axis.side) {
        (0, _) => 0,
        (denominator, Side::Greatest) => scaled.div_ceil(denominator),
        (denominator, Side::Least) => scaled / denominator,
    };
    bin.min(u64::from(axis.last)) as usize
}

impl Index {
    /// Histograms of the attributes of blocks that are numbers and have an axis, in one pass over all blocks.
    ///
    /// # Errors
    /// Those of reading the blocks.
    pub fn histograms(&self) -> Result<Vec<Histogram>, IndexError> {
        let mut wanted = Wanted::default();
        let words = judge::words(&mut wanted);
        let mut counted = Vec::new();
        for attribute in attribute::all() {
            let (Some(axis), Kind::Number(number)) = (&attribute.axis, &attribute.kind) else {
                continue;
            };
            let numerator = wanted.count(number.numerator.of_unit(self.unit));
            let denominator = match number.denominator {
                Count::One => None,
                denominator => Some(wanted.count(denominator.of_unit(self.unit))),
            };
            counted.push((
                axis,
                numerator,
                denominator,
                Histogram::new(attribute, axis),
            ));
        }
        self.for_each_counts(wanted, |chunk, at| {
            for (axis, numerator, denominator, histogram) in &mut counted {
                let denominator = denominator.map_or(1, |place| chunk.counts[place][at]);
                let bin = bin(axis, chunk.counts[*numerator][at], denominator);
                histogram.add(bin, chunk.counts[words][at]);
            }
        })?;
        Ok(counted
            .into_iter()
            .map(|(.., histogram)| histogram)
            .collect())
    }

    /// The histogram of an extractor's confidences.
    ///
    /// # Errors
    /// Those of [`Index::confidences_of`], and those of reading them.
    pub fn confidence_histogram(&self, extractor: &str) -> Result<Histogram, IndexError> {
        let labels = self.labels(&self.confidences_of(Some(extractor))?.name)?;
        let by_confidence = |it: &&Attribute| matches!(it.kind, Kind::Confidence);
        let attribute = attribute::all().iter().find(by_confidence);
        let Some((attribute, axis)) = attribute.and_then(|it| Some((it, it.axis?))) else {
            return Ok(Histogram::default());
        };
        let mut histogram = Histogram::new(attribute, &axis);
        let mut wanted = Wanted::default();
        let words = judge::words(&mut wanted);
        wanted.numbers();
        self.for_each_counts(wanted, |chunk, at| {
            let confidence = labels.confidence(chunk.numbers[at]);
            let hundredths = u32::from(confidence.in_hundredths());
            histogram.add(bin(&axis, hundredths, 100), chunk.counts[words][at]);
        })?;
        Ok(histogram)
    }

    /// Calls `each` with every block that is on no repeated page.
    fn for_each_counts(
        &self,
        mut wanted: Wanted,
        mut each: impl FnMut(&judge::Chunk, usize),
    ) -> Result<(), IndexError> {
        if self.layout.repeated.is_some() {
            wanted.pages();
        }
        self.for_each_chunk(&wanted, |chunk| {
            for at in 0..chunk.count {
                let page = chunk.pages.get(at);
                if !page.is_some_and(|page| self.layout.is_repeated(*page)) {
                    each(chunk, at);
                }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, value: (u32, u32), expected: usize) {
        let axis = attribute::by_name(name).and_then(|it| it.axis).unwrap();
        assert_eq!(bin(&axis, value.0, value.1), expected, "{name} {value:?}");
    }

    #[test]
    fn thresholds_part_bins() {
        for (words, bin) in [(0, 0), (99, 99), (100, 100), (u32::MAX, 100)] {
            check("words", (words, 1), bin);
        }
        for (density, bin) in [((21, 2), 21), ((31, 3), 20), ((300, 1), 40), ((3, 0), 0)] {
            check("density", density, bin);
        }
        // 0.15 · 20 is 3.0000000000000004 in doubles.
        check("link-density", (3, 20), 3);
        check("link-density", (1, 3), 7);
        check("link-density", (1, 1000), 1);
        check("link-density", (5, 5), 20);
        check("link-density", (0, 5), 0);
        check("link-density", (0, 0), 0);
        for (hundredths, bin) in [(0, 0), (4, 0), (5, 1), (15, 3), (99, 19), (100, 20)] {
            check("confidence", (hundredths, 100), bin);
        }
    }
}
