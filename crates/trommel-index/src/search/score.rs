//! Sums the scores of a query's clauses by page or block.

use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use crate::format::bits::Bits;
use crate::format::error::IndexError;
use crate::search::gather::TermPostings;
use crate::search::grain::{Grain, hundredths_to_f64};
use crate::search::hit::Clause;
use crate::search::model::{Formula, QueryTotals, TermWeight};
use crate::search::view::View;

/// Room that scoring needs, to be used again and again.
#[derive(Default)]
pub(crate) struct Scratch {
    /// For each page or block the sum of its clauses' scores as bits, with the sign changed: 0, which is -0 then, is that of one
    /// without a clause, since no sum is -0. All are 0 between uses.
    sums: Vec<u64>,
    /// Pages or blocks with a sum, as each [`Part`] has them.
    touched: Vec<u32>,
    /// For each page or block the number of its clauses, where the formula asks for it. All are 0 between uses.
    matched: Vec<u32>,
    /// Pages or blocks with their scores.
    pub scores: Vec<(u32, f32)>,
    /// How many answer in all, those that were not scored among them.
    pub total: usize,
    /// Scores as they are sorted.
    pub keys: Vec<u64>,
    /// Scores of a clause by frequency in grains, where they depend on nothing else; NaN where they are not known yet.
    known: Vec<f64>,
}

/// Frequencies whose scores are kept: 15 and a half occurrences, where they are counted by hundredths.
const KNOWN: usize = 1550;

/// Entries of postings that are worth another thread.
const MANY: usize = if cfg!(test) { 16 } else { 1 << 15 };

/// Scores the pages or blocks that have one of the clauses, into `scratch.scores`: all with a score of at least `least`. Several threads
/// each take some consecutive pages or blocks: every sum is in the order of the clauses, whoever adds it up.
pub(crate) fn score<V: View>(
    view: &V,
    query: &[(&Clause, Arc<TermPostings>)],
    formula: &Formula,
    least: f32,
    scratch: &mut Scratch,
) -> Result<(), IndexError> {
    let norms = view.norms(formula)?;
    let totals = view.totals();
    let mut query_totals = QueryTotals::default();
    let mut weighed = Vec::with_capacity(query.len());
    for (Clause { term, boost }, postings) in query {
        let term = view.term_totals(term, postings)?;
        query_totals.add(*boost, &term, &totals);
        if let Some(weight) = formula.weigh(&term, &totals) {
            weighed.push(Weighed {
                entries: &postings.entries,
                boost: *boost,
                weight,
            });
        }
    }
    let entries: usize = weighed.iter().map(|clause| clause.entries.len()).sum();
    let is_sorted = |clause: &Weighed| clause.entries.is_sorted_by_key(|(id, _)| *id);
    let parts = match view.threads().min(entries / MANY) {
        parts @ 2.. if weighed.iter().all(is_sorted) => parts,
        _ => 1,
    };
    if scratch.sums.len() < norms.len() {
        // Zeroed memory of the system's costs nothing until it is used.
        scratch.sums = vec![0; norms.len()];
    }
    if scratch.touched.len() < norms.len() + parts {
        scratch.touched = vec![0; norms.len() + parts];
    }
    let counts = |clause: &Weighed| matches!(clause.weight, TermWeight::Tfidf(_));
    if weighed.iter().any(counts) {
        scratch.matched.resize(scratch.sums.len(), 0);
    }
    let scored = Scored {
        norms: &norms,
        spared: spared(&weighed, least),
        grain: view.grain(),
        answers: view.answers(),
        formula,
        query: query_totals,
        least,
    };
    let Scratch {
        sums,
        touched,
        matched,
        scores,
        known,
        ..
    } = scratch;
    if parts == 1 {
        let part = Part {
            first: 0,
            sums: &mut sums[..norms.len()],
            touched,
            num_touched: 0,
            matched,
            known,
        };
        part.score(&scored, &weighed, scores);
        return Ok(());
    }
    let width = norms.len().div_ceil(parts);
    let mut matched = matched.chunks_mut(width);
    let ranges = sums[..norms.len()].chunks_mut(width);
    let ranges = ranges.zip(touched.chunks_mut(width + 1)).enumerate();
    let ranges: Vec<_> = ranges
        .map(|(number, (sums, touched))| {
            let matched = matched.next().unwrap_or_default();
            (number * width, sums, touched, matched)
        })
        .collect();
    let of_parts = ranges
        .into_par_iter()
        .map(|(first, sums, touched, matched)| {
            let ids = first as u32..(first + sums.len()) as u32;
            let clauses = weighed.iter().map(|clause| Weighed {
                entries: clause_entries(clause, &ids),
                ..*clause
            });
            let clauses: Vec<Weighed> = clauses.collect();
            let part = Part {
                first: ids.start,
                sums,
                touched,
                num_touched: 0,
                matched,
                known: &mut Vec::new(),
            };
            let mut scores = Vec::new();
            part.score(&scored, &clauses, &mut scores);
            scores
        });
    let of_parts: Vec<Vec<(u32, f32)>> = of_parts.collect();
    scores.clear();
    of_parts
        .iter()
        .for_each(|own| scores.extend_from_slice(own));
    Ok(())
}

/// What of a clause is about some consecutive pages or blocks.
fn clause_entries<'a>(clause: &Weighed<'a>, ids: &Range<u32>) -> &'a [(u32, u32)] {
    let at = |id: u32| clause.entries.partition_point(|(own, _)| *own < id);
    let entries: &'a [(u32, u32)] = clause.entries;
    entries.get(at(ids.start)..at(ids.end)).unwrap_or_default()
}

/// What all parts score by.
struct Scored<'a> {
    norms: &'a [f64],
    /// As [`spared`] has it.
    spared: Vec<bool>,
    grain: Grain,
    answers: Option<&'a Bits>,
    formula: &'a Formula,
    query: QueryTotals,
    least: f32,
}

/// Some consecutive pages or blocks, which one thread scores; as [`Scratch`] has them.
struct Part<'s> {
    /// The number of the first.
    first: u32,
    sums: &'s mut [u64],
    /// Those with a sum by their numbers; those before `num_touched`. One more than there are pages or blocks.
    touched: &'s mut [u32],
    num_touched: usize,
    matched: &'s mut [u32],
    known: &'s mut Vec<f64>,
}

/// A clause of a query, ready to be added.
#[derive(Clone, Copy)]
struct Weighed<'a> {
    /// As in [`TermPostings`].
    entries: &'a [(u32, u32)],
    boost: f64,
    weight: TermWeight,
}

/// Clauses that together cannot lift a page to `least`, if the formula bounds what a clause adds: only pages that have one of the
/// others need be scored (the idea of MaxScore: Turtle and Flood, IP&M 31(6), 1995).
fn spared(clauses: &[Weighed], least: f32) -> Vec<bool> {
    let mut spared = vec![false; clauses.len()];
    let bound = |clause: &Weighed| Some(clause.boost * clause.weight.bound()?);
    let bounds = clauses.iter().map(bound);
    let Some(bounds) = bounds.collect::<Option<Vec<f64>>>() else {
        return spared;
    };
    let mut order: Vec<usize> = (0..bounds.len()).collect();
    order.sort_unstable_by(|a, b| bounds[*a].total_cmp(&bounds[*b]));
    let mut sum = 0.0;
    for clause in order {
        sum += bounds[clause];
        // With room for what rounding may add.
        if sum * 1.000_01 >= f64::from(least) {
            break;
        }
        spared[clause] = true;
    }
    spared
}

const SIGN_OF_SUM: u64 = 1 << 63;

/// The sum that [`Scratch`] keeps as these bits.
fn sum_of(bits: u64) -> f64 {
    f64::from_bits(bits ^ SIGN_OF_SUM)
}

/// Whether an entry counts, and whether its page is new, cannot be foretold; so these loops do not branch on it.
impl Part<'_> {
    /// Scores the pages or blocks of the part that have a clause, or answer without one.
    fn score(mut self, scored: &Scored, weighed: &[Weighed], scores: &mut Vec<(u32, f32)>) {
        let Scored {
            norms,
            spared,
            grain,
            formula,
            query,
            least,
            ..
        } = scored;
        if spared.contains(&true) {
            for (clause, _) in weighed.iter().zip(spared).filter(|(_, spared)| !**spared) {
                self.touch(clause.entries);
            }
        }
        let clauses = weighed.iter().zip(spared.iter().copied());
        // One loop for each grain, so that none asks which one it is for every posting.
        match grain {
            Grain::One => self.add_clauses(clauses, norms, f64::from),
            Grain::Hundredth => self.add_clauses(clauses, norms, hundredths_to_f64),
        }
        let ids = self.first..self.first + self.sums.len() as u32;
        let answers = scored.answers.into_iter().flat_map(Bits::iter);
        for id in answers.filter(|id| ids.contains(id)) {
            self.touched[self.num_touched] = id;
            self.num_touched += usize::from(self.sums[self.place(id)] == 0);
        }
        let touched = &self.touched[..self.num_touched];
        scores.resize(touched.len() + 1, (0, 0.0));
        let mut kept = 0;
        // Which are good enough cannot be foretold, so the loop does not branch on it.
        for &id in touched {
            let place = (id - self.first) as usize;
            let sum = sum_of(std::mem::take(&mut self.sums[place]));
            let matched = self.matched.get_mut(place).map_or(0, std::mem::take);
            let score = formula.finish(sum, matched, norms[id as usize], query) as f32;
            // Adding zero turns -0 into 0: they tie.
            let score = score + 0.0;
            scores[kept] = (id, score);
            kept += usize::from(score >= *least);
        }
        scores.truncate(kept);
    }

    #[inline]
    fn place(&self, id: u32) -> usize {
        (id - self.first) as usize
    }

    /// Adds the scores of clauses, of which those that are spared count only for pages that have others; `number` says what a
    /// frequency is as a number.
    fn add_clauses<'c>(
        &mut self,
        clauses: impl Iterator<Item = (&'c Weighed<'c>, bool)>,
        norms: &[f64],
        number: impl Fn(u32) -> f64,
    ) {
        for (clause, spared) in clauses {
            let Weighed {
                entries,
                boost,
                weight,
            } = *clause;
            let norm = |id: u32| norms[id as usize];
            // One loop for each formula, for the same reason.
            match weight {
                TermWeight::Bm25(w) if spared => {
                    self.add_to_touched(entries, |id, tf| boost * w.score(number(tf), norm(id)))
                }
                TermWeight::Bm25(w) => {
                    self.add(entries, |id, tf| boost * w.score(number(tf), norm(id)));
                }
                TermWeight::Qld(w) => {
                    // Logarithms of frequencies that come again and again.
                    let mut known = std::mem::take(self.known);
                    known.clear();
                    known.resize(KNOWN.min(entries.len()), f64::NAN);
                    self.add(entries, |_, tf| match known.get_mut(tf as usize) {
                        Some(score) => {
                            if score.is_nan() {
                                *score = boost * w.score(number(tf));
                            }
                            *score
                        }
                        None => boost * w.score(number(tf)),
                    });
                    *self.known = known;
                }
                TermWeight::Qljm(w) => {
                    self.add(entries, |id, tf| boost * w.score(number(tf), norm(id)));
                }
                TermWeight::Tfidf(w) => {
                    self.add(entries, |id, tf| boost * w.score(number(tf), norm(id)));
                    self.count(entries);
                }
            }
        }
    }

    /// Adds a clause's scores.
    #[inline]
    fn add(&mut self, entries: &[(u32, u32)], mut score: impl FnMut(u32, u32) -> f64) {
        for &(id, tf) in entries {
            let place = self.place(id);
            let sum = &mut self.sums[place];
            self.touched[self.num_touched] = id;
            self.num_touched += usize::from((*sum == 0) & (tf > 0));
            let added = (sum_of(*sum) + score(id, tf)).to_bits() ^ SIGN_OF_SUM;
            *sum = if tf > 0 { added } else { *sum };
        }
    }

    /// Adds a clause's scores to pages that were touched before.
    #[inline]
    fn add_to_touched(&mut self, entries: &[(u32, u32)], score: impl Fn(u32, u32) -> f64) {
        for &(id, tf) in entries {
            let place = self.place(id);
            let sum = &mut self.sums[place];
            let added = (sum_of(*sum) + score(id, tf)).to_bits() ^ SIGN_OF_SUM;
            let counts = (*sum != 0) & (tf > 0);
            *sum = if counts { added } else { *sum };
        }
    }

    /// Gives the pages of a clause the sum 0, if they have none.
    fn touch(&mut self, entries: &[(u32, u32)]) {
        for &(id, tf) in entries {
            let place = self.place(id);
            let sum = &mut self.sums[place];
            let counts = (*sum == 0) & (tf > 0);
            self.touched[self.num_touched] = id;
            self.num_touched += usize::from(counts);
            *sum = if counts { SIGN_OF_SUM } else { *sum };
        }
    }

    /// Counts a clause where it matches.
    fn count(&mut self, entries: &[(u32, u32)]) {
        for &(id, tf) in entries {
            let place = self.place(id);
            self.matched[place] += u32::from(tf > 0);
        }
    }
}
