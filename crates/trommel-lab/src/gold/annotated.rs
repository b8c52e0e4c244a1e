//! Pages whose leaves have classes.

use std::cmp::Reverse;

use trommel_page::{Page, Segmentation};
use trommel_text::count_tokens;

use super::class::Class;

/// A page whose leaves have classes.
#[derive(Debug, Clone, Default)]
pub struct Annotated {
    /// The page without the elements that held the annotation.
    pub page: Page,
    /// The class of each leaf.
    pub classes: Vec<Class>,
    /// For each leaf, whether a reader of the page sees it.
    pub visible: Vec<bool>,
}

impl Annotated {
    /// The visible text of a class, a line for each leaf.
    pub fn text_of(&self, class: Class) -> String {
        let mut text = String::new();
        for leaf in 0..self.classes.len() {
            if self.classes[leaf] == class && self.visible[leaf] {
                text.push_str(self.page.leaf_text(leaf as u32));
                text.push('\n');
            }
        }
        text
    }
}

/// For each block of an annotated page the class that most of its words have; of classes with as many, the one with most leaves,
/// then content.
pub fn classes_of_blocks(annotated: &Annotated, segmentation: &Segmentation) -> Vec<Class> {
    let mut sizes = vec![[(0u32, 0u32); Class::ALL.len()]; segmentation.blocks.len()];
    for (leaf, class) in (0..).zip(&annotated.classes) {
        if let Some(block) = segmentation.block_of_leaf[leaf as usize] {
            let (words, leaves) = &mut sizes[block as usize][*class as usize];
            *words += count_tokens(annotated.page.leaf_text(leaf)).1;
            *leaves += 1;
        }
    }
    let most = |sizes: [(u32, u32); Class::ALL.len()]| {
        Class::ALL
            .into_iter()
            .max_by_key(|class| (sizes[*class as usize], class.is_content(), Reverse(*class)))
            .unwrap_or_default()
    };
    sizes.into_iter().map(most).collect()
}
