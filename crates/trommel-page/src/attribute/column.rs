//! The integers that are measured of each block and stored with it.

use std::fmt;

use crate::page::Block;

/// An integer that is measured when a block is indexed, and its fast field.
pub struct Column {
    /// Name of the fast field.
    pub field: &'static str,
    /// Measures a block.
    pub measure: fn(&Block) -> u32,
    /// Where the block itself has the integer; none where it is counted in its text.
    pub place: Option<fn(&mut Block) -> &mut u32>,
}

impl fmt::Debug for Column {
    // The address of the function says nothing, and need not be the same in two places.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Column").field(&self.field).finish()
    }
}

impl PartialEq for Column {
    fn eq(&self, other: &Column) -> bool {
        self.field == other.field
    }
}

impl Eq for Column {}

/// The words of a block: what histograms weigh blocks by and positions count.
pub fn words_column() -> &'static Column {
    &NUM_WORDS
}

/// Words of a block.
pub(super) static NUM_WORDS: Column = Column {
    field: "num_words",
    measure: |block| block.num_words,
    place: Some(|block| &mut block.num_words),
};

/// Tokens of a block.
pub(super) static NUM_TOKENS: Column = Column {
    field: "num_tokens",
    measure: |block| block.num_tokens,
    place: Some(|block| &mut block.num_tokens),
};

/// Words in links of a block.
pub(super) static NUM_LINKED_WORDS: Column = Column {
    field: "num_linked_words",
    measure: |block| block.num_linked_words,
    place: Some(|block| &mut block.num_linked_words),
};

/// Wrapped lines of a block.
pub(super) static NUM_LINES: Column = Column {
    field: "num_lines",
    measure: |block| block.num_lines,
    place: Some(|block| &mut block.num_lines),
};
