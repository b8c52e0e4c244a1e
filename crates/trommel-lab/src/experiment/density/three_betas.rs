//! Three beta distributions: what WWW 2009 §2 fits beside Equation 1. "As the combination of three beta distributions, while adding another parameter, resulted in a far
//! less accurate fit (R² = 0.944, RMSE = 0.0031), I conclude that the distribution of text densities can be divided into two fuzzy classes".
//!
//! f(x) = w₁ f_beta(x; a₁, b₁) + w₂ f_beta(x; a₂, b₂) + w₃ f_beta(x; a₃, b₃), the third in the place of the normal distribution. Each has one mode (a and b above 1), as there.

use serde::Serialize;

use super::beta_normal::{BetaNormal, DENSITY_OF_1, beta};
use super::fit::least_squares;
use super::parameter::Parameter;

/// The parts in the order of their means.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct ThreeBetas {
    /// a and b of each.
    pub shapes: [[f64; 2]; 3],
    /// What each weighs.
    pub weights: [f64; 3],
}

/// Parameters that are fitted.
pub const FREE: usize = 9;

/// R² and RMSE that the paper gives for Webspam UK-2007.
pub const PUBLISHED: (f64, f64) = (0.944, 0.0031);

impl ThreeBetas {
    /// The share of text of a rounded density.
    pub fn at(&self, density: f64) -> f64 {
        (0..3).map(|part| self.part_at(part, density)).sum()
    }

    /// That of a part.
    pub fn part_at(&self, part: usize, density: f64) -> f64 {
        self.weights[part] * beta(density / DENSITY_OF_1, self.shapes[part])
    }

    fn free(&self) -> Vec<f64> {
        let shapes = self.shapes.iter().flatten().map(|it| (it - 1.0).ln());
        shapes.chain(self.weights.map(f64::ln)).collect()
    }

    fn of_free(free: &[f64]) -> ThreeBetas {
        let shape = |number: usize| 1.0 + free[number].exp();
        ThreeBetas {
            shapes: [0, 2, 4].map(|at| [shape(at), shape(at + 1)]),
            weights: [6, 7, 8].map(|at| free[at].exp()),
        }
    }
}

/// A beta distribution with the mean and deviation of another, as far as there is one with a mode.
fn with_moments(mean: f64, deviation: f64) -> [f64; 2] {
    let mean = mean.clamp(0.02, 0.98);
    let sum = mean * (1.0 - mean) / (deviation * deviation) - 1.0;
    [mean * sum, (1.0 - mean) * sum].map(|it| it.max(1.1))
}

/// Fits the three parts to shares of text (rounded density, share), beginning at the fit of Equation 1 and at parts of a third each.
pub(super) fn fit(points: &[(f64, f64)], two: &BetaNormal) -> Option<ThreeBetas> {
    let starts = [
        ThreeBetas {
            shapes: [
                two.thin.map(|it| it.max(1.1)),
                with_moments(two.normal_mean, two.normal_deviation),
                two.dense.map(|it| it.max(1.1)),
            ],
            weights: [two.thin_weight, two.normal_weight, two.dense_weight].map(|it| it.max(1e-6)),
        },
        ThreeBetas {
            shapes: [[4.0, 54.0], [6.0, 24.0], [68.0, 132.0]],
            weights: [0.01; 3],
        },
    ];
    let starts = starts.map(|start| start.free());
    let free = least_squares(points, &starts, |free, x| ThreeBetas::of_free(free).at(x))?;
    let found = ThreeBetas::of_free(&free);
    let mut order = [0, 1, 2];
    let mean = |part: &usize| found.shapes[*part][0] / found.shapes[*part].iter().sum::<f64>();
    order.sort_by(|a, b| mean(a).total_cmp(&mean(b)));
    Some(ThreeBetas {
        shapes: order.map(|part| found.shapes[part]),
        weights: order.map(|part| found.weights[part]),
    })
}

/// The parameters for tables.
pub(super) fn parameters(found: &ThreeBetas) -> Vec<Parameter> {
    let names = [["a₁", "b₁", "w₁"], ["a₂", "b₂", "w₂"], ["a₃", "b₃", "w₃"]];
    let meanings = [
        "of the thin class",
        "of the transition",
        "of the dense class",
    ];
    let mut all = Vec::new();
    for part in 0..3 {
        let values = [
            found.shapes[part][0],
            found.shapes[part][1],
            found.weights[part],
        ];
        for (symbol, value) in names[part].into_iter().zip(values) {
            all.push(Parameter {
                symbol,
                meaning: meanings[part],
                value,
                published: None,
            });
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Shares made of three beta distributions give these back.
    #[test]
    fn three_are_found_again() {
        let made = ThreeBetas {
            shapes: [[4.0, 50.0], [12.0, 45.0], [70.0, 130.0]],
            weights: [0.006, 0.008, 0.013],
        };
        let points: Vec<(f64, f64)> = (0..=36)
            .map(|it| (f64::from(it), made.at(f64::from(it))))
            .collect();
        let found = fit(&points, &super::super::beta_normal::PUBLISHED.into()).unwrap();
        for (density, share) in points {
            assert!(
                (found.at(density) - share).abs() < 1e-6,
                "{density} {found:?}"
            );
        }
        for part in 0..3 {
            assert!(
                (found.weights[part] / made.weights[part] - 1.0).abs() < 0.01,
                "{found:?}"
            );
        }
    }
}
