//! Exact filtered ranking: the same result as an index of the filtered text would give.
//!
//! Every score is a function of integers (N, df, cf, lengths, term frequencies) that do not depend on how the index is divided
//! into segments, and is summed in query order: so the result is the same to the bit whatever the number of threads that built
//! the index, and equal to that of an index in which every page was cut down to its passing blocks.

use std::cmp::Ordering;
use std::collections::HashMap;

use super::gather::{TermPostings, gather};
use super::{Filter, Index, IndexError, Ranking, Stats, Totals, Unit};

/// A ranked page or block.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// Number of the page.
    pub page: u32,
    /// Number of the block within the page, where blocks are ranked.
    pub block: Option<u32>,
    /// Its score.
    pub score: f32,
}

impl Index {
    /// Ranks pages (or blocks) for a text, best first, at most `k`. The text is a bag of words: no character of it is syntax.
    /// Terms that stand twice count twice. Ties are in descending order of docid, as trec_eval reads them; blocks of a page
    /// tie in their order on the page.
    pub fn search(&self, text: &str, ranking: &Ranking, k: usize) -> Result<Vec<Hit>, IndexError> {
        self.search_terms(&self.analyzer.terms(text), ranking, k)
    }

    /// [`Index::search`] for terms that were analysed before.
    pub fn search_terms(
        &self,
        terms: &[String],
        ranking: &Ranking,
        k: usize,
    ) -> Result<Vec<Hit>, IndexError> {
        let subset = self.subset(&ranking.filter)?;
        let mut postings: HashMap<&str, TermPostings> = HashMap::new();
        for term in terms {
            if !postings.contains_key(term.as_str()) {
                postings.insert(term, gather(self, &subset, ranking.unit, term)?);
            }
        }
        let totals = match ranking.stats {
            Stats::Subset => subset.totals(ranking.unit),
            Stats::Collection => self.subset(&Filter::default())?.totals(ranking.unit),
        };
        let lengths = match ranking.unit {
            Unit::Page => subset.page_lengths.as_slice(),
            Unit::Block => self.block_lengths()?,
        };
        let in_query_order = terms.iter().map(|term| &postings[term.as_str()]);
        let scores = sum_scores(in_query_order, ranking, totals, lengths);
        Ok(self.best(self.hits(&scores, ranking.unit)?, k))
    }

    /// Pages or blocks with their scores as hits.
    fn hits(&self, scores: &[(u32, f64)], unit: Unit) -> Result<Vec<Hit>, IndexError> {
        if unit == Unit::Page {
            let hit = |&(page, score): &(u32, f64)| Hit {
                page,
                block: None,
                score: score as f32,
            };
            return Ok(scores.iter().map(hit).collect());
        }
        let hit = |&(id, score): &(u32, f64)| {
            let (page, block) = self.page_and_block(id)?;
            Ok(Hit {
                page,
                block: Some(block),
                score: score as f32,
            })
        };
        scores.iter().map(hit).collect()
    }

    /// The best `k` hits in order.
    fn best(&self, mut hits: Vec<Hit>, k: usize) -> Vec<Hit> {
        let order = |a: &Hit, b: &Hit| self.order(a, b);
        if k < hits.len() {
            if k > 0 {
                hits.select_nth_unstable_by(k - 1, order);
            }
            hits.truncate(k);
        }
        hits.sort_unstable_by(order);
        hits
    }

    fn order(&self, a: &Hit, b: &Hit) -> Ordering {
        b.score
            .total_cmp(&a.score)
            .then_with(|| self.docid(b.page).cmp(self.docid(a.page)))
            .then_with(|| a.block.cmp(&b.block))
    }
}

/// Sums the terms' scores, in query order, for every page or block that has one of them.
fn sum_scores<'a>(
    terms: impl Iterator<Item = &'a TermPostings>,
    ranking: &Ranking,
    totals: Totals,
    lengths: &[u32],
) -> Vec<(u32, f64)> {
    // Where each page or block stands in `scores`, plus one.
    let mut place = vec![0u32; lengths.len()];
    let mut scores: Vec<(u32, f64)> = Vec::new();
    for postings in terms {
        let term = match ranking.stats {
            Stats::Subset => &postings.subset,
            Stats::Collection => &postings.collection,
        };
        let weight = ranking.model.weigh(term, &totals);
        for &(id, tf) in &postings.entries {
            let score = weight.score(tf, lengths[id as usize]);
            match place[id as usize] {
                0 => {
                    scores.push((id, score));
                    place[id as usize] = scores.len() as u32;
                }
                at => scores[at as usize - 1].1 += score,
            }
        }
    }
    scores
}
