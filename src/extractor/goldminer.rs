//! GoldMiner (Endrédy and Novák, *More Effective Boilerplate Removal – the GoldMiner Algorithm*, Polibits 48, 2013): learns from
//! a sample of each site's pages the tags between which the article stands, and gives jusText that part of a page alone.
//!
//! Learning, for each site: jusText on each page of the sample; a good paragraph whose text is good on another page too is taken
//! for bad; of pages with enough good text left, the tags before and after the stretches of good paragraphs are counted, and
//! the most frequent ones that stand on their pages just once become the site's patterns (see the search module).
//!
//! Extraction: what stands between the first begin pattern and the first end pattern after it goes to jusText, and its good
//! paragraphs are content. A page on which a pattern is missing has no content.
//!
//! Deviations, where the paper leaves open how:
//! - Tags are those of the HTML standard's tree, with id and class, digits as `#` (`post-1234` differs from page to page), without
//!   elements of running text and without end tags' attributes. The paper's patterns are raw markup.
//! - The paper first finds the nearest common parent of each page's good paragraphs, the most frequent one winning, then searches
//!   for cutting points in it. We search for the cutting points at once: a pair is judged by what it cuts out of the sample.
//! - A site with too few pages to learn from has no patterns; its pages go to jusText as a whole. (On CleanEval, where sites have
//!   three or four pages, the paper's results are nearly jusText's.)

mod learn;
mod search;
mod trace;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::justext::{self, Class, StopList};
use super::site::{SiteBy, site};
use super::{Extractor, ExtractorError, Label, LearnerRow, ModelKind, Parameter, Subject, Takes};
use crate::page::Segmentation;
use search::Patterns;

/// The blocks that are learnt from and labelled.
const SEGMENTS: &str = "paragraph";

const MODEL: ModelKind = ModelKind {
    name: "goldminer",
    version: 1,
};

pub(super) const EXTRACTOR: Extractor = Extractor {
    name: "goldminer",
    summary: "jusText between the tags that enclose the articles of the page's site",
    source: "Endrédy and Novák 2013",
    segmenter: Some(SEGMENTS),
    takes: Takes::Model,
    make: |arguments| {
        let model: Model = MODEL.read(&arguments.path)?;
        let stop_list = StopList::of(&model.language).ok_or_else(|| ExtractorError::File {
            path: arguments.path.clone(),
            why: format!("there is no stop list for {}", model.language),
        })?;
        Ok(Box::new(move |subject, segmentation| {
            label(subject, segmentation, &model, &stop_list)
        }))
    },
};

pub(super) const LEARNER: LearnerRow = LearnerRow {
    name: "goldminer",
    summary: "for each site the tags between which its articles stand",
    takes: Takes::Parameters(&[
        Parameter {
            name: "site",
            default: "domain",
            summary: "what a site is: domain (by the public suffix list) or host",
        },
        Parameter {
            name: "language",
            default: "English",
            summary: "jusText's stop list: a language such as German, or none",
        },
        Parameter {
            name: "sample",
            default: "100",
            summary: "pages of a site to learn from, the first ones",
        },
        Parameter {
            name: "min-characters",
            default: "500",
            summary: "characters of good text from which a page is learnt from",
        },
    ]),
    make: |arguments| Ok(Box::new(learn::Learning::new(arguments)?)),
};

/// What is learnt.
#[derive(Debug, Serialize, Deserialize)]
struct Model {
    site: SiteBy,
    language: String,
    sample: u32,
    min_characters: u64,
    sites: BTreeMap<String, SiteModel>,
}

/// What is learnt of a site.
#[derive(Debug, Serialize, Deserialize)]
struct SiteModel {
    /// Pages that were seen, up to the sample's size.
    pages: u32,
    /// Pages with enough good text.
    used: u32,
    /// None where nothing could be learnt.
    patterns: Option<Patterns>,
}

fn label(
    subject: &Subject,
    segmentation: &Segmentation,
    model: &Model,
    stop_list: &StopList,
) -> Vec<Label> {
    let mut labels = vec![Label::Boilerplate; segmentation.blocks.len()];
    let patterns =
        site(subject.url, model.site).and_then(|site| model.sites.get(&site)?.patterns.as_ref());
    let part = match patterns {
        Some(patterns) => patterns.cut(subject.page, segmentation),
        None => Some(0..labels.len()),
    };
    let Some(part) = part else { return labels };
    let paragraphs = justext::paragraphs(subject.page, segmentation, stop_list);
    let options = justext::Options::default().with(stop_list);
    let classes = justext::classify(&paragraphs[part.clone()], &options);
    for (label, classes) in labels[part].iter_mut().zip(classes) {
        *label = Label::content_if(classes.last == Class::Good);
    }
    labels
}
