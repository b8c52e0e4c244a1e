//! Blocks and what extractors say of them as columns of Arrow.

use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, Float64Array, StringArray, UInt32Array};
use trommel_extract::Verdicts;
use trommel_page::{Block, DensityUnit};

/// A column and its name.
pub type Column = (String, ArrayRef);

/// `block`, `text`, `tag`, the counts and the densities of blocks, each with its number on its page: the words that JSON has for them.
pub fn of_blocks(blocks: &[(usize, &Block)], unit: DensityUnit) -> Vec<Column> {
    let numbers = |of: &dyn Fn(&(usize, &Block)) -> u32| -> ArrayRef {
        Arc::new(UInt32Array::from_iter_values(blocks.iter().map(of)))
    };
    let quotients = |of: &dyn Fn(&Block) -> f64| -> ArrayRef {
        let values = blocks.iter().map(|(_, block)| of(block));
        Arc::new(Float64Array::from_iter_values(values))
    };
    let strings = |of: fn(&Block) -> &str| -> ArrayRef {
        let values = blocks.iter().map(|(_, block)| of(block));
        Arc::new(StringArray::from_iter_values(values))
    };
    let columns: [(&str, ArrayRef); 10] = [
        ("block", numbers(&|(number, _)| *number as u32)),
        ("text", strings(|block| &block.text)),
        ("tag", strings(|block| block.tag.name())),
        ("num_words", numbers(&|(_, block)| block.num_words)),
        ("num_tokens", numbers(&|(_, block)| block.num_tokens)),
        ("num_linked_words", numbers(&|(_, it)| it.num_linked_words)),
        (
            "num_words_in_full_lines",
            numbers(&|(_, block)| block.num_words_in_full_lines),
        ),
        ("num_lines", numbers(&|(_, block)| block.num_lines)),
        ("text_density", quotients(&Block::text_density)),
        ("link_density", quotients(&|block| block.link_density(unit))),
    ];
    let named = columns.into_iter();
    named
        .map(|(name, column)| (name.to_owned(), column))
        .collect()
}

/// What an extractor says of some blocks of some pages: `content(NAME)`, and `confidence(NAME)` if it gives confidences. Each block is
/// given by what the extractor says of its page, and by its number there.
pub fn of_verdicts(
    name: &str,
    gives_confidences: bool,
    blocks: &[(&Verdicts, usize)],
) -> Vec<Column> {
    let content = blocks.iter().map(|(of, at)| Some(of.is_content(*at)));
    let content: BooleanArray = content.collect();
    let mut columns: Vec<Column> = vec![(format!("content({name})"), Arc::new(content))];
    if gives_confidences {
        let confidences = blocks.iter().map(|(of, at)| of.confidence(*at));
        let confidences: Float64Array = confidences.map(|it| it.map(|it| it.to_f64())).collect();
        columns.push((format!("confidence({name})"), Arc::new(confidences)));
    }
    columns
}
