//! Boilerplate removers: page to labels. One published algorithm per file, one row in [`all`] each.
//!
//! An [`Extractor`] is a row of the registry; [`parse`] makes of it, with its parameters or its model, a [`Labeler`] that can
//! label pages. Each is defined on the blocks of one segmenter (or of any); [`Labeler::labels`] projects its verdicts onto
//! any other segmentation, and so are the confidences of those that give them ([`Make::Scored`]). What needs a collection learns from it by a [`Learner`], a row of [`learners`].

pub mod align;
mod arguments;
mod block_fusion;
mod boilerpipe_article;
mod boilerpipe_canola;
mod boilerpipe_default;
mod boilerpipe_density;
mod boilerpipe_largest;
mod boilerpipe_numwords;
mod boilerpipe_sentences;
mod bte;
mod cleaneval_rule;
mod confidence;
mod content_tree;
mod error;
mod external;
mod filter;
mod fingerprint;
mod goldminer;
pub mod justext;
mod keep_everything;
mod largest_content;
mod learn;
mod main_content;
mod max_link_density_0_33;
mod min_density_10_5;
mod min_words_10;
mod min_words_15;
mod model;
mod onion;
mod page_filter;
mod project;
mod rule;
mod site;
mod subject;
mod templates;
mod training_pages;
mod tree;
pub mod trommel;
mod web2text;

use std::fmt;

use crate::html::segment::{self, Segmenter};
use crate::page::{Block, Segmentation};
use crate::text::choice;

pub use arguments::{Arguments, Missing, Parameter, Takes};
pub use confidence::{Confidence, ConfidenceError, Verdict, Verdicts};
pub use error::ExtractorError;
pub use learn::{Learner, LearnerRow, learner, learners};
pub use model::{ModelKind, learnt};
pub use page_filter::{PREFERRED, PageFacts, PageFilter};
pub use project::{project, project_probabilities};
pub use site::{SiteBy, site};
pub use subject::Subject;
pub use training_pages::{TrainedOn, TrainingPages};
pub use tree::TreeModel;
pub use web2text::{Potentials, Web2TextModel};

/// The verdict on a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Label {
    /// Main content.
    Content,
    /// Navigation, teasers, advertisements, legal notices.
    Boilerplate,
}

impl Label {
    /// [`Label::Content`] for true.
    pub fn content_if(condition: bool) -> Label {
        if condition {
            Label::Content
        } else {
            Label::Boilerplate
        }
    }
}

/// A published boilerplate remover: a row of the registry.
#[derive(Debug)]
pub struct Extractor {
    /// Its name in flags, manifests and columns.
    pub name: &'static str,
    /// One line for `--help`.
    pub summary: &'static str,
    /// Where the algorithm was published.
    pub source: &'static str,
    /// The segmenter on whose blocks the algorithm is defined; none if it takes any.
    pub segmenter: Option<&'static str>,
    /// What it takes behind its name.
    pub takes: Takes,
    /// Makes the algorithm ready to run.
    pub make: Make,
}

impl Extractor {
    /// Do its verdicts come with confidences?
    pub fn has_confidences(&self) -> bool {
        matches!(self.make, Make::Scored(_))
    }
}

/// How an extractor is made ready to run: which of the two tells whether it gives confidences.
#[derive(Debug, Clone, Copy)]
pub enum Make {
    /// It gives labels.
    Labels(fn(&Arguments) -> Result<Box<LabelFn>, ExtractorError>),
    /// It gives labels with confidences, both at once.
    Scored(fn(&Arguments) -> Result<Box<ScoreFn>, ExtractorError>),
}

/// A label for each block of a segmentation of the page.
pub type LabelFn = dyn Fn(&Subject, &Segmentation) -> Vec<Label> + Send + Sync;

/// A label with its confidence for each block of a segmentation of the page.
pub type ScoreFn = dyn Fn(&Subject, &Segmentation) -> Vec<Verdict> + Send + Sync;

enum Judge {
    Labels(Box<LabelFn>),
    Scored(Box<ScoreFn>),
}

/// An extractor that is ready to run.
pub struct Labeler {
    /// The name of its labels: the extractor's with the parameters that are not the defaults.
    pub name: String,
    /// What it was made of: name and arguments as they were written.
    pub spec: String,
    /// Its row.
    pub extractor: &'static Extractor,
    /// What it was made with.
    pub arguments: Arguments,
    /// The segmenter on whose blocks it is defined; none if it takes any.
    pub segmenter: Option<&'static Segmenter>,
    judge: Judge,
}

/// All extractors.
pub fn all() -> &'static [Extractor] {
    &[
        keep_everything::EXTRACTOR,
        min_words_10::EXTRACTOR,
        min_words_15::EXTRACTOR,
        min_density_10_5::EXTRACTOR,
        max_link_density_0_33::EXTRACTOR,
        cleaneval_rule::EXTRACTOR,
        boilerpipe_numwords::EXTRACTOR,
        boilerpipe_density::EXTRACTOR,
        boilerpipe_default::EXTRACTOR,
        boilerpipe_article::EXTRACTOR,
        boilerpipe_sentences::EXTRACTOR,
        boilerpipe_largest::EXTRACTOR,
        boilerpipe_canola::EXTRACTOR,
        largest_content::EXTRACTOR,
        main_content::EXTRACTOR,
        content_tree::EXTRACTOR,
        bte::EXTRACTOR,
        block_fusion::EXTRACTOR,
        justext::EXTRACTOR,
        web2text::EXTRACTOR,
        goldminer::EXTRACTOR,
        onion::EXTRACTOR,
        templates::EXTRACTOR,
        trommel::EXTRACTOR,
        tree::EXTRACTOR,
        external::EXTRACTOR,
    ]
}

/// Makes the extractors that need nothing but a page, with their defaults: those that `all` stands for.
pub fn all_of_page() -> Vec<Labeler> {
    let of_page = |row: &&Extractor| matches!(row.takes, Takes::Parameters(_));
    let rows = all().iter().filter(of_page);
    rows.filter_map(|row| parse(row.name).ok()).collect()
}

/// Makes an extractor: `NAME`, `NAME:key=value,…`, `NAME:MODEL` or `external:NAME=DIR_OR_JSONL`.
///
/// # Errors
/// An unknown name, parameter or value, and a model or file of outputs that cannot be read.
pub fn parse(text: &str) -> Result<Labeler, ExtractorError> {
    let (name, rest) = text.split_once(':').unwrap_or((text, ""));
    let extractor = all()
        .iter()
        .find(|row| row.name == name)
        .ok_or_else(|| unknown(name))?;
    Labeler::new(extractor, rest)
}

/// Makes extractors of several names; `all` stands for [`all_of_page`]. What comes twice counts once.
///
/// # Errors
/// As [`parse`].
pub fn parse_all<'a>(
    names: impl IntoIterator<Item = &'a str>,
) -> Result<Vec<Labeler>, ExtractorError> {
    let mut chosen: Vec<Labeler> = Vec::new();
    for name in names {
        let made = match name {
            "all" => all_of_page(),
            name => vec![parse(name)?],
        };
        for labeler in made {
            if chosen.iter().all(|other| other.name != labeler.name) {
                chosen.push(labeler);
            }
        }
    }
    Ok(chosen)
}

/// The name of the labels that an extractor written like this gives; no model is read. None if it cannot be written so.
pub fn name_of_labels(text: &str) -> Option<String> {
    let (name, rest) = text.split_once(':').unwrap_or((text, ""));
    let row = all().iter().find(|row| row.name == name)?;
    let arguments = Arguments::parse(row.name, row.takes, rest).ok()?;
    Some(arguments.canonical_name(row.name, row.takes))
}

fn unknown(name: &str) -> ExtractorError {
    let known: Vec<&str> = all().iter().map(|row| row.name).collect();
    ExtractorError::Unknown {
        name: name.to_owned(),
        known: choice(name, &known),
    }
}

#[cfg(test)]
impl Labeler {
    /// A labeler that does what a test wants.
    pub(crate) fn for_test(name: &str, label: Box<LabelFn>) -> Labeler {
        Labeler {
            name: name.to_owned(),
            spec: name.to_owned(),
            extractor: &all()[0],
            arguments: Arguments::default(),
            segmenter: None,
            judge: Judge::Labels(label),
        }
    }
}

impl fmt::Debug for Labeler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Labeler({})", self.spec)
    }
}

impl Labeler {
    /// Makes an extractor of a row, which need not be one of [`all`], with what stands behind its name: nothing,
    /// `key=value,…`, or a model.
    ///
    /// # Errors
    /// An unknown parameter or value, and a model or file of outputs that cannot be read.
    pub fn new(extractor: &'static Extractor, arguments: &str) -> Result<Labeler, ExtractorError> {
        let spec = match arguments {
            "" => extractor.name.to_owned(),
            arguments => format!("{}:{arguments}", extractor.name),
        };
        let arguments = Arguments::parse(extractor.name, extractor.takes, arguments)?;
        Ok(Labeler {
            spec,
            name: arguments.canonical_name(extractor.name, extractor.takes),
            extractor,
            segmenter: extractor.segmenter.and_then(segment::by_name),
            judge: match extractor.make {
                Make::Labels(make) => Judge::Labels(make(&arguments)?),
                Make::Scored(make) => Judge::Scored(make(&arguments)?),
            },
            arguments,
        })
    }

    /// Do its verdicts come with confidences?
    pub fn has_confidences(&self) -> bool {
        matches!(self.judge, Judge::Scored(_))
    }

    /// Labels for the blocks that `segmenter` makes of the page, and confidences if the extractor gives them. An extractor that is
    /// defined on other blocks runs on those, once, and what it says is projected by leaf.
    pub fn verdicts(&self, subject: &Subject, segmenter: &Segmenter) -> Verdicts {
        let native = self.segmenter.unwrap_or(segmenter);
        let (from, target) = (subject.blocks(native), subject.blocks(segmenter));
        let same = native.name == segmenter.name;
        match &self.judge {
            Judge::Labels(label) => {
                let labels = label(subject, from);
                Verdicts {
                    labels: match same {
                        true => labels,
                        false => project(subject, from, &labels, target),
                    },
                    confidences: None,
                }
            }
            Judge::Scored(score) => {
                let (labels, probabilities): (Vec<Label>, Vec<f64>) = score(subject, from)
                    .into_iter()
                    .map(|verdict| (verdict.label, f64::from(verdict.probability)))
                    .unzip();
                match same {
                    true => Verdicts {
                        labels,
                        confidences: Some(rounded(&probabilities)),
                    },
                    false => Verdicts {
                        labels: project(subject, from, &labels, target),
                        confidences: Some(rounded(&project_probabilities(
                            subject,
                            from,
                            &probabilities,
                            target,
                        ))),
                    },
                }
            }
        }
    }

    /// The labels of [`Labeler::verdicts`].
    pub fn labels(&self, subject: &Subject, segmenter: &Segmenter) -> Vec<Label> {
        self.verdicts(subject, segmenter).labels
    }

    /// The blocks that are content, in order: of the segmenter on which the extractor is defined, or of the default one.
    pub fn content<'s>(&self, subject: &'s Subject) -> impl Iterator<Item = &'s Block> {
        self.content_from(subject, None)
    }

    /// As [`Labeler::content`], or with a confidence the blocks of at least that, whatever their labels: none if the extractor gives
    /// no confidences.
    pub fn content_from<'s>(
        &self,
        subject: &'s Subject,
        least: Option<Confidence>,
    ) -> impl Iterator<Item = &'s Block> {
        let blocks = subject.blocks(self.own_segmenter()).blocks.iter();
        let blocks = blocks.zip(self.keeps(subject, least));
        blocks.filter(|(_, kept)| *kept).map(|(block, _)| block)
    }

    /// The segmenter on which the extractor is defined, or the default one.
    pub fn own_segmenter(&self) -> &'static Segmenter {
        self.segmenter.unwrap_or(&segment::all()[0])
    }

    /// For each block of [`Labeler::own_segmenter`] whether [`Labeler::content_from`] has it.
    pub fn keeps(&self, subject: &Subject, least: Option<Confidence>) -> Vec<bool> {
        let verdicts = self.verdicts(subject, self.own_segmenter());
        match least {
            None => verdicts.content(),
            Some(least) => {
                let confidences = verdicts.confidences.unwrap_or_default().into_iter();
                confidences.map(|confidence| confidence >= least).collect()
            }
        }
    }

    /// Labels for blocks that need not come from the page: what the algorithm itself says.
    pub fn label(&self, subject: &Subject, blocks: &Segmentation) -> Vec<Label> {
        match &self.judge {
            Judge::Labels(label) => label(subject, blocks),
            Judge::Scored(score) => {
                let verdicts = score(subject, blocks).into_iter();
                verdicts.map(|verdict| verdict.label).collect()
            }
        }
    }
}

fn rounded(probabilities: &[f64]) -> Vec<Confidence> {
    let nearest = |probability: &f64| Confidence::nearest(*probability);
    probabilities.iter().map(nearest).collect()
}
