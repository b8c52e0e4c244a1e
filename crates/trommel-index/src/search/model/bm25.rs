//! BM25 (Robertson et al., TREC-3, 1994), in Lucene's variant: idf that cannot be negative, no factor (k1 + 1).

use super::parameters::within;
use super::totals::{TermTotals, Totals};

/// Its parameters as in a flag, with their defaults.
pub(crate) const USAGE: &str = "bm25:k1=0.9,b=0.4";

/// BM25's parameters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bm25 {
    /// Saturation of term frequency, in 0..=1000.
    pub k1: f64,
    /// Normalisation by length, in 0..=1.
    pub b: f64,
}

/// Greatest k1 of a text. Far below it already tf² and more count as often as they stand, and scores are tf · idf / length; far above it
/// they are so small that pages tie.
const MOST_K1: f64 = 1000.0;

impl Default for Bm25 {
    /// Anserini's defaults.
    fn default() -> Self {
        Bm25 { k1: 0.9, b: 0.4 }
    }
}

impl Bm25 {
    pub(crate) fn from_parameters(parameters: &[(&str, f64)]) -> Result<Bm25, String> {
        let mut model = Bm25::default();
        for &(name, value) in parameters {
            match name {
                "k1" => model.k1 = within(name, value, 0.0..=MOST_K1)?,
                "b" => model.b = within(name, value, 0.0..=1.0)?,
                _ => return Err(format!("it has no parameter '{name}'")),
            }
        }
        Ok(model)
    }

    /// k1 · (1 − b + b · length / average length), length in indexed terms.
    pub fn norm(&self, length: f64, collection: &Totals) -> f64 {
        let average = collection.average_length();
        self.k1 * (1.0 - self.b + self.b * length / average)
    }

    /// idf = ln(1 + (N − df + 0.5) / (df + 0.5)). df never passes N, since both count the same pages.
    pub fn weigh(&self, term: &TermTotals, collection: &Totals) -> Weight {
        let (n, df) = (collection.num as f64, term.df as f64);
        Weight {
            idf: (1.0 + (n - df + 0.5) / (df + 0.5)).ln(),
        }
    }
}

/// BM25 with the statistics of one term.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weight {
    /// Inverse document frequency, above 0.
    pub idf: f64,
}

impl Weight {
    /// idf · tf / (tf + norm).
    pub fn score(&self, tf: f64, norm: f64) -> f64 {
        self.idf * tf / (tf + norm)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Worked out by hand: N = 4, df = 1: idf = ln(1 + 3.5 / 1.5) = ln(10/3) = 1.2039728; tf = 2, length 6, average 3:
    /// norm = 0.9 · (1 − 0.4 + 0.4 · 2) = 1.26; 1.2039728 · 2 / (2 + 1.26) = 0.7386336.
    #[test]
    fn formula() {
        let totals = Totals::whole(4, 12);
        let bm25 = Bm25::default();
        let score = bm25
            .weigh(&TermTotals::whole(1, 2), &totals)
            .score(2.0, bm25.norm(6.0, &totals));
        assert!((score - 0.738_633_6).abs() < 1e-7, "{score}");
    }
}
