//! Titles and addresses: the pages that have a word or phrase in theirs.

use crate::format::error::IndexError;
use crate::format::guard;
use crate::format::part::Part;
use crate::search::expression::Field;
use crate::search::open::Index;
use crate::search::phrase;

impl Index {
    /// The pages that have a term or phrase (as a pseudo-term) in a field, in no order, and how often.
    pub(crate) fn pages_having(
        &self,
        field: Field,
        term: &str,
    ) -> Result<Vec<(u32, u32)>, IndexError> {
        let field = match field {
            Field::Title => self.page_fields.title_terms,
            Field::Url => self.page_fields.url_terms,
        };
        let mut found = Vec::new();
        for Part { first_page, pages } in &self.parts {
            guard::reading(&pages.path, || {
                let inverted = pages.reader.inverted_index(field);
                let inverted = inverted.map_err(IndexError::tantivy(&pages.path))?;
                let matches = phrase::for_each_match(&inverted, field, term, |doc, times| {
                    pages.has(doc)?;
                    found.push((first_page + doc, times));
                    Ok(())
                });
                matches.map_err(IndexError::io(&pages.path))
            })?;
        }
        found.retain(|(page, _)| !self.layout.is_repeated(*page));
        Ok(found)
    }
}
