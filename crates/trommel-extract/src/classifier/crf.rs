//! Linear-chain conditional random fields of two labels over features that are there or not (Lafferty, McCallum and Pereira, ICML 2001).
//!
//! The probability of the labels of a sequence is e to the sum of the weights of all features with the label of their place, and of all pairs of
//! neighbouring labels, divided by the same of all labellings. There are no weights for beginning and end: so it is in CRFsuite, to
//! whose output tests hold what is said here and what is learnt.

use serde::{Deserialize, Serialize};

/// The weights of a field.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Crf {
    /// For each feature its weights with the labels false and true.
    pub state: Vec<[f64; 2]>,
    /// The weights of a label (first index) before another.
    pub transition: [[f64; 2]; 2],
}

impl Crf {
    /// For each place the sums of the weights of its features, with the labels false and true. A feature that has no weights counts for
    /// nothing. A place is the numbers of its features.
    pub fn scores(&self, places: &[Vec<u32>]) -> Vec<[f64; 2]> {
        let of = |place: &Vec<u32>| {
            let mut sum = [0.0; 2];
            for feature in place {
                if let Some(weights) = self.state.get(*feature as usize) {
                    sum[0] += weights[0];
                    sum[1] += weights[1];
                }
            }
            sum
        };
        places.iter().map(of).collect()
    }

    /// The most probable labels of a sequence whose scores are given (Viterbi 1967). Of equals false is taken.
    pub fn labels(&self, scores: &[[f64; 2]]) -> Vec<bool> {
        let Some(first) = scores.first() else {
            return Vec::new();
        };
        let mut best = *first;
        let mut from: Vec<[bool; 2]> = Vec::with_capacity(scores.len());
        for score in &scores[1..] {
            let (mut next, mut chosen) = ([0.0; 2], [false; 2]);
            for label in 0..2 {
                let after_false = best[0] + self.transition[0][label];
                let after_true = best[1] + self.transition[1][label];
                chosen[label] = after_true > after_false;
                next[label] = after_false.max(after_true) + score[label];
            }
            best = next;
            from.push(chosen);
        }
        let mut label = best[1] > best[0];
        let mut labels = vec![label];
        for chosen in from.iter().rev() {
            label = chosen[usize::from(label)];
            labels.push(label);
        }
        labels.reverse();
        labels
    }

    /// The sums over all labellings of a sequence whose scores are given.
    pub fn sums(&self, scores: &[[f64; 2]]) -> Sums {
        let length = scores.len();
        let mut forward = vec![[0.0; 2]; length];
        let mut backward = vec![[0.0; 2]; length];
        for at in 0..length {
            for label in 0..2 {
                let before = match at {
                    0 => 0.0,
                    _ => log_sum([0, 1].map(|it| forward[at - 1][it] + self.transition[it][label])),
                };
                forward[at][label] = before + scores[at][label];
            }
        }
        for at in (0..length.saturating_sub(1)).rev() {
            for label in 0..2 {
                let behind = |it: usize| {
                    self.transition[label][it] + scores[at + 1][it] + backward[at + 1][it]
                };
                backward[at][label] = log_sum([behind(0), behind(1)]);
            }
        }
        Sums {
            log_all: forward.last().map_or(0.0, |last| log_sum(*last)),
            forward,
            backward,
        }
    }

    /// For each place the probability that its label is true.
    pub fn probabilities(&self, scores: &[[f64; 2]]) -> Vec<f64> {
        let sums = self.sums(scores);
        (0..scores.len())
            .map(|at| sums.probability(at, 1))
            .collect()
    }
}

/// Logarithms of the sums over the labellings of a sequence.
#[derive(Debug, Clone, PartialEq)]
pub struct Sums {
    /// Of all labellings.
    pub log_all: f64,
    /// For each place and label: of what stands before, the place itself included.
    pub forward: Vec<[f64; 2]>,
    /// For each place and label: of what stands behind.
    pub backward: Vec<[f64; 2]>,
}

impl Sums {
    /// The probability of a label at a place.
    pub fn probability(&self, at: usize, label: usize) -> f64 {
        (self.forward[at][label] + self.backward[at][label] - self.log_all).exp()
    }
}

/// ln(eᵃ + eᵇ).
fn log_sum([a, b]: [f64; 2]) -> f64 {
    let (less, more) = if a < b { (a, b) } else { (b, a) };
    match more.is_finite() {
        true => more + (less - more).exp().ln_1p(),
        false => more,
    }
}

#[cfg(test)]
mod tests {
    use trommel_text::SplitMix64;

    use super::*;

    /// All labellings of short sequences: none is more probable than the one found, and the probabilities are the shares of those in which a label
    /// is true.
    #[test]
    fn all_labellings_of_short_sequences() {
        let mut random = SplitMix64::new(2007);
        let mut draw = || random.below(4001) as f64 / 1000.0 - 2.0;
        for length in 1..=9usize {
            for _ in 0..30 {
                let crf = Crf {
                    state: Vec::new(),
                    transition: [[draw(), draw()], [draw(), draw()]],
                };
                let scores: Vec<[f64; 2]> = (0..length).map(|_| [draw(), draw()]).collect();
                let score = |labels: &[bool]| -> f64 {
                    let own = scores.iter().zip(labels).map(|(s, l)| s[usize::from(*l)]);
                    let pairs = labels
                        .windows(2)
                        .map(|p| crf.transition[usize::from(p[0])][usize::from(p[1])]);
                    own.sum::<f64>() + pairs.sum::<f64>()
                };
                let (mut all, mut most) = (0.0, f64::NEG_INFINITY);
                let mut of_true = vec![0.0; length];
                for bits in 0..1u32 << length {
                    let labels: Vec<bool> = (0..length).map(|at| bits >> at & 1 == 1).collect();
                    let own = score(&labels);
                    most = most.max(own);
                    all += own.exp();
                    for (sum, label) in of_true.iter_mut().zip(labels) {
                        *sum += if label { own.exp() } else { 0.0 };
                    }
                }
                assert!((crf.sums(&scores).log_all - all.ln()).abs() < 1e-9);
                assert!(score(&crf.labels(&scores)) > most - 1e-9);
                for (found, sum) in crf.probabilities(&scores).iter().zip(of_true) {
                    assert!((found - sum / all).abs() < 1e-9, "{found} {}", sum / all);
                }
            }
        }
        let none = Crf::default();
        assert_eq!(none.labels(&[]), [false; 0]);
        assert_eq!(none.probabilities(&[]), [0.0; 0]);
        assert_eq!(none.scores(&[vec![7]]), [[0.0; 2]]);
    }
}
