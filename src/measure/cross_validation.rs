//! Choosing one of several systems without being judged on the topics of the choice.
//!
//! The best of many systems on some topics is no estimate of how good it is: part of what made it the best is chance, and on
//! other topics chance falls elsewhere. Cross-validation (Stone, *Cross-validatory choice and assessment of statistical
//! predictions*, Journal of the Royal Statistical Society B 36, 1974; Geisser, JASA 70, 1975) parts the topics into folds,
//! chooses on all folds but one, and measures on that one what was chosen; every topic is measured once, under a choice that has
//! not seen it. How much the plain maximum overstates: Cawley and Talbot, *On over-fitting in model selection*, JMLR 11, 2010.
//!
//! What is estimated is the *procedure* (choose the best of these on so many topics), not one of the systems. The folds' choices
//! share most of their topics, so that the spread over topics understates that of the procedure a little; no unbiased estimate
//! of it exists (Bengio and Grandvalet, JMLR 5, 2004).

use super::significance::{SplitMix64, rounded};

/// A group of topics, and what was chosen without them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fold {
    /// The topics left out of the choice and measured under it, as numbers, ascending.
    pub topics: Vec<usize>,
    /// Number of the candidate that is best on all other topics.
    pub chosen: usize,
}

/// What cross-validation gives.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CrossValidated {
    /// The folds; each topic is in one.
    pub folds: Vec<Fold>,
    /// For each topic its score under the candidate that was chosen without it.
    pub scores: Vec<f64>,
}

/// Chooses the candidate with the highest mean on all folds but one, for each fold; of equal ones the first.
///
/// Each candidate is a score for each topic, the same topics in the same order (if some have more, they are left out). The
/// topics are shuffled by `seed` and dealt out to the folds in turn, so that the sizes differ by one at most. There are at least
/// two folds and at most as many as topics (leave-one-out). A single topic leaves nothing to choose on and gets the first
/// candidate. Without topics or candidates the result is empty.
pub fn cross_validate(candidates: &[&[f64]], folds: usize, seed: u64) -> CrossValidated {
    let topics = candidates.iter().map(|scores| scores.len()).min();
    let topics = topics.unwrap_or(0);
    let folds = folds.max(2).min(topics);
    let mut fold_of = vec![0; topics];
    for (place, topic) in shuffled(topics, seed).into_iter().enumerate() {
        fold_of[topic] = place % folds;
    }
    let mut scores = vec![0.0; topics];
    let fold = |number: usize| {
        let (held_out, others): (Vec<usize>, Vec<usize>) =
            (0..topics).partition(|topic| fold_of[*topic] == number);
        let chosen = best(candidates, &others);
        for &topic in &held_out {
            scores[topic] = candidates[chosen][topic];
        }
        Fold {
            topics: held_out,
            chosen,
        }
    };
    CrossValidated {
        folds: (0..folds).map(fold).collect(),
        scores,
    }
}

/// The first candidate with the highest mean over some topics. The sum is taken over these topics alone: nothing of the others
/// may come in, not even a rounding error.
fn best(candidates: &[&[f64]], topics: &[usize]) -> usize {
    let mean = |scores: &[f64]| {
        let sum: f64 = topics.iter().map(|topic| scores[*topic]).sum();
        rounded(sum / topics.len().max(1) as f64)
    };
    let mut best = (0, f64::NEG_INFINITY);
    for (number, scores) in candidates.iter().enumerate() {
        let mean = mean(scores);
        if mean > best.1 {
            best = (number, mean);
        }
    }
    best.0
}

/// The numbers below n in random order (Durstenfeld, CACM 7, 1964, Algorithm 235).
fn shuffled(n: usize, seed: u64) -> Vec<usize> {
    let mut random = SplitMix64::new(seed);
    let mut order: Vec<usize> = (0..n).collect();
    for last in (1..n).rev() {
        order.swap(last, random.below(last + 1));
    }
    order
}
