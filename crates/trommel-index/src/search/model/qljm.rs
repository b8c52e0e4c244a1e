//! Query likelihood with Jelinek-Mercer smoothing (Zhai and Lafferty, TOIS 22(2), 2004, §3, Table I), less what does not depend on
//! the page:
//!
//! Σ ln(1 + ((1 − λ) · tf / length) / (λ · p)), p = cf / |C|.
//!
//! Terms that do not occur in the collection are dropped. Lucene's variant takes p = (cf + 1) / (|C| + 1).

use super::parameters::within;
use super::totals::{TermTotals, Totals};

/// Its parameters as in a flag, with their defaults.
pub(crate) const USAGE: &str = "qljm:lambda=0.1";

/// The parameter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Qljm {
    /// λ, the share of the collection's language model, between 0 and 1. Texts are read from 0.000001 on, where no score can
    /// overflow.
    pub lambda: f64,
}

/// Least λ of a text.
const LEAST: f64 = 1e-6;

impl Default for Qljm {
    /// Anserini's default, which Zhai and Lafferty (§5.1) find best for short queries.
    fn default() -> Self {
        Qljm { lambda: 0.1 }
    }
}

impl Qljm {
    pub(crate) fn from_parameters(parameters: &[(&str, f64)]) -> Result<Qljm, String> {
        let mut model = Qljm::default();
        for &(name, value) in parameters {
            match name {
                "lambda" => model.lambda = within(name, value, LEAST..1.0)?,
                _ => return Err(format!("it has no parameter '{name}'")),
            }
        }
        Ok(model)
    }

    /// None for a term that does not occur.
    pub fn weigh(&self, term: &TermTotals, collection: &Totals) -> Option<Weight> {
        let odds = (1.0 - self.lambda) / self.lambda;
        let cf = term.cf.to_f64();
        (cf > 0.0).then(|| Weight {
            scale: odds * collection.terms.to_f64() / cf,
        })
    }
}

/// Query likelihood with the statistics of one term.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weight {
    /// (1 − λ) / (λ · p).
    pub scale: f64,
}

impl Weight {
    /// ln(1 + scale · tf / length); the norm of a page is its length.
    pub fn score(&self, tf: f64, length: f64) -> f64 {
        (self.scale * tf / length).ln_1p()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Worked out by hand: λ = 0.1, |C| = 100, cf = 5, so p = 0.05; tf = 2, length 30:
    /// ln(1 + (0.9 · 2 / 30) / (0.1 · 0.05)) = ln(1 + 0.06 / 0.005) = ln 13 = 2.5649494.
    #[test]
    fn formula() {
        let totals = Totals::whole(4, 100);
        let weight = Qljm::default()
            .weigh(&TermTotals::whole(1, 5), &totals)
            .unwrap();
        assert!((weight.score(2.0, 30.0) - 2.564_949_4).abs() < 1e-7);
    }
}
