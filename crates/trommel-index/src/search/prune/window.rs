//! Goes through the pages of a segment, window by window.

use std::ops::Range;

use super::candidates::{Candidates, kept};
use super::cursor::Cursor;
use super::list::Lists;
use super::terms::Terms;

/// Pages of a window.
pub(super) const WIDTH: usize = if cfg!(test) { 64 } else { 4096 };

/// A segment that is gone through.
pub(super) struct Scan<'a> {
    pub segment: usize,
    pub lists: &'a Lists<'a>,
    pub terms: &'a Terms,
    /// By rank; NaN for a page without a term in a passing block, of which no bound reaches anything.
    pub norms: &'a [f64],
}

/// The pages of a window and what is known of them: nothing between windows.
pub(super) struct Room {
    /// By place in the window, the sum of what terms add at most.
    sums: Vec<f64>,
    /// A bit for each page that has one of the terms.
    touched: [u64; WIDTH / 64],
    /// By term and place the frequency in all blocks.
    frequencies: Vec<[u8; WIDTH]>,
}

/// The terms of a window, each with what it adds at most: those that make candidates, and those that are looked up for these alone.
#[derive(Clone, Copy)]
struct Split<'b> {
    looked_up: &'b [(f64, usize)],
    adding: &'b [(f64, usize)],
}

impl Scan<'_> {
    /// Adds the pages that may have a score of at least `floor`, in order.
    pub fn candidates(&self, room: &mut Room, floor: f32, candidates: &mut Candidates) {
        let mut cursors: Vec<Cursor> = self.lists.lists.iter().map(Cursor::new).collect();
        for window in windows(self.norms.len() as u32) {
            let bounds = self.bounds(&mut cursors, &window);
            // Terms that together reach nothing make no candidates.
            let mut looked_up = 0;
            let mut rest = 0.0;
            while let Some((bound, _)) = bounds.get(looked_up)
                && !self.terms.any_reaches(rest + bound, floor)
            {
                rest += bound;
                looked_up += 1;
            }
            let (looked_up, adding) = bounds.split_at(looked_up);
            let split = Split { looked_up, adding };
            room.candidates(self, &mut cursors, &window, split, floor, candidates);
        }
    }

    /// Adds pages that have a promising term until there are `most`, in order.
    pub fn seeds(
        &self,
        room: &mut Room,
        promising: &[bool],
        most: usize,
        candidates: &mut Candidates,
    ) {
        let mut cursors: Vec<Cursor> = self.lists.lists.iter().map(Cursor::new).collect();
        for window in windows(self.norms.len() as u32) {
            if candidates.len() >= most {
                return;
            }
            let bounds = self.bounds(&mut cursors, &window);
            let (adding, looked_up): (Vec<_>, Vec<_>) =
                bounds.into_iter().partition(|(_, term)| promising[*term]);
            let split = Split {
                looked_up: &looked_up,
                adding: &adding,
            };
            room.candidates(
                self,
                &mut cursors,
                &window,
                split,
                f32::NEG_INFINITY,
                candidates,
            );
        }
    }

    /// What each term adds at most to a page of a window, and its number, ascending; without those that no page there has.
    fn bounds(&self, cursors: &mut [Cursor], window: &Range<u32>) -> Vec<(f64, usize)> {
        let most = cursors.iter_mut().enumerate();
        let mut bounds: Vec<(f64, usize)> = most
            .map(|(term, cursor)| (self.terms.most(term, cursor.most_within(window)), term))
            .filter(|(bound, _)| *bound > 0.0)
            .collect();
        bounds.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        bounds
    }
}

impl Room {
    /// Room for so many terms.
    pub fn new(terms: usize) -> Room {
        Room {
            sums: vec![0.0; WIDTH],
            touched: [0; WIDTH / 64],
            frequencies: vec![[0; WIDTH]; terms],
        }
    }

    /// Adds the pages of a window that have one of the terms that are adding, and may have a score of at least `floor`; the other terms are
    /// looked up.
    fn candidates(
        &mut self,
        scan: &Scan,
        cursors: &mut [Cursor],
        window: &Range<u32>,
        Split { looked_up, adding }: Split,
        floor: f32,
        candidates: &mut Candidates,
    ) {
        let terms = scan.terms;
        let norms = &scan.norms[window.start as usize..window.end as usize];
        let rest: f64 = looked_up.iter().map(|(bound, _)| bound).sum();
        for (_, term) in adding {
            let Some((boost, weight)) = terms.weights[*term] else {
                continue;
            };
            let frequencies = &mut self.frequencies[*term];
            let (sums, touched) = (&mut self.sums, &mut self.touched);
            cursors[*term].for_each_within(window, |rank, frequency| {
                let at = (rank - window.start) as usize;
                sums[at] += boost * weight.score(f64::from(frequency), norms[at]);
                touched[at / 64] |= 1 << (at % 64);
                frequencies[at] = kept(frequency);
            });
        }
        for (word, bits) in self.touched.iter_mut().enumerate() {
            let mut left = std::mem::take(bits);
            'pages: while left != 0 {
                let at = 64 * word + left.trailing_zeros() as usize;
                left &= left - 1;
                let mut sum = std::mem::take(&mut self.sums[at]);
                if !terms.reaches(sum + rest, norms[at], floor) {
                    continue;
                }
                let rank = window.start + at as u32;
                let mut rest = rest;
                let start = candidates.frequencies.len();
                let adding = self.frequencies.iter().map(|of_term| of_term[at]);
                candidates.frequencies.extend(adding);
                // The term that may add most first, so that few are looked up.
                for (bound, term) in looked_up.iter().rev() {
                    let Some((boost, weight)) = terms.weights[*term] else {
                        continue;
                    };
                    rest = (rest - bound).max(0.0);
                    let frequency = cursors[*term].find(rank);
                    candidates.frequencies[start + term] = kept(frequency);
                    if frequency > 0 {
                        sum += boost * weight.score(f64::from(frequency), norms[at]);
                    }
                    if !terms.reaches(sum + rest, norms[at], floor) {
                        candidates.frequencies.truncate(start);
                        continue 'pages;
                    }
                }
                candidates.pages.push((scan.segment as u32, rank));
                candidates.bounds.push(terms.bound(sum, norms[at]));
            }
        }
        for (_, term) in adding {
            self.frequencies[*term].fill(0);
        }
    }
}

fn windows(pages: u32) -> impl Iterator<Item = Range<u32>> {
    let starts = (0..pages).step_by(WIDTH);
    starts.map(move |start| start..pages.min(start + WIDTH as u32))
}
