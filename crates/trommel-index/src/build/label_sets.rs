//! The label sets that the extractors of a build give.

use std::sync::Arc;

use trommel_extract::Extractor;

use crate::format::error::IndexError;
use crate::format::labels::NewLabels;

/// The label sets that extractors give.
///
/// # Errors
/// Those of hashing a model.
pub(crate) fn new_labels(extractors: &[Arc<Extractor>]) -> Result<Vec<NewLabels>, IndexError> {
    let extractors = extractors.iter().map(Arc::as_ref);
    extractors.map(NewLabels::of).collect()
}
