//! An extractor that is ready to run.

use std::fmt;

use trommel_page::html::segment::{self, Segmenter};
use trommel_page::{Block, Segmentation};
use trommel_text::name_and_parameters;

use crate::removers::by_name;
use crate::{
    Arguments, Base, Confidence, ExtractorError, ExtractorRow, Label, LabelFn, Make, ScoreFn,
    Subject, Verdicts, project, project_probabilities,
};

enum Judge {
    Labels(Box<LabelFn>),
    Scored(Box<ScoreFn>),
}

/// An extractor that is ready to run.
pub struct Extractor {
    /// The name of its labels: the extractor's with the parameters that are not the defaults.
    pub name: String,
    /// What it was made of: name and arguments as they were written.
    pub spec: String,
    /// Its row.
    pub row: &'static ExtractorRow,
    /// What it was made with.
    pub arguments: Arguments,
    /// The segmenter on whose blocks it is defined; none if it takes any.
    pub segmenter: Option<&'static Segmenter>,
    judge: Judge,
}

impl fmt::Debug for Extractor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Extractor({})", self.spec)
    }
}

impl Extractor {
    /// Makes an extractor of a row, which need not be one of [`crate::all`], with what stands behind its name: nothing,
    /// `key=value,…`, or a model.
    ///
    /// # Errors
    /// An unknown parameter or value, and a model or file of outputs that cannot be read.
    pub fn new(row: &'static ExtractorRow, arguments: &str) -> Result<Extractor, ExtractorError> {
        let spec = match arguments {
            "" => row.name.to_owned(),
            arguments => format!("{}:{arguments}", row.name),
        };
        let arguments = Arguments::parse(row.name, row.takes, arguments)?;
        Ok(Extractor {
            spec,
            name: arguments.canonical_name(row.name, row.takes),
            row,
            segmenter: row.segmenter.and_then(segment::by_name),
            judge: match row.make {
                Make::Labels(make) => Judge::Labels(make(&arguments)?),
                Make::Based(make) => Judge::Labels(make(&arguments, &base)?),
                Make::Scored(make) => Judge::Scored(make(&arguments)?),
            },
            arguments,
        })
    }

    /// Returns whether its verdicts come with confidences.
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

    /// The labels of [`Extractor::verdicts`].
    pub fn labels(&self, subject: &Subject, segmenter: &Segmenter) -> Vec<Label> {
        self.verdicts(subject, segmenter).labels
    }

    /// The blocks that are content, in order: of the segmenter on which the extractor is defined, or of the default one.
    pub fn content<'s>(&self, subject: &'s Subject) -> impl Iterator<Item = &'s Block> {
        self.content_from(subject, None)
    }

    /// As [`Extractor::content`], or with a confidence the blocks of at least that, whatever their labels: none if the extractor gives
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

    /// For each block of [`Extractor::own_segmenter`] whether [`Extractor::content_from`] has it.
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

/// Makes an extractor: `NAME`, `NAME:key=value,…`, `NAME:MODEL` or `external:NAME=DIR_OR_JSONL`.
///
/// # Errors
/// An unknown name, parameter or value, and a model or file of outputs that cannot be read.
pub fn parse(text: &str) -> Result<Extractor, ExtractorError> {
    let (name, rest) = name_and_parameters(text);
    Extractor::new(by_name(name)?, rest)
}

/// Makes the extractor that another one goes on from; see [`Bases`](crate::Bases).
pub(crate) fn base(text: &str, segmenter: &'static str) -> Result<Base, ExtractorError> {
    let base = parse(text)?;
    let row = base.row;
    let own = segment::by_name(segmenter);
    Ok(Base {
        row,
        label: Box::new(move |subject, blocks| match (base.segmenter, own) {
            (Some(native), Some(own)) if native.name != own.name => base.labels(subject, own),
            _ => base.label(subject, blocks),
        }),
    })
}

fn rounded(probabilities: &[f64]) -> Vec<Confidence> {
    let nearest = |probability: &f64| Confidence::nearest(*probability);
    probabilities.iter().map(nearest).collect()
}
