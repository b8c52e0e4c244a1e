//! Choosing one of several systems without being judged on the topics of the choice.
//!
//! The best of many systems on some topics is no estimate of how good it is: part of what made it the best is chance, and on
//! other topics chance falls elsewhere. Cross-validation (Stone, *Cross-validatory choice and assessment of statistical
//! predictions*, Journal of the Royal Statistical Society B 36, 1974; Geisser, JASA 70, 1975) parts the topics into folds,
//! chooses on all folds but one, and measures on that one what was chosen; every topic is measured once, under a choice that has
//! not seen it. How much the plain maximum overstates: Cawley and Talbot, *On over-fitting in model selection*, JMLR 11, 2010.
//!
//! What is estimated is the *procedure* (choose the best of these on so many topics), not one of the systems. Its mean is a fair
//! estimate. The scores are not independent, though: each topic helps to choose for all others, and no unbiased estimate of the
//! spread exists (Bengio and Grandvalet, JMLR 5, 2004). A plain paired test on them finds too much (on 34 topics, six systems no
//! better than the baseline and correlated by .5, and ten folds, a t test at .05 rejects in 12 % of the cases). So
//! [`cross_validated_p`] is a test of its own, which repeats the choice under each pattern of signs.

use trommel_text::SplitMix64;

use super::significance::rounded;

/// Patterns of signs that [`cross_validated_p`] draws: its standard error is .002 at p = .05.
const PATTERNS: u32 = 10_000;

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
    let (folds, fold_of) = deal(topics, folds, seed);
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

/// The number of folds that topics are dealt out to, at least two and at most as many as topics, and the fold of each topic: in the
/// order that `seed` shuffles them into, dealt out in turn.
pub fn deal(topics: usize, folds: usize, seed: u64) -> (usize, Vec<usize>) {
    shuffle_and_deal(topics, folds, &mut SplitMix64::new(seed))
}

/// [`deal`] with random numbers: the topics in random order (Durstenfeld, CACM 7, 1964, Algorithm 235).
fn shuffle_and_deal(topics: usize, folds: usize, random: &mut SplitMix64) -> (usize, Vec<usize>) {
    let folds = folds.max(2).min(topics);
    let mut order: Vec<usize> = (0..topics).collect();
    for last in (1..topics).rev() {
        order.swap(last, random.below(last + 1));
    }
    let mut fold_of = vec![0; topics];
    for (place, topic) in order.into_iter().enumerate() {
        fold_of[topic] = place % folds;
    }
    (folds, fold_of)
}

/// Two-sided p-value of what [`cross_validate`] gives with the same arguments against a baseline on the same topics: how often
/// is the t of the differences as far from 0 as it is, if on each topic all candidates and the baseline change places at random?
///
/// Fisher's randomization test of the procedure as a whole: the differences of a topic change signs together, which keeps what
/// the candidates have in common, and the choice is made again for each of 10,000 patterns. (hits + 1) / (patterns + 1). It is t
/// and not the mean that is looked at (Janssen, Statistics & Probability Letters 36, 1997), because candidates with large
/// differences, good or bad, would otherwise drown a small one that is steady. With one candidate the two are the same.
pub fn cross_validated_p(baseline: &[f64], candidates: &[&[f64]], folds: usize, seed: u64) -> f64 {
    let shortest = candidates.iter().map(|scores| scores.len()).min();
    let topics = shortest.unwrap_or(0).min(baseline.len());
    let mut random = SplitMix64::new(seed);
    let (folds, fold_of) = shuffle_and_deal(topics, folds, &mut random);
    let choice = Choice::new(baseline, candidates, folds, fold_of);
    let mut flips = vec![0; topics];
    let observed = choice.statistic(&flips);
    let mut hits = 0;
    for _ in 0..PATTERNS {
        // All bits set, or none.
        flips.fill_with(|| (random.bits() >> 63) as i64 - 1);
        hits += u32::from(choice.statistic(&flips) >= observed);
    }
    f64::from(hits + 1) / f64::from(PATTERNS + 1)
}

/// The differences of the candidates to the baseline, from which a choice is made for each fold.
struct Choice {
    folds: usize,
    fold_of: Vec<usize>,
    /// Number of candidates.
    candidates: usize,
    /// By topic, then by candidate, in units of 10⁻¹²: sums of whole numbers are exact, so that ties are ties.
    differences: Vec<i64>,
    /// By fold, then by candidate, the sum of the squares, which no signs change.
    squares: Vec<f64>,
}

/// Units of a difference of 1.
const UNITS: f64 = 1e12;

impl Choice {
    /// Of at least as many scores of the baseline and each candidate as `fold_of` has topics.
    fn new(baseline: &[f64], candidates: &[&[f64]], folds: usize, fold_of: Vec<usize>) -> Choice {
        let mut differences = Vec::with_capacity(fold_of.len() * candidates.len());
        let mut squares = vec![0.0; folds * candidates.len()];
        for (topic, fold) in fold_of.iter().enumerate() {
            for (number, scores) in candidates.iter().enumerate() {
                let difference = ((scores[topic] - baseline[topic]) * UNITS).round();
                differences.push(difference as i64);
                squares[fold * candidates.len() + number] += difference * difference;
            }
        }
        Choice {
            folds,
            fold_of,
            candidates: candidates.len(),
            differences,
            squares,
        }
    }

    /// S²/Q, with S and Q the sums of the differences (changing signs where `flips` is all ones) and of their squares, of what
    /// is chosen for each fold: it grows with t², which is (n − 1)·S²/(n·Q − S²). 0 where nothing differs.
    fn statistic(&self, flips: &[i64]) -> f64 {
        let n = self.candidates;
        if n == 0 {
            return 0.0;
        }
        // By fold, then by candidate.
        let mut sums = vec![0i64; self.folds * n];
        let rows = self.differences.chunks_exact(n);
        for ((row, flip), fold) in rows.zip(flips).zip(&self.fold_of) {
            let sums = &mut sums[fold * n..(fold + 1) * n];
            for (sum, difference) in sums.iter_mut().zip(row) {
                *sum = sum.wrapping_add((difference ^ flip).wrapping_sub(*flip));
            }
        }
        let mut totals = vec![0i64; n];
        for of_fold in sums.chunks_exact(n) {
            for (total, sum) in totals.iter_mut().zip(of_fold) {
                *total = total.wrapping_add(*sum);
            }
        }
        let (mut sum, mut squares) = (0.0, 0.0);
        for (of_fold, square) in sums.chunks_exact(n).zip(self.squares.chunks_exact(n)) {
            // The first with the highest sum over the other folds.
            let mut best = (i64::MIN, 0);
            for (number, (total, own)) in totals.iter().zip(of_fold).enumerate() {
                let others = total.wrapping_sub(*own);
                if others > best.0 {
                    best = (others, number);
                }
            }
            sum += of_fold[best.1] as f64;
            squares += square[best.1];
        }
        match squares {
            0.0 => 0.0,
            squares => rounded(sum * sum / squares),
        }
    }
}
