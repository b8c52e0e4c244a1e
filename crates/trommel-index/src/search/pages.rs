//! Attributes of pages: fast fields of the page index.

use trommel_page::attribute::{Attribute, Kind};
use trommel_page::filter::Condition;

use crate::format::bits::Bits;
use crate::format::error::IndexError;
use crate::format::guard;
use crate::search::open::Index;

impl Index {
    /// The pages whose attribute meets a condition.
    pub(crate) fn pages_that(
        &self,
        attribute: &Attribute,
        condition: &Condition,
    ) -> Result<Bits, IndexError> {
        let mut pages = Bits::none(self.num_pages() as u32);
        for part in &self.parts {
            guard::reading(&part.pages.path, || match &attribute.kind {
                Kind::Word(word) => {
                    let values = |text: String| match word.derive {
                        Some(derive) => derive(&text),
                        None => text,
                    };
                    part.words_that(word.of, values, condition, &mut pages)
                }
                Kind::Date => part.dates_that(condition, &mut pages),
                _ => Ok(()),
            })?;
        }
        Ok(pages)
    }
}
