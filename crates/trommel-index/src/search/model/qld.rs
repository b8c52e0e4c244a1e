//! Query likelihood with Dirichlet smoothing (Zhai and Lafferty, TOIS 22(2), 2004, §3, Table I), written so that only matching
//! terms need be looked at:
//!
//! Σ ln(1 + tf / (μ · p)) + |q| · ln(μ / (length + μ)), p = cf / |C|,
//!
//! which is ln P(q | page) less the page-independent Σ ln p. Terms that do not occur in the collection are dropped, from |q|
//! too. Lucene's variant differs: it adds the length part for matching terms alone and not |q| times, clips negative sums of a term's
//! score and that part at 0, and takes p = (cf + 1) / (|C| + 1).

use super::parameters::within;
use super::totals::{TermTotals, Totals};

/// Its parameters as in a flag, with their defaults.
pub(crate) const USAGE: &str = "qld:mu=1000";

/// The parameter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Qld {
    /// μ, the weight of the collection's language model, in terms; above 0. Texts are read within 0.000001..=1000000000000, where
    /// no score can overflow.
    pub mu: f64,
}

/// Least μ of a text.
const LEAST: f64 = 1e-6;

/// Greatest μ of a text.
const MOST: f64 = 1e12;

impl Default for Qld {
    /// Anserini's default.
    fn default() -> Self {
        Qld { mu: 1000.0 }
    }
}

impl Qld {
    pub(crate) fn from_parameters(parameters: &[(&str, f64)]) -> Result<Qld, String> {
        let mut model = Qld::default();
        for &(name, value) in parameters {
            match name {
                "mu" => model.mu = within(name, value, LEAST..=MOST)?,
                _ => return Err(format!("it has no parameter '{name}'")),
            }
        }
        Ok(model)
    }

    /// ln(μ / (length + μ)).
    pub fn norm(&self, length: f64) -> f64 {
        (self.mu / (length + self.mu)).ln()
    }

    /// None for a term that does not occur.
    pub fn weigh(&self, term: &TermTotals, collection: &Totals) -> Option<Weight> {
        let cf = term.cf.to_f64();
        let scale = collection.terms.to_f64() / (self.mu * cf);
        (cf > 0.0).then_some(Weight { scale })
    }
}

/// Query likelihood with the statistics of one term.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weight {
    /// 1 / (μ · p).
    pub scale: f64,
}

impl Weight {
    /// ln(1 + tf / (μ · p)).
    pub fn score(&self, tf: f64) -> f64 {
        (tf * self.scale).ln_1p()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Worked out by hand: |C| = 100, cf = 5, so p = 0.05; μ = 10: tf = 2: ln(1 + 2 / 0.5) = ln 5 = 1.6094379;
    /// length 30: ln(10 / 40) = −1.3862944. tf = 20: ln(1 + 20 / 0.5) = ln 41 = 3.7135721.
    #[test]
    fn formula() {
        let totals = Totals::whole(4, 100);
        let qld = Qld { mu: 10.0 };
        let weight = qld.weigh(&TermTotals::whole(1, 5), &totals).unwrap();
        assert!((weight.score(2.0) - 1.609_437_9).abs() < 1e-7);
        assert!((weight.score(20.0) - 3.713_572_1).abs() < 1e-7);
        assert!((qld.norm(30.0) + 1.386_294_4).abs() < 1e-7);
        assert_eq!(qld.weigh(&TermTotals::whole(0, 0), &totals), None);
    }
}
