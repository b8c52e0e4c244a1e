//! Measures on blocks whose class is known.

/// A block with a verdict.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Labelled {
    /// Is it content by the gold standard?
    pub gold: bool,
    /// Is it content by the extractor?
    pub verdict: bool,
    /// What it weighs: 1, or its words.
    pub weight: u64,
}

/// Weights of the blocks by gold class and verdict.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Confusion {
    /// Content taken for content.
    pub true_positives: u64,
    /// Boilerplate taken for content.
    pub false_positives: u64,
    /// Content taken for boilerplate.
    pub false_negatives: u64,
    /// Boilerplate taken for boilerplate.
    pub true_negatives: u64,
}

/// What [`Confusion`] says, each 0..=1.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Rates {
    /// Share of right verdicts; for [`Confusion::weighted`] equal to the recall.
    pub accuracy: f64,
    /// Precision.
    pub precision: f64,
    /// Recall.
    pub recall: f64,
    /// F1.
    pub f1: f64,
    /// False positive rate.
    pub false_positive_rate: f64,
    /// Area under the ROC curve of a single verdict: (1 + recall − false positive rate) / 2.
    pub auc: f64,
}

impl Confusion {
    /// Adds up blocks.
    pub fn of(blocks: impl IntoIterator<Item = Labelled>) -> Confusion {
        let mut sum = Confusion::default();
        for block in blocks {
            *sum.place(block.gold, block.verdict) += block.weight;
        }
        sum
    }

    fn place(&mut self, gold: bool, verdict: bool) -> &mut u64 {
        match (gold, verdict) {
            (true, true) => &mut self.true_positives,
            (false, true) => &mut self.false_positives,
            (true, false) => &mut self.false_negatives,
            (false, false) => &mut self.true_negatives,
        }
    }

    /// The sum of two.
    pub fn plus(self, other: Confusion) -> Confusion {
        Confusion {
            true_positives: self.true_positives + other.true_positives,
            false_positives: self.false_positives + other.false_positives,
            false_negatives: self.false_negatives + other.false_negatives,
            true_negatives: self.true_negatives + other.true_negatives,
        }
    }

    /// The same with the classes exchanged: boilerplate is what is looked for.
    fn of_boilerplate(self) -> Confusion {
        Confusion {
            true_positives: self.true_negatives,
            false_positives: self.false_negatives,
            false_negatives: self.false_positives,
            true_negatives: self.true_positives,
        }
    }

    /// Rates of the class content (Web2Text Table 1, with blocks of weight 1).
    pub fn rates(self) -> Rates {
        let (tp, fp) = (self.true_positives as f64, self.false_positives as f64);
        let (fn_, tn) = (self.false_negatives as f64, self.true_negatives as f64);
        let recall = share(tp, tp + fn_);
        let false_positive_rate = share(fp, fp + tn);
        Rates {
            accuracy: share(tp + tn, tp + fp + fn_ + tn),
            precision: share(tp, tp + fp),
            recall,
            f1: share(2.0 * tp, 2.0 * tp + fp + fn_),
            false_positive_rate,
            auc: (1.0 + recall - false_positive_rate) / 2.0,
        }
    }

    /// Rates as Weka's "Weighted Avg." (WSDM 2010 Table 2, with blocks weighted by their words): those of content and of
    /// boilerplate, each with the share of its class in the gold standard.
    pub fn weighted(self) -> Rates {
        let content = (self.true_positives + self.false_negatives) as f64;
        let boilerplate = (self.false_positives + self.true_negatives) as f64;
        let (a, b) = (self.rates(), self.of_boilerplate().rates());
        let mean = |value: fn(&Rates) -> f64| {
            share(
                content * value(&a) + boilerplate * value(&b),
                content + boilerplate,
            )
        };
        Rates {
            accuracy: a.accuracy,
            precision: mean(|rates| rates.precision),
            recall: mean(|rates| rates.recall),
            f1: mean(|rates| rates.f1),
            false_positive_rate: mean(|rates| rates.false_positive_rate),
            auc: mean(|rates| rates.auc),
        }
    }
}

fn share(part: f64, whole: f64) -> f64 {
    if whole == 0.0 { 0.0 } else { part / whole }
}

/// Area under the ROC curve of scores (higher is more likely content), 0..=1: the chance that a content block has a higher
/// score than a boilerplate block, drawn by weight; ties count half. 0.5 where one of the classes is missing.
pub fn area_under_curve(blocks: impl IntoIterator<Item = (f64, bool, u64)>) -> f64 {
    let mut blocks: Vec<(f64, bool, u64)> = blocks.into_iter().collect();
    blocks.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut pairs, mut content, mut boilerplate) = (0.0, 0.0, 0.0);
    for same in blocks.chunk_by(|a, b| a.0 == b.0) {
        let weight = |class: bool| -> f64 {
            let of_class = same.iter().filter(|block| block.1 == class);
            of_class.map(|block| block.2 as f64).sum()
        };
        pairs += weight(true) * (boilerplate + weight(false) / 2.0);
        content += weight(true);
        boilerplate += weight(false);
    }
    match content * boilerplate {
        0.0 => 0.5,
        all => pairs / all,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-12, "{a} {b}");
    }

    /// A table of 8 and 2: computed by hand.
    #[test]
    fn weighted_rates() {
        let confusion = Confusion {
            true_positives: 6,
            false_negatives: 2,
            false_positives: 1,
            true_negatives: 1,
        };
        let rates = confusion.weighted();
        close(rates.precision, 0.8 * (6.0 / 7.0) + 0.2 / 3.0);
        close(rates.recall, 0.7);
        close(rates.f1, 0.8 * 0.8 + 0.2 * 0.4);
        close(rates.false_positive_rate, 0.8 * 0.5 + 0.2 * 0.25);
        close(rates.auc, (1.0 + 0.7 - 0.45) / 2.0);
        close(confusion.rates().accuracy, 0.7);
    }

    #[test]
    fn areas() {
        let blocks = [
            (0.9, true, 1),
            (0.4, true, 1),
            (0.4, false, 1),
            (0.1, false, 3),
        ];
        close(area_under_curve(blocks), (4.0 + 3.5) / 8.0);
        close(area_under_curve([(1.0, true, 1)]), 0.5);
        // One verdict as a score: the area of its single point.
        let blocks = [
            (1.0, true, 6),
            (0.0, true, 2),
            (1.0, false, 1),
            (0.0, false, 1),
        ];
        close(area_under_curve(blocks), (1.0 + 0.75 - 0.5) / 2.0);
    }
}
