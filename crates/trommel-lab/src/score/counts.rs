//! Precision, recall and F1 from three counts.

use std::iter::Sum;

/// What a page's output and its gold text have in common, in a measure's units (words, characters …).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Units of both.
    pub common: u64,
    /// Units of the output.
    pub output: u64,
    /// Units of the gold text.
    pub gold: u64,
}

impl Counts {
    /// Share of the output that is right, 0..=1; 0 for an empty output.
    pub fn precision(&self) -> f64 {
        share(self.common, self.output)
    }

    /// Share of the gold text that was found, 0..=1; 0 for an empty gold text.
    pub fn recall(&self) -> f64 {
        share(self.common, self.gold)
    }

    /// Harmonic mean of precision and recall, 0..=1.
    pub fn f1(&self) -> f64 {
        share(2 * self.common, self.output + self.gold)
    }
}

impl Sum for Counts {
    fn sum<I: Iterator<Item = Counts>>(counts: I) -> Counts {
        counts.fold(Counts::default(), |sum, page| Counts {
            common: sum.common + page.common,
            output: sum.output + page.output,
            gold: sum.gold + page.gold,
        })
    }
}

fn share(part: u64, whole: u64) -> f64 {
    match whole {
        0 => 0.0,
        whole => part as f64 / whole as f64,
    }
}
