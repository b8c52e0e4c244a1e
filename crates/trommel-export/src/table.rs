//! The rows of an export as columns: the same whatever the format.

use std::sync::Arc;

use arrow_array::{ArrayRef, StringArray, UInt64Array};
use trommel_extract::Verdicts;
use trommel_index::{Index, Unit};
use trommel_page::attribute::{Place, places};
use trommel_text::{host_of, registrable_domain};

use crate::columns::{Column, of_blocks, of_verdicts};
use crate::rows::{PageRow, extractors};

/// The columns of some pages, or of their blocks that pass.
pub(crate) fn columns(index: &Index, unit: Unit, pages: &[PageRow]) -> Vec<Column> {
    match unit {
        Unit::Page => of_pages(pages),
        Unit::Block => of_blocks_of(index, pages),
    }
}

/// What is known of pages and can be filtered by, and the text that passes.
fn of_pages(pages: &[PageRow]) -> Vec<Column> {
    let strings = |of: &dyn Fn(&PageRow) -> String| -> ArrayRef {
        Arc::new(StringArray::from_iter_values(pages.iter().map(of)))
    };
    let host = |page: &PageRow| host_of(&page.record.url).unwrap_or_default();
    let site = |page: &PageRow| registrable_domain(&host(page)).to_owned();
    let numbers = |of: fn(&PageRow) -> u64| -> ArrayRef {
        Arc::new(UInt64Array::from_iter_values(pages.iter().map(of)))
    };
    let columns: [(&str, ArrayRef); 11] = [
        ("docid", strings(&|page| page.record.docid.clone())),
        ("url", strings(&|page| page.record.url.clone())),
        ("title", strings(&|page| page.record.title.clone())),
        ("date", strings(&|page| page.record.date.clone())),
        ("language", strings(&|page| page.record.language.clone())),
        ("host", strings(&host)),
        ("site", strings(&site)),
        (
            "media_type",
            strings(&|page| page.record.media_type.clone()),
        ),
        ("page_words", numbers(PageRow::page_words)),
        ("num_words", numbers(PageRow::num_words)),
        ("text", strings(&PageRow::text)),
    ];
    let named = columns.into_iter();
    named
        .map(|(name, column)| (name.to_owned(), column))
        .collect()
}

/// The values of blocks, and what all extractors say that the index has verdicts of.
fn of_blocks_of(index: &Index, pages: &[PageRow]) -> Vec<Column> {
    let unit = index.density_unit();
    let mut kept: Vec<(&PageRow, Place)> = Vec::new();
    for page in pages {
        let of_page = places(&page.blocks, unit).zip(&page.kept);
        let passing = of_page.filter_map(|(place, kept)| kept.then_some((page, place)));
        kept.extend(passing);
    }
    let docids = kept.iter().map(|(page, _)| page.record.docid.as_str());
    let docids = StringArray::from_iter_values(docids);
    let mut columns: Vec<Column> = vec![("docid".to_owned(), Arc::new(docids))];
    let places: Vec<Place> = kept.iter().map(|(_, place)| *place).collect();
    columns.extend(of_blocks(&places));
    for (number, set) in extractors(index, Unit::Block).iter().enumerate() {
        let said = kept
            .iter()
            .map(|(page, place)| (&page.verdicts[number], place.position as usize));
        let said: Vec<(&Verdicts, usize)> = said.collect();
        columns.extend(of_verdicts(&set.name, set.confidences, &said));
    }
    columns
}
