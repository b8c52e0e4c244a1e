//! The best scores so far.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, PoisonError};

use crate::search::top::ordered;

/// Pages with the best scores that any thread has found so far, and the score that a page must have to be among them.
pub(super) struct Best {
    k: usize,
    /// Its bits; it only rises.
    floor: AtomicU32,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    /// The best scores, the least on top, as bits that order as the scores do.
    scores: BinaryHeap<Reverse<i32>>,
    hits: Vec<(u32, f32)>,
}

impl Best {
    /// For so many pages, at least one.
    pub fn new(k: usize) -> Best {
        Best {
            k,
            floor: AtomicU32::new(f32::NEG_INFINITY.to_bits()),
            kept: Mutex::default(),
        }
    }

    /// What a page's score must be at least.
    #[inline]
    pub fn floor(&self) -> f32 {
        f32::from_bits(self.floor.load(Relaxed))
    }

    /// Pages that are best added together, so that threads seldom wait for each other.
    pub fn together(&self) -> usize {
        (self.k / 16).clamp(1, 64)
    }

    /// Adds pages, and takes them out of `found`.
    pub fn add(&self, found: &mut Vec<(u32, f32)>) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let Kept { scores, hits } = &mut *kept;
        for (page, score) in found.drain(..) {
            if score < self.floor() {
                continue;
            }
            hits.push((page, score));
            let key = ordered(score.to_bits()) as i32;
            if scores.len() < self.k {
                scores.push(Reverse(key));
            } else if let Some(mut least) = scores.peek_mut()
                && least.0 < key
            {
                *least = Reverse(key);
            }
            if scores.len() == self.k
                && let Some(Reverse(least)) = scores.peek()
            {
                self.floor.store(ordered(*least as u32), Relaxed);
            }
        }
        if hits.len() > 4 * self.k + 1024 {
            drop_worse(hits, self.floor());
        }
    }

    /// All pages that can be among the best, in no order.
    pub fn into_hits(self) -> Vec<(u32, f32)> {
        let floor = self.floor();
        let kept = self.kept.into_inner();
        let mut hits = kept.unwrap_or_else(PoisonError::into_inner).hits;
        drop_worse(&mut hits, floor);
        hits
    }
}

fn drop_worse(hits: &mut Vec<(u32, f32)>, floor: f32) {
    hits.retain(|(_, score)| *score >= floor);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_best_and_what_ties() {
        let best = Best::new(3);
        let scores = [-1.0, 2.0, -3.5, 2.0, 0.5, 2.0, 7.0, -0.25, 2.0];
        let mut pages: Vec<(u32, f32)> = (0..).zip(scores).collect();
        best.add(&mut pages);
        assert!(pages.is_empty());
        assert_eq!(best.floor(), 2.0);
        let pages: Vec<u32> = best.into_hits().into_iter().map(|hit| hit.0).collect();
        assert_eq!(pages, [1, 3, 5, 6, 8]);
        let best = Best::new(2);
        best.add(&mut vec![(0, -5.0)]);
        assert_eq!(best.floor(), f32::NEG_INFINITY);
        best.add(&mut vec![(1, -4.0)]);
        assert_eq!(best.floor(), -5.0);
    }
}
