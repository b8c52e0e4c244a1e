//! Linear support vector machines: the dual of L2-regularised hinge loss by coordinate descent (Hsieh, Chang, Lin, Keerthi and
//! Sundararajan, *A Dual Coordinate Descent Method for Large-scale Linear SVM*, ICML 2008, Algorithm 3 with shrinking: what
//! LIBLINEAR's solver 3 does), one machine for each pair of classes.
//!
//! min ½‖w‖² + Σ Cᵢ max(0, 1 − yᵢ w·xᵢ). Cᵢ is C times the row's weight. As Weka's SMO does it by default, values are scaled to
//! 0..=1 by their range in training, and C is 1. The offset is the weight of one more feature that is always 1, so it is
//! regularised with the rest; SMO's is not.

use serde::{Deserialize, Serialize};

use super::{Classifier, Instances};

/// A machine for each pair of classes.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Svm {
    /// For each feature the least value in training and the range; a range of 0 makes the feature 0.
    pub scales: Vec<(f64, f64)>,
    /// How many classes there are.
    pub num_classes: usize,
    /// The machines.
    pub machines: Vec<Machine>,
}

/// What parts two classes.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// The class on the positive side.
    pub positive: usize,
    /// The class on the negative side.
    pub negative: usize,
    /// A weight for each scaled feature, then the offset.
    pub weights: Vec<f64>,
}

/// When the solver is content.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Solver {
    /// C: what an error of a row of weight 1 costs.
    pub cost: f64,
    /// The greatest violation of the conditions of an optimum.
    pub tolerance: f64,
    /// Most rounds over all rows.
    pub max_rounds: usize,
}

impl Default for Solver {
    fn default() -> Self {
        // LIBLINEAR's tolerance; SMO's C.
        Solver {
            cost: 1.0,
            tolerance: 0.1,
            max_rounds: 1000,
        }
    }
}

impl Svm {
    /// Learns from some rows; `random(n)` gives a number below n, for the order in which rows are visited.
    pub fn learn(
        instances: &Instances,
        rows: &[u32],
        solver: &Solver,
        random: &mut dyn FnMut(usize) -> usize,
    ) -> Svm {
        let scales: Vec<(f64, f64)> = instances
            .columns
            .iter()
            .map(|values| {
                let of = |start: f64, f: fn(f64, f64) -> f64| {
                    rows.iter().map(|row| values[*row as usize]).fold(start, f)
                };
                let least = of(f64::INFINITY, f64::min);
                (least, of(f64::NEG_INFINITY, f64::max) - least)
            })
            .collect();
        let width = scales.len() + 1;
        let num_classes = instances.classes.len();
        let mut machines = Vec::new();
        for positive in 0..num_classes {
            for negative in positive + 1..num_classes {
                let of_pair: Vec<u32> = rows
                    .iter()
                    .copied()
                    .filter(|row| {
                        let class = usize::from(instances.class_of[*row as usize]);
                        (class == positive || class == negative)
                            && instances.weights[*row as usize] > 0.0
                    })
                    .collect();
                let mut problem = Problem {
                    width,
                    ..Problem::default()
                };
                for &row in &of_pair {
                    let row = row as usize;
                    let class = usize::from(instances.class_of[row]);
                    let columns = instances.columns.iter().zip(&scales);
                    let values = columns.map(|(column, scale)| scaled(column[row], *scale));
                    problem.values.extend(values.chain([1.0]));
                    problem
                        .signs
                        .push(if class == positive { 1.0 } else { -1.0 });
                    problem.costs.push(solver.cost * instances.weights[row]);
                }
                machines.push(Machine {
                    positive,
                    negative,
                    weights: problem.solve(solver, random),
                });
            }
        }
        Svm {
            scales,
            num_classes,
            machines,
        }
    }
}

fn scaled(value: f64, (least, range): (f64, f64)) -> f64 {
    if range > 0.0 {
        (value - least) / range
    } else {
        0.0
    }
}

/// Rows of one machine.
#[derive(Default)]
struct Problem {
    /// The scaled values, row after row, each with a 1 at its end.
    values: Vec<f64>,
    width: usize,
    signs: Vec<f64>,
    costs: Vec<f64>,
}

impl Problem {
    fn row(&self, number: usize) -> &[f64] {
        &self.values[number * self.width..(number + 1) * self.width]
    }

    fn solve(&self, solver: &Solver, random: &mut dyn FnMut(usize) -> usize) -> Vec<f64> {
        let count = self.signs.len();
        let mut weights = vec![0.0; self.width];
        let mut alphas = vec![0.0; count];
        let squares: Vec<f64> = (0..count)
            .map(|number| dot(self.row(number), self.row(number)))
            .collect();
        let mut order: Vec<usize> = (0..count).collect();
        // Rows before this place are still looked at (shrinking).
        let mut active = count;
        let (mut last_most, mut last_least) = (f64::INFINITY, f64::NEG_INFINITY);
        for _ in 0..solver.max_rounds {
            let (mut most, mut least) = (f64::NEG_INFINITY, f64::INFINITY);
            for place in 0..active {
                order.swap(place, place + random(active - place));
            }
            let mut place = 0;
            while place < active {
                let number = order[place];
                let (row, sign, cost) = (self.row(number), self.signs[number], self.costs[number]);
                let gradient = sign * dot(&weights, row) - 1.0;
                let alpha = alphas[number];
                let shrinks =
                    alpha == 0.0 && gradient > last_most || alpha == cost && gradient < last_least;
                if shrinks {
                    active -= 1;
                    order.swap(place, active);
                    continue;
                }
                let projected = match alpha {
                    0.0 => gradient.min(0.0),
                    alpha if alpha == cost => gradient.max(0.0),
                    _ => gradient,
                };
                most = most.max(projected);
                least = least.min(projected);
                if projected.abs() > 1e-12 {
                    let new = (alpha - gradient / squares[number]).clamp(0.0, cost);
                    alphas[number] = new;
                    let step = (new - alpha) * sign;
                    for (weight, value) in weights.iter_mut().zip(row) {
                        *weight += step * value;
                    }
                }
                place += 1;
            }
            if most - least <= solver.tolerance {
                if active == count {
                    break;
                }
                // Once more over all rows.
                active = count;
                (last_most, last_least) = (f64::INFINITY, f64::NEG_INFINITY);
                continue;
            }
            last_most = if most <= 0.0 { f64::INFINITY } else { most };
            last_least = if least >= 0.0 {
                f64::NEG_INFINITY
            } else {
                least
            };
        }
        weights
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

impl Classifier for Svm {
    /// With two classes all to the side on which the row lies; with more a class has the share of the pairs that it wins.
    fn distribution(&self, value: &dyn Fn(usize) -> f64) -> Vec<f64> {
        let scales = self.scales.iter().enumerate();
        let row: Vec<f64> = scales
            .map(|(feature, scale)| scaled(value(feature), *scale))
            .chain([1.0])
            .collect();
        let mut votes = vec![0.0; self.num_classes];
        for machine in &self.machines {
            let side = dot(&machine.weights, &row);
            votes[if side >= 0.0 {
                machine.positive
            } else {
                machine.negative
            }] += 1.0;
        }
        let all: f64 = votes.iter().sum();
        votes.iter().map(|votes| votes / all.max(1.0)).collect()
    }
}
