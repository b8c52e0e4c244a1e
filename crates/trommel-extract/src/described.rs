//! What is said of a block in JSON: the same words wherever blocks are listed.

use std::collections::BTreeMap;

use serde::Serialize;

use trommel_page::{Block, DensityUnit};

use crate::confidence::Verdicts;

/// The values of a block.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct BlockNumbers {
    num_words: u32,
    num_tokens: u32,
    num_linked_words: u32,
    num_words_in_full_lines: u32,
    num_lines: u32,
    text_density: f64,
    link_density: f64,
}

impl BlockNumbers {
    /// Those of a block; densities are by `unit`.
    pub fn of(block: &Block, unit: DensityUnit) -> Self {
        BlockNumbers {
            num_words: block.num_words,
            num_tokens: block.num_tokens,
            num_linked_words: block.num_linked_words,
            num_words_in_full_lines: block.num_words_in_full_lines,
            num_lines: block.num_lines,
            text_density: block.text_density(),
            link_density: block.link_density(unit),
        }
    }
}

/// What extractors say of a block, by their names.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct BlockVerdicts {
    /// Is it content?
    labels: BTreeMap<String, bool>,
    /// Of those extractors that give them, from 0 to 1.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    confidences: BTreeMap<String, f64>,
    /// What F1 all that they keep of the page can be expected to have, of those extractors that give confidences, from 0 to 1.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    expected_f1: BTreeMap<String, f64>,
}

impl BlockVerdicts {
    /// What is said of the block of a number. `verdicts` are those of a page, by the names of the extractors.
    pub fn of<'a>(
        number: usize,
        verdicts: impl IntoIterator<Item = (&'a str, &'a Verdicts)>,
    ) -> Self {
        let mut said = BlockVerdicts::default();
        for (name, of) in verdicts {
            said.labels.insert(name.to_owned(), of.is_content(number));
            if let Some(confidence) = of.confidence(number) {
                said.confidences
                    .insert(name.to_owned(), confidence.to_f64());
            }
        }
        said
    }

    /// With the expected F1 of the page ([`Verdicts::expected_f1`]), by the names of the extractors.
    pub fn expecting<'a>(
        mut self,
        expected: impl IntoIterator<Item = (&'a str, Option<f64>)>,
    ) -> Self {
        for (name, f1) in expected {
            if let Some(f1) = f1 {
                self.expected_f1.insert(name.to_owned(), f1);
            }
        }
        self
    }
}
