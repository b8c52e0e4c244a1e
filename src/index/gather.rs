//! Reads the postings of query terms and adds up, for each page or block, what passes the filter.

use tantivy::postings::Postings;
use tantivy::schema::IndexRecordOption;
use tantivy::{DocSet, TERMINATED, Term};

use super::subset::Subset;
use super::{Index, IndexError, TermTotals, Unit};

/// The postings of one term under a filter.
#[derive(Debug, Clone, Default)]
pub(super) struct TermPostings {
    /// Pages (or blocks, numbered through) with the term in a passing block, each once, with its frequency there.
    pub entries: Vec<(u32, u32)>,
    /// Totals over passing blocks.
    pub subset: TermTotals,
    /// Totals over all blocks.
    pub collection: TermTotals,
}

pub(super) fn gather(
    index: &Index,
    subset: &Subset,
    unit: Unit,
    term: &str,
) -> Result<TermPostings, IndexError> {
    let path = index.path.join("blocks");
    let io = |error: std::io::Error| IndexError::Io {
        path: path.clone(),
        source: error,
    };
    let layout = &index.layout;
    let term = Term::from_field_text(index.block_fields.terms, term);
    let mut found = TermPostings::default();
    for (segment, reader) in index.blocks.segment_readers().iter().enumerate() {
        let segment = segment as u32;
        let inverted = reader
            .inverted_index(index.block_fields.terms)
            .map_err(IndexError::tantivy(&path))?;
        let postings = inverted
            .read_postings(&term, IndexRecordOption::WithFreqs)
            .map_err(io)?;
        let Some(mut postings) = postings else {
            continue;
        };
        let columns = &index.columns[segment as usize];
        // The blocks of a page are side by side, so that one entry is complete when the page changes. A page stands in one
        // segment, so that no entry is opened twice.
        let mut current = Entry::default();
        loop {
            let doc = postings.doc();
            if doc == TERMINATED {
                break;
            }
            let id = match unit {
                Unit::Page => columns.page.get_val(doc) as u32,
                Unit::Block => layout.segment_base[segment as usize] + doc,
            };
            if current.id != Some(id) {
                std::mem::replace(&mut current, Entry::new(id)).close(&mut found);
            }
            let tf = postings.term_freq();
            current.all += tf;
            if subset.passes(segment, doc) {
                current.passing += tf;
            }
            postings.advance();
        }
        current.close(&mut found);
    }
    Ok(found)
}

/// A page or block whose postings are being read.
#[derive(Default)]
struct Entry {
    id: Option<u32>,
    all: u32,
    passing: u32,
}

impl Entry {
    fn new(id: u32) -> Self {
        Entry {
            id: Some(id),
            ..Entry::default()
        }
    }

    fn close(self, found: &mut TermPostings) {
        let Some(id) = self.id else { return };
        found.collection.df += 1;
        found.collection.cf += u64::from(self.all);
        if self.passing > 0 {
            found.subset.df += 1;
            found.subset.cf += u64::from(self.passing);
            found.entries.push((id, self.passing));
        }
    }
}
