//! Goes through the pages of a segment, window by window.

use std::ops::Range;

use super::candidates::{Candidates, kept, known};
use super::cursor::Cursor;
use super::list::Lists;
use super::terms::Terms;
use crate::search::model::TermWeight;

/// Pages of a window.
pub(super) const WIDTH: usize = if cfg!(test) { 64 } else { 4096 };

/// A segment that is gone through.
pub(super) struct Scan<'a> {
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
    /// Places of pages that may be good enough.
    places: Vec<u32>,
}

/// A list with at most so many entries in a window for each page that is looked for is read from end to end there: that is faster.
const DENSE: usize = 8;

/// The terms of a window, each with what it adds at most: those that make candidates, and those that are looked up for these alone.
#[derive(Clone, Copy)]
struct Split<'b> {
    looked_up: &'b [(f64, usize)],
    adding: &'b [(f64, usize)],
}

impl Scan<'_> {
    /// Adds the pages of a stretch that may have a score of at least `floor`, in order.
    pub fn candidates(
        &self,
        room: &mut Room,
        stretch: &Range<u32>,
        floor: f32,
        candidates: &mut Candidates,
    ) {
        let mut cursors: Vec<Cursor> = self.lists.lists.iter().map(Cursor::new).collect();
        for window in windows(stretch.clone()) {
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
        for window in windows(0..self.norms.len() as u32) {
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
            places: Vec::with_capacity(WIDTH),
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
        for (_, term) in adding {
            self.add(terms, *term, &mut cursors[*term], window, norms);
        }
        let mut rest: f64 = looked_up.iter().map(|(bound, _)| bound).sum();
        self.places.clear();
        for (word, bits) in self.touched.iter_mut().enumerate() {
            let mut left = std::mem::take(bits);
            while left != 0 {
                let place = 64 * word + left.trailing_zeros() as usize;
                left &= left - 1;
                match terms.reaches(self.sums[place] + rest, norms[place], floor) {
                    true => self.places.push(place as u32),
                    false => self.sums[place] = 0.0,
                }
            }
        }
        // The term that may add most first, so that few are looked up.
        for (bound, term) in looked_up.iter().rev() {
            rest = (rest - bound).max(0.0);
            self.look_up(*term, &mut cursors[*term], window);
            let Room {
                sums,
                frequencies,
                places,
                ..
            } = self;
            places.retain(|place| {
                let place = *place as usize;
                let frequency = known(frequencies[*term][place]);
                let sum = &mut sums[place];
                *sum += terms.added(*term, frequency, norms[place]);
                let reaches = terms.reaches(*sum + rest, norms[place], floor);
                if !reaches {
                    *sum = 0.0;
                }
                reaches
            });
        }
        for place in self.places.drain(..) {
            let place = place as usize;
            let sum = std::mem::take(&mut self.sums[place]);
            let rank = window.start + place as u32;
            candidates.ranks.push(rank);
            candidates.bounds.push(terms.bound(sum, norms[place]));
            let row = self.frequencies.iter().map(|of_term| of_term[place]);
            candidates.frequencies.extend(row);
        }
        for (_, term) in adding.iter().chain(looked_up) {
            self.frequencies[*term].fill(0);
        }
    }

    /// Adds what a term adds to the pages of a window.
    fn add(
        &mut self,
        terms: &Terms,
        term: usize,
        cursor: &mut Cursor,
        window: &Range<u32>,
        norms: &[f64],
    ) {
        let Some((boost, weight)) = terms.weights[term] else {
            return;
        };
        // One loop for each formula, so that none asks which one it is for every page.
        match weight {
            TermWeight::Bm25(w) => self.add_by(term, cursor, window, |tf, place| {
                boost * w.score(tf, norms[place])
            }),
            TermWeight::Qld(w) => self.add_by(term, cursor, window, |tf, _| boost * w.score(tf)),
            TermWeight::Qljm(w) => self.add_by(term, cursor, window, |tf, place| {
                boost * w.score(tf, norms[place])
            }),
            TermWeight::Tfidf(w) => self.add_by(term, cursor, window, |tf, place| {
                boost * w.score(tf, norms[place])
            }),
        }
    }

    #[inline]
    fn add_by(
        &mut self,
        term: usize,
        cursor: &mut Cursor,
        window: &Range<u32>,
        score: impl Fn(f64, usize) -> f64,
    ) {
        let frequencies = &mut self.frequencies[term];
        let (sums, touched) = (&mut self.sums[..WIDTH], &mut self.touched);
        cursor.for_each_within(window, |rank, frequency| {
            let place = (rank - window.start) as usize;
            sums[place] += score(f64::from(frequency), place);
            touched[place / 64] |= 1 << (place % 64);
            frequencies[place] = kept(frequency);
        });
    }

    /// Finds the frequencies of a term in the pages of `places`; others may come along.
    fn look_up(&mut self, term: usize, cursor: &mut Cursor, window: &Range<u32>) {
        let frequencies = &mut self.frequencies[term];
        match cursor.most_entries_within(window) <= DENSE * self.places.len() {
            true => cursor.for_each_within(window, |rank, frequency| {
                frequencies[(rank - window.start) as usize] = kept(frequency);
            }),
            false => {
                for place in &self.places {
                    let frequency = cursor.find(window.start + place);
                    frequencies[*place as usize] = kept(frequency);
                }
            }
        }
    }
}

pub(super) fn windows(pages: Range<u32>) -> impl Iterator<Item = Range<u32>> {
    let end = pages.end;
    let starts = pages.step_by(WIDTH);
    starts.map(move |start| start..end.min(start + WIDTH as u32))
}
