//! Frequent templates: segments that recur in a collection are template text (Kohlschütter, *A Densitometric Analysis of
//! Web Template Content*, WWW 2009 §4, after Gibson, Punera and Tomkins, *The Volume and Evolution of Web Page Templates*,
//! WWW 2005).
//!
//! A block is boilerplate if its text stands on at least so many pages of the collection, or of the page's site. The paper
//! counts segments "occurring at least 10 times"; that is the default threshold.
//!
//! Deviations. The paper counts on the segments of Block Fusion, whose bounds depend on the text around a template; here the
//! blocks are boilerpipe's. Texts are the same if they are so in lower case, white space collapsed. Several occurrences on a
//! page count once (the paper does not say). Learning keeps 12 bytes for each distinct text, the text itself in none.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use trommel_page::html::segment;
use trommel_text::Fnv1a;

use crate::site::{SiteBy, site};
use crate::{
    Arguments, ExtractorError, ExtractorRow, Label, Learner, LearnerRow, Make, ModelKind,
    Parameter, Subject, Takes,
};

/// The blocks that are compared.
const SEGMENTS: &str = "boilerpipe";

const MODEL: ModelKind = ModelKind {
    name: "templates",
    version: 1,
};

pub(super) const ROW: ExtractorRow = ExtractorRow {
    name: "templates",
    summary: "all text but the blocks that recur in the collection",
    source: "WWW 2009 §4",
    segmenter: Some(SEGMENTS),
    takes: Takes::Model,
    make: Make::Labels(|arguments| {
        let model: Model = MODEL.read(&arguments.path)?;
        let templates: HashSet<u64> = model.templates.into_iter().collect();
        Ok(Box::new(move |subject, segmentation| {
            let place = Place::of(subject, model.within);
            let blocks = segmentation.blocks.iter();
            blocks
                .map(|block| Label::content_if(!templates.contains(&place.hash(&block.text))))
                .collect()
        }))
    }),
};

pub(super) const LEARNER: LearnerRow = LearnerRow {
    name: "templates",
    summary: "blocks whose text recurs on many pages (WWW 2009 §4)",
    takes: Takes::Parameters(&[
        Parameter {
            name: "threshold",
            default: "10",
            summary: "pages from which on a text is a template, 2 or more",
        },
        Parameter {
            name: "within",
            default: "collection",
            summary: "where the pages are counted: collection, domain or host",
        },
    ]),
    make: |arguments: &Arguments, _| {
        let threshold: u32 = arguments.get("threshold")?;
        if threshold < 2 {
            return Err(ExtractorError::Value {
                parameter: "threshold",
                value: threshold.to_string(),
                why: "what stands on one page alone does not recur; take 2 or more".to_owned(),
            });
        }
        Ok(Box::new(Learning {
            threshold,
            within: arguments.get("within")?,
            pages: 0,
            counts: HashMap::new(),
        }))
    },
};

/// Where the pages with a text are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Within {
    Collection,
    Domain,
    Host,
}

impl FromStr for Within {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "collection" => Ok(Within::Collection),
            "domain" => Ok(Within::Domain),
            "host" => Ok(Within::Host),
            _ => Err("there are: collection, domain, host".to_owned()),
        }
    }
}

impl fmt::Display for Within {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Within::Collection => "collection",
            Within::Domain => "domain",
            Within::Host => "host",
        })
    }
}

#[derive(Serialize, Deserialize)]
struct Model {
    threshold: u32,
    within: Within,
    /// Hashes of the templates, ascending.
    templates: Vec<u64>,
}

/// The site of a page, the start of all hashes of its texts. Pages whose url names no host are one site.
struct Place(Fnv1a);

impl Place {
    fn of(subject: &Subject, within: Within) -> Place {
        let site = match within {
            Within::Collection => None,
            Within::Domain => site(subject.url, SiteBy::Domain),
            Within::Host => site(subject.url, SiteBy::Host),
        };
        let start = Fnv1a::new().push(site.unwrap_or_default().as_bytes());
        Place(start.push(b"\n"))
    }

    fn hash(&self, text: &str) -> u64 {
        let words = text.split_whitespace();
        words
            .fold(self.0, |hash, word| {
                hash.push(word.to_lowercase().as_bytes()).push(b" ")
            })
            .finish()
    }
}

struct Learning {
    threshold: u32,
    within: Within,
    pages: u64,
    /// For each text the number of pages that it stands on.
    counts: HashMap<u64, u32>,
}

impl Learner for Learning {
    fn add(&mut self, subject: &Subject) {
        self.pages += 1;
        let Some(segmenter) = segment::by_name(SEGMENTS) else {
            return;
        };
        let place = Place::of(subject, self.within);
        let blocks = subject.blocks(segmenter).blocks.iter();
        let texts: BTreeSet<u64> = blocks.map(|block| place.hash(&block.text)).collect();
        for text in texts {
            let count = self.counts.entry(text).or_default();
            *count = count.saturating_add(1);
        }
    }

    fn finish(self: Box<Self>) -> Result<String, ExtractorError> {
        let recur = |(text, count): (&u64, &u32)| (*count >= self.threshold).then_some(*text);
        let mut templates: Vec<u64> = self.counts.iter().filter_map(recur).collect();
        templates.sort_unstable();
        let learnt = format!(
            "{} texts that stand on {} pages or more, of {} on {} pages",
            templates.len(),
            self.threshold,
            self.counts.len(),
            self.pages
        );
        MODEL.write(
            &learnt,
            &Model {
                threshold: self.threshold,
                within: self.within,
                templates,
            },
        )
    }
}
