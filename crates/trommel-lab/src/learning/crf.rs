//! Learns a conditional random field: the weights that make the labels of sequences most probable, less the sum of their squares times
//! a factor, by L-BFGS (Nocedal, *Updating Quasi-Newton Matrices with Limited Storage*, Mathematics of Computation 35, 1980).
//!
//! What is made least is what CRFsuite's `lbfgs` makes least with `c2`, and with a weight for each feature and label whether or not they stand
//! together in a sequence (`feature.possible_states`, `feature.possible_transitions`). It has one least value, so that both find the same weights.

use trommel_extract::classifier::crf::Crf;

/// A sequence with its labels.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Labelled {
    /// For each place the numbers of its features.
    pub places: Vec<Vec<u32>>,
    /// For each place its label.
    pub labels: Vec<bool>,
}

/// How a field is learnt.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct CrfOptions {
    /// What the sum of the squares of all weights counts.
    pub c2: f64,
    /// Steps after which it ends.
    pub steps: usize,
    /// It ends when the gradient is no longer than so much times the weights.
    pub tolerance: f64,
}

impl Default for CrfOptions {
    fn default() -> Self {
        CrfOptions {
            c2: 1.0,
            steps: 500,
            tolerance: 1e-6,
        }
    }
}

/// Learns the weights of so many features.
pub fn learn(sequences: &[Labelled], features: usize, options: &CrfOptions) -> Crf {
    let weights = minimize(2 * features + 4, options, &mut |weights, gradient| {
        loss(sequences, features, options.c2, weights, gradient)
    });
    field(&weights, features)
}

/// The field of a row of weights: two for each feature, then the four of neighbouring labels.
fn field(weights: &[f64], features: usize) -> Crf {
    let (state, transition) = weights.split_at(2 * features);
    Crf {
        state: state.chunks_exact(2).map(|it| [it[0], it[1]]).collect(),
        transition: [
            [transition[0], transition[1]],
            [transition[2], transition[3]],
        ],
    }
}

/// The loss of weights, and where it rises.
fn loss(
    sequences: &[Labelled],
    features: usize,
    c2: f64,
    weights: &[f64],
    gradient: &mut [f64],
) -> f64 {
    let crf = field(weights, features);
    let mut loss = 0.0;
    for (slope, weight) in gradient.iter_mut().zip(weights) {
        loss += c2 * weight * weight;
        *slope = 2.0 * c2 * weight;
    }
    let pairs = 2 * features;
    for sequence in sequences {
        let scores = crf.scores(&sequence.places);
        let sums = crf.sums(&scores);
        loss += sums.log_all;
        for (at, place) in sequence.places.iter().enumerate() {
            let own = usize::from(sequence.labels[at]);
            loss -= scores[at][own];
            for label in 0..2 {
                let excess = sums.probability(at, label) - if own == label { 1.0 } else { 0.0 };
                for feature in place {
                    gradient[2 * *feature as usize + label] += excess;
                }
            }
            let Some(next) = sequence.labels.get(at + 1).map(|it| usize::from(*it)) else {
                continue;
            };
            loss -= crf.transition[own][next];
            gradient[pairs + 2 * own + next] -= 1.0;
            for label in 0..2 {
                for after in 0..2 {
                    let log = sums.forward[at][label]
                        + crf.transition[label][after]
                        + scores[at + 1][after]
                        + sums.backward[at + 1][after]
                        - sums.log_all;
                    gradient[pairs + 2 * label + after] += log.exp();
                }
            }
        }
    }
    loss
}

/// Steps that are remembered (CRFsuite's `num_memories`).
const MEMORY: usize = 6;

/// The least value of a convex function, from weights of 0.
fn minimize(
    length: usize,
    options: &CrfOptions,
    function: &mut dyn FnMut(&[f64], &mut [f64]) -> f64,
) -> Vec<f64> {
    let mut weights = vec![0.0; length];
    let mut gradient = vec![0.0; length];
    let mut value = function(&weights, &mut gradient);
    // Of past steps: how weights and gradient changed, and 1 by their product.
    let mut past: Vec<(Vec<f64>, Vec<f64>, f64)> = Vec::new();
    for _ in 0..options.steps {
        if norm(&gradient) <= options.tolerance * norm(&weights).max(1.0) {
            break;
        }
        let mut direction = direction(&gradient, &past);
        let mut slope = dot(&direction, &gradient);
        if slope >= 0.0 {
            past.clear();
            direction = gradient.iter().map(|it| -it).collect();
            slope = -dot(&gradient, &gradient);
        }
        let mut step = if past.is_empty() {
            1.0 / norm(&gradient)
        } else {
            1.0
        };
        let mut next = vec![0.0; length];
        let mut next_gradient = vec![0.0; length];
        let mut moved = None;
        // Half as far until it has become enough less (Armijo 1966).
        for _ in 0..50 {
            for ((next, weight), towards) in next.iter_mut().zip(&weights).zip(&direction) {
                *next = weight + step * towards;
            }
            let there = function(&next, &mut next_gradient);
            if there <= value + 1e-4 * step * slope {
                moved = Some(there);
                break;
            }
            step /= 2.0;
        }
        let Some(there) = moved else { break };
        let change: Vec<f64> = difference(&next, &weights);
        let turn: Vec<f64> = difference(&next_gradient, &gradient);
        let product = dot(&change, &turn);
        if product > 1e-12 * dot(&turn, &turn) {
            if past.len() == MEMORY {
                past.remove(0);
            }
            past.push((change, turn, 1.0 / product));
        }
        (weights, gradient, value) = (next, next_gradient, there);
    }
    weights
}

/// Where to go: the two loops of L-BFGS.
fn direction(gradient: &[f64], past: &[(Vec<f64>, Vec<f64>, f64)]) -> Vec<f64> {
    let mut direction: Vec<f64> = gradient.iter().map(|it| -it).collect();
    let mut shares = Vec::with_capacity(past.len());
    for (change, turn, inverse) in past.iter().rev() {
        let share = inverse * dot(change, &direction);
        add(&mut direction, -share, turn);
        shares.push(share);
    }
    if let Some((_, turn, inverse)) = past.last() {
        let scale = 1.0 / (inverse * dot(turn, turn));
        direction.iter_mut().for_each(|it| *it *= scale);
    }
    for ((change, turn, inverse), share) in past.iter().zip(shares.into_iter().rev()) {
        let other = inverse * dot(turn, &direction);
        add(&mut direction, share - other, change);
    }
    direction
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

fn difference(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

fn add(to: &mut [f64], factor: f64, what: &[f64]) {
    for (to, what) in to.iter_mut().zip(what) {
        *to += factor * what;
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Deserialize)]
    struct Reference {
        c2: f64,
        features: usize,
        sequences: Vec<(Vec<Vec<u32>>, Vec<bool>)>,
        state: Vec<[f64; 2]>,
        transition: [[f64; 2]; 2],
        /// For each sequence the probability of true at each place, and the most probable labels.
        probabilities: Vec<Vec<f64>>,
        labels: Vec<Vec<bool>>,
    }

    /// CRFsuite 0.12 by python-crfsuite 0.9: `crf/reference.py` beside this file. 40 weights within .002 of its (of at most 1.2), 180
    /// probabilities within .001, all labels the same.
    #[test]
    fn as_crfsuite() {
        let reference: Reference =
            serde_json::from_str(include_str!("crf/reference.json")).unwrap();
        let sequences: Vec<Labelled> = reference
            .sequences
            .iter()
            .map(|(places, labels)| Labelled {
                places: places.clone(),
                labels: labels.clone(),
            })
            .collect();
        let options = CrfOptions {
            c2: reference.c2,
            ..CrfOptions::default()
        };
        let crf = learn(&sequences, reference.features, &options);
        let near = |a: f64, b: f64, within: f64| assert!((a - b).abs() < within, "{a} {b}");
        for (found, expected) in crf.state.iter().zip(&reference.state) {
            near(found[0], expected[0], 0.002);
            near(found[1], expected[1], 0.002);
        }
        for (found, expected) in crf
            .transition
            .iter()
            .flatten()
            .zip(reference.transition.iter().flatten())
        {
            near(*found, *expected, 0.002);
        }
        assert_eq!(crf.state.len(), reference.state.len());
        for (number, sequence) in sequences.iter().enumerate() {
            let scores = crf.scores(&sequence.places);
            assert_eq!(crf.labels(&scores), reference.labels[number]);
            let found = crf.probabilities(&scores);
            assert_eq!(found.len(), reference.probabilities[number].len());
            for (found, expected) in found.iter().zip(&reference.probabilities[number]) {
                near(*found, *expected, 0.001);
            }
        }
    }
}
