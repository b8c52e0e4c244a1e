//! Adds up the statistics of several indexes.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashSet};

use trommel_text::{Hundredths, to_word};

use super::data::{
    Counted, FeedbackPage, QueryFeedback, SharedStatistics, StepStatistics, VERSION,
};
use super::error::StatisticsError;
use crate::search::model::Model;

impl SharedStatistics {
    /// Adds the statistics of other indexes, which were counted for the same search and in the same round. The order in which indexes are
    /// added changes nothing.
    ///
    /// # Errors
    /// Statistics of other indexes or searches, a page that feedback comes from in more than one index, a sum that is too large.
    pub fn join(&mut self, other: SharedStatistics) -> Result<(), StatisticsError> {
        self.check_search(&other)?;
        if !self.sieves().eq(other.sieves()) {
            return Err(StatisticsError::OtherSearch("filters"));
        }
        for index in other.indexes.iter().filter(|index| index.pages > 0) {
            if self.indexes.iter().any(|own| own.id == index.id) {
                return Err(StatisticsError::CountedTwice(index.name.clone()));
            }
        }
        self.indexes.extend(other.indexes);
        self.indexes.sort();
        add(&mut self.pages, other.pages, "pages")?;
        add(&mut self.blocks, other.blocks, "blocks")?;
        for (own, other) in self.steps.iter_mut().zip(other.steps) {
            own.join(other)?;
        }
        self.complete = self.lacks_nothing();
        Ok(())
    }

    /// Are they of the same search as others, which filters aside?
    pub(super) fn check_search(&self, other: &SharedStatistics) -> Result<(), StatisticsError> {
        for found in [self.version, other.version] {
            if found != VERSION {
                return Err(StatisticsError::Version {
                    found,
                    expected: VERSION,
                });
            }
        }
        if self.segmenter != other.segmenter {
            return Err(StatisticsError::OtherIndex("segmenter"));
        }
        if self.analyzer != other.analyzer {
            return Err(StatisticsError::OtherIndex("analyzer"));
        }
        if self.queries != other.queries {
            return Err(StatisticsError::OtherSearch("topics"));
        }
        if self.feedback_models != other.feedback_models {
            return Err(StatisticsError::OtherSearch("models"));
        }
        if self.stats != other.stats {
            return Err(StatisticsError::OtherStats {
                found: other.stats.clone(),
                wanted: self.stats.clone(),
            });
        }
        Ok(())
    }
}

impl StepStatistics {
    fn join(&mut self, other: StepStatistics) -> Result<(), StatisticsError> {
        if !self.terms.keys().eq(other.terms.keys()) {
            return Err(StatisticsError::OtherSearch("terms, or another round"));
        }
        add(&mut self.n, other.n, "pages")?;
        self.length = sum(self.length, other.length)?;
        for (own, other) in self.terms.values_mut().zip(other.terms.into_values()) {
            add(&mut own.0, other.0, "df")?;
            *own = Counted(own.0, sum(own.1, other.1)?);
        }
        self.feedback = joined_feedback(std::mem::take(&mut self.feedback), other.feedback)?;
        Ok(())
    }
}

fn add(own: &mut u64, other: u64, what: &'static str) -> Result<(), StatisticsError> {
    let sum = own.checked_add(other);
    *own = sum.ok_or(StatisticsError::TooMany(what))?;
    Ok(())
}

fn sum(one: Hundredths, other: Hundredths) -> Result<Hundredths, StatisticsError> {
    let sum = one.checked_add(other);
    sum.ok_or(StatisticsError::TooMany("terms"))
}

/// For each query the best pages of both.
fn joined_feedback(
    own: Vec<QueryFeedback>,
    other: Vec<QueryFeedback>,
) -> Result<Vec<QueryFeedback>, StatisticsError> {
    let mut joined: BTreeMap<(String, Vec<String>), Vec<FeedbackPage>> = BTreeMap::new();
    for QueryFeedback {
        model,
        query,
        pages,
    } in own.into_iter().chain(other)
    {
        joined.entry((model, query)).or_default().extend(pages);
    }
    let joined = joined.into_iter().map(|((model, query), mut pages)| {
        pages.sort_by(best_first);
        // In a round after that in which they were found, all indexes name the same pages.
        pages.dedup();
        let docs = model.parse::<Model>().ok().and_then(|model| model.feedback);
        pages.truncate(docs.map_or(0, |rm3| rm3.docs as usize));
        let mut seen = HashSet::new();
        match pages.iter().find(|page| !seen.insert(&page.docid)) {
            Some(page) => Err(StatisticsError::Repeated(page.docid.clone())),
            None => Ok(QueryFeedback {
                model,
                query,
                pages,
            }),
        }
    });
    joined.collect()
}

/// The order of a ranking.
fn best_first(a: &FeedbackPage, b: &FeedbackPage) -> Ordering {
    let by_score = (b.score + 0.0).total_cmp(&(a.score + 0.0));
    by_score.then_with(|| to_word(&b.docid).cmp(&to_word(&a.docid)))
}
