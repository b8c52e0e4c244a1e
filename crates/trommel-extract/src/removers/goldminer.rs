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
//! jusText in that part: the paper says no more. Here the part's edges count as good neighbours, since the article begins and
//! ends there, and by default stop words do not matter and half of a paragraph may be links. With the edges as bad
//! neighbours and the thresholds of jusText 3.0.2 much of the article is lost; the authors used a jusText of their own in C++,
//! and its published output on whole pages too keeps more than 3.0.2 does. These defaults and the rules of the search were
//! chosen on CleanPortalEval, on which they are measured (see `docs/goldminer.md`).
//!
//! Deviations, where the paper leaves open how:
//! - Tags are those of the HTML standard's tree, with id and class, digits as `#` (`post-1234` differs from page to page), without
//!   elements of running text and without end tags' attributes. The paper's patterns are raw markup.
//! - The paper first finds the nearest common parent of each page's good paragraphs, the most frequent one winning, then searches
//!   for cutting points in it. We search for the cutting points at once: a pair is judged by what it cuts out of the sample.
//! - A site with too few pages to learn from has no patterns; its pages go to jusText as a whole. (On CleanEval, where sites have
//!   three or four pages, the paper's results are nearly jusText's.)

mod learn;
mod model;
mod search;
mod trace;

use model::{MODEL, Model, SEGMENTS, SiteModel};
use trommel_page::Segmentation;

use super::justext::{self, Class, Options, Paragraph, StopList};
use crate::site::site;
use crate::{ExtractorRow, Label, LearnerRow, Make, Parameter, Subject, Takes};

pub(super) const ROW: ExtractorRow = ExtractorRow {
    name: "goldminer",
    summary: "jusText between the tags that enclose the articles of the page's site",
    source: "Endrédy and Novák 2013",
    segmenter: Some(SEGMENTS),
    takes: Takes::Model,
    make: Make::Labels(|arguments| {
        let model: Model = MODEL.read(&arguments.path)?;
        let stop_list = StopList::of(&model.language).ok_or_else(|| {
            let why = format!("there is no stop list for {}", model.language);
            MODEL.refused(&arguments.path, why)
        })?;
        if model.sites.values().any(SiteModel::is_damaged) {
            let why = "a damaged model (a pattern without tags)";
            return Err(MODEL.refused(&arguments.path, why));
        }
        Ok(Box::new(move |subject, segmentation| {
            label(subject, segmentation, &model, &stop_list)
        }))
    }),
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
        Parameter {
            name: "stopwords-low",
            default: "0",
            summary: "jusText's threshold inside the article; 0.30 is its own",
        },
        Parameter {
            name: "stopwords-high",
            default: "0",
            summary: "jusText's threshold inside the article; 0.32 is its own",
        },
        Parameter {
            name: "max-link-density",
            default: "0.5",
            summary: "jusText's threshold inside the article; 0.2 is its own",
        },
    ]),
    make: |arguments, _| Ok(Box::new(learn::Learning::new(arguments)?)),
};

fn label(
    subject: &Subject,
    segmentation: &Segmentation,
    model: &Model,
    stop_list: &StopList,
) -> Vec<Label> {
    let mut labels = vec![Label::Boilerplate; segmentation.blocks.len()];
    let paragraphs = || justext::paragraphs(subject.page, segmentation, stop_list);
    let jus_text = Options::default().with(stop_list);
    let patterns =
        site(subject.url, model.site).and_then(|site| model.sites.get(&site)?.patterns.as_ref());
    let Some(patterns) = patterns else {
        let classes = justext::classify(&paragraphs(), &jus_text);
        for (label, classes) in labels.iter_mut().zip(classes) {
            *label = Label::content_if(classes.last == Class::Good);
        }
        return labels;
    };
    let Some(part) = patterns.cut(subject.page, segmentation) else {
        return labels;
    };
    let inside = Options {
        stopwords_low: model.stopwords_low,
        stopwords_high: model.stopwords_high,
        max_link_density: model.max_link_density,
        ..jus_text
    }
    .with(stop_list);
    // A paragraph that is good by any thresholds.
    let edge = Paragraph {
        length: inside.length_high + 1,
        words: 1,
        stop_words: 1,
        ..Paragraph::default()
    };
    let mut article = vec![edge];
    article.extend_from_slice(&paragraphs()[part.clone()]);
    article.push(edge);
    let classes = justext::classify(&article, &inside);
    for (label, classes) in labels[part].iter_mut().zip(&classes[1..]) {
        *label = Label::content_if(classes.last == Class::Good);
    }
    labels
}
