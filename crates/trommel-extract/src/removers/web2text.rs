//! Web2Text (Vogels, Ganea and Eickhoff, *Web2Text: Deep Structured Boilerplate Removal*, ECIR 2018): two convolutional networks
//! over the features of text nodes and of pairs of neighbours, and the labels that both together find most probable.
//!
//! The weights that are compiled in were trained on 525 pages of CleanEval and chosen by 58 more. What they say of those pages is no test:
//! 148 pages were kept out for that, and `models/web2text.json.manifest.json` has the names of all and the figures.
//! `trommel train web2text` makes others.

use std::path::Path;

use serde::{Deserialize, Serialize};
use trommel_page::{Page, Segmentation};

use crate::classifier::network::{Network, Passing};
use crate::classifier::standardize::Scales;
use crate::classifier::viterbi::viterbi;
use crate::feature::{self, Frequencies};
use crate::{
    ExtractorError, ExtractorRow, Label, Make, ModelKind, Parameter, Takes, TrainingPages, Verdict,
};

const SEGMENTER: &str = "leaf";

const MODEL: ModelKind = ModelKind {
    name: "web2text",
    version: 1,
};

/// The model that is compiled in.
const BUILT_IN: &str = include_str!("models/web2text.json");

pub(super) const ROW: ExtractorRow = ExtractorRow {
    name: "web2text",
    summary: "neighbouring text nodes labelled together by networks that were trained on CleanEval",
    source: "Web2Text (ECIR 2018)",
    segmenter: Some(SEGMENTER),
    takes: Takes::Parameters(&[
        Parameter {
            name: "lambda",
            default: "0.1",
            summary: "what the network of pairs counts, 0 or more",
        },
        Parameter {
            name: "model",
            default: "",
            summary: "a model made by training, instead of the weights that are built in",
        },
    ]),
    make: Make::Scored(|arguments| {
        let lambda = arguments.number("lambda")?;
        if lambda < 0.0 {
            return Err(ExtractorError::Value {
                parameter: "lambda",
                value: lambda.to_string(),
                why: "less than 0".to_owned(),
            });
        }
        let path = &arguments.path;
        let model = MODEL.read_trained(arguments, BUILT_IN);
        let model = model.and_then(|model| whole(model, path))?;
        Ok(Box::new(move |subject, segmentation| {
            model.verdicts(subject.page, segmentation, lambda)
        }))
    }),
};

/// What the model file holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Web2TextModel {
    /// Shares of boilerplate and content for each text node.
    pub unary: Potentials,
    /// For each pair of neighbours the shares of boilerplate-boilerplate, boilerplate-content, content-boilerplate and
    /// content-content.
    pub pairwise: Potentials,
}

/// A network with what its input is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Potentials {
    /// Names of the features, as the set has them.
    pub features: Vec<String>,
    /// What standardizes them.
    pub scales: Scales,
    /// The network.
    pub network: Network,
}

impl Potentials {
    /// The set of features that a network of text nodes or, with `pairs`, of pairs looks at.
    pub fn set(pairs: bool) -> Option<&'static feature::Set> {
        feature::by_name(if pairs { "web2text-edges" } else { "web2text" })
    }

    /// The features of a page's text nodes or pairs, row after row; not standardized.
    pub fn measure(pairs: bool, page: &Page, segmentation: &Segmentation) -> Vec<f32> {
        let mut rows = Vec::new();
        Potentials::for_each(pairs, page, segmentation, &mut |row| {
            rows.extend(row.iter().map(|value| *value as f32));
        });
        rows
    }

    fn for_each(
        pairs: bool,
        page: &Page,
        segmentation: &Segmentation,
        each: &mut dyn FnMut(&[f64]),
    ) {
        if let Some(set) = Potentials::set(pairs) {
            (set.measure)(page, segmentation, &Frequencies::default(), each);
        }
    }

    /// The shares of a page's text nodes or pairs; the features are not kept.
    fn shares_of_page(&self, pairs: bool, page: &Page, segmentation: &Segmentation) -> Vec<f32> {
        let mut passing = Passing::new(&self.network);
        let mut scaled: Vec<f32> = Vec::new();
        Potentials::for_each(pairs, page, segmentation, &mut |row| {
            scaled.clear();
            scaled.extend(row.iter().map(|value| *value as f32));
            self.scales.apply(&mut scaled);
            passing.push(&scaled);
        });
        passing.finish()
    }

    /// For each row of features, measured as [`Potentials::measure`] does it, a share for each class.
    pub fn shares(&self, mut rows: Vec<f32>) -> Vec<f32> {
        self.scales.apply(&mut rows);
        self.network.shares(&rows)
    }

    /// What keeps it from being run on this set of features, if anything does.
    fn wrong(&self, pairs: bool) -> Option<&'static str> {
        let known = Potentials::set(pairs).map_or(Vec::new(), |set| (set.features)());
        let known: Vec<&str> = known.iter().map(|feature| feature.name.as_str()).collect();
        let classes = if pairs { 4 } else { 2 };
        if self.features != known {
            Some("networks on features that this program does not have")
        } else if !self.scales.is_whole(known.len()) {
            Some("a damaged model (means and deviations)")
        } else if !self.network.is_whole()
            || self.network.inputs() != known.len()
            || self.network.outputs() != classes
        {
            Some("a damaged model (no whole network)")
        } else {
            None
        }
    }
}

impl Web2TextModel {
    /// The text of the model file. `learnt` says in words what was learnt, and `pages` has from which pages.
    ///
    /// # Errors
    /// [`ExtractorError::Model`] if the model cannot be said in JSON.
    pub fn write(&self, learnt: &str, pages: &TrainingPages) -> Result<String, ExtractorError> {
        MODEL.write_trained(learnt, pages, self)
    }

    /// Reads a model file.
    ///
    /// # Errors
    /// [`ExtractorError::File`]: what [`ModelKind::read`] refuses, and networks that cannot be run.
    pub fn read(path: &Path) -> Result<Web2TextModel, ExtractorError> {
        MODEL.read(path).and_then(|model| whole(model, path))
    }

    /// The label of each block, with the share for content. With λ = 0 the network of text nodes decides alone.
    fn verdicts(&self, page: &Page, segmentation: &Segmentation, lambda: f64) -> Vec<Verdict> {
        let unary = self.unary.shares_of_page(false, page, segmentation);
        let pairwise = || self.pairwise.shares_of_page(true, page, segmentation);
        let content = most_probable(&unary, pairwise, lambda);
        let shares = unary.as_chunks().0.iter().map(|[_, content]| *content);
        let verdict = |(content, probability)| Verdict {
            label: Label::content_if(content),
            probability,
        };
        content.into_iter().zip(shares).map(verdict).collect()
    }

    /// For each block whether it is content, from features that were measured before.
    pub fn decide(&self, unary: Vec<f32>, pairwise: Vec<f32>, lambda: f64) -> Vec<bool> {
        let unary = self.unary.shares(unary);
        most_probable(&unary, || self.pairwise.shares(pairwise), lambda)
    }
}

/// Whether each block is content in the most probable labelling. With λ = 0 pairs of neighbours are not asked for.
fn most_probable(unary: &[f32], pairwise: impl FnOnce() -> Vec<f32>, lambda: f64) -> Vec<bool> {
    let pairwise = match lambda {
        0.0 => vec![0.25; (unary.len() / 2).saturating_sub(1) * 4],
        _ => pairwise(),
    };
    viterbi(unary.as_chunks().0, pairwise.as_chunks().0, lambda)
}

fn whole(model: Web2TextModel, path: &Path) -> Result<Web2TextModel, ExtractorError> {
    match model.unary.wrong(false).or(model.pairwise.wrong(true)) {
        None => Ok(model),
        Some(why) => Err(MODEL.refused(path, why)),
    }
}
