//! BM25 (Robertson et al., TREC-3, 1994), in Lucene's variant: idf that cannot be negative, no factor (k1 + 1).

use super::{TermTotals, Totals};

/// BM25's parameters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bm25 {
    /// Saturation of term frequency, ≥ 0.
    pub k1: f64,
    /// Normalisation by length, in 0..=1.
    pub b: f64,
}

impl Default for Bm25 {
    /// Anserini's defaults.
    fn default() -> Self {
        Bm25 { k1: 0.9, b: 0.4 }
    }
}

impl Bm25 {
    pub(super) fn from_parameters(parameters: &[(&str, f64)]) -> Result<Bm25, String> {
        let mut model = Bm25::default();
        for &(name, value) in parameters {
            match name {
                "k1" if value >= 0.0 && value.is_finite() => model.k1 = value,
                "b" if (0.0..=1.0).contains(&value) => model.b = value,
                "k1" => return Err(format!("k1={value} is not a number of at least 0")),
                "b" => return Err(format!("b={value} is not in 0..=1")),
                _ => return Err(format!("it has no parameter '{name}'")),
            }
        }
        Ok(model)
    }

    /// idf = ln(1 + (N − df + 0.5) / (df + 0.5)). df never passes N, since both count the same pages.
    pub fn weigh(&self, term: &TermTotals, collection: &Totals) -> Weight {
        let (n, df) = (collection.num as f64, term.df as f64);
        Weight {
            model: *self,
            idf: (1.0 + (n - df + 0.5) / (df + 0.5)).ln(),
            average_length: collection.average_length(),
        }
    }
}

/// BM25 with the statistics of one term.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weight {
    /// The parameters.
    pub model: Bm25,
    /// Inverse document frequency, above 0.
    pub idf: f64,
    /// Average length in indexed terms.
    pub average_length: f64,
}

impl Weight {
    /// idf · tf / (tf + k1 · (1 − b + b · length / average length)).
    pub fn score(&self, tf: u32, length: u32) -> f64 {
        let Bm25 { k1, b } = self.model;
        let tf = f64::from(tf);
        let norm = 1.0 - b + b * f64::from(length) / self.average_length;
        self.idf * tf / (tf + k1 * norm)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Model;
    use super::*;

    /// Worked out by hand: N = 4, df = 1: idf = ln(1 + 3.5 / 1.5) = ln(10/3) = 1.2039728; tf = 2, length 6, average 3:
    /// norm = 1 − 0.4 + 0.4 · 2 = 1.4; 1.2039728 · 2 / (2 + 0.9 · 1.4) = 0.7386336.
    #[test]
    fn formula() {
        let totals = Totals { num: 4, terms: 12 };
        let score = Bm25::default()
            .weigh(&TermTotals { df: 1, cf: 2 }, &totals)
            .score(2, 6);
        assert!((score - 0.738_633_6).abs() < 1e-7, "{score}");
    }

    #[test]
    fn parses() {
        let model: Model = "bm25:k1=1.2,b=0.75".parse().unwrap();
        assert_eq!(model, Model::Bm25(Bm25 { k1: 1.2, b: 0.75 }));
        assert_eq!(model.to_string(), "bm25:k1=1.2,b=0.75");
        assert_eq!("bm25".parse::<Model>().unwrap(), Model::default());
        for wrong in [
            "bm26",
            "bm25:k1",
            "bm25:k1=x",
            "bm25:b=2",
            "bm25:mu=3",
            "bm25:k1=-1",
        ] {
            assert!(wrong.parse::<Model>().is_err(), "{wrong}");
        }
    }
}
