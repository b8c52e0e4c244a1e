//! A rule that is written as a filter.

use trommel_page::attribute::places;
use trommel_page::filter::Filter;

use crate::{ExtractorError, Label, LabelFn};

/// Makes an extractor's function of a filter that asks for nothing but the block and its place on the page.
pub(super) fn by_filter(filter: &str) -> Result<Box<LabelFn>, ExtractorError> {
    let parsed = filter.parse::<Filter>();
    let filter = parsed.map_err(|error| ExtractorError::Value {
        parameter: "filter",
        value: filter.to_owned(),
        why: error.what,
    })?;
    Ok(Box::new(move |_, segmentation| {
        let places = places(&segmentation.blocks, segmentation.unit);
        places
            .map(|place| Label::content_if(filter.passes(&place, &())))
            .collect()
    }))
}
