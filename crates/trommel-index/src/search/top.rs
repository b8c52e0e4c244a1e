//! The best of many scores, in the order of a run.

use std::borrow::Cow;
use std::cmp::Reverse;

use trommel_text::to_word;

use crate::format::docids::Docids;
use crate::search::hit::Hit;
use crate::search::open::Index;
use crate::search::query::Unit;

/// The best `k` pages or blocks in order. `order` is the order of docids, if known, which spares work; `keys` is room to work
/// in.
pub(crate) fn best(
    index: &Index,
    scores: &[(u32, f32)],
    unit: Unit,
    k: usize,
    order: Option<&DocidOrder>,
    keys: &mut Vec<u64>,
) -> Vec<Hit> {
    if k == 0 {
        return Vec::new();
    }
    let order = order.filter(|_| unit == Unit::Page);
    let number = |id: u32| order.map_or(id, |order| order.places[id as usize]);
    keys.clear();
    keys.extend(scores.iter().map(|&(id, score)| key(number(id), score)));
    if k < keys.len() {
        let last = *keys.select_nth_unstable(k - 1).1 >> 32;
        let mut kept = k;
        // What ties with the last of them may have a greater docid.
        for at in k..keys.len() {
            if order.is_none() && keys[at] >> 32 == last {
                keys.swap(kept, at);
                kept += 1;
            }
        }
        keys.truncate(kept);
    }
    keys.sort_unstable();
    let hit = |key: &u64| {
        let (id, score) = (*key as u32, score_of(*key));
        match unit {
            Unit::Page => Hit {
                page: order.map_or(id, |order| order.pages[id as usize]),
                block: None,
                score,
            },
            Unit::Block => {
                let (page, blocks) = index.layout.page(id.into());
                Hit {
                    page,
                    block: Some((u64::from(id) - blocks.start) as u32),
                    score,
                }
            }
        }
    };
    let mut hits: Vec<Hit> = keys.iter().map(hit).collect();
    if order.is_none() {
        for tied in hits.chunk_by_mut(|a, b| a.score.total_cmp(&b.score).is_eq()) {
            // Where there is one, nothing is read of its docid.
            tied.sort_by_cached_key(|hit| {
                let word = to_word(index.docids.get(hit.page));
                (Reverse(word), hit.block)
            });
        }
    }
    hits.truncate(k);
    hits
}

/// The pages in descending order of their docids as runs have them, where white space is encoded: what a run cuts off, and
/// what an evaluator that reads the run makes of ties, must be in one order.
pub(crate) struct DocidOrder {
    /// By place in that order the page.
    pages: Vec<u32>,
    /// By page its place.
    places: Vec<u32>,
}

impl DocidOrder {
    pub fn new(index: &Index) -> DocidOrder {
        let mut pages: Vec<u32> = (0..index.num_pages() as u32).collect();
        let docids = &index.docids;
        // Few collections have any that are encoded, and to look at each once is less than to do so when comparing.
        match pages.iter().all(|page| is_own_word(docids, *page)) {
            true => pages.sort_unstable_by(|a, b| docids.bytes(*b).cmp(docids.bytes(*a))),
            false => pages.sort_unstable_by(|a, b| {
                let word = |page: &u32| to_word(docids.get(*page));
                word(b).cmp(&word(a))
            }),
        }
        let mut places = vec![0; pages.len()];
        for (place, page) in (0..).zip(&pages) {
            places[*page as usize] = place;
        }
        DocidOrder { pages, places }
    }
}

/// Whether a docid stands in runs as it is.
fn is_own_word(docids: &Docids, page: u32) -> bool {
    matches!(to_word(docids.get(page)), Cow::Borrowed(_))
}

/// A score and a number as one integer, which is smaller for a better score (by [`f32::total_cmp`]): integers sort fast.
fn key(id: u32, score: f32) -> u64 {
    u64::from(!ordered(score.to_bits()) ^ SIGN) << 32 | u64::from(id)
}

/// The score of a [`key`].
fn score_of(key: u64) -> f32 {
    f32::from_bits(ordered(!((key >> 32) as u32) ^ SIGN))
}

const SIGN: u32 = 1 << 31;

/// The bits of a float so that they order as signed integers do: all but the sign flipped in negative numbers. Its own inverse.
pub(crate) fn ordered(bits: u32) -> u32 {
    bits ^ (((bits as i32) >> 31) as u32 >> 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_order_as_scores_do() {
        let scores = [
            f32::MAX,
            2.0,
            1.5,
            f32::MIN_POSITIVE,
            0.0,
            -0.0,
            -1.0,
            -2.5,
            f32::MIN,
        ];
        for pair in scores.windows(2) {
            assert!(key(u32::MAX, pair[0]) < key(0, pair[1]), "{pair:?}");
        }
        for score in scores {
            assert_eq!(score_of(key(7, score)).to_bits(), score.to_bits());
            assert_eq!(key(7, score) as u32, 7);
        }
    }
}
