//! `ExpandTitleToContentFilter`: what might be content between the title and the first content is content, the title
//! included. The title is the last block marked so up to the first content.

use super::Document;

pub fn apply(document: &mut Document) {
    let Some(content) = document.blocks.iter().position(|block| block.is_content) else {
        return;
    };
    let upto = &document.blocks[..=content];
    let Some(title) = upto.iter().rposition(|block| block.marks.title) else {
        return;
    };
    for block in &mut document.blocks[title..content] {
        block.is_content |= block.marks.might_be_content;
    }
}
