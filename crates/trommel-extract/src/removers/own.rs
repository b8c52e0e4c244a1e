//! Trommel's own remover: boosted trees on the features of [`crate::feature::own`], and a page-wise decision.
//!
//! Models, learnt apart, tell how much of a paragraph's text is main content, readers' comments, and links to other pages of
//! related content. What is asked for adds up. What main content is people do not agree on, so that there is a model of it for each
//! [`Convention`]. The trees do not decide: of the page's paragraphs the likeliest are
//! kept, as many as make the expected F1 greatest, 2 Σ_kept p·n / (Σ_kept n + Σ_all p·n) with n words in a paragraph that is content
//! with probability p. (For the F-measure no fixed threshold is best: Lipton, Elkan and Naryanaswamy, ECML 2014.)
//!
//! `trommel train trommel` makes the model that is built in.

use serde::{Deserialize, Serialize};

use crate::classifier::boosting::{Boosted, Forest, LANES, WIDTH};
use crate::feature::own::{self, Row};
use crate::{
    ExtractorError, ExtractorRow, Label, Make, ModelKind, Parameter, Takes, TrainingPages, Verdict,
    feature,
};

/// The set of features, and the segmenter on whose blocks it is defined.
pub const SET: &str = "trommel";
const SEGMENTER: &str = "paragraph";

const MODEL: ModelKind = ModelKind {
    name: "trommel",
    version: 2,
};

/// The model that is built in.
const BUILT_IN: &str = include_str!("models/trommel.json");

pub(super) const ROW: ExtractorRow = ExtractorRow {
    name: "trommel",
    summary: "boosted trees on text, elements and surroundings of paragraphs",
    source: "Trommel's own (docs/remover.md)",
    segmenter: Some(SEGMENTER),
    takes: Takes::Parameters(&[
        Parameter {
            name: "want",
            default: "article",
            summary: "article; main: lists, products and posts too, as on the web of today; everything-useful: main and comments",
        },
        Parameter {
            name: "comments",
            default: "no",
            summary: "are readers' comments content: yes or no",
        },
        Parameter {
            name: "related",
            default: "no",
            summary: "are links to related pages content: yes or no",
        },
        Parameter {
            name: "model",
            default: "",
            summary: "a model made by training instead of the built-in one",
        },
    ]),
    make: Make::Scored(|arguments| {
        let want = arguments.get::<String>("want")?;
        let (convention, useful) = match want.as_str() {
            "article" => (Convention::Article, false),
            "main" => (Convention::Main, false),
            "everything-useful" => (Convention::Main, true),
            _ => {
                return Err(ExtractorError::Value {
                    parameter: "want",
                    value: want,
                    why: "not article, main or everything-useful".to_owned(),
                });
            }
        };
        let wanted = Wanted {
            convention,
            comments: useful || arguments.yes("comments")?,
            related: arguments.yes("related")?,
        };
        let model: TrommelModel = MODEL.read_trained(arguments, BUILT_IN)?;
        let damaged = |why: &str| MODEL.refused(&arguments.path, why);
        model.check().map_err(damaged)?;
        let judges = model
            .judges(wanted)
            .ok_or_else(|| damaged("too large a model"))?;
        Ok(Box::new(move |subject, segmentation| {
            let mut paragraphs = Vec::with_capacity(segmentation.blocks.len());
            let mut batch = Box::new([[0.0; WIDTH]; LANES]);
            own::for_each_row(subject.page, segmentation, |row| {
                let lane = paragraphs.len() % LANES;
                batch[lane][..row.values.len()].copy_from_slice(row.values);
                paragraphs.push(Paragraph {
                    words: row.words,
                    is_title: row.is_title,
                    probability: 0.0,
                });
                if lane + 1 == LANES {
                    judge(&judges, &batch, &mut paragraphs, LANES);
                }
            });
            let rest = paragraphs.len() % LANES;
            judge(&judges, &batch, &mut paragraphs, rest);
            paragraphs.resize(segmentation.blocks.len(), Paragraph::default());
            let kept = decide(&paragraphs);
            let verdicts = paragraphs.iter().zip(kept);
            verdicts
                .map(|(paragraph, kept)| Verdict {
                    label: Label::content_if(kept),
                    probability: paragraph.probability,
                })
                .collect()
        }))
    }),
};

/// Puts down what the models say of the last paragraphs, whose rows are the first of the batch.
fn judge(
    judges: &[Forest],
    batch: &[[f32; WIDTH]; LANES],
    paragraphs: &mut [Paragraph],
    last: usize,
) {
    let mut shares = [0.0f32; LANES];
    for forest in judges {
        for (sum, share) in shares.iter_mut().zip(forest.shares(batch)) {
            *sum += share;
        }
    }
    let first = paragraphs.len() - last;
    for (paragraph, share) in paragraphs[first..].iter_mut().zip(shares) {
        paragraph.probability = match paragraph.is_title {
            true => 0.0,
            false => share.min(1.0),
        };
    }
}

/// What a gold standard takes for the main content of a page.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Convention {
    /// The text of an article, as the gold standards of news and blogs have it.
    #[default]
    Article,
    /// What a page is there for, whatever its type: the posts of a thread, the entries of a list, what is said of a product, as WCXB
    /// has it.
    Main,
}

/// What counts as content.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Wanted {
    /// What main content is.
    pub convention: Convention,
    /// Comments of readers.
    pub comments: bool,
    /// Links to related pages.
    pub related: bool,
}

/// What a model was learnt from, and how.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Training {
    /// The program's version.
    pub trommel_version: String,
    /// Seed of what is drawn.
    pub seed: u64,
    /// The gold standards.
    pub corpora: Vec<TrainingCorpus>,
}

/// A gold standard that was learnt from.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrainingCorpus {
    /// Its name.
    pub name: String,
    /// Pages with a gold text.
    pub pages: usize,
    /// Their paragraphs.
    pub paragraphs: usize,
    /// Whose work it is and under which licence, where that has to be said.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub credit: String,
    /// SHA-256 of lines of name, SHA-256 of the page, SHA-256 of the gold text as it was read, with tabs between.
    pub sha256: String,
}

/// What the model file holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TrommelModel {
    /// Where it comes from.
    pub training: Training,
    /// The names of the features by their numbers.
    pub features: Vec<String>,
    /// How much of a paragraph is main content by [`Convention::Article`], comments aside.
    pub article: Boosted,
    /// How much of it is main content by [`Convention::Main`].
    pub main: Boosted,
    /// How much of it is comments.
    pub comments: Boosted,
    /// How much of it is related content.
    pub related: Boosted,
}

impl TrommelModel {
    /// The share of a paragraph with these features that is content, in 0..=1.
    pub fn probability(&self, row: &Row, wanted: Wanted) -> f32 {
        if row.is_title {
            return 0.0;
        }
        let mut share = self.of(wanted.convention).share(row.values);
        if wanted.comments {
            share += self.comments.share(row.values);
        }
        if wanted.related {
            share += self.related.share(row.values);
        }
        share.min(1.0)
    }

    /// The model of the main content.
    fn of(&self, convention: Convention) -> &Boosted {
        match convention {
            Convention::Article => &self.article,
            Convention::Main => &self.main,
        }
    }

    /// The models whose shares add up to what is asked for; none if one is too large.
    fn judges(&self, wanted: Wanted) -> Option<Vec<Forest>> {
        let mut judges = vec![Forest::new(self.of(wanted.convention))?];
        if wanted.comments {
            judges.push(Forest::new(&self.comments)?);
        }
        if wanted.related {
            judges.push(Forest::new(&self.related)?);
        }
        Some(judges)
    }

    /// The text of the model file. `learnt` says in words what was learnt, and `pages` has from which pages.
    ///
    /// # Errors
    /// [`ExtractorError::Model`] if the trees cannot be said in JSON.
    pub fn write(&self, learnt: &str, pages: &TrainingPages) -> Result<String, ExtractorError> {
        MODEL.write_trained(learnt, pages, self)
    }

    /// Does it ask for the features that this program has, and lead to an end?
    fn check(&self) -> Result<(), &'static str> {
        let known = feature::by_name(SET).map_or_else(Vec::new, |set| (set.features)());
        let same = known.iter().map(|feature| &feature.name).eq(&self.features);
        if !same {
            return Err("a model on features that this program does not have");
        }
        let heads = [&self.article, &self.main, &self.comments, &self.related];
        match heads.iter().all(|head| head.is_whole(known.len())) {
            true => Ok(()),
            false => Err("a damaged model (no whole trees)"),
        }
    }
}

/// A paragraph before the decision.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Paragraph {
    /// Its words.
    pub words: f32,
    /// Whether it is the page's title, which stands in the body where markup stands before the head. That is no content: a headline repeats it.
    pub is_title: bool,
    /// How much of it is content, in 0..=1.
    pub probability: f32,
}

/// Decides which paragraphs to keep: the likeliest, so many that the expected F1 is greatest; the fewest of several such numbers. None of
/// a page without words.
pub fn decide(paragraphs: &[Paragraph]) -> Vec<bool> {
    let mut order: Vec<usize> = (0..paragraphs.len()).collect();
    // A stable sort: of equally likely ones the first come first.
    order.sort_by(|a, b| {
        let of = |number: &usize| paragraphs[*number].probability;
        of(b).total_cmp(&of(a))
    });
    let expected = |of: &Paragraph| f64::from(of.words) * f64::from(of.probability);
    let total: f64 = paragraphs.iter().map(expected).sum();
    let (mut kept_words, mut kept_content) = (0.0, 0.0);
    let (mut best, mut most) = (0.0, 0);
    for (place, &number) in order.iter().enumerate() {
        kept_words += f64::from(paragraphs[number].words);
        kept_content += expected(&paragraphs[number]);
        let f1 = 2.0 * kept_content / (kept_words + total);
        if f1 > best {
            (best, most) = (f1, place + 1);
        }
    }
    let mut kept = vec![false; paragraphs.len()];
    for &number in &order[..most] {
        kept[number] = true;
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use trommel_text::SplitMix64;

    /// Of all subsets none has a greater expected F1.
    #[test]
    fn no_other_choice_is_better() {
        let mut random = SplitMix64::new(7);
        let mut next = |below: usize| random.below(below);
        for _ in 0..300 {
            let paragraphs: Vec<Paragraph> = (0..1 + next(9))
                .map(|_| Paragraph {
                    words: next(30) as f32,
                    is_title: false,
                    probability: next(11) as f32 / 10.0,
                })
                .collect();
            let total: f32 = paragraphs.iter().map(|of| of.words * of.probability).sum();
            let f1 = |kept: &dyn Fn(usize) -> bool| {
                let kept = || {
                    (0..paragraphs.len())
                        .filter(|at| kept(*at))
                        .map(|at| paragraphs[at])
                };
                let words: f32 = kept().map(|of| of.words).sum();
                let content: f32 = kept().map(|of| of.words * of.probability).sum();
                match words + total > 0.0 {
                    true => 2.0 * content / (words + total),
                    false => 0.0,
                }
            };
            let kept = decide(&paragraphs);
            let own = f1(&|at| kept[at]);
            let best = (0..1u32 << paragraphs.len())
                .map(|subset| f1(&|at| subset >> at & 1 == 1))
                .fold(0.0, f32::max);
            assert!((own - best).abs() < 1e-5, "{own} {best} {paragraphs:?}");
        }
    }

    #[test]
    fn nothing_is_kept_of_nothing() {
        assert!(decide(&[]).is_empty());
        assert_eq!(decide(&[Paragraph::default()]), [false]);
    }
}
