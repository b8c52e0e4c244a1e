//! The densitometric analysis of text blocks: Kohlschütter, Fankhauser and Nejdl, *Boilerplate Detection using Shallow Text
//! Features* (WSDM 2010) §5, and Kohlschütter, *A Densitometric Analysis of Web Template Content* (WWW 2009). Plain data; each
//! published formula has a file.

pub mod beta_normal;
mod fit;
pub mod full_stop;
pub mod geometric;
mod histogram;
pub mod mixture;
pub mod one_rule;
mod parameter;
pub mod power_law;
pub mod template;
pub mod three_betas;
pub mod typicality;

use serde::Serialize;
use trommel_page::Block;

use self::full_stop::full_stops;
use self::one_rule::one_rule;
use self::template::Repeats;
use self::typicality::Terms;
use crate::gold::{Class, GoldLabel};

pub use fit::Goodness;
pub use full_stop::FullStops;
pub use histogram::{Amount, Histogram, rounded_density};
pub use one_rule::OneRule;
pub use parameter::Parameter;
pub use power_law::PowerLaw;
pub use template::Templates;
pub use typicality::{Term, Typicality};

/// The distributions of words are fitted to blocks of 1 to so many words: the range of the paper's sweeps. The paper does not say
/// which lengths it fits to; the shares are those of all blocks with words, longer ones included.
pub const LONGEST: usize = 100;
/// Greatest rounded density that has a bin of its own, and the greatest that the distribution of densities is fitted to: there x
/// is 1 ([`beta_normal::DENSITY_OF_1`]).
pub const DENSEST: usize = 36;
/// λ of WSDM 2010 §5.1: words, and words to a line.
pub const LAMBDA: u32 = 11;

/// What is counted how far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct DensityOptions {
    /// Pages that a term must stand on to count as typical or not; 100 in WWW 2009.
    pub min_pages: u32,
    /// Occurrences that make a block's text a frequent template; 10 in WWW 2009.
    pub min_repeats: u32,
    /// Typical terms that are kept of each kind; 10 in WWW 2009.
    pub top: usize,
}

impl Default for DensityOptions {
    fn default() -> Self {
        DensityOptions {
            min_pages: 100,
            min_repeats: 10,
            top: 10,
        }
    }
}

/// What was counted in the pages of a collection. Its memory grows with their distinct words and texts (a hash for each text).
#[derive(Debug, Clone)]
pub struct Counted {
    options: DensityOptions,
    pages: u64,
    by_words: Histogram,
    by_density: Histogram,
    long: LongBlocks,
    /// Blocks with a full stop, by rounded density.
    full_stops: Vec<Amount>,
    terms: Terms,
    repeats: Repeats,
    /// For each rounded density content and the rest.
    gold: Vec<[u64; 2]>,
}

/// The whole analysis.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Analysis {
    /// Pages that were counted.
    pub pages: u64,
    /// Their blocks.
    pub total: Amount,
    /// The same by class, if there is a gold standard. Blocks of which it says nothing are in no class.
    pub classes: Vec<(&'static str, Amount)>,
    /// Blocks by number of words, 0 to [`LONGEST`], then all longer ones.
    pub by_words: Histogram,
    /// Blocks by rounded density, 0 to [`DENSEST`], then all denser ones.
    pub by_density: Histogram,
    /// The curves that could be fitted.
    pub fits: Vec<Fit>,
    /// The same curves through each class that has points enough. No figures of that are published.
    pub class_fits: Vec<(&'static str, Vec<Fit>)>,
    /// Three beta distributions where two and a normal one are fitted.
    pub three_betas: Option<Fit>,
    /// Long blocks against dense ones.
    pub long: LongBlocks,
    /// 1R on the density, if there is a gold standard with both classes.
    pub one_rule: Option<OneRule>,
    /// Words that are typical of thin and of dense text.
    pub typicality: Typicality,
    /// Full stops by density.
    pub full_stops: FullStops,
    /// Frequent templates by density.
    pub templates: Templates,
}

/// Words in long blocks and in dense ones: WSDM 2010 §5.1.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct LongBlocks {
    /// Words in blocks of [`LAMBDA`] words or more.
    pub long: u64,
    /// Words in blocks of a density of [`LAMBDA`] or more, not rounded.
    pub dense: u64,
    /// Words in blocks that are both.
    pub both: u64,
    /// Words in the longest block.
    pub longest: u64,
}

/// What §5.1 gives for GoogleNews: words in long blocks, in dense ones, and in the longest.
pub const PUBLISHED_LONG: LongBlocks = LongBlocks {
    long: 345_175,
    dense: 358_428,
    both: 0,
    longest: 1122,
};

impl LongBlocks {
    /// How many words more there are in dense blocks than in long ones, as a share of the latter. The paper's 3.8 % is this.
    pub fn difference(&self) -> f64 {
        (self.dense as f64 - self.long as f64) / self.long.max(1) as f64
    }
}

/// Which histogram a curve goes through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FitOf {
    /// Share of blocks by number of words.
    BlocksByWords,
    /// Share of words by rounded density.
    WordsByDensity,
}

/// A curve through a histogram.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Fit {
    /// Its name.
    pub name: &'static str,
    /// Where it is published.
    pub source: &'static str,
    /// What it goes through.
    pub of: FitOf,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// How well it goes.
    pub goodness: Goodness,
    /// What was published of that.
    pub published: Vec<PublishedGoodness>,
    /// The place of the first value: 1 word, density 0.
    pub first: usize,
    /// The curve's values from there on.
    pub values: Vec<f64>,
    /// The values of its parts, by name; none of a curve in one part.
    pub parts: Vec<(&'static str, Vec<f64>)>,
}

/// How well a paper says that a curve goes through the points of its own collection.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PublishedGoodness {
    /// The collection.
    pub of: &'static str,
    /// R², adjusted if `is_adjusted`.
    pub r2: f64,
    /// Does the paper call it adjusted?
    pub is_adjusted: bool,
    /// Root mean squared error.
    pub rmse: f64,
}

/// Names of the classes that labels have, boilerplate first.
fn class_names(labels: &[GoldLabel]) -> Vec<&'static str> {
    labels.iter().map(|label| label.name()).collect()
}

/// The labels of annotated pages.
pub fn classes() -> Vec<GoldLabel> {
    Class::ALL.map(GoldLabel::Class).to_vec()
}

/// The labels where a gold standard has texts alone.
pub fn two_classes() -> Vec<GoldLabel> {
    [false, true].map(GoldLabel::Content).to_vec()
}

impl Counted {
    /// Nothing yet. `labels` are those that blocks can have; none without a gold standard.
    pub fn new(options: DensityOptions, labels: &[GoldLabel]) -> Counted {
        let names = class_names(labels);
        Counted {
            options,
            pages: 0,
            by_words: Histogram::new(LONGEST + 1, &names),
            by_density: Histogram::new(DENSEST + 1, &names),
            long: LongBlocks::default(),
            full_stops: vec![Amount::default(); DENSEST + 2],
            terms: Terms::default(),
            repeats: Repeats::default(),
            gold: vec![[0; 2]; DENSEST + 2],
        }
    }

    /// Counts a page: its blocks with their texts, and for each its label, if it has one. Without labels the slice is empty.
    pub fn add(&mut self, blocks: &[Block], labels: &[Option<GoldLabel>]) {
        self.pages += 1;
        self.terms.add(blocks);
        for (number, block) in blocks.iter().enumerate() {
            let label = labels.get(number).copied().flatten();
            let class = label.map(GoldLabel::name);
            let amount = Amount::of(block);
            let density = rounded_density(block);
            self.by_words.add(block.num_words as usize, class, amount);
            self.by_density.add(density, class, amount);
            let at = density.min(DENSEST + 1);
            if block.text.contains('.') {
                self.full_stops[at] += amount;
            }
            // What has no words weighs nothing.
            if let Some(label) = label.filter(|_| amount.words > 0) {
                let of = usize::from(!label.is_content());
                self.gold[at][of] += amount.words;
            }
            self.repeats.add(block);
            self.count_long(block);
        }
    }

    fn count_long(&mut self, block: &Block) {
        let words = u64::from(block.num_words);
        let is_long = block.num_words >= LAMBDA;
        let is_dense = u64::from(block.num_words_in_full_lines)
            >= u64::from(LAMBDA) * u64::from(block.num_lines.max(1));
        self.long.long += if is_long { words } else { 0 };
        self.long.dense += if is_dense { words } else { 0 };
        self.long.both += if is_long && is_dense { words } else { 0 };
        self.long.longest = self.long.longest.max(words);
    }

    /// Fits, and puts everything together.
    pub fn finish(self) -> Analysis {
        let sum = |bins: &[Amount]| {
            let mut sum = Amount::default();
            bins.iter().for_each(|bin| sum += *bin);
            sum
        };
        let with = self.full_stops;
        let all = self.by_density.bins.iter().zip(&with);
        let without = all.map(|(all, with)| Amount {
            blocks: all.blocks - with.blocks,
            words: all.words - with.words,
            tokens: all.tokens - with.tokens,
        });
        let without = without.collect();
        let classes = self.by_words.classes.iter();
        let class_fits = class_fits(&self.by_words, &self.by_density);
        let three_betas = three_betas(&self.by_density);
        Analysis {
            pages: self.pages,
            total: sum(&self.by_words.bins),
            classes: classes.map(|(name, bins)| (*name, sum(bins))).collect(),
            fits: fits(&self.by_words, &self.by_density),
            class_fits,
            three_betas,
            long: self.long,
            one_rule: one_rule(&self.gold),
            typicality: self.terms.finish(self.options.min_pages, self.options.top),
            full_stops: full_stops(with, without),
            templates: self
                .repeats
                .finish(self.options.min_repeats, &self.by_density.bins),
            by_words: self.by_words,
            by_density: self.by_density,
        }
    }
}

/// Share of blocks with 1, 2 … [`LONGEST`] words among all blocks with words.
pub fn shares_by_words(histogram: &Histogram) -> Vec<(f64, f64)> {
    let bins = histogram.bins.get(1..).unwrap_or_default();
    let blocks: u64 = bins.iter().map(|bin| bin.blocks).sum();
    let share = |bin: &Amount| bin.blocks as f64 / blocks.max(1) as f64;
    let places = (1u32..).map(f64::from).zip(bins.iter().map(share));
    places.take(LONGEST).collect()
}

/// Share of words in blocks of rounded density 0 to [`DENSEST`] among all words.
pub fn shares_by_density(histogram: &Histogram) -> Vec<(f64, f64)> {
    let shares = histogram.shares(|bin| bin.words);
    let places = (0u32..).map(f64::from).zip(shares);
    places.take(DENSEST + 1).collect()
}

/// The published curves through both histograms; those for which there are points enough.
fn fits(by_words: &Histogram, by_density: &Histogram) -> Vec<Fit> {
    let words = shares_by_words(by_words);
    let density = shares_by_density(by_density);
    let mut fits = Vec::new();
    if has_points(&words, 1) {
        fits.extend(geometric::fit(&words).and_then(|p| {
            Fit::of(
                Fit {
                    name: "displaced geometric",
                    source: "WSDM 2010, Equation 2",
                    parameters: geometric::parameters(p),
                    published: vec![google_news(0.967, true, 0.0046)],
                    values: along(&words, |x| geometric::geometric(p, x)),
                    ..Fit::empty(FitOf::BlocksByWords, 1)
                },
                &words,
                1,
            )
        }));
    }
    if has_points(&words, 3) {
        fits.extend(mixture::fit(&words).and_then(|found| {
            Fit::of(
                Fit {
                    name: "mixture of short and long text",
                    source: "WSDM 2010, Equation 3",
                    parameters: mixture::parameters(&found),
                    published: vec![google_news(0.9881, true, 0.0027)],
                    values: along(&words, |x| found.at(x)),
                    parts: vec![
                        ("short text", along(&words, |x| found.short_at(x))),
                        ("long text", along(&words, |x| found.long_at(x))),
                    ],
                    ..Fit::empty(FitOf::BlocksByWords, 1)
                },
                &words,
                3,
            )
        }));
    }
    if has_points(&density, beta_normal::FREE) {
        fits.extend(beta_normal::fit(&density).and_then(|found| {
            Fit::of(
                Fit {
                    name: "two beta distributions and a normal one",
                    source: "WWW 2009, Equation 1",
                    parameters: beta_normal::parameters(&found),
                    published: vec![
                        PublishedGoodness {
                            of: "Webspam UK-2007",
                            r2: 0.998,
                            is_adjusted: false,
                            rmse: 0.0021,
                        },
                        google_news(0.997, false, 0.0213),
                    ],
                    values: along(&density, |x| found.at(x)),
                    parts: vec![
                        ("thin class", along(&density, |x| found.thin_at(x))),
                        ("transition", along(&density, |x| found.normal_at(x))),
                        ("dense class", along(&density, |x| found.dense_at(x))),
                    ],
                    ..Fit::empty(FitOf::WordsByDensity, 0)
                },
                &density,
                beta_normal::FREE,
            )
        }));
    }
    fits
}

/// The curves through each class by itself.
fn class_fits(by_words: &Histogram, by_density: &Histogram) -> Vec<(&'static str, Vec<Fit>)> {
    let of = |bins: &[Amount]| Histogram {
        bins: bins.to_vec(),
        classes: Vec::new(),
    };
    let both = by_words.classes.iter().zip(&by_density.classes);
    both.map(|((name, words), (_, density))| {
        let mut found = fits(&of(words), &of(density));
        for fit in &mut found {
            fit.published.clear();
            fit.parameters.iter_mut().for_each(|it| it.published = None);
        }
        (*name, found)
    })
    .collect()
}

/// Three beta distributions through the shares of words by density.
fn three_betas(by_density: &Histogram) -> Option<Fit> {
    let density = shares_by_density(by_density);
    if !has_points(&density, three_betas::FREE) {
        return None;
    }
    let two = beta_normal::fit(&density)?;
    let found = three_betas::fit(&density, &two)?;
    let part = |part: usize| along(&density, |x| found.part_at(part, x));
    let (r2, rmse) = three_betas::PUBLISHED;
    Fit::of(
        Fit {
            name: "three beta distributions",
            source: "WWW 2009 §2",
            parameters: three_betas::parameters(&found),
            published: vec![PublishedGoodness {
                of: "Webspam UK-2007",
                r2,
                is_adjusted: false,
                rmse,
            }],
            values: along(&density, |x| found.at(x)),
            parts: vec![
                ("thin class", part(0)),
                ("transition", part(1)),
                ("dense class", part(2)),
            ],
            ..Fit::empty(FitOf::WordsByDensity, 0)
        },
        &density,
        three_betas::FREE,
    )
}

/// More values above 0 than there are parameters: with fewer any curve fits.
fn has_points(points: &[(f64, f64)], parameters: usize) -> bool {
    points.iter().filter(|(_, share)| *share > 0.0).count() > parameters
}

fn google_news(r2: f64, is_adjusted: bool, rmse: f64) -> PublishedGoodness {
    PublishedGoodness {
        of: "GoogleNews",
        r2,
        is_adjusted,
        rmse,
    }
}

fn along(points: &[(f64, f64)], curve: impl Fn(f64) -> f64) -> Vec<f64> {
    points.iter().map(|(x, _)| curve(*x)).collect()
}

impl Fit {
    fn empty(of: FitOf, first: usize) -> Fit {
        Fit {
            name: "",
            source: "",
            of,
            parameters: Vec::new(),
            goodness: Goodness::default(),
            published: Vec::new(),
            first,
            values: Vec::new(),
            parts: Vec::new(),
        }
    }

    /// The fit with its goodness.
    fn of(fit: Fit, points: &[(f64, f64)], parameters: usize) -> Option<Fit> {
        let observed: Vec<f64> = points.iter().map(|(_, share)| *share).collect();
        let goodness = Goodness::of(&observed, &fit.values, parameters)?;
        Some(Fit { goodness, ..fit })
    }
}

#[cfg(test)]
mod tests;
