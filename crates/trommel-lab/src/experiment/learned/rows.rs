//! The rows of Table 2.

use trommel_extract::feature::Dimensions;

use crate::training::tree::{DENSITIES, WORDS_AND_LINKS};

/// An algorithm with what it looks at.
pub struct Row {
    /// Its name in the paper.
    pub name: &'static str,
    pub learner: Learner,
    pub looks_at: LooksAt,
}

impl Row {
    /// Is it a tree or a rule, of which there are several ways?
    pub fn depends_on_way(&self) -> bool {
        !matches!(self.learner, Learner::ZeroR | Learner::Svm)
    }
}

pub enum Learner {
    /// The class that most has.
    ZeroR,
    OneRule,
    /// Grown, not pruned.
    Tree,
    /// Grown, and pruned by its errors on blocks that were held back.
    PrunedTree,
    Svm,
}

pub enum LooksAt {
    Nothing,
    Named(&'static [&'static str]),
    Selection(Dimensions),
}

const fn row(name: &'static str, learner: Learner, looks_at: LooksAt) -> Row {
    Row {
        name,
        learner,
        looks_at,
    }
}

pub fn all() -> Vec<Row> {
    use Learner::{OneRule, PrunedTree, Svm, Tree, ZeroR};
    use LooksAt::{Named, Nothing, Selection};
    vec![
        row("ZeroR", ZeroR, Nothing),
        row(
            "Only Avg. Sentence Length",
            OneRule,
            Named(&["curr_avg_sentence_length"]),
        ),
        row(
            "C4.8 Element Frequency (P/C/N)",
            Tree,
            Named(&["curr_frequency", "prev_frequency", "next_frequency"]),
        ),
        row(
            "Only Avg. Word Length",
            OneRule,
            Named(&["curr_avg_word_length"]),
        ),
        row("Only Number of Words", OneRule, Named(&["curr_num_words"])),
        row("Only Link Density", OneRule, Named(&["curr_link_density"])),
        row("1R: Text Density", OneRule, Named(&["curr_text_density"])),
        row(
            "C4.8 Link Density (P/C/N)",
            Tree,
            Named(&[
                "curr_link_density",
                "prev_link_density",
                "next_link_density",
            ]),
        ),
        row(
            "C4.8 Number of Words (P/C/N)",
            Tree,
            Named(&["curr_num_words", "prev_num_words", "next_num_words"]),
        ),
        row(
            "C4.8 All Local Features (C)",
            Tree,
            Selection(Dimensions::Local),
        ),
        row(
            "C4.8 NumWords + LinkDensity, simplified",
            PrunedTree,
            Named(&WORDS_AND_LINKS),
        ),
        row(
            "C4.8 Text + LinkDensity, simplified",
            PrunedTree,
            Named(&DENSITIES),
        ),
        row(
            "C4.8 All Local Features (C) + TDQ",
            Tree,
            Selection(Dimensions::LocalWithQuotients),
        ),
        row("C4.8 Text+Link Density (P/C/N)", Tree, Named(&DENSITIES)),
        row(
            "C4.8 All Local Features (P/C/N)",
            Tree,
            Selection(Dimensions::Context),
        ),
        row(
            "C4.8 All Local Features + Global Freq.",
            Tree,
            Selection(Dimensions::ContextWithFrequency),
        ),
        row(
            "SMO All Local Features + Global Freq.",
            Svm,
            Selection(Dimensions::ContextWithFrequency),
        ),
    ]
}
