//! How often the text of a block stands in a collection: the one feature of WSDM 2010 that looks beyond the page (§3.1).

use std::collections::HashMap;

use trommel_page::Segmentation;

/// Counts blocks by their text. Texts are the same if they are so letter by letter, white space as the segmenter leaves it.
/// Every distinct text is kept in memory.
#[derive(Debug, Clone, Default)]
pub struct Frequencies {
    counts: HashMap<Box<str>, u32>,
}

impl Frequencies {
    /// Counts the blocks of a page.
    pub fn add(&mut self, segmentation: &Segmentation) {
        for block in &segmentation.blocks {
            match self.counts.get_mut(block.text.as_str()) {
                Some(count) => *count = count.saturating_add(1),
                None => {
                    self.counts.insert(block.text.as_str().into(), 1);
                }
            }
        }
    }

    /// The number of blocks with this text that were counted.
    pub fn of(&self, text: &str) -> u32 {
        self.counts.get(text).copied().unwrap_or(0)
    }
}
