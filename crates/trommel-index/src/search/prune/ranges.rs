//! The best pages by lists in memory.
//!
//! First what every range of pages can reach: the sum of what its terms add at most there. Then the ranges that can reach most, and after
//! these all that can reach the score of the k-th best page so far (as Mallia, Suel and Tonellotto do: *Faster learned sparse retrieval with
//! block-max pruning*, SIGIR 2024). In a range only pages are looked at that have all terms without which none reaches it.

use std::ops::Range;
use std::sync::Arc;

use super::best::Best;
use super::parts::of_query;
use super::terms::Terms;
use crate::format::error::IndexError;
use crate::format::layout::Layout;
use crate::search::filtered::WIDTH;
use crate::search::filtered::impacts::{Impacts, STEPS};
use crate::search::filtered::list::{List, Place};
use crate::search::model::TermWeight;
use crate::search::subset::RankedNorms;

/// What pages are ranked by.
pub(super) struct Ranges<'a> {
    pub terms: &'a Terms,
    /// Those that may add most first.
    clauses: Vec<Clause<'a>>,
    pub norms: &'a RankedNorms,
    pub layout: &'a Layout,
    /// What no sum of bounds is above, about.
    greatest: f64,
}

/// All clauses of a term.
struct Clause<'a> {
    term: usize,
    boost: f64,
    weight: TermWeight,
    list: &'a List,
    impacts: &'a Impacts,
    /// What a step of an impact is worth.
    step: f32,
}

/// What a thread needs, to be used again for each range.
struct Room {
    /// By clause where the last place was.
    at: Vec<usize>,
    /// By clause the place in the range, and what the clause adds at most there.
    here: Vec<(Place, f32)>,
    /// By clause what it and those behind it add at most; 0 behind the last.
    rest: Vec<f64>,
    /// By term.
    frequencies: Vec<u32>,
    found: Vec<(u32, f32)>,
}

/// Ranges that a thread has at least: fewer are gone through before another one has begun.
const LEAST: usize = if cfg!(test) { 4 } else { 2048 };

/// Bounds are sorted into so many classes.
const CLASSES: usize = 512;

impl<'a> Ranges<'a> {
    /// None where the query has something that bounds know nothing of.
    pub fn new(
        terms: &'a Terms,
        lists: &'a [Arc<List>],
        impacts: &'a [Option<Arc<Impacts>>],
        norms: &'a RankedNorms,
        layout: &'a Layout,
    ) -> Option<Ranges<'a>> {
        let mut clauses = Vec::with_capacity(lists.len());
        for (term, weighed) in terms.weights.iter().enumerate() {
            let (Some((boost, weight)), Some(impacts)) = (*weighed, &impacts[term]) else {
                continue;
            };
            if boost.is_nan() || boost < 0.0 {
                return None;
            }
            clauses.push(Clause {
                term,
                boost,
                weight,
                list: &lists[term],
                impacts,
                step: boost as f32 * impacts.most / STEPS * (1.0 + 1e-6),
            });
        }
        clauses.sort_by(|a, b| b.step.total_cmp(&a.step));
        let steps: f64 = clauses.iter().map(|clause| f64::from(clause.step)).sum();
        let ranges = Ranges {
            terms,
            clauses,
            norms,
            layout,
            greatest: steps * f64::from(STEPS),
        };
        terms.is_linear().then_some(ranges)
    }

    /// Adds all pages that can be among the best.
    pub fn rank(&self, k: usize, best: &Best, threads: usize) -> Result<(), IndexError> {
        let ranges = self.norms.norms.len().div_ceil(WIDTH as usize);
        let threads = threads.min(ranges / LEAST).max(1);
        let width = ranges.div_ceil(threads).max(1);
        let parts = (0..ranges).step_by(width);
        let parts = parts.map(|start| start as u32..(start + width).min(ranges) as u32);
        let room = || Room {
            at: vec![0; self.clauses.len()],
            here: vec![Default::default(); self.clauses.len()],
            rest: vec![0.0; self.clauses.len() + 1],
            frequencies: vec![0; self.terms.weights.len()],
            found: Vec::new(),
        };
        of_query(threads, parts.collect(), room, |room, part| {
            self.part(room, &part, k.div_ceil(threads), best);
            Ok(())
        })?;
        Ok(())
    }

    /// Goes through some consecutive ranges.
    fn part(&self, room: &mut Room, part: &Range<u32>, k: usize, best: &Best) {
        let mut sums = match &self.norms.greatest {
            Some(greatest) => {
                let greatest = &greatest[part.start as usize..part.end as usize];
                let part = |norm: &f32| self.terms.part_of_page(f64::from(*norm)) as f32;
                greatest.iter().map(part).collect()
            }
            None => vec![0f32; part.len()],
        };
        for clause in &self.clauses {
            let by_place = &clause.impacts.by_place;
            clause
                .list
                .add_to(&mut sums, part.start, by_place, clause.step);
        }
        let mut above = f32::INFINITY;
        for cut in self.cuts(&sums, [k / 2 + 8, 2 * k + 16]) {
            room.at.fill(0);
            let mut floor = best.floor();
            let mut needed = self.terms.needed(floor, self.greatest);
            let mut least = cut.max(needed as f32);
            for (range, bound) in (part.start..).zip(&sums) {
                if *bound >= least && *bound < above {
                    self.range(room, range, *bound, needed, best);
                    if best.floor() > floor {
                        floor = best.floor();
                        needed = self.terms.needed(floor, self.greatest);
                        least = cut.max(needed as f32);
                    }
                }
            }
            best.add(&mut room.found);
            above = cut;
        }
    }

    /// Bounds that so many ranges reach, about, and the least.
    fn cuts(&self, sums: &[f32], counts: [usize; 2]) -> [f32; 3] {
        let scale = CLASSES as f32 / self.greatest as f32;
        let mut classes = [0u32; CLASSES + 1];
        for sum in sums {
            // Bounds below 0 are of the lowest class.
            classes[((sum * scale) as usize).min(CLASSES)] += 1;
        }
        let cut = |count: usize| {
            let mut reached = 0;
            let class = (0..=CLASSES).rev().find(|class| {
                reached += classes[*class] as usize;
                reached >= count
            });
            match class {
                Some(1..) => class.unwrap_or(0) as f32 / scale,
                _ => f32::NEG_INFINITY,
            }
        };
        [cut(counts[0]), cut(counts[1]), f32::NEG_INFINITY]
    }

    /// Scores the pages of a range that may be good enough.
    fn range(&self, room: &mut Room, range: u32, bound: f32, needed: f64, best: &Best) {
        let Room {
            at,
            here,
            rest,
            frequencies,
            found,
        } = room;
        let (mut any, mut all) = (0, u32::MAX);
        for ((clause, at), here) in self.clauses.iter().zip(at).zip(here.iter_mut()) {
            *here = match clause.list.find(range, at) {
                Some((number, place)) => {
                    let steps = f32::from(clause.impacts.by_place[number]);
                    (place, clause.step * steps)
                }
                None => Default::default(),
            };
            let (place, most) = *here;
            any |= place.pages;
            // Without this term no page reaches it.
            if f64::from(bound - most) < needed {
                all &= place.pages;
            }
        }
        let mut pages = any & all;
        if pages == 0 {
            return;
        }
        let mut sum = 0.0;
        for ((_, most), rest) in here.iter().zip(rest.iter_mut()).rev() {
            sum += f64::from(*most);
            *rest = sum;
        }
        'pages: while pages != 0 {
            let page = pages.trailing_zeros();
            pages &= pages - 1;
            let rank = range * WIDTH + page;
            let norm = self.norms.norms[rank as usize];
            let mut sum = self.terms.part_of_page(norm);
            for (number, (clause, (place, _))) in self.clauses.iter().zip(&*here).enumerate() {
                let has = place.pages >> page & 1 == 1;
                let frequency = match has {
                    true => clause.list.frequency(*place, page),
                    false => 0,
                };
                frequencies[clause.term] = frequency;
                if has {
                    sum += clause.boost * clause.weight.score(f64::from(frequency), norm);
                }
                if sum + rest[number + 1] < needed {
                    continue 'pages;
                }
            }
            if let Some(score) = self.terms.score(frequencies, norm)
                && score >= best.floor()
            {
                found.push((self.layout.page_of_rank(rank as usize), score));
                if found.len() >= best.together() {
                    best.add(found);
                }
            }
        }
    }
}
