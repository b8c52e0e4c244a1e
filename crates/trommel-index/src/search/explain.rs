//! Why a hit has its score: plain data, whose parts make up the score.

use serde::Serialize;
use trommel_text::Hundredths;

use crate::format::error::IndexError;
use crate::search::boolean::{Query, QueryView};
use crate::search::hit::{Clause, Hit};
use crate::search::model::{Part, QueryTotals};
use crate::search::open::Index;
use crate::search::phrase;
use crate::search::query::{Ranking, Unit};
use crate::search::rank::expanded_clauses;
use crate::search::score::Scratch;
use crate::search::view::View;

/// The parts of a hit's score: (Σ clauses' scores) × (each factor) + (each addend).
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Explanation {
    /// The model with its parameters, as in flags.
    pub model: String,
    /// The score before it is rounded.
    pub score: f64,
    /// Words and phrases that score, in the order of the query, and what feedback added.
    pub clauses: Vec<ClauseScore>,
    /// What the sum is multiplied by, in this order.
    pub factors: Vec<Part>,
    /// What is added then.
    pub addends: Vec<Part>,
    /// Indexed terms in the passing blocks of the page, or in the block, by weight.
    pub length: Hundredths,
    /// Average length, by the ranking's statistics.
    pub average_length: f64,
    /// N: pages (or blocks) with an indexed term, by the ranking's statistics.
    pub num: u64,
    /// Blocks of the page that pass the filter.
    pub blocks_kept: u32,
    /// All its blocks.
    pub blocks_total: u32,
    /// The least and the greatest confidence of the blocks that pass, or of the block, if the filter bounds it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<[f64; 2]>,
    /// Words in the blocks that pass.
    pub words_kept: u64,
    /// Words in all its blocks.
    pub words_total: u64,
    /// Where blocks have weights, those that the score comes from, in page order, and the title before them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shares: Vec<BlockShare>,
}

/// A block's part in a score.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BlockShare {
    /// Its number on the page; none for the title.
    pub block: Option<u32>,
    /// How much it counts.
    pub weight: Hundredths,
    /// Its part of the sum of the clauses' scores, in 0..=1: each clause's is parted as its occurrences are, by weight.
    pub share: f64,
}

/// What a word or phrase contributes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClauseScore {
    /// The term, or a phrase in quotes, with `_` for words that are left out.
    pub term: String,
    /// What it counts: 1 but in an expanded query.
    pub boost: f64,
    /// Occurrences in the page's passing blocks, or in the block, by weight.
    pub tf: Hundredths,
    /// Pages (or blocks) that have it, by the ranking's statistics.
    pub df: u64,
    /// Its occurrences, by the ranking's statistics.
    pub cf: Hundredths,
    /// What the formula makes of df and cf; none for what occurs nowhere, if the formula drops that.
    pub weight: Option<Part>,
    /// What it adds, boost included; 0 if the page has it not.
    pub score: f64,
}

impl Index {
    /// Explains hits of a query under the ranking that found them.
    pub fn explain(
        &self,
        query: &Query,
        ranking: &Ranking,
        hits: &[Hit],
    ) -> Result<Vec<Explanation>, IndexError> {
        let view = QueryView::new(self, query, ranking, false)?;
        let model = query.model(ranking);
        let clauses = expanded_clauses(&view, &query.scored, &model, &mut Scratch::default())?;
        hits.iter()
            .map(|hit| self.explain_hit(&view, &clauses, ranking, hit))
            .collect()
    }

    fn explain_hit(
        &self,
        view: &QueryView,
        clauses: &[Clause],
        ranking: &Ranking,
        hit: &Hit,
    ) -> Result<Explanation, IndexError> {
        let formula = &ranking.model.formula;
        let totals = view.totals();
        let subset = self.subset(&ranking.filter, &ranking.weights)?;
        let grain = subset.grain();
        let blocks = self.layout.blocks(hit.page);
        let (id, length) = match hit.block {
            None => {
                let length = subset.page_lengths.get(hit.page as usize);
                (hit.page, u64::from(length.copied().unwrap_or(0)))
            }
            Some(block) => {
                let id = blocks.start + u64::from(block);
                let lengths = self.page_block_lengths(hit.page)?;
                let length = lengths.get(block as usize).copied().map_or(0, u64::from);
                (id as u32, length * u64::from(subset.weight(id)))
            }
        };
        let length = grain.hundredths(length);
        let norm = formula.norm(length.to_f64(), &totals);
        let mut query_totals = QueryTotals::default();
        let (mut sum, mut matched) = (0.0, 0);
        let mut scores = Vec::with_capacity(clauses.len());
        for Clause { term, boost } in clauses {
            let postings = view.postings(term)?;
            let term_totals = view.term_totals(term, &postings)?;
            query_totals.add(*boost, &term_totals, &totals);
            let weight = formula.weigh(&term_totals, &totals);
            let entry = postings.entries.iter().find(|(own, _)| *own == id);
            let tf = entry.map_or(0, |(_, tf)| *tf);
            let score = match weight {
                Some(weight) if tf > 0 => boost * weight.score(grain.to_f64(tf), norm),
                _ => 0.0,
            };
            sum += score;
            matched += u32::from(tf > 0);
            scores.push(ClauseScore {
                term: phrase::shown(term),
                boost: *boost,
                tf: grain.hundredths(tf.into()),
                df: term_totals.df,
                cf: term_totals.cf,
                weight: weight.map(|weight| weight.part()),
                score,
            });
        }
        let (factors, addends) = formula.parts(matched, norm, &query_totals);
        let passing: Vec<bool> = blocks.map(|block| subset.passes(block)).collect();
        let shares = match ranking.weights.is_one() {
            true => Vec::new(),
            false => self.shares(view, hit, clauses, &scores)?,
        };
        let confidence = match ranking.filter.confidences_of() {
            Some(of) => self.confidences_between(hit, of, &passing)?,
            None => None,
        };
        let words = self.page_word_counts(hit.page)?;
        let words = || words.iter().copied().map(u64::from);
        let kept = words().zip(&passing).filter(|(_, passes)| **passes);
        Ok(Explanation {
            model: ranking.model.to_string(),
            score: formula.finish(sum, matched, norm, &query_totals),
            clauses: scores,
            factors,
            addends,
            length,
            average_length: totals.average_length(),
            num: totals.num,
            blocks_kept: passing.iter().filter(|passes| **passes).count() as u32,
            blocks_total: passing.len() as u32,
            confidence,
            words_kept: kept.map(|(words, _)| words).sum(),
            words_total: words().sum(),
            shares,
        })
    }

    /// How much of the sum of the clauses' scores comes from each block of a hit, and from the title.
    fn shares(
        &self,
        view: &QueryView,
        hit: &Hit,
        clauses: &[Clause],
        scores: &[ClauseScore],
    ) -> Result<Vec<BlockShare>, IndexError> {
        let weights = view.weights(hit)?;
        let blocks = self.layout.blocks(hit.page);
        let mut shares = vec![0.0; weights.len()];
        for (Clause { term, .. }, ClauseScore { score, tf, .. }) in clauses.iter().zip(scores) {
            if *score == 0.0 {
                continue;
            }
            let mut add = |number: usize, times: u32| {
                let weight = weights.get(number).copied().unwrap_or(0);
                let part = Hundredths::new(u64::from(times) * u64::from(weight));
                shares[number] += score * part.to_f64() / tf.to_f64();
            };
            self.for_each_posting(term, Unit::Block, |posting| {
                if blocks.contains(&posting.block) {
                    add((posting.block - blocks.start) as usize, posting.tf);
                }
            })?;
            if weights.last() > Some(&0) {
                let of_titles = self.titles_with(term)?.into_iter();
                let mut of_page = of_titles.filter(|(page, _)| *page == hit.page);
                of_page
                    .by_ref()
                    .for_each(|(_, times)| add(weights.len() - 1, times));
            }
        }
        let sum: f64 = shares.iter().sum();
        let title = weights.len() - 1;
        let of = |number: usize| BlockShare {
            block: (number < title).then_some(number as u32),
            weight: Hundredths::new(weights[number].into()),
            share: shares[number] / sum,
        };
        let numbers = [title].into_iter().chain(0..title);
        Ok(numbers
            .filter(|number| shares[*number] > 0.0)
            .map(of)
            .collect())
    }

    /// The least and the greatest confidence, as a filter takes them, of the blocks of a hit that pass.
    fn confidences_between(
        &self,
        hit: &Hit,
        extractor: Option<&str>,
        passing: &[bool],
    ) -> Result<Option<[f64; 2]>, IndexError> {
        let set = self.confidences_of(extractor)?;
        let verdicts = self.page_verdicts(hit.page, &set.name)?;
        let confidences = verdicts.confidences.unwrap_or_default();
        let counts = |number: u32| hit.block.is_none_or(|block| block == number);
        let of_blocks = (0..).zip(confidences.iter().zip(passing));
        let kept = of_blocks.filter(|(number, (_, passes))| **passes && counts(*number));
        let kept = kept.map(|(_, (confidence, _))| *confidence);
        let (least, greatest) = (kept.clone().min(), kept.max());
        Ok(least.zip(greatest).map(|(a, b)| [a.to_f64(), b.to_f64()]))
    }
}
