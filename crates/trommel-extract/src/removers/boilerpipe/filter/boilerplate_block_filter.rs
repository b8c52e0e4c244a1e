//! `BoilerplateBlockFilter`: drops all that is not content from the list.

use super::Document;

pub fn apply(document: &mut Document) {
    document.blocks.retain(|block| block.is_content);
}
