//! The first heading of the first level.

use trommel_page::Tag;

use super::gathered::Gathered;
use super::row::Candidates;

pub(super) fn read(gathered: &Gathered) -> Candidates {
    let headings = gathered
        .elements()
        .filter(|id| *gathered.page.tag(*id) == Tag::H1);
    Candidates {
        titles: headings
            .filter_map(|id| gathered.short_text(id))
            .take(3)
            .collect(),
        ..Candidates::default()
    }
}
