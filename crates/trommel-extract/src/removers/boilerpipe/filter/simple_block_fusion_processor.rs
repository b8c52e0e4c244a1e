//! `SimpleBlockFusionProcessor`: fuses neighbours of the same text density, equal in single precision.

use super::Document;

pub fn apply(document: &mut Document) {
    document.fuse(1, |previous, block| {
        previous.text_density() == block.text_density()
    });
}
