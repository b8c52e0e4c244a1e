//! Curves through points by least squares, and how well they go.

use levenberg_marquardt::{LeastSquaresProblem, LevenbergMarquardt, TerminationReason};
use nalgebra::storage::Owned;
use nalgebra::{DMatrix, DVector, Dyn};
use serde::Serialize;

/// How close a curve comes to its points.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Goodness {
    /// Number of points n.
    pub points: usize,
    /// R²: 1 − SSE/SST, with the sum of squared residuals and that of squared distances from the mean.
    pub r2: f64,
    /// R² with its sums divided by their degrees of freedom: 1 − (1 − R²)·(n − 1)/(n − p) with p fitted parameters.
    pub adjusted_r2: f64,
    /// Root mean squared error √(SSE/(n − p)).
    pub rmse: f64,
}

impl Goodness {
    /// Of `predicted` against `observed` with this many fitted parameters. None without more points than parameters, or if all
    /// points are the same.
    pub fn of(observed: &[f64], predicted: &[f64], parameters: usize) -> Option<Goodness> {
        let n = observed.len();
        let free = n.checked_sub(parameters).filter(|free| *free > 0)? as f64;
        let mean = observed.iter().sum::<f64>() / n as f64;
        let total: f64 = observed.iter().map(|y| (y - mean).powi(2)).sum();
        let pairs = observed.iter().zip(predicted);
        let error: f64 = pairs.map(|(y, f)| (y - f).powi(2)).sum();
        if total <= 0.0 || !error.is_finite() {
            return None;
        }
        Some(Goodness {
            points: n,
            r2: 1.0 - error / total,
            adjusted_r2: 1.0 - error / total * (n as f64 - 1.0) / free,
            rmse: (error / free).sqrt(),
        })
    }
}

/// A curve: from parameters, each of which may be any number, and a place to a value.
pub(super) type Curve = fn(&[f64], f64) -> f64;

/// The parameters under which a curve comes closest to points (x, y), by Levenberg and Marquardt's method as in MINPACK, begun
/// at each of `starts`; of several ends the best, of those as good the first. The same points give the same digits.
///
/// None if no start led to an end, as with fewer points than parameters.
pub(super) fn least_squares(
    points: &[(f64, f64)],
    starts: &[Vec<f64>],
    curve: Curve,
) -> Option<Vec<f64>> {
    let mut best: Option<(f64, Vec<f64>)> = None;
    for start in starts.iter().filter(|start| start.len() < points.len()) {
        let problem = Problem {
            points,
            curve,
            parameters: DVector::from_column_slice(start),
        };
        let (problem, report) = LevenbergMarquardt::new()
            .with_patience(PATIENCE)
            .minimize(problem);
        let is_end = report.termination.was_successful()
            // A step that is too small for the machine is the end too.
            || matches!(report.termination, TerminationReason::NoImprovementPossible(_));
        let error = report.objective_function;
        if is_end && error.is_finite() && best.as_ref().is_none_or(|(least, _)| error < *least) {
            best = Some((error, problem.parameters.as_slice().to_vec()));
        }
    }
    best.map(|(_, parameters)| parameters)
}

/// Evaluations of a curve for each parameter, after which a start is given up.
const PATIENCE: usize = 2_000;

struct Problem<'a> {
    points: &'a [(f64, f64)],
    curve: Curve,
    parameters: DVector<f64>,
}

impl LeastSquaresProblem<f64, Dyn, Dyn> for Problem<'_> {
    type ResidualStorage = Owned<f64, Dyn>;
    type JacobianStorage = Owned<f64, Dyn, Dyn>;
    type ParameterStorage = Owned<f64, Dyn>;

    fn set_params(&mut self, parameters: &DVector<f64>) {
        self.parameters.copy_from(parameters);
    }

    fn params(&self) -> DVector<f64> {
        self.parameters.clone()
    }

    fn residuals(&self) -> Option<DVector<f64>> {
        let parameters = self.parameters.as_slice();
        let residual = |(x, y): &(f64, f64)| (self.curve)(parameters, *x) - y;
        let residuals = self.points.iter().map(residual);
        Some(DVector::from_iterator(self.points.len(), residuals))
    }

    /// By central differences: the step's third power is about the last digit, where their error is least.
    fn jacobian(&self) -> Option<DMatrix<f64>> {
        let mut jacobian = DMatrix::zeros(self.points.len(), self.parameters.len());
        let mut shifted = self.parameters.clone();
        for (column, &parameter) in self.parameters.iter().enumerate() {
            let step = f64::EPSILON.cbrt() * parameter.abs().max(1.0);
            let (above, below) = (parameter + step, parameter - step);
            for (row, (x, _)) in self.points.iter().enumerate() {
                shifted[column] = above;
                let up = (self.curve)(shifted.as_slice(), *x);
                shifted[column] = below;
                let down = (self.curve)(shifted.as_slice(), *x);
                jacobian[(row, column)] = (up - down) / (above - below);
            }
            shifted[column] = parameter;
        }
        Some(jacobian)
    }
}

/// A number of 0..=1 from any number, and back: parameters that are probabilities are fitted as their logits.
pub(super) fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// The inverse of [`logistic`].
pub(super) fn logit(p: f64) -> f64 {
    (p / (1.0 - p)).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line through points that it cannot all meet: slope 1.7, height 0.2 are the textbook's formulas in fractions
    /// (Σxy − nx̄ȳ = 8.5, Σx² − nx̄² = 5), SSE 0.3 and SST 14.75.
    #[test]
    fn a_line() {
        let points = [(0.0, 0.0), (1.0, 2.0), (2.0, 4.0), (3.0, 5.0)];
        let line: Curve = |parameters, x| parameters[0] + parameters[1] * x;
        let found = least_squares(&points, &[vec![9.0, -9.0]], line).unwrap();
        assert!((found[0] - 0.2).abs() < 1e-7, "{found:?}");
        assert!((found[1] - 1.7).abs() < 1e-7, "{found:?}");
        let predicted = points.map(|(x, _)| line(&found, x));
        let good = Goodness::of(&points.map(|(_, y)| y), &predicted, 2).unwrap();
        assert_eq!(good.points, 4);
        assert!((good.r2 - (1.0 - 0.3 / 14.75)).abs() < 1e-9);
        assert!((good.adjusted_r2 - (1.0 - 0.3 / 14.75 * 1.5)).abs() < 1e-9);
        assert!((good.rmse - 0.15f64.sqrt()).abs() < 1e-9);
    }

    #[test]
    fn too_few_points_have_no_curve() {
        let line: Curve = |parameters, x| parameters[0] + parameters[1] * x;
        assert_eq!(least_squares(&[(0.0, 1.0)], &[vec![0.0, 0.0]], line), None);
        assert_eq!(Goodness::of(&[1.0, 2.0], &[1.0, 2.0], 2), None);
        assert_eq!(Goodness::of(&[1.0; 5], &[1.0; 5], 2), None);
    }
}
