//! Goes through the pages of a segment, window by window.

use std::ops::Range;

use super::Searched;
use super::best::Best;
use super::cursor::Cursor;
use super::exact::Exact;
use super::list::Lists;
use super::terms::Terms;
use crate::format::error::IndexError;

/// Pages of a window.
pub(super) const WIDTH: usize = if cfg!(test) { 64 } else { 4096 };

/// A segment that is gone through.
pub(super) struct Scan<'a> {
    pub searched: &'a Searched<'a>,
    pub segment: usize,
    pub lists: &'a Lists<'a>,
    pub terms: &'a Terms,
    /// By number of page.
    pub norms: &'a [f64],
}

/// The pages of a window and what is known of them.
struct Room {
    /// By place in the window, the sum of what terms add at most.
    sums: Vec<f64>,
    /// A bit for each page that has one of the terms.
    touched: [u64; WIDTH / 64],
    /// Pages that may be good enough, with their sums.
    candidates: Vec<(u32, f64)>,
}

impl Scan<'_> {
    /// Scores the most promising pages among the first ones, so that the rest has a score to reach.
    pub fn seed(&self, pages: u32, best: &mut Best) -> Result<(), IndexError> {
        let end = pages.min(self.pages().len() as u32);
        let mut cursors = self.cursors();
        let mut room = Room::new();
        let mut promising: Vec<(u32, f64)> = Vec::new();
        for window in windows(end) {
            room.candidates(self, &mut cursors, &window, best.floor());
            promising.append(&mut room.candidates);
        }
        let wanted = best.wanted() + best.wanted() / 4 + 8;
        if wanted < promising.len() {
            let by_bound = |a: &(u32, f64), b: &(u32, f64)| self.bound(b).total_cmp(&self.bound(a));
            promising.select_nth_unstable_by(wanted, by_bound);
            promising.truncate(wanted);
            promising.sort_unstable_by_key(|(rank, _)| *rank);
        }
        self.verify(&promising, &mut self.exact()?, best);
        best.forget_hits();
        Ok(())
    }

    /// Adds all pages that are good enough.
    pub fn run(&self, best: &mut Best) -> Result<(), IndexError> {
        let mut cursors = self.cursors();
        let mut exact = self.exact()?;
        let mut room = Room::new();
        for window in windows(self.pages().len() as u32) {
            room.candidates(self, &mut cursors, &window, best.floor());
            self.verify(&room.candidates, &mut exact, best);
        }
        Ok(())
    }

    /// First block and number of each page, by rank.
    fn pages(&self) -> &[(u32, u32)] {
        self.searched.index.layout.pages_of(self.segment)
    }

    fn cursors(&self) -> Vec<Cursor<'_>> {
        self.lists.lists.iter().map(Cursor::new).collect()
    }

    fn exact(&self) -> Result<Vec<Exact<'_>>, IndexError> {
        let lists = self.lists.lists.iter();
        lists
            .map(|list| Exact::new(self.searched, self.segment, self.lists, list))
            .collect()
    }

    fn norm(&self, rank: u32) -> f64 {
        self.norms[self.pages()[rank as usize].1 as usize]
    }

    /// A bound of a page's score.
    fn bound(&self, (rank, sum): &(u32, f64)) -> f64 {
        self.terms.finished(*sum, self.norm(*rank))
    }

    /// Scores pages whose bounds are good enough, in ascending order.
    fn verify(&self, candidates: &[(u32, f64)], exact: &mut [Exact], best: &mut Best) {
        let layout = &self.searched.index.layout;
        let base = layout.segment_base[self.segment];
        let mut frequencies = vec![0; exact.len()];
        for (rank, sum) in candidates {
            let norm = self.norm(*rank);
            if !self.terms.reaches(*sum, norm, best.floor()) {
                continue;
            }
            let page = self.pages()[*rank as usize].1;
            let blocks = layout.blocks(page);
            let documents = blocks.start - base..blocks.end - base;
            for (exact, frequency) in exact.iter_mut().zip(&mut frequencies) {
                *frequency = exact.frequency(self.searched, *rank, &documents, base);
            }
            if let Some(score) = self.terms.score(&frequencies, norm) {
                best.add(page, score);
            }
        }
    }
}

impl Room {
    fn new() -> Room {
        Room {
            sums: vec![0.0; WIDTH],
            touched: [0; WIDTH / 64],
            candidates: Vec::new(),
        }
    }

    /// The pages of a window that may have a score of at least `floor`, in order.
    fn candidates(&mut self, scan: &Scan, cursors: &mut [Cursor], window: &Range<u32>, floor: f32) {
        self.candidates.clear();
        let terms = scan.terms;
        let most = cursors.iter_mut().enumerate();
        let mut bounds: Vec<(f64, usize)> = most
            .filter(|(term, _)| terms.weights[*term].is_some())
            .map(|(term, cursor)| (terms.most(term, cursor.most_within(window)), term))
            .filter(|(bound, _)| *bound > 0.0)
            .collect();
        bounds.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        // Terms that together reach nothing make no candidates.
        let mut looked_up = 0;
        let mut rest = 0.0;
        while looked_up < bounds.len() && !terms.any_reaches(rest + bounds[looked_up].0, floor) {
            rest += bounds[looked_up].0;
            looked_up += 1;
        }
        let (looked_up, adding) = bounds.split_at(looked_up);
        let (pages, lengths) = (scan.pages(), &scan.searched.subset.page_lengths);
        for (_, term) in adding {
            let Some((boost, weight)) = terms.weights[*term] else {
                continue;
            };
            let (sums, touched) = (&mut self.sums, &mut self.touched);
            cursors[*term].for_each_within(window, |rank, frequency| {
                let page = pages[rank as usize].1 as usize;
                let frequency = frequency.min(lengths[page]);
                let at = (rank - window.start) as usize;
                if frequency > 0 {
                    sums[at] += boost * weight.score(f64::from(frequency), scan.norms[page]);
                    touched[at / 64] |= 1 << (at % 64);
                }
            });
        }
        for (word, bits) in self.touched.iter_mut().enumerate() {
            let mut left = std::mem::take(bits);
            while left != 0 {
                let at = 64 * word + left.trailing_zeros() as usize;
                left &= left - 1;
                let sum = std::mem::take(&mut self.sums[at]);
                let rank = window.start + at as u32;
                if terms.reaches(sum + rest, scan.norm(rank), floor) {
                    self.candidates.push((rank, sum));
                }
            }
        }
        // The term that may add most first, so that fewer are left for the next.
        for (bound, term) in looked_up.iter().rev() {
            let Some((boost, weight)) = terms.weights[*term] else {
                continue;
            };
            rest -= bound;
            let rest = rest.max(0.0);
            let cursor = &mut cursors[*term];
            self.candidates.retain_mut(|(rank, sum)| {
                let page = pages[*rank as usize].1 as usize;
                let frequency = cursor.find(*rank).min(lengths[page]);
                if frequency > 0 {
                    *sum += boost * weight.score(f64::from(frequency), scan.norms[page]);
                }
                terms.reaches(*sum + rest, scan.norms[page], floor)
            });
        }
    }
}

fn windows(pages: u32) -> impl Iterator<Item = Range<u32>> {
    let starts = (0..pages).step_by(WIDTH);
    starts.map(move |start| start..pages.min(start + WIDTH as u32))
}
