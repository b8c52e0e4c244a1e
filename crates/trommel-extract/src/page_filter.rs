//! A filter over the blocks of a page that is in no index.

use std::cell::OnceCell;

use trommel_page::attribute::{Attribute, Date, Kind, PageWord, places};
use trommel_page::filter::{Facts, Filter, Test};
use trommel_page::html::segment::Segmenter;
use trommel_text::host_of;

use super::{Extractor, ExtractorError, Subject, Verdicts, parse};

/// The extractor whose confidences a filter means that names none.
pub const PREFERRED: &str = "trommel";

/// A filter with the extractors that it names, ready to judge pages.
#[derive(Debug)]
pub struct PageFilter {
    filter: Filter,
    extractors: Vec<(Box<str>, Extractor)>,
}

/// What is known of a page besides its markup; each may be empty.
#[derive(Debug, Clone, Copy, Default)]
pub struct PageFacts<'a> {
    /// Its address.
    pub url: &'a str,
    /// Its date, as the collection has it.
    pub date: &'a str,
    /// Its media type, in lower case.
    pub media_type: &'a str,
    /// The language that its record declares, for [`Page::language_or`](trommel_page::Page::language_or).
    pub language: Option<&'a str>,
}

impl PageFilter {
    /// Makes the extractors that a filter names.
    ///
    /// # Errors
    /// An extractor that cannot be made, or whose confidence is compared and that gives none.
    pub fn new(filter: Filter) -> Result<PageFilter, ExtractorError> {
        let mut names: Vec<(Box<str>, bool)> = Vec::new();
        filter.node().for_each(&mut |test| match test {
            Test::Verdict(name) => names.push((name.clone(), false)),
            Test::Compare(it) if matches!(it.attribute.kind, Kind::Confidence) => {
                let name = it.of.clone().unwrap_or_else(|| PREFERRED.into());
                names.push((name, true));
            }
            Test::Compare(_) => {}
        });
        let mut extractors: Vec<(Box<str>, Extractor)> = Vec::new();
        for (name, compared) in names {
            let known = extractors.iter().position(|(known, _)| *known == name);
            let at = match known {
                Some(at) => at,
                None => {
                    let extractor = parse(&name)?;
                    extractors.push((name.clone(), extractor));
                    extractors.len() - 1
                }
            };
            if compared && !extractors[at].1.has_confidences() {
                return Err(ExtractorError::NoConfidences(name.into()));
            }
        }
        Ok(PageFilter { filter, extractors })
    }

    /// Returns for each of the blocks that a segmenter makes of the page whether it passes.
    pub fn passing(&self, subject: &Subject, segmenter: &Segmenter, page: &PageFacts) -> Vec<bool> {
        let verdicts = self.extractors.iter();
        let verdicts = verdicts.map(|(name, of)| (&**name, of.verdicts(subject, segmenter)));
        let mut known = Known {
            verdicts: verdicts.collect(),
            host: host_of(page.url).unwrap_or_default(),
            page,
            subject,
            language: OnceCell::new(),
            block: 0,
        };
        let blocks = subject.blocks(segmenter);
        let mut passing = Vec::with_capacity(blocks.blocks.len());
        for (block, place) in places(&blocks.blocks, blocks.unit).enumerate() {
            known.block = block;
            passing.push(self.filter.passes(&place, &known));
        }
        passing
    }
}

/// What is known of a block of a page.
struct Known<'a> {
    verdicts: Vec<(&'a str, Verdicts)>,
    host: String,
    page: &'a PageFacts<'a>,
    subject: &'a Subject<'a>,
    /// Found out when it is asked for first.
    language: OnceCell<&'static str>,
    block: usize,
}

impl Known<'_> {
    fn of(&self, name: &str) -> Option<&Verdicts> {
        let known = self.verdicts.iter().find(|(known, _)| *known == name);
        known.map(|(_, verdicts)| verdicts)
    }
}

impl Facts for Known<'_> {
    fn is_content(&self, extractor: &str) -> bool {
        let labels = self.of(extractor).map(|verdicts| &verdicts.labels);
        labels.and_then(|labels| labels.get(self.block)) == Some(&super::Label::Content)
    }

    fn confidence(&self, extractor: Option<&str>) -> Option<u32> {
        let verdicts = self.of(extractor.unwrap_or(PREFERRED))?;
        let confidence = verdicts.confidences.as_ref()?.get(self.block)?;
        Some(u32::from(confidence.in_hundredths()))
    }

    fn word(&self, attribute: &Attribute) -> Option<String> {
        let Kind::Word(word) = &attribute.kind else {
            return None;
        };
        let own = match word.of {
            PageWord::Host => &self.host,
            PageWord::MediaType => self.page.media_type,
            PageWord::Language => self
                .language
                .get_or_init(|| self.subject.page.language_or(self.page.language)),
        };
        let own = (!own.is_empty()).then_some(own)?;
        Some(
            word.derive
                .map_or_else(|| own.to_owned(), |derive| derive(own)),
        )
    }

    fn date(&self) -> Option<Date> {
        Date::of_time(self.page.date)
    }
}
