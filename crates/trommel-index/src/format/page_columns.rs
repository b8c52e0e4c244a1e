//! The fast fields of the pages of a part.

use tantivy::DateTime;
use tantivy::columnar::{Column, StrColumn};
use trommel_page::attribute::{Date, PageWord};
use trommel_page::filter::{Condition, Value};

use crate::format::bits::Bits;
use crate::format::columns::words;
use crate::format::error::IndexError;
use crate::format::guard;
use crate::format::part::Part;
use crate::format::schema::{DATE, DAY};

impl Part {
    /// A word about a page of the part; empty if it has none.
    pub fn word(&self, word: PageWord, doc: u32) -> Result<String, IndexError> {
        let path = &self.pages.path;
        guard::reading(path, || {
            let column = self.pages.reader.fast_fields().str(word.field());
            let column = column.map_err(IndexError::tantivy(path))?;
            let mut text = String::new();
            if let Some(column) = column
                && let Some(ord) = column.term_ords(doc).next()
            {
                column
                    .ord_to_str(ord, &mut text)
                    .map_err(IndexError::io(path))?;
            }
            Ok(text)
        })
    }

    /// A field of words with the words in the order of their numbers; none if no page has one.
    pub fn words(&self, word: PageWord) -> Result<Option<(StrColumn, Vec<String>)>, IndexError> {
        let fields = self.pages.reader.fast_fields();
        let column = fields
            .str(word.field())
            .map_err(IndexError::tantivy(&self.pages.path))?;
        let Some(column) = column else {
            return Ok(None);
        };
        let words = words(&column).map_err(IndexError::io(&self.pages.path))?;
        Ok(Some((column, words)))
    }

    pub fn words_that(
        &self,
        word: PageWord,
        value: impl Fn(String) -> String,
        condition: &Condition,
        pages: &mut Bits,
    ) -> Result<(), IndexError> {
        let missing = condition.holds(&Value::Missing);
        let (column, holds) = match self.words(word)? {
            None => (None, Vec::new()),
            Some((column, words)) => {
                let words = words.into_iter().map(value);
                let holds = words.map(|word| condition.holds(&Value::Word(&word)));
                (Some(column), holds.collect())
            }
        };
        for doc in 0..self.pages.reader.max_doc() {
            let ord = column
                .as_ref()
                .and_then(|column| column.term_ords(doc).next());
            let passes = ord.map_or(missing, |ord| holds.get(ord as usize) == Some(&true));
            if passes {
                pages.insert(self.first_page + doc);
            }
        }
        Ok(())
    }

    /// The days of the pages.
    pub fn dates(&self) -> Result<Column<DateTime>, IndexError> {
        let fields = self.pages.reader.fast_fields();
        let column = fields.date(DATE);
        column.map_err(IndexError::tantivy(&self.pages.path))
    }

    pub fn dates_that(&self, condition: &Condition, pages: &mut Bits) -> Result<(), IndexError> {
        let column = self.dates()?;
        for doc in 0..self.pages.reader.max_doc() {
            let days = column
                .first(doc)
                .map(|time| time.into_timestamp_secs().div_euclid(DAY));
            let value = match days.and_then(Date::from_days) {
                Some(date) => Value::Date(date),
                None => Value::Missing,
            };
            if condition.holds(&value) {
                pages.insert(self.first_page + doc);
            }
        }
        Ok(())
    }
}
