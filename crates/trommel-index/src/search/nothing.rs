//! Why a search found nothing, in words.

use crate::format::error::IndexError;
use crate::search::boolean::Query;
use crate::search::expression::Expression;
use crate::search::open::Index;
use crate::search::query::Ranking;

impl Index {
    /// Says of a search without hits whether it was the query or the filter that left nothing. `expression` is what `query` was made of.
    ///
    /// # Errors
    /// Those of [`Index::search_query`].
    pub fn why_nothing(
        &self,
        query: &Query,
        expression: &Expression,
        ranking: &Ranking,
    ) -> Result<String, IndexError> {
        let unfiltered = Ranking {
            filter: Default::default(),
            weights: Default::default(),
            ..ranking.clone()
        };
        let without = self.search_counted(query, &unfiltered, 0)?.total;
        let sieve = ranking.sieve();
        Ok(if sieve.is_empty() || without == 0 {
            match query.is_bag() {
                true => format!("nothing found: no page has a word of '{expression}'"),
                false => format!("nothing found: no page answers '{expression}'"),
            }
        } else {
            format!(
                "nothing found under {sieve}; {without} without {}",
                match (sieve.filter.is_empty(), sieve.weights.is_one()) {
                    (_, true) => "the filter",
                    (true, false) => "the weights",
                    (false, false) => "both",
                }
            )
        })
    }
}
