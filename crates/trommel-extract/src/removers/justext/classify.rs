//! jusText's two passes: `classify_paragraphs` and `revise_paragraph_classification` of `justext/core.py`.

use super::{Paragraph, StopList};

/// What jusText takes a paragraph for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Class {
    /// Main content.
    Good,
    /// Rather main content; good or bad in the end.
    NearGood,
    /// Too short to tell; good or bad in the end.
    Short,
    /// Boilerplate.
    Bad,
}

/// A paragraph's class by itself, and that among its neighbours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Classes {
    /// By itself.
    pub context_free: Class,
    /// In the end: good or bad.
    pub last: Class,
}

/// The thresholds, under jusText's names; the defaults are its own.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Options {
    /// Characters below which a paragraph is short.
    pub length_low: u64,
    /// Characters above which a paragraph can be good by itself.
    pub length_high: u64,
    /// Share of stop words, 0..=1, below which a paragraph is bad.
    pub stopwords_low: f64,
    /// Share of stop words, 0..=1, from which a paragraph can be good by itself.
    pub stopwords_high: f64,
    /// Share of characters in links above which a paragraph is bad.
    pub max_link_density: f64,
    /// Characters between a heading and the good paragraph that it belongs to.
    pub max_heading_distance: u64,
    /// Treat headings as any paragraph.
    pub no_headings: bool,
}

impl Default for Options {
    /// `core.py`: the constants that end in `_DEFAULT`.
    fn default() -> Self {
        Options {
            length_low: 70,
            length_high: 200,
            stopwords_low: 0.30,
            stopwords_high: 0.32,
            max_link_density: 0.2,
            max_heading_distance: 200,
            no_headings: false,
        }
    }
}

impl Options {
    /// The same with another [`Options::length_low`].
    #[must_use]
    pub fn with_length_low(mut self, length_low: u64) -> Self {
        self.length_low = length_low;
        self
    }

    /// The same with another [`Options::length_high`].
    #[must_use]
    pub fn with_length_high(mut self, length_high: u64) -> Self {
        self.length_high = length_high;
        self
    }

    /// The same with another [`Options::stopwords_low`].
    #[must_use]
    pub fn with_stopwords_low(mut self, stopwords_low: f64) -> Self {
        self.stopwords_low = stopwords_low;
        self
    }

    /// The same with another [`Options::stopwords_high`].
    #[must_use]
    pub fn with_stopwords_high(mut self, stopwords_high: f64) -> Self {
        self.stopwords_high = stopwords_high;
        self
    }

    /// The same with another [`Options::max_link_density`].
    #[must_use]
    pub fn with_max_link_density(mut self, max_link_density: f64) -> Self {
        self.max_link_density = max_link_density;
        self
    }

    /// The same with another [`Options::max_heading_distance`].
    #[must_use]
    pub fn with_max_heading_distance(mut self, max_heading_distance: u64) -> Self {
        self.max_heading_distance = max_heading_distance;
        self
    }

    /// The same with another [`Options::no_headings`].
    #[must_use]
    pub fn with_no_headings(mut self, no_headings: bool) -> Self {
        self.no_headings = no_headings;
        self
    }
}

impl Options {
    /// The same, without thresholds of stop words where there is no list: what jusText's command line does for the stop list
    /// `None` (`__main__.py`).
    pub fn with(self, stop_list: &StopList) -> Options {
        match stop_list.is_none() {
            true => Options {
                stopwords_low: 0.0,
                stopwords_high: 0.0,
                ..self
            },
            false => self,
        }
    }
}

/// Classifies the paragraphs of a page, or of a part of it.
pub fn classify(paragraphs: &[Paragraph], options: &Options) -> Vec<Classes> {
    let context_free: Vec<Class> = paragraphs.iter().map(|p| by_itself(p, options)).collect();
    let mut last = by_neighbours(&context_free);
    if !options.no_headings {
        rescue_headings(paragraphs, options, &context_free, &mut last);
    }
    let pairs = context_free.into_iter().zip(last);
    pairs
        .map(|(context_free, last)| Classes { context_free, last })
        .collect()
}

fn by_itself(paragraph: &Paragraph, options: &Options) -> Class {
    let share = |part: u64, whole: u64| match whole {
        0 => 0.0,
        whole => part as f64 / whole as f64,
    };
    let stop_words = share(paragraph.stop_words, paragraph.words);
    let is_long = paragraph.length >= options.length_low;
    if share(paragraph.chars_in_links, paragraph.length) > options.max_link_density
        || paragraph.copyright
        || paragraph.select
        || !is_long && paragraph.chars_in_links > 0
    {
        Class::Bad
    } else if !is_long {
        Class::Short
    } else if stop_words >= options.stopwords_high && paragraph.length > options.length_high {
        Class::Good
    } else if stop_words >= options.stopwords_high.min(options.stopwords_low) {
        Class::NearGood
    } else {
        Class::Bad
    }
}

/// Decides on short, then on near-good paragraphs.
///
/// The original first makes short headings near-good if a good paragraph follows within the distance; but it asks for classes
/// that it has not set yet, so that this never applies, and it is left out.
fn by_neighbours(context_free: &[Class]) -> Vec<Class> {
    let after = nearest(context_free.iter().rev());
    let before = nearest(context_free.iter());
    let mut classes: Vec<Class> = context_free.to_vec();
    for (i, class) in classes.iter_mut().enumerate() {
        if *class != Class::Short {
            continue;
        }
        let (previous, next) = (before[i], after[context_free.len() - 1 - i]);
        *class = match (previous.strict, next.strict) {
            (Class::Good, Class::Good) => Class::Good,
            (Class::Bad, Class::Bad) => Class::Bad,
            (Class::Bad, _) if previous.lenient == Class::NearGood => Class::Good,
            (_, Class::Bad) if next.lenient == Class::NearGood => Class::Good,
            _ => Class::Bad,
        };
    }
    // What was decided on a near-good paragraph holds for those after it.
    let after = nearest(classes.iter().rev());
    let mut previous = Class::Bad;
    let count = classes.len();
    for (i, class) in classes.iter_mut().enumerate() {
        if *class == Class::NearGood {
            *class = match (previous, after[count - 1 - i].strict) {
                (Class::Bad, Class::Bad) => Class::Bad,
                _ => Class::Good,
            };
        }
        previous = *class;
    }
    classes
}

/// The classes of the nearest paragraphs that tell something; bad at the page's edge.
#[derive(Clone, Copy)]
struct Neighbours {
    /// Of the nearest good or bad one.
    strict: Class,
    /// Of the nearest good, near-good or bad one.
    lenient: Class,
}

/// For each paragraph what is known of those before it.
fn nearest<'a>(classes: impl Iterator<Item = &'a Class>) -> Vec<Neighbours> {
    let mut last = Neighbours {
        strict: Class::Bad,
        lenient: Class::Bad,
    };
    classes
        .map(|class| {
            let known = last;
            match class {
                Class::Good | Class::Bad => {
                    (last.strict, last.lenient) = (*class, *class);
                }
                Class::NearGood => last.lenient = *class,
                Class::Short => {}
            }
            known
        })
        .collect()
}

/// Headings that are bad only by their neighbours are good if a good paragraph follows within the distance.
fn rescue_headings(
    paragraphs: &[Paragraph],
    options: &Options,
    context_free: &[Class],
    last: &mut [Class],
) {
    // Going backwards, for each paragraph the characters between it and the next good one.
    // A heading that becomes good counts only for those before it, as in the original, where they come first: there it
    // is still bad when they ask.
    let mut to_good: Option<u64> = None;
    for i in (0..paragraphs.len()).rev() {
        let is_near = to_good.is_some_and(|distance| distance <= options.max_heading_distance);
        let was_good = last[i] == Class::Good;
        if paragraphs[i].heading
            && last[i] == Class::Bad
            && context_free[i] != Class::Bad
            && is_near
        {
            last[i] = Class::Good;
        }
        to_good = if was_good {
            Some(0)
        } else {
            to_good.map(|distance| distance + paragraphs[i].length)
        };
    }
}
