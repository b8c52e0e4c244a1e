//! The simple random writer: WSDM 2010, Equation 2.

use super::fit::{least_squares, logistic, logit};
use super::parameter::Parameter;

/// Pr(Y = x) = (1 − p)^(x − 1) · p for x of 1 and more, with p = P_T(N): after each word the block ends with probability p. The
/// 1-displaced geometric distribution.
pub fn geometric(p: f64, x: f64) -> f64 {
    (1.0 - p).powf(x - 1.0) * p
}

/// P_T(N) that the paper gives for GoogleNews.
pub const PUBLISHED: f64 = 0.3145;

/// Fits P_T(N) to shares of blocks (x words, share).
pub(super) fn fit(points: &[(f64, f64)]) -> Option<f64> {
    let starts = [vec![logit(PUBLISHED)], vec![logit(0.1)]];
    let free = least_squares(points, &starts, |free, x| geometric(logistic(free[0]), x))?;
    Some(logistic(free[0]))
}

/// The parameter for tables.
pub(super) fn parameters(p: f64) -> Vec<Parameter> {
    vec![Parameter {
        symbol: "P_T(N)",
        meaning: "chance that the block ends after a word",
        value: p,
        published: Some(PUBLISHED),
    }]
}
