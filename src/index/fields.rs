//! Titles and addresses: the pages that have a word or phrase in theirs.

use super::expression::Field;
use super::phrase;
use super::schema::column;
use super::{Index, IndexError};

impl Index {
    /// The pages that have a term or phrase (as a pseudo-term) in a field, in no order.
    pub(super) fn pages_with(&self, field: Field, term: &str) -> Result<Vec<u32>, IndexError> {
        let path = self.path.join("pages");
        let field = match field {
            Field::Title => self.page_fields.title_terms,
            Field::Url => self.page_fields.url_terms,
        };
        let mut found = Vec::new();
        for reader in self.pages.segment_readers() {
            // Indexes that were built before this column was there can be used for everything else.
            let column = reader.fast_fields().u64(column::PAGE);
            let numbers = column
                .map_err(|_| IndexError::NoPageColumn(self.path.clone()))?
                .first_or_default_col(0);
            let inverted = reader
                .inverted_index(field)
                .map_err(IndexError::tantivy(&path))?;
            phrase::for_each_match(&inverted, field, term, |doc, _| {
                found.push(numbers.get_val(doc) as u32);
            })
            .map_err(IndexError::io(&path))?;
        }
        Ok(found)
    }
}
