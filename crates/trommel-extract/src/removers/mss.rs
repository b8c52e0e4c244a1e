//! Maximum subsequence segmentation (Pasternack and Roth, *Extracting Article Text from the Web with Maximum Subsequence Segmentation*, WWW 2009): a
//! classifier says of each token of the page how likely it is part of the article, and the article is the stretch whose probabilities, less ½ each, have
//! the greatest sum.
//!
//! The paper's text was not to be had, but for its abstract and what later papers say of it: a page is a sequence of tags (without attributes) and words (stemmed
//! by Porter's stemmer; numbers are one word; other characters are no tokens); the features of a token are itself, or itself with the two behind it, and
//! the innermost element that is open there; the classifier is Naive Bayes; training is on pages whose article is one stretch.
//!
//! Our choices: shares are counted with one more for each feature; a feature that was not seen counts for nothing (the stretches of tokens of a page of another
//! site are seldom known); features seen fewer times than a threshold are left out of the model, which is made of 32-bit hashes of them; where the gold standard has no
//! single stretch, training takes that of the most words of content less the other words in it. A leaf is content if at least half of its tokens
//! stand in the stretch.

pub(super) mod trigram;
pub(super) mod unigram;

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use trommel_page::{Event, LeafId, Page, Segmentation, Tag};
use trommel_text::{Fnv1a, porter_stem};

use super::line_share::Shares;
use super::mss_simple::greatest_sum;
use crate::{Arguments, ExtractorError, Label, LabelFn, ModelKind, Parameter, TrainingPages};

/// The parameters of both.
const PARAMETERS: &[Parameter] = &[Parameter {
    name: "model",
    default: "",
    summary: "a model made by training instead of the built-in one",
}];

/// What the model file holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MssModel {
    /// Tokens of a feature: 1 or 3.
    pub n: usize,
    /// Of tokens with those behind them.
    pub tokens: Counts,
    /// Of the elements that are open.
    pub parents: Counts,
}

/// How often features stand outside and inside of articles.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Counts {
    /// All of them, with those that are left out.
    pub all: [u64; 2],
    /// Different ones, with those that are left out.
    pub different: u64,
    /// Feature, outside, inside; by features.
    pub of: Vec<(u32, u32, u32)>,
}

impl Counts {
    /// Counts features of which it is known whether they are inside. Those that stand there fewer than `least` times are left out.
    pub fn of(features: impl IntoIterator<Item = (u32, bool)>, least: u32) -> Counts {
        let mut all = [0; 2];
        let mut counts: HashMap<u32, [u32; 2]> = HashMap::new();
        for (feature, inside) in features {
            all[usize::from(inside)] += 1;
            counts.entry(feature).or_default()[usize::from(inside)] += 1;
        }
        let different = counts.len() as u64;
        let often = counts
            .into_iter()
            .filter(|(_, [out, inside])| out + inside >= least);
        let mut of: Vec<(u32, u32, u32)> =
            often.map(|(it, [out, inside])| (it, out, inside)).collect();
        of.sort_unstable();
        Counts { all, different, of }
    }

    /// For each feature the logarithm of its share inside by that outside.
    fn ratios(&self) -> HashMap<u32, f64> {
        let share = |count: u32, side: usize| {
            (f64::from(count) + 1.0) / (self.all[side] + self.different) as f64
        };
        let of = self.of.iter();
        of.map(|(feature, out, inside)| (*feature, (share(*inside, 1) / share(*out, 0)).ln()))
            .collect()
    }
}

/// A tag or word of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// It, or it and the two behind it.
    pub feature: u32,
    /// The innermost element that is open.
    pub parent: u32,
    /// The leaf that it stands in, if it is a word.
    pub leaf: Option<LeafId>,
}

/// The tokens of a page, with features of `n` tokens.
pub fn tokens(page: &Page, n: usize) -> Vec<Token> {
    let mut found: Vec<(u64, u32, Option<LeafId>)> = Vec::new();
    let hash = |kind: &[u8], text: &[u8]| Fnv1a::new().push(kind).push(text).finish();
    let mut open: Vec<u32> = Vec::new();
    let mut word = Vec::new();
    for event in &page.events {
        match *event {
            Event::Start(id) | Event::End(id) => {
                let element = &page.elements[id as usize];
                let starts = matches!(event, Event::Start(_));
                let (kind, written) = match starts {
                    true => (b"<", element.start_tag),
                    false => (b"/", element.end_tag),
                };
                let name = hash(kind, element.tag.name().as_bytes());
                if !starts {
                    open.pop();
                }
                let counts =
                    written && !matches!(element.tag, Tag::Script | Tag::Style | Tag::Tbody);
                if counts {
                    found.push((name, open.last().copied().unwrap_or(0), None));
                }
                if starts {
                    open.push(folded(hash(b"<", element.tag.name().as_bytes())));
                }
            }
            Event::Leaf(leaf) => {
                let text = page.leaf_text(leaf);
                for part in text
                    .split(|c: char| !c.is_alphanumeric())
                    .filter(|it| !it.is_empty())
                {
                    word.clear();
                    match part.bytes().all(|it| it.is_ascii_digit()) {
                        true => word.push(b'1'),
                        false => {
                            word.extend(part.to_lowercase().bytes());
                            porter_stem(&mut word);
                        }
                    }
                    found.push((
                        hash(b"w", &word),
                        open.last().copied().unwrap_or(0),
                        Some(leaf),
                    ));
                }
            }
            Event::Blank(_) | Event::Hidden => {}
        }
    }
    (0..found.len())
        .map(|at| {
            let (own, parent, leaf) = found[at];
            let behind = found[at + 1..].iter().take(n.saturating_sub(1));
            let feature = behind.fold(Fnv1a::new().push(&own.to_le_bytes()), |hash, (next, ..)| {
                hash.push(&next.to_le_bytes())
            });
            Token {
                feature: folded(feature.finish()),
                parent,
                leaf,
            }
        })
        .collect()
}

fn folded(hash: u64) -> u32 {
    (hash >> 32) as u32 ^ hash as u32
}

impl MssModel {
    /// The text of the model file. `learnt` says in words what was learnt, and `pages` has from which pages.
    ///
    /// # Errors
    /// [`ExtractorError::Model`] if the model cannot be said in JSON.
    pub fn write(&self, learnt: &str, pages: &TrainingPages) -> Result<String, ExtractorError> {
        kind(self.n).write_trained(learnt, pages, self)
    }
}

const UNIGRAM: ModelKind = ModelKind {
    name: "mss-unigram",
    version: 1,
};
const TRIGRAM: ModelKind = ModelKind {
    name: "mss-trigram",
    version: 1,
};

fn kind(n: usize) -> ModelKind {
    if n == 1 { UNIGRAM } else { TRIGRAM }
}

fn make(arguments: &Arguments, n: usize, built_in: &str) -> Result<Box<LabelFn>, ExtractorError> {
    let model: MssModel = kind(n).read_trained(arguments, built_in)?;
    if model.n != n {
        let why = format!("features of {} tokens", model.n);
        return Err(kind(n).refused(&arguments.path, why));
    }
    let prior = (model.tokens.all[1].max(1) as f64 / model.tokens.all[0].max(1) as f64).ln();
    let (own, parents) = (model.tokens.ratios(), model.parents.ratios());
    Ok(Box::new(move |subject, segmentation| {
        let tokens = tokens(subject.page, n);
        let scores: Vec<f64> = tokens
            .iter()
            .map(|token| {
                let of = |ratios: &HashMap<u32, f64>, feature| ratios.get(feature).copied();
                let log = prior
                    + of(&own, &token.feature).unwrap_or(0.0)
                    + of(&parents, &token.parent).unwrap_or(0.0);
                1.0 / (1.0 + (-log).exp()) - 0.5
            })
            .collect();
        labels(&tokens, &scores, segmentation)
    }))
}

fn labels(tokens: &[Token], scores: &[f64], segmentation: &Segmentation) -> Vec<Label> {
    let stretch = greatest_sum(scores).map_or(0..0, |(from, to)| from..to);
    let mut shares = Shares::new(segmentation);
    for (at, token) in tokens.iter().enumerate() {
        if let Some(leaf) = token.leaf {
            shares.add(leaf, 1, stretch.contains(&at));
        }
    }
    shares.labels()
}

#[cfg(test)]
mod tests {
    use trommel_page::html::{Limits, parse_text, segment};

    use super::*;

    /// `scikit-learn` 1.x's `MultinomialNB(alpha=1)` on the counts (3, 1), (1, 4), (2, 2) outside and inside of three features: differences of its
    /// `feature_log_prob_`.
    #[test]
    fn shares_as_scikit_learn_has_them() {
        let times =
            |feature: u32, inside: bool, n: usize| std::iter::repeat_n((feature, inside), n);
        let all = times(7, false, 3)
            .chain(times(7, true, 1))
            .chain(times(8, false, 1))
            .chain(times(8, true, 4))
            .chain(times(9, false, 2))
            .chain(times(9, true, 2));
        let counts = Counts::of(all, 1);
        assert_eq!((counts.all, counts.different), ([6, 7], 3));
        let ratios = counts.ratios();
        for (feature, expected) in [
            (7, -0.7985076962177716),
            (8, 0.8109302162163288),
            (9, -0.10536051565782634),
        ] {
            assert!(
                (ratios[&feature] - expected).abs() < 1e-12,
                "{feature} {}",
                ratios[&feature]
            );
        }
    }

    /// Worked out by hand.
    #[test]
    fn tokens_by_hand() {
        let markup = "<body><p>Running dogs, 42 of 7!<br>ran</p></body>";
        let page = parse_text(markup, &Limits::default());
        let found = tokens(&page, 1);
        // html and head (which the parser adds, as it may), body, p, run, dog, 1, of, 1, br (its end is not written), ran, /p, /body.
        assert_eq!(found.len(), 13);
        let again = tokens(
            &parse_text(
                "<body><p>run dog 5 of 6<br>ran</p></body>",
                &Limits::default(),
            ),
            1,
        );
        assert_eq!(found, again);
        assert_eq!(found[6].feature, found[8].feature);
        assert_eq!(found[4].parent, found[10].parent);
        assert_ne!(found[4].parent, found[3].parent);
        assert_eq!(found.iter().filter(|it| it.leaf.is_some()).count(), 6);
        // Three tokens: the same word before another is another feature.
        let three = tokens(&page, 3);
        assert_ne!(three[6].feature, three[8].feature);
        assert_eq!(three.len(), 13);
    }

    #[test]
    fn the_stretch_is_content() {
        let page = parse_text("<p>a b</p><p>c d e</p><p>f</p>", &Limits::default());
        let segmentation = (segment::by_name("leaf").unwrap().segment)(&page);
        let tokens = tokens(&page, 1);
        let scores: Vec<f64> = tokens
            .iter()
            .map(|token| if token.leaf == Some(1) { 0.4 } else { -0.3 })
            .collect();
        let labels = labels(&tokens, &scores, &segmentation);
        use Label::{Boilerplate, Content};
        assert_eq!(labels, [Boilerplate, Content, Boilerplate]);
    }
}
