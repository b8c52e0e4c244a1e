//! What extractors say of the blocks of an index.

use std::sync::Arc;

use trommel_extract as extractor;
use trommel_extract::{Confidence, Label, PREFERRED, Verdicts};

use crate::format::error::IndexError;
use crate::format::labels::LabelSet;
use crate::search::open::Index;
use crate::search::open_labels::OpenSet;

impl Index {
    /// The label set of a name, or of an extractor as it was written when they were made: its parameters may be in another
    /// order, and defaults among them.
    ///
    /// # Errors
    /// [`IndexError::NoLabels`] if the index has none of this name.
    fn label_set(&self, name: &str) -> Result<&LabelSet, IndexError> {
        let sets = &self.manifest.extractors;
        let find = |name: &str| sets.iter().find(|set| set.name == name);
        let found = find(name).or_else(|| find(&extractor::name_of_labels(name)?));
        found.ok_or_else(|| self.no_labels(name))
    }

    fn no_labels(&self, name: &str) -> IndexError {
        let sets = self.manifest.extractors.iter();
        IndexError::NoLabels {
            path: self.path().to_owned(),
            name: name.to_owned(),
            known: sets.map(|set| set.name.clone()).collect(),
        }
    }

    /// The labels of [`Index::label_set`].
    ///
    /// # Errors
    /// [`IndexError::NoLabels`] if the index has none of this name, and those of reading them.
    pub(crate) fn labels(&self, name: &str) -> Result<Arc<OpenSet>, IndexError> {
        let set = self.label_set(name)?;
        match self.open_labels.get(&set.name) {
            Some(Ok(labels)) => Ok(Arc::clone(labels)),
            Some(Err(broken)) => Err(broken.error()),
            None => Err(self.no_labels(name)),
        }
    }

    /// The label set whose confidences a filter with this extractor means. Without an extractor, those of the only set that has
    /// some, and of several the one that is called `trommel`.
    ///
    /// # Errors
    /// [`IndexError::NoLabels`], [`IndexError::NoConfidences`], [`IndexError::WhichConfidences`].
    pub fn confidences_of(&self, extractor: Option<&str>) -> Result<&LabelSet, IndexError> {
        let sets = &self.manifest.extractors;
        let known: Vec<&LabelSet> = sets.iter().filter(|set| set.confidences).collect();
        let names = || known.iter().map(|set| set.name.clone()).collect();
        let path = || self.path().to_owned();
        match (extractor, known.as_slice()) {
            (Some(name), _) => match self.label_set(name)? {
                set if set.confidences => Ok(set),
                set => Err(IndexError::LabelsWithoutConfidences {
                    path: path(),
                    name: set.name.clone(),
                    known: names(),
                }),
            },
            (None, []) => Err(IndexError::NoConfidences(path())),
            (None, [only]) => Ok(only),
            (None, several) => {
                let preferred = several.iter().find(|set| set.name == PREFERRED);
                preferred
                    .copied()
                    .ok_or_else(|| IndexError::WhichConfidences {
                        path: path(),
                        known: names(),
                    })
            }
        }
    }

    /// What is wrong with the labels of an extractor, in words.
    ///
    /// # Errors
    /// Those of reading them.
    pub(crate) fn check_labels(&self, set: &LabelSet) -> Result<Vec<String>, IndexError> {
        let mut wrong = Vec::new();
        let (labels, name) = (self.labels(&set.name)?, &set.name);
        let bits = labels.directories.iter();
        let bits = bits.flat_map(|(_, of)| of.bits.get(8..).unwrap_or_default());
        let content: u64 = bits.map(|byte| u64::from(byte.count_ones())).sum();
        if content != set.content_blocks {
            let listed = set.content_blocks;
            wrong.push(format!(
                "it counts {listed} content blocks of '{name}', and there are {content}"
            ));
        }
        let confidences = labels.directories.iter();
        let mut confidences = confidences.filter_map(|(_, of)| of.confidences.as_ref()?.get(8..));
        if confidences.any(|of| {
            of.iter()
                .any(|byte| *byte > Confidence::MAX.in_hundredths())
        }) {
            wrong.push(format!("a confidence of '{name}' is more than 1"));
        }
        Ok(wrong)
    }

    /// The verdicts of an extractor on the blocks of a page.
    ///
    /// # Errors
    /// As [`Index::search`] under a filter with this extractor.
    pub fn page_verdicts(&self, page: u32, name: &str) -> Result<Verdicts, IndexError> {
        let has_confidences = self.label_set(name)?.confidences;
        let labels = self.labels(name)?;
        let (first, count) = (self.layout.number(page, 0), self.layout.extent(page)?.count);
        let blocks = || first..first.saturating_add(u64::from(count));
        let label = |number| Label::content_if(labels.is_content(number));
        let confidence = |number| labels.confidence(number);
        Ok(Verdicts {
            labels: blocks().map(label).collect(),
            confidences: has_confidences.then(|| blocks().map(confidence).collect()),
        })
    }
}
