//! Lucene's classic TF-IDF, the default of its versions 1 to 5 (`org.apache.lucene.search.Similarity`, documentation of 2.9 and 3.0:
//! "Lucene Practical Scoring Function"):
//!
//! coord · queryNorm · Σ √tf · idf² · boost · norm, idf = 1 + ln(N / (df + 1)),
//! coord = matching clauses / clauses, queryNorm = 1 / √Σ (idf · boost)², norm = 1 / √length.
//!
//! Lucene keeps the norm in one byte (`SmallFloat`, its format 3-15), which makes many lengths equal; that is `norm-byte=1`.
//! Otherwise lengths are exact. Sums are in double precision here, in single precision there.

use super::totals::{QueryTotals, TermTotals, Totals, idf};

/// Its parameters as in a flag, with their defaults.
pub(crate) const USAGE: &str = "tfidf:norm-byte=0";

/// The parameter.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tfidf {
    /// Round norms to what Lucene's byte can hold.
    pub norm_byte: bool,
}

impl Tfidf {
    pub(crate) fn from_parameters(parameters: &[(&str, f64)]) -> Result<Tfidf, String> {
        let mut model = Tfidf::default();
        for &(name, value) in parameters {
            match name {
                "norm-byte" if value == 0.0 || value == 1.0 => model.norm_byte = value == 1.0,
                "norm-byte" => return Err(format!("norm-byte={value} is not 0 or 1")),
                _ => return Err(format!("it has no parameter '{name}'")),
            }
        }
        Ok(model)
    }

    /// 1 / √length.
    pub fn norm(&self, length: f64) -> f64 {
        let norm = 1.0 / length.sqrt();
        match self.norm_byte {
            true => f64::from(decode(encode(norm as f32))),
            false => norm,
        }
    }
}

pub(crate) fn weigh(term: &TermTotals, collection: &Totals) -> Weight {
    Weight {
        squared_idf: idf(term.df, collection).powi(2),
    }
}

/// The share of the query's clauses that a page has.
pub(crate) fn coord(matched: u32, query: &QueryTotals) -> f64 {
    f64::from(matched) / f64::from(query.clauses.max(1))
}

/// Makes scores of different queries comparable; does not change a ranking. 0 for a query or collection without terms.
pub(crate) fn query_norm(query: &QueryTotals) -> f64 {
    match query.squared_idf {
        0.0 => 0.0,
        squared_idf => 1.0 / squared_idf.sqrt(),
    }
}

/// TF-IDF with the statistics of one term.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weight {
    /// idf².
    pub squared_idf: f64,
}

impl Weight {
    /// √tf · idf² · norm.
    pub fn score(&self, tf: f64, norm: f64) -> f64 {
        tf.sqrt() * self.squared_idf * norm
    }
}

/// Bits of mantissa, the leading one included.
const MANTISSA: u32 = 3;

/// The exponent that the byte counts from (`zeroExp`).
const ZERO_EXPONENT: i32 = 15;

/// The byte 0 as bits of a float above its own: `(63 − zeroExp) << mantissa` of Lucene's `SmallFloat`.
const BASE: i32 = (63 - ZERO_EXPONENT) << MANTISSA;

/// Lucene's `SmallFloat.floatToByte315`: rounds down; numbers above 0 that are too small become the smallest, those too large
/// the largest.
fn encode(number: f32) -> u8 {
    let bits = number.to_bits() as i32;
    let small = bits >> (24 - MANTISSA);
    if small <= BASE {
        return u8::from(bits > 0);
    }
    u8::try_from(small - BASE).unwrap_or(u8::MAX)
}

/// Lucene's `SmallFloat.byte315ToFloat`.
fn decode(byte: u8) -> f32 {
    if byte == 0 {
        return 0.0;
    }
    let bits = (u32::from(byte) << (24 - MANTISSA)) + ((63 - ZERO_EXPONENT as u32) << 24);
    f32::from_bits(bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Worked out by hand: N = 4, df = 1: idf = 1 + ln(4 / 2) = 1.6931472; tf = 4, length 16:
    /// 2 · 1.6931472² · 1/4 = 1.4333737. With clauses of df 1 and df 3 (idf 1), of which the page has the first:
    /// coord 1/2, queryNorm 1 / √(2.8667474 + 1) = 0.5085423.
    #[test]
    fn formula() {
        let totals = Totals::whole(4, 12);
        let rare = TermTotals::whole(1, 4);
        let frequent = TermTotals::whole(3, 4);
        let sum = weigh(&rare, &totals).score(4.0, Tfidf::default().norm(16.0));
        assert!((sum - 1.433_373_7).abs() < 1e-7, "{sum}");
        let mut query = QueryTotals::default();
        query.add(1.0, &rare, &totals);
        query.add(1.0, &frequent, &totals);
        assert_eq!(coord(1, &query), 0.5);
        assert!((query_norm(&query) - 0.508_542_3).abs() < 1e-7);
    }

    /// The byte by its definition: 3 bits of mantissa with the leading one, rounded down. Lengths 1 to 7 give norms 1, .707,
    /// .577, .5, .447, .408, .378; the values that it holds from .25 up are .25, .3125, .375, .4375 (steps of 1/16), then .5,
    /// .625, .75, .875 (steps of 1/8), 1.
    #[test]
    fn byte() {
        let model = Tfidf { norm_byte: true };
        let norms: Vec<f64> = (1..=7u8).map(|length| model.norm(length.into())).collect();
        assert_eq!(norms, [1.0, 0.625, 0.5, 0.5, 0.4375, 0.375, 0.375]);
        assert_eq!(model.norm(u32::MAX.into()), f64::from(2f32.powi(-16)));
        assert_eq!((encode(0.0), encode(1.0), encode(f32::MAX)), (0, 124, 255));
        // Every byte stands for a number that comes back as itself.
        assert!((0..=255).all(|byte| encode(decode(byte)) == byte));
    }
}
