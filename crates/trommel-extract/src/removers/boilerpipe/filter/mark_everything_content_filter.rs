//! `MarkEverythingContentFilter`: all is content.

use super::Document;

pub fn apply(document: &mut Document) {
    for block in &mut document.blocks {
        block.is_content = true;
    }
}
