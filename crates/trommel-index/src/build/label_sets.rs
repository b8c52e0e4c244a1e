//! The label sets that a build will write, and their entries in the manifest.

use std::sync::Arc;

use trommel_archive as collection;
use trommel_extract::Labeler;

use crate::format::error::IndexError;
use crate::format::labels::{LabelSet, NewLabels, WrittenLabels};

/// The label sets that extractors give.
pub(crate) fn new_labels(extractors: &[Arc<Labeler>]) -> Vec<NewLabels> {
    let labelers = extractors.iter().map(Arc::as_ref);
    labelers.map(NewLabels::from).collect()
}

/// The manifest's entries of extractors of which this was written.
pub(crate) fn label_sets(
    extractors: &[Arc<Labeler>],
    written: Vec<WrittenLabels>,
) -> Result<Vec<LabelSet>, IndexError> {
    let set = |(labeler, written): (&Arc<Labeler>, WrittenLabels)| {
        let path = &labeler.arguments.path;
        let model_sha256 = match path.is_file() {
            false => None,
            true => Some(collection::sha256_of_file(path).map_err(IndexError::io(path))?),
        };
        Ok(LabelSet {
            name: labeler.name.clone(),
            extractor: labeler.spec.clone(),
            model_sha256,
            trommel_version: env!("CARGO_PKG_VERSION").to_owned(),
            content_blocks: written.content_blocks,
            confidences: labeler.has_confidences(),
            files: written.files,
        })
    };
    extractors.iter().zip(written).map(set).collect()
}
