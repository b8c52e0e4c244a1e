//! What a document gains that repeats what stands above it.

use super::subtopics::Subtopics;

/// By rank: for each subtopic that the document is relevant to, (1 − α) to the power of the number of documents above it that are
/// too, summed. Clarke et al., "Novelty and diversity in information retrieval evaluation", SIGIR 2008.
pub(super) fn novelty(documents: &[Vec<usize>], num: usize, alpha: f64) -> Vec<f64> {
    let mut left = vec![1.0; num];
    let gain = |subtopics: &Vec<usize>| {
        let mut gain = 0.0;
        for &subtopic in subtopics {
            if let Some(left) = left.get_mut(subtopic) {
                gain += *left;
                *left *= 1.0 - alpha;
            }
        }
        gain
    };
    documents.iter().map(gain).collect()
}

/// Σ gain · discount over the first k ranks, and the same for the ideal ranking of which ndeval says "ideal ideal": every document
/// relevant to every subtopic.
pub(super) struct Discounted {
    /// Of the ranking.
    pub(super) sum: f64,
    /// Of documents that are all relevant to all subtopics.
    pub(super) most: f64,
}

impl Discounted {
    pub(super) fn of(
        gains: &[f64],
        subtopics: &Subtopics,
        k: usize,
        alpha: f64,
        discount: impl Fn(f64) -> f64,
    ) -> Self {
        let (mut sum, mut most, mut gain) = (0.0, 0.0, subtopics.num() as f64);
        for index in 0..k {
            let discount = discount(index as f64 + 1.0);
            let found = gains.get(index).copied().unwrap_or(0.0);
            sum += found * discount;
            most += gain * discount;
            gain *= 1.0 - alpha;
            // What is left changes nothing any more.
            if index >= gains.len() && gain < f64::MIN_POSITIVE {
                break;
            }
        }
        Discounted { sum, most }
    }

    /// The share of the most that is possible for any judgments; 0 for topics without relevant documents.
    pub(super) fn share(&self) -> f64 {
        match self.most > 0.0 {
            true => self.sum / self.most,
            false => 0.0,
        }
    }

    /// The share of what the ideal ranking of this topic has.
    pub(super) fn share_of(&self, ideal: &Self) -> f64 {
        match ideal.sum > 0.0 {
            true => self.sum / ideal.sum,
            false => 0.0,
        }
    }
}

/// The discount of DCG: log 2 / log(rank + 1).
pub(super) fn by_logarithm(rank: f64) -> f64 {
    1.0 / (rank + 1.0).log2()
}

/// The discount of reciprocal ranks.
pub(super) fn by_rank(rank: f64) -> f64 {
    1.0 / rank
}
