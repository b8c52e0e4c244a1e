//! Terms at a step of a series.

use std::collections::HashMap;
use std::sync::Arc;

use super::raw::Raw;
use super::sifted::{Level, Sifted};
use crate::search::gather::TermPostings;
use crate::search::grain::Grain;

/// A term at a step of a series.
pub(super) struct TermState {
    pub postings: Arc<TermPostings>,
    /// The occurrences in passing blocks, in grains.
    cf: u64,
    grain: Grain,
    /// What later steps take out: level, number of the entry, frequency; by level.
    leaving: Vec<(Level, u32, u32)>,
    /// How many of `leaving` have left.
    left: usize,
    /// Entries with frequency 0.
    dead: usize,
}

impl TermState {
    /// The term at the step whose filter number is given.
    pub fn new(raw: &Raw, sifted: &Sifted, filter: Level, last: Level) -> TermState {
        let mut postings = TermPostings {
            others: raw.others,
            ..TermPostings::default()
        };
        let (mut cf, mut leaving) = (0, Vec::new());
        let mut close = |page: u32, passing: u32| {
            if passing > 0 {
                postings.entries.push((page, passing));
                postings.subset.df += 1;
                cf += u64::from(passing);
            }
            postings.entries.len() as u32
        };
        let mut titles = match sifted.titles() {
            Some(_) => raw.titles.clone(),
            None => HashMap::new(),
        };
        // What passes of some occurrences, as one of a level; a block of the highest level never leaves.
        let mut passing = |level: Level, entry: u32, tf: u32| {
            if level <= filter || tf == 0 {
                return 0;
            }
            if level <= last {
                leaving.push((level, entry, tf));
            }
            tf
        };
        let mut entry = 0;
        let mut blocks = raw.blocks.iter();
        let mut bases = raw.bases.iter().peekable();
        let mut base = 0;
        for (number, &(page, count)) in raw.pages.iter().enumerate() {
            while let Some((_, next)) = bases.next_if(|(first, _)| *first <= number) {
                base = *next;
            }
            let mut sum = 0u32;
            for &(doc, tf) in blocks.by_ref().take(count as usize) {
                let (level, weight) = sifted.of_block(base + u64::from(doc));
                sum = sum.saturating_add(passing(level, entry, tf.saturating_mul(weight)));
            }
            if !titles.is_empty()
                && let Some(tf) = titles.remove(&page)
            {
                let (level, weight) = sifted.of_title(page);
                sum = sum.saturating_add(passing(level, entry, tf.saturating_mul(weight)));
            }
            entry = close(page, sum);
        }
        // In the order of pages, so that nothing depends on the map's.
        let mut rest: Vec<(u32, u32)> = titles.into_iter().collect();
        rest.sort_unstable();
        for (page, tf) in rest {
            let (level, weight) = sifted.of_title(page);
            let sum = passing(level, entry, tf.saturating_mul(weight));
            entry = close(page, sum);
        }
        postings.subset.cf = sifted.grain().hundredths(cf);
        TermState {
            postings: Arc::new(postings),
            cf,
            grain: sifted.grain(),
            leaving: by_level(&leaving, last),
            left: 0,
            dead: 0,
        }
    }

    /// Takes out the blocks that pass the filters before a number, but not the one of that number.
    pub fn advance(&mut self, filter: Level) {
        // Nobody else holds the postings between steps, so that nothing is copied.
        let postings = Arc::make_mut(&mut self.postings);
        while let Some(&(level, entry, tf)) = self.leaving.get(self.left)
            && level <= filter
        {
            let (_, passing) = &mut postings.entries[entry as usize];
            *passing -= tf;
            self.cf -= u64::from(tf);
            if *passing == 0 {
                postings.subset.df -= 1;
                self.dead += 1;
            }
            self.left += 1;
        }
        postings.subset.cf = self.grain.hundredths(self.cf);
        if self.dead * 4 > postings.entries.len() {
            self.bury();
        }
    }

    /// Removes entries with frequency 0.
    fn bury(&mut self) {
        let postings = Arc::make_mut(&mut self.postings);
        let mut kept = 0;
        let mut numbers = Vec::with_capacity(postings.entries.len());
        for (_, tf) in &postings.entries {
            numbers.push(kept);
            kept += u32::from(*tf > 0);
        }
        postings.entries.retain(|(_, tf)| *tf > 0);
        self.leaving.drain(..self.left);
        self.left = 0;
        for (_, entry, _) in &mut self.leaving {
            *entry = numbers[*entry as usize];
        }
        self.dead = 0;
    }
}

/// Blocks by level, which is at most `last`: a counting sort (Knuth, TAOCP 3, §5.2, Algorithm D).
fn by_level(blocks: &[(Level, u32, u32)], last: Level) -> Vec<(Level, u32, u32)> {
    let mut places = vec![0usize; usize::from(last) + 2];
    for (level, ..) in blocks {
        places[usize::from(*level) + 1] += 1;
    }
    for level in 1..places.len() {
        places[level] += places[level - 1];
    }
    let mut sorted = vec![(0, 0, 0); blocks.len()];
    for block in blocks {
        let place = &mut places[usize::from(block.0)];
        sorted[*place] = *block;
        *place += 1;
    }
    sorted
}
