//! From labelled pages to what classifiers learn from.

use trommel_extract::feature::{Frequencies, Set};

use crate::gold::{Class, GoldLabel, LabelledPage};
use crate::learning::Instances;

/// Which classes are told apart (WSDM 2010 §4.3.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Problem {
    /// Boilerplate and content; related content is boilerplate, comments are content.
    TwoClasses,
    /// Boilerplate, full text with comments, headline, supplemental.
    FourClasses,
}

impl Problem {
    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Problem::TwoClasses => "2-class",
            Problem::FourClasses => "4-class",
        }
    }

    /// Its classes; the first is boilerplate, all others are content.
    pub fn classes(self) -> &'static [&'static str] {
        match self {
            Problem::TwoClasses => &["boilerplate", "content"],
            Problem::FourClasses => &["boilerplate", "full text", "headline", "supplemental"],
        }
    }

    /// The number of a label's class. Content of a gold text is taken for full text.
    pub fn class_of(self, label: GoldLabel) -> u8 {
        match (self, label) {
            (_, label) if !label.is_content() => 0,
            (Problem::TwoClasses, _) => 1,
            (_, GoldLabel::Class(Class::Headline)) => 2,
            (_, GoldLabel::Class(Class::Supplemental)) => 3,
            _ => 1,
        }
    }
}

/// All blocks that have labels, each weighing its words, in the order of the pages.
pub fn instances(
    pages: &[LabelledPage],
    set: &Set,
    frequencies: &Frequencies,
    problem: Problem,
) -> Instances {
    let features = (set.features)();
    let mut instances = Instances {
        columns: vec![Vec::new(); features.len()],
        features: features.into_iter().map(|feature| feature.name).collect(),
        classes: problem
            .classes()
            .iter()
            .map(|&name| name.to_owned())
            .collect(),
        ..Instances::default()
    };
    for page in pages {
        let rows = set.rows(&page.page, &page.segmentation, frequencies);
        let blocks = page.segmentation.blocks.iter().zip(&page.labels).zip(rows);
        for ((block, label), row) in blocks {
            let Some(label) = *label else { continue };
            for (column, value) in instances.columns.iter_mut().zip(row) {
                column.push(value);
            }
            instances.class_of.push(problem.class_of(label));
            instances.weights.push(f64::from(block.num_words));
        }
    }
    instances
}
