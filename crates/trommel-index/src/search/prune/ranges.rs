//! The best pages by lists in memory.
//!
//! First what every range of pages can reach: the sum of what its terms add at most there. Then the ranges that can reach most, and after
//! these all that can reach the score of the k-th best page so far (as Mallia, Suel and Tonellotto do: *Faster learned sparse retrieval with
//! block-max pruning*, SIGIR 2024). The same is done for the units of a range; and of a unit only pages are looked at that have all terms without which
//! none reaches it.

use std::ops::Range;
use std::sync::Arc;

use super::best::Best;
use super::parts::of_query;
use super::terms::Terms;
use crate::format::error::IndexError;
use crate::search::filtered::impacts::{Impacts, STEPS};
use crate::search::filtered::list::{List, Place};
use crate::search::filtered::{NARROW, UNITS, WIDTH};
use crate::search::model::TermWeight;
use crate::search::subset::{CodedNorms, RankedNorms};

/// What pages are ranked by.
pub(super) struct Ranges<'a> {
    pub terms: &'a Terms,
    /// Those that may add most first.
    clauses: Vec<Clause<'a>>,
    norms: &'a RankedNorms,
    coded: &'a CodedNorms,
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
    /// By clause what there is of it in the range.
    here: Vec<Here>,
    /// By clause what it and those behind it add at most in a unit; 0 behind the last.
    rest: Vec<f64>,
    /// By term.
    frequencies: Vec<u32>,
    found: Vec<(u32, f32)>,
}

/// What there is of a clause in a range.
#[derive(Clone, Copy, Default)]
struct Here {
    /// The number of its place, if it has one.
    number: Option<usize>,
    place: Place,
    /// By unit what it adds at most.
    most: [f32; UNITS],
}

/// Ranges that a thread has at least: fewer are gone through before another one has begun.
const LEAST: usize = if cfg!(test) { 4 } else { 2048 };

/// Bounds are sorted into so many classes.
const CLASSES: usize = 512;

/// Ranges of a group: of none is looked at any where the greatest bound is too low.
const GROUP: usize = 16;

impl<'a> Ranges<'a> {
    /// None where the query has something that bounds know nothing of.
    pub fn new(
        terms: &'a Terms,
        lists: &'a [Arc<List>],
        impacts: &'a [Option<Arc<Impacts>>],
        norms: &'a RankedNorms,
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
            coded: norms.coded(),
            greatest: steps * f64::from(STEPS),
        };
        terms.is_linear().then_some(ranges)
    }

    /// Adds all pages that can be among the best, by their ranks.
    pub fn rank(&self, k: usize, best: &Best, threads: usize) -> Result<(), IndexError> {
        let ranges = self.norms.norms.len().div_ceil(WIDTH as usize);
        let threads = threads.min(ranges / LEAST).max(1);
        let width = ranges.div_ceil(threads).max(1);
        let parts = (0..ranges).step_by(width);
        let parts = parts.map(|start| start as u32..(start + width).min(ranges) as u32);
        let room = || Room {
            at: vec![0; self.clauses.len()],
            here: vec![Here::default(); self.clauses.len()],
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

    /// What pages of a range have besides what terms add.
    fn part_of_pages(&self, range: usize) -> f32 {
        let greatest = self.norms.greatest.as_ref();
        greatest.map_or(0.0, |it| {
            self.terms.part_of_page(f64::from(it[range])) as f32
        })
    }

    /// Goes through some consecutive ranges.
    fn part(&self, room: &mut Room, part: &Range<u32>, k: usize, best: &Best) {
        let ranges = part.start as usize..part.end as usize;
        let mut bounds: Vec<f32> = match self.norms.greatest {
            Some(_) => ranges.map(|range| self.part_of_pages(range)).collect(),
            None => vec![0.0; part.len()],
        };
        for Clause {
            list,
            impacts,
            step,
            ..
        } in &self.clauses
        {
            list.add_to(&mut bounds, part.start, &impacts.of_ranges, *step);
        }
        let greatest = |bounds: &[f32]| bounds.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let groups: Vec<f32> = bounds.chunks(GROUP).map(greatest).collect();
        let mut above = f32::INFINITY;
        let cuts = [k + 16, 3 * k + 32].map(|count| self.cut(&groups, &bounds, count));
        for cut in cuts.into_iter().chain([f32::NEG_INFINITY]) {
            let cut = cut.min(above);
            room.at.fill(0);
            let mut floor = best.floor();
            let mut needed = self.terms.needed(floor, self.greatest);
            let mut least = cut.max(needed as f32);
            for ((group, bounds), greatest) in (0..).zip(bounds.chunks(GROUP)).zip(&groups) {
                if *greatest < least {
                    continue;
                }
                let first = part.start + group * GROUP as u32;
                for (range, bound) in (first..).zip(bounds) {
                    if *bound >= least {
                        self.range(room, range, needed, cut..above, best);
                        if best.floor() > floor {
                            floor = best.floor();
                            needed = self.terms.needed(floor, self.greatest);
                            least = cut.max(needed as f32);
                        }
                    }
                }
            }
            best.add(&mut room.found);
            above = cut;
        }
    }

    /// A bound that so many ranges reach, or some more; `groups` are the greatest of each [`GROUP`].
    fn cut(&self, groups: &[f32], bounds: &[f32], count: usize) -> f32 {
        if count < groups.len() / 2 {
            let mut groups = groups.to_vec();
            let (_, cut, _) = groups.select_nth_unstable_by(count, |a, b| b.total_cmp(a));
            return *cut;
        }
        let scale = CLASSES as f32 / self.greatest as f32;
        let mut classes = [0u32; CLASSES + 1];
        for bound in bounds {
            // Bounds below 0 are of the lowest class.
            classes[((bound * scale) as usize).min(CLASSES)] += 1;
        }
        let mut reached = 0;
        let class = (0..=CLASSES).rev().find(|class| {
            reached += classes[*class] as usize;
            reached >= count
        });
        match class {
            None | Some(0) => f32::NEG_INFINITY,
            Some(class) => class as f32 / scale,
        }
    }

    /// Scores the pages of a range that may be good enough, of those units whose bounds are within some.
    fn range(&self, room: &mut Room, range: u32, needed: f64, within: Range<f32>, best: &Best) {
        let mut bounds = [self.part_of_pages(range as usize); UNITS];
        let places = room.at.iter_mut().zip(&mut room.here);
        for (clause, (at, here)) in self.clauses.iter().zip(places) {
            here.number = clause.list.find(range, at);
            here.most = here.number.map_or([0.0; UNITS], |number| {
                let units = clause.impacts.of_units[number];
                units.map(|unit| clause.step * f32::from(unit))
            });
            for (bound, most) in bounds.iter_mut().zip(here.most) {
                *bound += most;
            }
        }
        let counts = |bound: f32| within.contains(&bound) && f64::from(bound) >= needed;
        if !bounds.iter().any(|bound| counts(*bound)) {
            return;
        }
        for (clause, here) in self.clauses.iter().zip(&mut room.here) {
            let place = |number| clause.list.place(number);
            here.place = here.number.map_or_else(Place::default, place);
        }
        for (unit, bound) in bounds.into_iter().enumerate() {
            if counts(bound) {
                self.unit(room, (range, unit), bound, needed, best);
            }
        }
    }

    /// Scores the pages of a unit of a range that may be good enough.
    fn unit(
        &self,
        room: &mut Room,
        (range, unit): (u32, usize),
        bound: f32,
        needed: f64,
        best: &Best,
    ) {
        let Room {
            here,
            rest,
            frequencies,
            found,
            ..
        } = room;
        let (mut any, mut all) = (0, u32::MAX);
        for here in &*here {
            any |= here.place.pages;
            // Without this term no page reaches it.
            if f64::from(bound - here.most[unit]) < needed {
                all &= here.place.pages;
            }
        }
        let of_unit = ((1 << NARROW) - 1) << (NARROW * unit as u32);
        let mut pages = any & all & of_unit;
        if pages == 0 {
            return;
        }
        let mut sum = 0.0;
        for (here, rest) in here.iter().zip(rest.iter_mut()).rev() {
            sum += f64::from(here.most[unit]);
            *rest = sum;
        }
        'pages: while pages != 0 {
            let page = pages.trailing_zeros();
            pages &= pages - 1;
            let rank = range * WIDTH + page;
            let norm = self.coded.norm(rank);
            let mut sum = self.terms.part_of_page(norm);
            for (number, (clause, here)) in self.clauses.iter().zip(&*here).enumerate() {
                let has = here.place.pages >> page & 1 == 1;
                let frequency = match has {
                    true => clause.list.frequency(here.place, page),
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
                found.push((rank, score));
                if found.len() >= best.together() {
                    best.add(found);
                }
            }
        }
    }
}
