//! The learner: samples by site, and from a full sample the site's patterns.

use std::collections::{BTreeMap, HashMap};

use trommel_page::html::segment;
use trommel_text::fnv1a;

use super::model::{MODEL, Model, SEGMENTS, SiteModel};
use super::search::{Sampled, search};
use super::trace::trace;
use crate::justext::{self, Class, StopList};
use crate::site::{SiteBy, site};
use crate::{Arguments, ExtractorError, Learner, Subject};

/// Tags of a page that are kept: a sample takes 4 bytes for each. A page of a portal has some thousands.
const MOST_TAGS: usize = 1 << 14;

pub(super) struct Learning {
    by: SiteBy,
    language: String,
    sample: u32,
    min_characters: u64,
    stopwords_low: f64,
    stopwords_high: f64,
    max_link_density: f64,
    stop_list: StopList,
    /// Sites whose sample is not full yet.
    open: BTreeMap<String, Site>,
    done: BTreeMap<String, SiteModel>,
    /// Pages whose url names no site.
    homeless: u64,
}

/// The sample of a site.
#[derive(Default)]
struct Site {
    names: HashMap<String, u32>,
    pages: Vec<Sampled>,
}

impl Learning {
    pub fn new(arguments: &Arguments) -> Result<Self, ExtractorError> {
        Ok(Learning {
            by: arguments.get("site")?,
            language: arguments.get("language")?,
            sample: arguments.get::<u32>("sample")?.max(1),
            min_characters: arguments.get("min-characters")?,
            stopwords_low: arguments.share("stopwords-low")?,
            stopwords_high: arguments.share("stopwords-high")?,
            max_link_density: arguments.share("max-link-density")?,
            stop_list: justext::stop_list(arguments)?,
            open: BTreeMap::new(),
            done: BTreeMap::new(),
            homeless: 0,
        })
    }

    fn close(&mut self, name: String, site: Site) {
        let pages = site.pages.len() as u32;
        let mut names = vec![String::new(); site.names.len()];
        for (name, number) in site.names {
            names[number as usize] = name;
        }
        let (used, patterns) = search(site.pages, &names, self.min_characters);
        let model = SiteModel {
            pages,
            used,
            patterns,
        };
        self.done.insert(name, model);
    }
}

impl Learner for Learning {
    fn add(&mut self, subject: &Subject) {
        let Some(name) = site(subject.url, self.by) else {
            self.homeless += 1;
            return;
        };
        if self.done.contains_key(&name) {
            return;
        }
        let Some(segmenter) = segment::by_name(SEGMENTS) else {
            return;
        };
        let segmentation = subject.blocks(segmenter);
        let paragraphs = justext::paragraphs(subject.page, segmentation, &self.stop_list);
        let options = justext::Options::default().with(&self.stop_list);
        let classes = justext::classify(&paragraphs, &options);
        let site = self.open.entry(name.clone()).or_default();
        let names = &mut site.names;
        let trace = trace(subject.page, segmentation, MOST_TAGS, |tag| {
            let next = names.len() as u32;
            match names.get(tag) {
                Some(number) => *number,
                None => *names.entry(tag.to_owned()).or_insert(next),
            }
        });
        let texts = segmentation
            .blocks
            .iter()
            .map(|block| fnv1a(block.text.as_bytes()));
        site.pages.push(Sampled {
            trace,
            good: classes.iter().map(|c| c.last == Class::Good).collect(),
            lengths: paragraphs.iter().map(|p| p.length).collect(),
            texts: texts.collect(),
        });
        if site.pages.len() >= self.sample as usize
            && let Some(site) = self.open.remove(&name)
        {
            self.close(name, site);
        }
    }

    fn finish(mut self: Box<Self>) -> Result<String, ExtractorError> {
        while let Some((name, site)) = self.open.pop_first() {
            self.close(name, site);
        }
        if self.done.is_empty() && self.homeless > 0 {
            return Err(ExtractorError::NoSites(self.homeless));
        }
        let left_out = match self.homeless {
            0 => String::new(),
            pages => format!("; {pages} pages without a url left out"),
        };
        let learnt = format!(
            "{} sites with patterns, of {}{left_out}",
            self.done
                .values()
                .filter(|site| site.patterns.is_some())
                .count(),
            self.done.len()
        );
        let model = Model {
            site: self.by,
            language: self.language,
            sample: self.sample,
            min_characters: self.min_characters,
            stopwords_low: self.stopwords_low,
            stopwords_high: self.stopwords_high,
            max_link_density: self.max_link_density,
            sites: self.done,
        };
        MODEL.write(&learnt, &model)
    }
}
