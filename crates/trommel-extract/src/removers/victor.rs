//! Victor (Marek, Pecina and Spousta, *Web Page Cleaning with Conditional Random Fields*, WAC 3 / CleanEval 2007; Spousta, Marek and Pecina, *Victor: the
//! Web-Page Cleaning Tool*, WAC 4, 2008): the blocks of a page as a sequence, labelled together by a conditional random field over
//! features of markup, text and document.
//!
//! The texts of the papers were not to be had; of the features in `victor/features.rs` the kinds are the papers' (containers and splits in markup,
//! shares of kinds of characters and tokens, sentences, duplicates, dates and addresses, shares of words in the enclosing `div` and `td`, size of the document,
//! position), but which values fall into one bin is our choice. Each numeric feature is cut into bins and each bin is a feature that is there or not, as
//! CRF++, which the authors used, wants it; a block has those of its neighbours too. The languages' models of the second paper are left out.
//!
//! Blocks are jusText's paragraphs: text between tags that are not inline. The model that is built in was trained on the 57 of CleanEval's
//! pages for development, by `trommel train victor`; the authors trained on the same pages, labelled by hand.

pub mod features;

use serde::{Deserialize, Serialize};

use crate::classifier::crf::Crf;
use crate::{
    ExtractorError, ExtractorRow, Label, Make, ModelKind, Parameter, Takes, TrainingPages, Verdict,
};

/// The segmenter on whose blocks it is defined.
pub const SEGMENTER: &str = "paragraph";

const MODEL: ModelKind = ModelKind {
    name: "victor",
    version: 1,
};

/// The model that is built in.
const BUILT_IN: &str = include_str!("models/victor.json");

pub(super) const ROW: ExtractorRow = ExtractorRow {
    name: "victor",
    summary: "paragraphs labelled together by a conditional random field (Victor)",
    source: "Marek, Pecina and Spousta 2007; Spousta, Marek and Pecina 2008",
    segmenter: Some(SEGMENTER),
    takes: Takes::Parameters(&[Parameter {
        name: "model",
        default: "",
        summary: "a model made by training instead of the built-in one",
    }]),
    make: Make::Scored(|arguments| {
        let model: VictorModel = MODEL.read_trained(arguments, BUILT_IN)?;
        if model.features != features::names() || model.field.state.len() != features::count() {
            let why = "features that this program does not have";
            return Err(MODEL.refused(&arguments.path, why));
        }
        Ok(Box::new(move |subject, segmentation| {
            let places = features::of_blocks(subject.page, segmentation);
            let scores = model.field.scores(&places);
            let labels = model.field.labels(&scores).into_iter();
            labels
                .zip(model.field.probabilities(&scores))
                .map(|(label, probability)| Verdict {
                    label: Label::content_if(label),
                    probability: probability as f32,
                })
                .collect()
        }))
    }),
};

/// What the model file holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct VictorModel {
    /// The names of the features with the number of their bins.
    pub features: Vec<(String, u32)>,
    /// The field.
    pub field: Crf,
}

impl VictorModel {
    /// A model of a field that was learnt on [`features::of_blocks`].
    pub fn of(field: Crf) -> VictorModel {
        VictorModel {
            features: features::names(),
            field,
        }
    }

    /// The text of the model file. `learnt` says in words what was learnt, and `pages` has from which pages.
    ///
    /// # Errors
    /// [`ExtractorError::Model`] if the model cannot be said in JSON.
    pub fn write(&self, learnt: &str, pages: &TrainingPages) -> Result<String, ExtractorError> {
        MODEL.write_trained(learnt, pages, self)
    }
}
