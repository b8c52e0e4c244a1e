//! The promise on which everything rests: searching an index under a filter is searching an index of the filtered pages.

use std::path::Path;

use tempfile::TempDir;
use trommel::extractor::{Confidence, Label, Verdicts};
use trommel::filter::Filter;
use trommel::html::segment;
use trommel::index::{
    Hit, Index, IndexError, NewLabels, PageRecord, Provenance, Ranking, Stats, Unit, Writer,
    WriterOptions,
};
use trommel::page::{Block, DensityUnit, Tag};
use trommel::text::Analyzer;

use crate::brute::Bags;
use crate::oracle::{self, Seen};
use crate::support::Random;

/// A page as the index takes it.
pub struct Page {
    pub docid: String,
    pub blocks: Vec<Block>,
    /// For each block what [`EXTRACTORS`] say of it; empty for an index without labels.
    pub labels: Vec<Said>,
}

/// Names of the labels that pages of these tests may have. The first has no confidences; those of the last are meant where a filter
/// names none.
pub const EXTRACTORS: [&str; 3] = ["first", "second:n=2", "trommel"];

/// For each of [`EXTRACTORS`] whether a block is content, and the confidence in hundredths.
pub type Said = [(bool, u8); 3];

/// Confidences and their bounds, ascending, few enough that they often meet.
pub const CONFIDENCES: [u8; 9] = [0, 1, 28, 29, 50, 51, 57, 99, 100];

pub fn random_said(random: &mut Random) -> Said {
    std::array::from_fn(|_| {
        let confidence = CONFIDENCES[random.below(9) as usize];
        (random.below(2) == 0, confidence)
    })
}

impl Page {
    /// The blocks that pass, as [`crate::oracle`] reads the filter.
    pub fn passing(
        &self,
        filter: &Filter,
        unit: DensityUnit,
    ) -> impl Iterator<Item = usize> + use<> {
        let set = |name: &str| EXTRACTORS.iter().position(|known| *known == name).unwrap();
        let seen = Seen {
            blocks: &self.blocks,
            unit,
            facts: self.facts(),
            verdict: &|name, at| self.labels[at][set(name)].0,
            confidence: &|of, at| u32::from(self.labels[at][set(of.unwrap_or("trommel"))].1),
        };
        let passes = |at: &usize| oracle::holds(filter.node(), &seen, *at);
        (0..self.blocks.len())
            .filter(passes)
            .collect::<Vec<usize>>()
            .into_iter()
    }

    /// What is known of the page, which follows from its docid: host, site, media type, language, date.
    pub fn facts(&self) -> [String; 5] {
        let number: usize = self.docid.rsplit('-').next().unwrap().parse().unwrap_or(0);
        let (host, site) = [
            ("a.example.org", "example.org"),
            ("b.example.org", "example.org"),
            ("c.example.co.uk", "example.co.uk"),
            ("", ""),
        ][number % 4];
        let media_type = ["text/html", "", "application/xhtml+xml"][number % 3];
        let language = ["en", "de", ""][number / 3 % 3];
        let date = match number % 5 {
            0 => String::new(),
            _ => format!(
                "20{:02}-{:02}-{:02}T10:00:00Z",
                number % 3 + 5,
                number % 12 + 1,
                number % 28 + 1
            ),
        };
        [host, site, media_type, language, &date].map(str::to_owned)
    }
}

/// Writes pages to a new index through the library. Titles and addresses are made of the docids.
pub fn index(directory: &Path, segmenter: &str, analyzer: Analyzer, pages: &[Page]) -> Index {
    let labelled = pages.iter().any(|page| !page.labels.is_empty());
    let sets = if labelled { &EXTRACTORS[..] } else { &[] };
    let new_labels = |name: &&str| NewLabels::named(name, *name != "first");
    let sets: Vec<NewLabels> = sets.iter().map(new_labels).collect();
    let options = WriterOptions::default()
        .with_segmenter(*segment::by_name(segmenter).unwrap())
        .with_analyzer(analyzer)
        .with_labels(sets.clone())
        .with_threads(1);
    let mut writer = Writer::create(directory, &options).unwrap();
    for (at, page) in pages.iter().enumerate() {
        let number = writer.number().unwrap();
        let [host, _, media_type, language, date] = page.facts();
        let record = PageRecord {
            docid: page.docid.clone(),
            title: page.docid.replace('-', " "),
            url: match host.as_str() {
                "" => page.docid.clone(),
                host => format!("http://{host}/{}", page.docid),
            },
            media_type,
            language,
            date,
            ..PageRecord::default()
        };
        let verdicts = |(at, set): (usize, &NewLabels)| {
            let said = || page.labels.iter().map(|of| of[at]);
            let confidence = |(_, hundredths)| Confidence::hundredths(hundredths);
            Verdicts {
                labels: said().map(|said| Label::content_if(said.0)).collect(),
                confidences: set.confidences.then(|| said().map(confidence).collect()),
            }
        };
        let verdicts: Vec<Verdicts> = sets.iter().enumerate().map(verdicts).collect();
        writer
            .add(number, &record, &page.blocks, &verdicts)
            .unwrap();
        // Small indexes have several parts, too.
        let part = if pages.len() < 100 { 17 } else { 1000 };
        if at % part == part - 1 {
            writer = writer.flush().unwrap();
        }
    }
    writer.finish(Provenance::default()).unwrap();
    Index::open(directory).unwrap()
}

/// Pages cut down to the blocks that pass.
pub fn cut(pages: &[Page], filter: &Filter, unit: DensityUnit) -> Vec<Page> {
    let passing = |page: &Page| {
        page.passing(filter, unit)
            .map(|at| page.blocks[at].clone())
            .collect()
    };
    pages
        .iter()
        .map(|page| Page {
            docid: page.docid.clone(),
            blocks: passing(page),
            labels: Vec::new(),
        })
        .collect()
}

pub fn random_pages(random: &mut Random) -> Vec<Page> {
    let mut docids: Vec<u32> = (0..40).collect();
    random.shuffle(&mut docids);
    docids
        .into_iter()
        .map(|docid| {
            let blocks: Vec<Block> = (0..random.below(8)).map(|_| random_block(random)).collect();
            let labels = blocks.iter().map(|_| random_said(random));
            Page {
                docid: format!("doc-{docid}"),
                labels: labels.collect(),
                blocks,
            }
        })
        .collect()
}

pub fn random_block(random: &mut Random) -> Block {
    let vocabulary = ["apple", "pear", "plum", "fig", "the", "quince", "sloe"];
    let words = random.below(12) as usize;
    // Some words are rare enough for feedback.
    let word = |random: &mut Random| match vocabulary.get(random.below(9) as usize) {
        Some(word) => (*word).to_owned(),
        None => format!("rare{}", random.below(50)),
    };
    let text: Vec<String> = (0..words).map(|_| word(random)).collect();
    Block {
        text: text.join(" "),
        num_words: words as u32,
        num_tokens: words as u32 + random.below(3),
        num_linked_words: random.below(words as u32 + 1),
        num_words_in_full_lines: words as u32,
        num_lines: 1 + random.below(3),
        tag: Tag::from_name(["p", "li", "h1", "div", ""][random.below(5) as usize]),
    }
}

/// A filter of up to three levels.
pub fn random_filter(random: &mut Random) -> Filter {
    let text = random_expression(random, 3);
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

fn random_expression(random: &mut Random, depth: u32) -> String {
    let parts = |random: &mut Random| -> Vec<String> {
        (0..2 + random.below(2))
            .map(|_| random_expression(random, depth - 1))
            .collect()
    };
    match random.below(if depth == 0 { 1 } else { 9 }) {
        3 | 4 => format!("({})", parts(random).join(" and ")),
        5 | 6 => format!("({})", parts(random).join(" or ")),
        7 => format!("not ({})", random_expression(random, depth - 1)),
        8 => format!("2 of ({})", parts(random).join(", ")),
        _ => random_test(random),
    }
}

fn random_test(random: &mut Random) -> String {
    let operator = [">=", "<=", ">", "<", "=", "!="][random.below(6) as usize];
    let mut one = |from: &[&str]| from[random.below(from.len() as u32) as usize].to_owned();
    let confidences = CONFIDENCES.map(|n| format!("0.{n:02}").replace("0.100", "1"));
    match one(&[
        "words", "words", "commas", "tokens", "links", "density", "share", "tag", "verdict",
        "sure", "position", "page", "date", "host", "other",
    ])
    .as_str()
    {
        "words" => format!("words {operator} {}", random.below(11)),
        "tokens" => format!("tokens in {}..{}", random.below(5), 5 + random.below(8)),
        "commas" => format!("commas {operator} {}", random.below(3)),
        "links" => format!("link-density {operator} 0.{}", random.below(10)),
        "density" => format!("density {operator} {}.5", random.below(10)),
        "share" => format!("position-share {operator} 0.{}", random.below(10)),
        "position" => format!("position {operator} {}", random.below(6)),
        "page" => format!("page-words {operator} {}", random.below(40)),
        "tag" => one(&[
            "tag = p",
            "tag in (li, h1)",
            "tag != \"\"",
            "tag not in (p, div)",
        ]),
        "verdict" => one(&["first", "second:n=2", "trommel"]),
        "sure" => {
            let of = one(&["", "(trommel)", "(second:n=2)"]);
            format!(
                "confidence{of} {operator} {}",
                confidences[random.below(9) as usize]
            )
        }
        "date" => one(&[
            "date in 2005..2006-06",
            "date > 2006-02",
            "date = 2007-03",
            "date != 2006",
        ]),
        "host" => one(&[
            "host = a.example.org",
            "site = example.org",
            "site in (example.co.uk)",
            "not host = b.example.org",
        ]),
        _ => one(&[
            "language = en",
            "media-type = text/html",
            "language not in (de)",
            "media-type != text/html",
        ]),
    }
}

/// Every formula, alone and with feedback.
pub const MODELS: [&str; 9] = [
    "bm25",
    "bm25:k1=1.2,b=0.75+rm3",
    "qld:mu=20",
    "qld:mu=20+rm3:terms=4,docs=3,weight=0.7",
    "qljm",
    "qljm:lambda=0.4+rm3:docs=5",
    "tfidf",
    "tfidf:norm-byte=1",
    "tfidf+rm3",
];

/// The terms of the blocks that pass, page by page.
fn bags(pages: &[Page], filter: &Filter, unit: DensityUnit) -> Bags {
    Bags::new(pages.iter().map(|page| {
        let passing = page.passing(filter, unit);
        let terms = passing.flat_map(|at| Analyzer::English.terms(&page.blocks[at].text));
        (page.docid.clone(), terms.collect())
    }))
}

pub fn named(index: &Index, hits: &[Hit]) -> Vec<(String, u32)> {
    hits.iter()
        .map(|hit| (index.docid(hit.page).to_owned(), hit.score.to_bits()))
        .collect()
}

const QUERIES: [&str; 7] = [
    "apple",
    "pear plum",
    "quince fig apple quince",
    "the",
    "sloe sloe sloe",
    "none",
    "the pears",
];

#[test]
fn random_collections() {
    for seed in 0..12 {
        let random = &mut Random::new(seed);
        let pages = random_pages(random);
        let directory = TempDir::new().unwrap();
        let (segmenter, unit) = [
            ("boilerpipe", DensityUnit::Words),
            ("atomic", DensityUnit::Tokens),
        ][seed as usize % 2];
        let made = |name: &str, pages: &[Page]| {
            let path = directory.path().join(name);
            index(&path, segmenter, Analyzer::English, pages)
        };
        let full = made("full", &pages);
        for case in 0..6 {
            let filter = random_filter(random);
            let reduced = made(&case.to_string(), &cut(&pages, &filter, unit));
            for (query, model) in QUERIES.iter().flat_map(|q| MODELS.map(|m| (q, m))) {
                let ranking = |filter: &Filter, unit: Unit| Ranking {
                    filter: filter.clone(),
                    model: model.parse().unwrap(),
                    unit,
                    ..Ranking::default()
                };
                for (k, ranked) in [(3, Unit::Page), (1000, Unit::Page), (1000, Unit::Block)] {
                    let filtered = full.search(query, &ranking(&filter, ranked), k).unwrap();
                    let unfiltered = ranking(&Filter::default(), ranked);
                    let reindexed = reduced.search(query, &unfiltered, k).unwrap();
                    assert_eq!(
                        named(&full, &filtered),
                        named(&reduced, &reindexed),
                        "{model} {filter} '{query}' seed {seed}"
                    );
                }
            }
        }
    }
}

/// Many expressions, each with a few queries only.
#[test]
fn a_thousand_random_expressions() {
    let unit = DensityUnit::Words;
    let mut selective = 0;
    for seed in 100..150 {
        let random = &mut Random::new(seed);
        let pages = random_pages(random);
        let directory = TempDir::new().unwrap();
        let made = |name: &str, pages: &[Page]| {
            let path = directory.path().join(name);
            index(&path, "boilerpipe", Analyzer::English, pages)
        };
        let full = made("full", &pages);
        for case in 0..20 {
            let filter: Filter = random_expression(random, 3).parse().unwrap();
            let reduced = made(&case.to_string(), &cut(&pages, &filter, unit));
            let kept = full.kept(&filter).unwrap().blocks;
            selective += u32::from(kept > 0 && kept < full.manifest.counts.blocks);
            for query in &QUERIES[..3] {
                let ranking = |filter: &Filter| Ranking {
                    filter: filter.clone(),
                    ..Ranking::default()
                };
                let filtered = full.search(query, &ranking(&filter), 1000).unwrap();
                let unfiltered = ranking(&Filter::default());
                let reindexed = reduced.search(query, &unfiltered, 1000).unwrap();
                let same = named(&full, &filtered) == named(&reduced, &reindexed);
                assert!(same, "{filter} '{query}' seed {seed}");
            }
        }
    }
    assert!(
        selective > 500,
        "{selective} of 1,000 keep some blocks and drop others"
    );
}

/// Every model is what its definition says, whichever statistics it takes.
#[test]
fn models_are_their_definitions() {
    let unit = DensityUnit::Words;
    for seed in 0..8 {
        let random = &mut Random::new(seed);
        let pages = random_pages(random);
        let directory = TempDir::new().unwrap();
        let full = index(directory.path(), "boilerpipe", Analyzer::English, &pages);
        let everything = bags(&pages, &Filter::default(), unit);
        for _ in 0..6 {
            let filter = random_filter(random);
            let passing = bags(&pages, &filter, unit);
            let others = random_filter(random);
            let counted = bags(&pages, &others, unit);
            let of_others = Stats::Of(others);
            for (query, model) in QUERIES.iter().flat_map(|q| MODELS.map(|m| (q, m))) {
                let terms = Analyzer::English.terms(query);
                for (stats, all) in [
                    (&Stats::Subset, &passing),
                    (&Stats::Collection, &everything),
                    (&of_others, &counted),
                ] {
                    let ranking = Ranking {
                        filter: filter.clone(),
                        model: model.parse().unwrap(),
                        stats: stats.clone(),
                        ..Ranking::default()
                    };
                    let found = match full.search(query, &ranking, 1000) {
                        Err(IndexError::NoStatistics(_)) if all.is_empty() => continue,
                        found => found.unwrap(),
                    };
                    let expected = passing.scores(all, &terms, &ranking.model);
                    let case = format!("{model} {filter} '{query}' {stats:?} seed {seed}");
                    assert_eq!(found.len(), expected.len(), "{case}");
                    for hit in &found {
                        let score = expected[full.docid(hit.page)];
                        let close = (score - f64::from(hit.score)).abs() < 1e-5;
                        assert!(close, "{case}: {score} {}", hit.score);
                    }
                    let ordered = found.is_sorted_by(|a, b| {
                        (b.score, full.docid(b.page)) <= (a.score, full.docid(a.page))
                    });
                    assert!(ordered, "{case}");
                }
            }
        }
    }
}

/// The property above can fail: against pages that were cut one word higher, or that lost one block, results differ.
#[test]
fn a_wrong_cut_is_noticed() {
    let queries = ["apple", "pear plum", "quince fig apple quince", "sloe"];
    let min_words = |n: u32| format!("words >= {n}").parse::<Filter>().unwrap();
    let mut noticed = [0; 3];
    for seed in 0..12 {
        let random = &mut Random::new(seed);
        let pages = random_pages(random);
        let directory = TempDir::new().unwrap();
        let made = |name: &str, pages: &[Page]| {
            let path = directory.path().join(name);
            index(&path, "boilerpipe", Analyzer::English, pages)
        };
        let bound = 2 + random.below(6);
        let ranking = Ranking {
            filter: min_words(bound),
            ..Ranking::default()
        };
        let full = made("full", &pages);
        let results = |index: &Index, ranking: &Ranking| -> Vec<Vec<(String, u32)>> {
            let search = |query| index.search(query, ranking, 1000).unwrap();
            queries.map(|query| named(index, &search(query))).into()
        };
        let expected = results(&full, &ranking);
        let unit = DensityUnit::Words;
        let right = cut(&pages, &ranking.filter, unit);
        let mut one_block_less = cut(&pages, &ranking.filter, unit);
        let page = one_block_less.iter_mut().find(|p| !p.blocks.is_empty());
        page.unwrap().blocks.pop();
        let unfiltered = Ranking::default();
        assert_eq!(results(&made("right", &right), &unfiltered), expected);
        for (mutation, pages) in [
            cut(&pages, &min_words(bound + 1), unit),
            cut(&pages, &min_words(bound - 1), unit),
            one_block_less,
        ]
        .iter()
        .enumerate()
        {
            let reduced = made(&format!("wrong-{mutation}"), pages);
            noticed[mutation] += u32::from(results(&reduced, &unfiltered) != expected);
        }
    }
    // Now and then no block has just so many words, or the block that is lost has no term.
    assert!(noticed.iter().all(|times| *times >= 10), "{noticed:?}");
}

/// A page without text has a number and a docid, and counts nowhere.
#[test]
fn pages_without_text_do_not_count() {
    let directory = TempDir::new().unwrap();
    let block = |text: &str| Block {
        text: text.to_owned(),
        num_words: 1,
        num_lines: 1,
        ..Block::default()
    };
    let pages = [
        ("a", vec![]),
        ("b", vec![block("fig")]),
        ("c", vec![block("the"), block("")]),
    ]
    .map(|(docid, blocks)| Page {
        docid: docid.to_owned(),
        blocks,
        labels: Vec::new(),
    });
    let index = index(directory.path(), "boilerpipe", Analyzer::English, &pages);
    assert_eq!(index.num_pages(), 3);
    let hits = index.search("fig", &Ranking::default(), 10).unwrap();
    // N = 1, df = 1: idf = ln(1 + 0.5 / 1.5); tf = 1 and length = average: 1 / (1 + 0.9).
    let expected = (4.0f64 / 3.0).ln() / 1.9;
    assert_eq!(
        named(&index, &hits),
        [("b".to_owned(), (expected as f32).to_bits())]
    );
    assert_eq!(index.page_blocks(0).unwrap(), []);
    assert_eq!(index.page_blocks(2).unwrap(), pages[2].blocks);
}
