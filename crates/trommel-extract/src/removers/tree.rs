//! A decision tree on shallow text features, learnt from a gold standard (WSDM 2010, Algorithms 1 and 2 are two such trees).
//!
//! `trommel train tree` makes the model. The features are measured on `atomic` blocks, as the paper has them; a tree that asks for
//! the frequency of a text in a collection is refused, since one page does not tell it.

use serde::{Deserialize, Serialize};

use crate::classifier::tree::Tree;
use crate::feature::{self, Frequencies};
use crate::{ExtractorError, ExtractorRow, Label, Make, ModelKind, Takes, TrainingPages};

/// The set of features, and the segmenter on whose blocks it is defined.
const SET: &str = "wsdm";
const SEGMENTER: &str = "atomic";

const MODEL: ModelKind = ModelKind {
    name: "tree",
    version: 1,
};

pub(super) const ROW: ExtractorRow = ExtractorRow {
    name: "tree",
    summary: "what a trained decision tree takes for content",
    source: "WSDM 2010 §4.3",
    segmenter: Some(SEGMENTER),
    takes: Takes::Model,
    make: Make::Labels(|arguments| {
        let model: TreeModel = MODEL.read_trained(arguments, "")?;
        let wrong = |why: &str| MODEL.refused(&arguments.path, why);
        let set = feature::by_name(SET)
            .filter(|set| set.name == model.set && set.segmenter == SEGMENTER)
            .ok_or_else(|| wrong("a tree on features that this program does not have"))?;
        let known = (set.features)();
        let places: Option<Vec<usize>> = (model.tree.features.iter())
            .map(|name| known.iter().position(|of| of.name == *name))
            .collect();
        let places = places.ok_or_else(|| wrong("a tree on features that are not known"))?;
        if !model.tree.is_whole() || model.content.len() != model.tree.classes.len() {
            return Err(wrong("a damaged model (no whole tree)"));
        }
        if uses_collection(&model.tree) {
            return Err(wrong("a tree on the frequencies of texts in a collection"));
        }
        Ok(Box::new(move |subject, segmentation| {
            let mut labels = Vec::with_capacity(segmentation.blocks.len());
            let nothing = Frequencies::default();
            (set.measure)(subject.page, segmentation, &nothing, &mut |row| {
                let value = |number: usize| places.get(number).map_or(0.0, |&place| row[place]);
                labels.push(Label::content_if(model.content[model.tree.class(&value)]));
            });
            labels
        }))
    }),
};

/// What the model file holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TreeModel {
    /// The set of features: `wsdm`.
    pub set: String,
    /// For each class of the tree whether it is content.
    pub content: Vec<bool>,
    /// The tree; its features are named as those of the set.
    pub tree: Tree,
}

impl TreeModel {
    /// The text of the model file. `learnt` says in words what was learnt, and `pages` has from which pages.
    ///
    /// # Errors
    /// [`ExtractorError::Model`] if the tree cannot be said in JSON.
    pub fn write(&self, learnt: &str, pages: &TrainingPages) -> Result<String, ExtractorError> {
        MODEL.write_trained(learnt, pages, self)
    }
}

/// Does it look beyond the page?
fn uses_collection(tree: &Tree) -> bool {
    let used = tree.used_features().into_iter();
    used.map(|number| &tree.features[number])
        .any(|name| name.ends_with("_frequency"))
}
