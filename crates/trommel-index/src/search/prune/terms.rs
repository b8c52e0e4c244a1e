//! A query's clauses with their weights, and bounds of what they add.

use super::searched::Searched;
use crate::search::filtered::impacts::ImpactsOf;
use crate::search::hit::Clause;
use crate::search::model::{Formula, QueryTotals, TermTotals, TermWeight};

/// The clauses of a query, weighed.
pub(super) struct Terms {
    formula: Formula,
    /// In the order of the query: the number of the term, the boost and the weight.
    clauses: Vec<(usize, f64, TermWeight)>,
    /// By term: the boosts of its clauses together, and their weight; none where the formula leaves it out.
    pub weights: Vec<Option<(f64, TermWeight)>>,
    order: Vec<usize>,
    query: QueryTotals,
    /// The norm of a page of one word, by which no page has a worse bound.
    shortest: f64,
    collection: crate::search::model::Totals,
}

/// What rounding may add to a bound: far more than sums of some thousand numbers lose.
const SLACK: f64 = 1e-5;

impl Terms {
    /// `totals` are those of the terms, each once, by their numbers.
    pub fn new(
        searched: &Searched,
        query: &[Clause],
        terms: &[&str],
        totals: &[TermTotals],
        formula: &Formula,
    ) -> Terms {
        let collection = searched.totals;
        let mut query_totals = QueryTotals::default();
        let mut clauses = Vec::with_capacity(query.len());
        let mut weights: Vec<Option<(f64, TermWeight)>> = vec![None; terms.len()];
        for Clause { term, boost } in query {
            let number = terms.iter().position(|own| own == term).unwrap_or(0);
            query_totals.add(*boost, &totals[number], &collection);
            if let Some(weight) = formula.weigh(&totals[number], &collection) {
                clauses.push((number, *boost, weight));
                let sum = weights[number].map_or(0.0, |(sum, _)| sum);
                weights[number] = Some((sum + boost, weight));
            }
        }
        let mut order: Vec<usize> = (0..terms.len()).collect();
        let most = |term: &usize| {
            weights[*term].map_or(0.0, |(boost, weight)| {
                let often = f64::from(u32::MAX);
                boost * weight.score(often, formula.norm(often, &collection))
            })
        };
        order.sort_by(|a, b| most(b).total_cmp(&most(a)));
        Terms {
            order,
            formula: *formula,
            clauses,
            weights,
            query: query_totals,
            shortest: formula.norm(1.0, &collection),
            collection,
        }
    }

    /// More than a term can add to any page in which it stands at most so many times.
    pub fn most(&self, term: usize, frequency: u32) -> f64 {
        let Some((boost, weight)) = self.weights[term].filter(|_| frequency > 0) else {
            return 0.0;
        };
        // A page is at least as long as a term of it is frequent: what a frequency adds to its score, the shortest such page adds most.
        let frequency = f64::from(frequency);
        let norm = self.formula.norm(frequency, &self.collection);
        boost * weight.score(frequency, norm)
    }

    /// The terms, those first that may add most.
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// What a term adds to the sum of a page.
    #[inline]
    pub fn added(&self, term: usize, frequency: u32, norm: f64) -> f64 {
        match self.weights[term].filter(|_| frequency > 0) {
            Some((boost, weight)) => boost * weight.score(f64::from(frequency), norm),
            None => 0.0,
        }
    }

    /// By how much a bound is less, if the sum is less by so much.
    #[inline]
    pub fn scale(&self, less: f64) -> f64 {
        self.formula
            .finish(less, self.query.clauses, 0.0, &self.query)
    }

    /// What the score of a page with this sum of bounds is not above.
    #[inline]
    pub fn bound(&self, sum: f64, norm: f64) -> f64 {
        let score = self
            .formula
            .finish(sum, self.query.clauses, norm, &self.query);
        score + SLACK * (sum.abs() + score.abs())
    }

    /// What the impacts of a term are made by; none where the formula leaves it out.
    pub fn impacts_of(&self, term: usize) -> Option<ImpactsOf> {
        self.weights[term].map(|(_, weight)| ImpactsOf {
            formula: self.formula,
            collection: self.collection,
            weight,
        })
    }

    /// By what a sum is multiplied in the score of a page that has all terms, which no other page's is multiplied by more than.
    fn slope(&self) -> f64 {
        self.scale(1.0)
    }

    /// Is the score of a page that has all terms a multiple of the sum and of its [`Terms::part_of_page`]?
    pub fn is_linear(&self) -> bool {
        self.slope() > 0.0 && self.slope().is_finite()
    }

    /// What the page itself adds to the sum, whatever it has of the terms.
    #[inline]
    pub fn part_of_page(&self, norm: f64) -> f64 {
        match self.formula {
            Formula::Qld(_) => self.query.length * norm,
            Formula::Bm25(_) | Formula::Qljm(_) | Formula::Tfidf(_) => 0.0,
        }
    }

    /// What no sum, [`Terms::part_of_page`] with it, is below of a page that has a score of at least `floor`; `greatest` is what terms add to
    /// it at most.
    pub fn needed(&self, floor: f32, greatest: f64) -> f64 {
        let (floor, slope) = (f64::from(floor), self.slope());
        let longest = self.formula.norm(f64::from(u32::MAX), &self.collection);
        let magnitude = floor.abs() / slope + greatest + self.part_of_page(longest).abs();
        floor / slope - SLACK * magnitude
    }

    /// Can a page with this sum of bounds have a score of at least `floor`? None can whose norm is NaN.
    #[inline]
    pub fn reaches(&self, sum: f64, norm: f64, floor: f32) -> bool {
        self.bound_reaches(self.bound(sum, norm), floor)
    }

    /// Does a bound reach `floor`?
    #[inline]
    pub fn bound_reaches(&self, bound: f64, floor: f32) -> bool {
        bound >= f64::from(floor)
    }

    /// [`Terms::reaches`] for a page of any length.
    pub fn any_reaches(&self, sum: f64, floor: f32) -> bool {
        self.reaches(sum, self.shortest, floor)
    }

    /// The score of a page by the frequencies of the terms, in the order of the query, to the bit as [`crate::search::score`] has it; none if it
    /// has no term.
    pub fn score(&self, frequencies: &[u32], norm: f64) -> Option<f32> {
        let (mut sum, mut matched) = (-0.0, 0);
        for (term, boost, weight) in &self.clauses {
            let frequency = frequencies[*term];
            if frequency > 0 {
                sum += boost * weight.score(f64::from(frequency), norm);
                matched += 1;
            }
        }
        let score = self.formula.finish(sum, matched, norm, &self.query) as f32;
        (matched > 0).then_some(score + 0.0)
    }
}
