//! The power law of WWW 2009 §3: how the ratios of terms' pages in dense and in thin text fall with their rank.
//!
//! "The normalized ratio follows a power law distribution of the form y = c (x/(1−x))^−a₁ with a₁ = 0.39 and c = 0.01 (R² = 0.9468, RMSE = 0.0034)." What x and y are
//! is not said. Here x is the rank of a term by its ratio, the greatest first, as a share of all terms, (rank − ½)/n, and y is its ratio by the greatest. That x is a
//! share of ranks the published figures bear out: over evenly spread x the curve has a deviation of 0.0147, and R² and RMSE together say 0.0147.

use serde::Serialize;

use super::fit::{Goodness, least_squares};

/// The law that was fitted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct PowerLaw {
    /// a₁.
    pub a: f64,
    /// c: the normalized ratio of the term in the middle.
    pub c: f64,
    /// How close it comes.
    pub goodness: Goodness,
}

/// What the paper gives for Webspam UK-2007: a₁, c, R², RMSE.
pub const PUBLISHED: (f64, f64, f64, f64) = (0.39, 0.01, 0.9468, 0.0034);

/// y = c (x/(1−x))^−a for x above 0 and below 1.
pub fn power_law(a: f64, c: f64, x: f64) -> f64 {
    c * (x / (1.0 - x)).powf(-a)
}

/// Fits the law to the ratios of terms, in any order. None of too few.
pub(super) fn fit(mut ratios: Vec<f64>) -> Option<PowerLaw> {
    ratios.sort_by(|a, b| b.total_cmp(a));
    let greatest = *ratios.first()?;
    let n = ratios.len() as f64;
    let ranked = ratios.iter().enumerate();
    let points: Vec<(f64, f64)> = ranked
        .map(|(rank, ratio)| ((rank as f64 + 0.5) / n, ratio / greatest))
        .collect();
    let starts = [vec![0.39, 0.01f64.ln()], vec![1.0, 0.1f64.ln()]];
    let found = least_squares(&points, &starts, |free, x| {
        power_law(free[0], free[1].exp(), x)
    })?;
    let (a, c) = (found[0], found[1].exp());
    let predicted: Vec<f64> = points.iter().map(|(x, _)| power_law(a, c, *x)).collect();
    let observed: Vec<f64> = points.iter().map(|(_, y)| *y).collect();
    let goodness = Goodness::of(&observed, &predicted, 2)?;
    Some(PowerLaw { a, c, goodness })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ratios made by the law give its parameters back.
    #[test]
    fn a_law_is_found_again() {
        let x = |rank: usize| (rank as f64 + 0.5) / 500.0;
        for (a, c) in [(0.39, 0.01), (0.8, 0.3)] {
            let mut made: Vec<f64> = (0..500).map(|rank| power_law(a, c, x(rank))).collect();
            made.reverse();
            let found = fit(made).unwrap();
            let greatest = power_law(a, c, x(0));
            assert!((found.a - a).abs() < 1e-6, "{found:?}");
            assert!((found.c * greatest - c).abs() < 1e-6 * c, "{found:?}");
            assert!(found.goodness.r2 > 0.999999);
        }
        assert_eq!(fit(Vec::new()), None);
        assert_eq!(fit(vec![1.0, 0.5]), None);
    }

    /// The published figures go together if x is spread evenly: the variance of y is c² (B(1 − 2a, 1 + 2a) − B(1 − a, 1 + a)²) with B(1 − a, 1 + a) = πa / sin πa,
    /// and RMSE² by 1 − R² is that too.
    #[test]
    fn the_published_figures_are_of_ranks() {
        let (a, c, r2, rmse) = PUBLISHED;
        let beta = |a: f64| std::f64::consts::PI * a / (std::f64::consts::PI * a).sin();
        let deviation = c * (beta(2.0 * a) - beta(a).powi(2)).sqrt();
        let published = rmse / (1.0 - r2).sqrt();
        assert!(
            (deviation - published).abs() < 0.0002,
            "{deviation} {published}"
        );
    }
}
