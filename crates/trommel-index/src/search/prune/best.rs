//! The best scores so far.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::search::top::ordered;

/// Pages with the best scores so far, and the score that a page must have to be among them.
pub(super) struct Best {
    k: usize,
    /// The best scores, the least on top, as bits that order as the scores do.
    scores: BinaryHeap<Reverse<i32>>,
    hits: Vec<(u32, f32)>,
    floor: f32,
}

impl Best {
    pub fn new(k: usize) -> Best {
        Best {
            k,
            scores: BinaryHeap::new(),
            hits: Vec::new(),
            floor: f32::NEG_INFINITY,
        }
    }

    /// To be filled on another thread, and then added to this one: only scores that count here.
    pub fn another(&self) -> Best {
        Best {
            floor: self.floor,
            ..Best::new(self.k)
        }
    }

    /// Adds those of another thread.
    pub fn add_all(&mut self, other: Best) {
        for (page, score) in other.hits {
            self.add(page, score);
        }
    }

    /// What a page's score must be at least.
    pub fn floor(&self) -> f32 {
        self.floor
    }

    /// Adds a page.
    pub fn add(&mut self, page: u32, score: f32) {
        if score < self.floor {
            return;
        }
        self.hits.push((page, score));
        let key = ordered(score.to_bits()) as i32;
        if self.scores.len() < self.k {
            self.scores.push(Reverse(key));
        } else if let Some(mut least) = self.scores.peek_mut()
            && least.0 < key
        {
            *least = Reverse(key);
        }
        if self.scores.len() == self.k
            && let Some(Reverse(least)) = self.scores.peek()
        {
            // It may have begun higher, by what others have found.
            self.floor = self.floor.max(f32::from_bits(ordered(*least as u32)));
        }
        if self.hits.len() > 4 * self.k + 1024 {
            self.drop_worse();
        }
    }

    /// All pages that can be among the best, in no order.
    pub fn into_hits(mut self) -> Vec<(u32, f32)> {
        self.drop_worse();
        self.hits
    }

    fn drop_worse(&mut self) {
        let floor = self.floor;
        self.hits.retain(|(_, score)| *score >= floor);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_best_and_what_ties() {
        let mut best = Best::new(3);
        let scores = [-1.0, 2.0, -3.5, 2.0, 0.5, 2.0, 7.0, -0.25, 2.0];
        for (page, score) in (0..).zip(scores) {
            best.add(page, score);
        }
        assert_eq!(best.floor(), 2.0);
        let pages: Vec<u32> = best.into_hits().into_iter().map(|hit| hit.0).collect();
        assert_eq!(pages, [1, 3, 5, 6, 8]);
        let mut best = Best::new(2);
        best.add(0, -5.0);
        assert_eq!(best.floor(), f32::NEG_INFINITY);
        best.add(1, -4.0);
        assert_eq!(best.floor(), -5.0);
    }
}
