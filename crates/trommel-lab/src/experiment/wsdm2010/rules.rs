//! The decision trees of WSDM 2010 with their leaves: the single rules of Table 2, Algorithms 1 and 2.

use trommel_page::{Block, DensityUnit};

/// What the trees look at in a block. Before the first and after the last block of a page all are 0.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct BlockValues {
    /// Words.
    pub words: u32,
    /// Text density.
    pub text_density: f64,
    /// Link density.
    pub link_density: f64,
}

impl BlockValues {
    /// The values of a block.
    pub fn of(block: &Block, unit: DensityUnit) -> Self {
        BlockValues {
            words: block.num_words,
            text_density: block.text_density(),
            link_density: block.link_density(unit),
        }
    }
}

/// Finds the leaf of a block from the previous block, the block and the next one.
type LeafFn = fn(&BlockValues, &BlockValues, &BlockValues) -> usize;

/// A decision tree.
pub struct Rule {
    /// Its name in Table 2.
    pub name: &'static str,
    /// For each leaf whether it is content.
    pub leaves: &'static [bool],
    leaf: LeafFn,
}

impl Rule {
    /// The number of a block's leaf.
    pub fn leaf_of(
        &self,
        previous: &BlockValues,
        block: &BlockValues,
        next: &BlockValues,
    ) -> usize {
        (self.leaf)(previous, block, next)
    }

    /// Is a leaf content?
    pub fn verdict(&self, leaf: usize) -> bool {
        self.leaves[leaf]
    }
}

/// The classifiers of Table 2 that need no training.
pub fn all() -> &'static [Rule] {
    &[
        Rule {
            name: "ZeroR: all content",
            leaves: &[true],
            leaf: |_, _, _| 0,
        },
        Rule {
            name: "number of words @15",
            leaves: &[false, true],
            leaf: |_, block, _| usize::from(block.words >= 15),
        },
        Rule {
            name: "link density @0.33",
            leaves: &[false, true],
            leaf: |_, block, _| usize::from(block.link_density <= 0.33),
        },
        Rule {
            name: "text density @10.5",
            leaves: &[false, true],
            leaf: |_, block, _| usize::from(block.text_density >= 10.5),
        },
        Rule {
            name: "NumWords + LinkDensity, simplified",
            leaves: &[false, false, true, true, true, false, true, true],
            leaf: algorithm2,
        },
        Rule {
            name: "Text + LinkDensity, simplified",
            leaves: &[false, false, true, true, false, true, false, true],
            leaf: algorithm1,
        },
    ]
}

/// Link densities of Algorithms 1 and 2: of the block itself, and of the previous one.
const LINK_DENSITIES: (f64, f64) = (0.333333, 0.555556);

/// Algorithm 1, densitometric classifier: the number of the leaf, where 0 is the block's own link density and the others follow
/// in the order in which they are printed.
fn algorithm1(previous: &BlockValues, block: &BlockValues, next: &BlockValues) -> usize {
    if block.link_density > LINK_DENSITIES.0 {
        return 0;
    }
    if previous.link_density > LINK_DENSITIES.1 {
        return if next.text_density <= 11.0 { 6 } else { 7 };
    }
    if block.text_density > 9.0 {
        return if next.text_density == 0.0 { 4 } else { 5 };
    }
    match (next.text_density <= 10.0, previous.text_density <= 4.0) {
        (true, true) => 1,
        (true, false) => 2,
        (false, _) => 3,
    }
}

/// Algorithm 2, classifier based on number of words, numbered likewise.
fn algorithm2(previous: &BlockValues, block: &BlockValues, next: &BlockValues) -> usize {
    if block.link_density > LINK_DENSITIES.0 {
        return 0;
    }
    if previous.link_density > LINK_DENSITIES.1 {
        return match (block.words <= 40, next.words <= 17) {
            (true, true) => 5,
            (true, false) => 6,
            (false, _) => 7,
        };
    }
    match (block.words <= 16, next.words <= 15, previous.words <= 4) {
        (true, true, true) => 1,
        (true, true, false) => 2,
        (true, false, _) => 3,
        (false, ..) => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The verdicts are those of the extractors, which are proven against the original.
    #[test]
    fn trees_agree_with_extractors() {
        use trommel_extract::{Label, Subject, parse};
        use trommel_page::{Page, Segmentation};

        let mut segmentation = Segmentation::default();
        let mut state = 1u32;
        for _ in 0..2000 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let words = (state >> 16) % 50;
            segmentation.blocks.push(Block {
                num_words: words,
                num_tokens: words,
                num_linked_words: [0, 0, words / 3, words][(state >> 8 & 3) as usize],
                num_words_in_full_lines: words,
                num_lines: 1 + words / 12,
                ..Block::default()
            });
        }
        let page = Page::default();
        let subject = Subject::new(&page, "", "");
        for (name, tree) in [
            ("boilerpipe-numwords", "NumWords + LinkDensity, simplified"),
            ("boilerpipe-density", "Text + LinkDensity, simplified"),
        ] {
            let labels = parse(name).unwrap().label(&subject, &segmentation);
            let rule = all().iter().find(|rule| rule.name == tree).unwrap();
            let values: Vec<BlockValues> = segmentation
                .blocks
                .iter()
                .map(|block| BlockValues::of(block, segmentation.unit))
                .collect();
            let at = |i: usize| values.get(i).copied().unwrap_or_default();
            let mut seen = vec![false; rule.leaves.len()];
            for (i, label) in labels.iter().enumerate() {
                let leaf = rule.leaf_of(&at(i.wrapping_sub(1)), &at(i), &at(i + 1));
                seen[leaf] = true;
                assert_eq!(rule.verdict(leaf), *label == Label::Content, "{name} {i}");
            }
            assert!(seen.iter().filter(|seen| **seen).count() >= 7, "{seen:?}");
        }
    }
}
