//! What scorers want to know of terms.

use rayon::prelude::*;

use crate::format::error::IndexError;
use crate::search::model::{TermTotals, Totals};
use crate::search::open::Index;
use crate::search::query::Ranking;
use crate::search::view::{SearchView, View};

impl Index {
    /// The statistics that a ranking goes by: N and |C|, and df and cf of each term, as the analyzer makes it. Of the ranking the filter, the
    /// weights, the unit, and where statistics come from bear on it.
    ///
    /// # Errors
    /// Those of a search by this ranking.
    pub fn term_statistics(
        &self,
        terms: &[String],
        ranking: &Ranking,
    ) -> Result<(Totals, Vec<TermTotals>), IndexError> {
        let view = SearchView::new(self, ranking)?;
        let of_terms = terms.par_iter().map(|term| view.statistics_of(term));
        Ok((view.totals(), of_terms.collect::<Result<_, _>>()?))
    }
}
