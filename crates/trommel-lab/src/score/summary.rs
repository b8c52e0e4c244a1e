//! From pages to a collection.

use super::Counts;

/// Precision, recall and F1, each 0..=1.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Average {
    /// Precision.
    pub precision: f64,
    /// Recall.
    pub recall: f64,
    /// F1.
    pub f1: f64,
}

/// The averages of a measure over pages.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Summary {
    /// Pages that count: those with a gold text.
    pub pages: usize,
    /// Means of the pages' values.
    pub macro_average: Average,
    /// Values of the pages' summed counts.
    pub micro_average: Average,
    /// Median of the pages' F1; of an even number of pages the mean of the middle two.
    pub median_f1: f64,
    /// Share of the pages with an F1 below 0.5.
    pub below_half: f64,
}

impl Summary {
    /// Averages over pages.
    pub fn of(pages: &[Counts]) -> Summary {
        if pages.is_empty() {
            return Summary::default();
        }
        let n = pages.len() as f64;
        let mean = |value: fn(&Counts) -> f64| pages.iter().map(value).sum::<f64>() / n;
        let total: Counts = pages.iter().copied().sum();
        let mut f1: Vec<f64> = pages.iter().map(Counts::f1).collect();
        f1.sort_by(f64::total_cmp);
        let middle = f1.len() / 2;
        Summary {
            pages: pages.len(),
            macro_average: Average {
                precision: mean(Counts::precision),
                recall: mean(Counts::recall),
                f1: mean(Counts::f1),
            },
            micro_average: Average {
                precision: total.precision(),
                recall: total.recall(),
                f1: total.f1(),
            },
            median_f1: (f1[middle] + f1[(f1.len() - 1) / 2]) / 2.0,
            below_half: f1.iter().filter(|f1| **f1 < 0.5).count() as f64 / n,
        }
    }
}
