//! jusText (Pomikálek, Removing Boilerplate and Duplicate Content from Web Corpora, 2011) as its program jusText 3.0.2 does it
//! (`justext/core.py`, BSD-2-Clause), written anew: paragraphs are classified each by itself, then by their neighbours.
//!
//! Deviations: paragraphs are those of our segmenter `paragraph`, whose documentation names its own. Characters in links are
//! those of leaves inside an anchor of the tree. On blocks of another segmenter the same measures are taken of those blocks.

mod classify;
mod measure;
mod stop_list;

use trommel_text::choice;

use crate::{Arguments, ExtractorError, ExtractorRow, Label, Make, Parameter, Takes};

pub use classify::{Class, Classes, Options, classify};
pub use measure::{Paragraph, paragraphs};
pub use stop_list::StopList;

pub(super) const ROW: ExtractorRow = ExtractorRow {
    name: "justext",
    summary: "paragraphs by stop words, links and length, then by their neighbours",
    source: "Pomikálek 2011; jusText 3.0.2",
    segmenter: Some("paragraph"),
    takes: Takes::Parameters(PARAMETERS),
    make: Make::Labels(|arguments| {
        let stop_list = stop_list(arguments)?;
        let options = options(arguments, &stop_list)?;
        Ok(Box::new(move |subject, segmentation| {
            let paragraphs = paragraphs(subject.page, segmentation, &stop_list);
            classify(&paragraphs, &options)
                .iter()
                .map(|classes| Label::content_if(classes.last == Class::Good))
                .collect()
        }))
    }),
};

/// The parameters; defaults are those of `justext/core.py`.
const PARAMETERS: &[Parameter] = &[
    Parameter {
        name: "language",
        default: "English",
        summary: "stop list: a language such as German, or none",
    },
    Parameter {
        name: "length-low",
        default: "70",
        summary: "below this many characters a paragraph is short",
    },
    Parameter {
        name: "length-high",
        default: "200",
        summary: "above this many characters a paragraph can be good by itself",
    },
    Parameter {
        name: "stopwords-low",
        default: "0.30",
        summary: "share of stop words, 0 to 1, below which a paragraph is bad",
    },
    Parameter {
        name: "stopwords-high",
        default: "0.32",
        summary: "share of stop words, 0 to 1, from which a paragraph can be good by itself",
    },
    Parameter {
        name: "max-link-density",
        default: "0.2",
        summary: "share of characters in links above which a paragraph is bad",
    },
    Parameter {
        name: "max-heading-distance",
        default: "200",
        summary: "characters between a heading and the good paragraph that it belongs to",
    },
    Parameter {
        name: "no-headings",
        default: "false",
        summary: "true: headings are treated as any paragraph",
    },
];

/// The stop list of the parameter `language`.
pub(super) fn stop_list(arguments: &Arguments) -> Result<StopList, ExtractorError> {
    let language: String = arguments.get("language")?;
    StopList::of(&language).ok_or_else(|| ExtractorError::Value {
        parameter: "language",
        why: choice(&language, &[&["none"][..], &StopList::languages()].concat()),
        value: language,
    })
}

/// The options that the parameters give.
fn options(arguments: &Arguments, stop_list: &StopList) -> Result<Options, ExtractorError> {
    let no_headings = arguments.parameters.get("no-headings");
    let options = Options {
        length_low: arguments.get("length-low")?,
        length_high: arguments.get("length-high")?,
        stopwords_low: arguments.share("stopwords-low")?,
        stopwords_high: arguments.share("stopwords-high")?,
        max_link_density: arguments.share("max-link-density")?,
        max_heading_distance: arguments.get("max-heading-distance")?,
        // Named without a value it is meant.
        no_headings: no_headings.is_some_and(String::is_empty) || arguments.get("no-headings")?,
    };
    Ok(options.with(stop_list))
}
