//! Queries with operators, phrases and fields: who answers, with which score, under any filter.

use std::collections::HashMap;

use tempfile::TempDir;
use trommel::filter::Filter;
use trommel::index::syntax::parse;
use trommel::index::{Expression, Hit, Index, Query, Ranking, Stats, Unit};
use trommel::page::{Block, DensityUnit};
use trommel::text::{Analyzer, Hundredths};

use crate::equivalence::{Page, cut, index, named, random_block, random_filter, random_said};
use crate::support::Random;

fn query(index: &Index, text: &str) -> Query {
    Query::new(&parse(text).unwrap().expression, index.analyzer()).unwrap()
}

fn search(index: &Index, text: &str, ranking: &Ranking) -> Vec<Hit> {
    let query = query(index, text);
    index.search_query(&query, ranking, 1000).unwrap()
}

/// Pages whose blocks are texts, with `num_words` as white space has it.
fn pages(texts: &[(&str, &[&str])]) -> Vec<Page> {
    let block = |text: &&str| Block {
        text: (*text).to_owned(),
        num_words: text.split_whitespace().count() as u32,
        num_lines: 1,
        ..Block::default()
    };
    let page = |(docid, blocks): &(&str, &[&str])| Page {
        docid: (*docid).to_owned(),
        blocks: blocks.iter().map(block).collect(),
        labels: Vec::new(),
    };
    texts.iter().map(page).collect()
}

/// Who answers: docids, and block numbers where blocks are ranked.
#[test]
fn answers() {
    let directory = TempDir::new().unwrap();
    let pages = pages(&[
        ("a", &["rain fell", "on the old barrel there"]),
        ("b", &["the rain barrel of the garden stood there"]),
        ("c", &["rain", "barrel"]),
        ("d-storm", &["barrel of rain, rain"]),
        ("e-storm", &[]),
        ("f", &["rain rain rain barrel"]),
    ]);
    let index = index(directory.path(), "boilerpipe", Analyzer::English, &pages);
    let check = |text: &str, min_words: u32, unit: Unit, expected: &str| {
        let ranking = Ranking {
            filter: format!("words >= {min_words}").parse().unwrap(),
            unit,
            ..Ranking::default()
        };
        let mut found: Vec<String> = search(&index, text, &ranking)
            .iter()
            .map(|hit| match hit.block {
                Some(block) => format!("{}/{block}", index.docid(hit.page)),
                None => index.docid(hit.page).to_owned(),
            })
            .collect();
        found.sort();
        assert_eq!(found.join(" "), expected, "{text} {min_words} {unit:?}");
    };
    for (text, min_words, expected) in [
        ("rain barrel", 0, "a b c d-storm f"),
        ("rain AND barrel", 0, "a b c d-storm f"),
        ("rain AND barrel", 4, "b d-storm f"),
        ("+barrel rain", 4, "a b d-storm f"),
        // Excluded where a passing block has it: the first block of a does not pass.
        ("barrel NOT rain", 0, ""),
        ("barrel NOT rain", 4, "a"),
        // Within one block, side by side; words that are left out keep their places.
        ("\"rain barrel\"", 0, "b f"),
        ("\"barrel rain\"", 0, ""),
        ("\"barrel of rain\"", 0, "d-storm"),
        ("\"barrel the rain\"", 0, "d-storm"),
        ("\"Rain, rain\"", 0, "d-storm f"),
        ("\"the barrels of\"", 0, "a b c d-storm f"),
        ("barrel -\"rain barrel\"", 0, "a c d-storm"),
        ("garden OR \"rain fell\"", 0, "a b"),
        ("garden OR (fell AND barrel)", 0, "a b"),
        ("garden OR (fell AND barrel)", 4, "b"),
        // Titles and addresses are those of the page, whatever passes.
        ("title:storm", 0, "d-storm e-storm"),
        ("title:storm", 999, "d-storm e-storm"),
        ("rain title:storm", 0, "d-storm"),
        ("rain OR title:storm", 0, "a b c d-storm e-storm f"),
        ("rain -title:storm", 0, "a b c f"),
        ("title:\"e storm\"", 0, "e-storm"),
        ("url:example.org/d-storm", 0, "d-storm"),
        ("url:EXAMPLE url:f", 0, "f"),
        ("title:example", 0, ""),
        // Words that the analyzer leaves out ask for nothing.
        ("the AND garden", 0, "b"),
        ("garden -the", 0, "b"),
        // A word of several terms: a bag, or a phrase where it is required.
        ("rain-fell", 0, "a b c d-storm f"),
        ("+rain-fell", 0, "a"),
    ] {
        check(text, min_words, Unit::Page, expected);
    }
    for (text, min_words, expected) in [
        ("rain AND barrel", 0, "b/0 d-storm/0 f/0"),
        ("barrel NOT rain", 0, "a/1 c/1"),
        ("barrel NOT rain", 4, "a/1"),
        ("\"rain barrel\"", 0, "b/0 f/0"),
        ("title:storm", 0, "d-storm/0"),
        ("title:storm", 999, ""),
    ] {
        check(text, min_words, Unit::Block, expected);
    }
}

#[test]
fn refused() {
    for (text, part) in [
        ("NOT rain", "none of its words"),
        ("-rain -barrel", "none of its words"),
        ("rain OR NOT barrel", "none of its words"),
        ("-title:rain", "none of its words"),
        ("the -rain", "none of its words"),
        ("the \"of the\"", "no word"),
        ("title:the", "no word"),
        ("()", "no word"),
        ("", "no word"),
    ] {
        let expression = parse(text).unwrap().expression;
        let error = Query::new(&expression, Analyzer::English).unwrap_err();
        assert!(error.to_string().contains(part), "{text}: {error}");
    }
}

/// Titles and addresses add nothing; pages without a score of their own come in descending order of docid.
#[test]
fn fields_do_not_score() {
    let directory = TempDir::new().unwrap();
    let pages = pages(&[
        ("a-storm", &["rain"]),
        ("b-storm", &["fog"]),
        ("c", &["rain"]),
        ("d-storm", &[]),
    ]);
    let index = index(directory.path(), "boilerpipe", Analyzer::English, &pages);
    for model in [
        "bm25",
        "qld",
        "qljm",
        "tfidf",
        "tfidf:norm-byte=1",
        "bm25+rm3",
        "qld+rm3",
    ] {
        let ranking = Ranking {
            model: model.parse().unwrap(),
            ..Ranking::default()
        };
        let found = |text: &str| named(&index, &search(&index, text, &ranking));
        let zero = |docid: &str| (docid.to_owned(), 0f32.to_bits());
        let storm = ["d-storm", "b-storm", "a-storm"].map(zero);
        assert_eq!(found("title:storm"), storm, "{model}");
        let nothing = "words >= 99".parse::<Filter>().unwrap();
        let nothing = Ranking {
            filter: nothing,
            ..ranking.clone()
        };
        assert_eq!(
            named(&index, &search(&index, "rain +title:storm", &nothing)),
            storm,
            "{model}"
        );
        let alone: HashMap<_, _> = found("rain").into_iter().collect();
        let restricted = found("rain title:storm");
        assert_eq!(restricted.len(), 1, "{model}");
        if !model.contains("rm3") {
            assert_eq!(alone[&restricted[0].0], restricted[0].1, "{model}");
        }
    }
}

/// A query of a test: what it is, and what it is as text.
#[derive(Debug, Clone)]
enum Ask {
    Phrase(Vec<&'static str>),
    Title(Vec<&'static str>),
    Url(Vec<&'static str>),
    And(Vec<Ask>),
    Or(Vec<Ask>),
    AndNot(Box<[Ask; 2]>),
}

const WORDS: [&str; 7] = ["apple", "pear", "plum", "fig", "quince", "sloe", "the"];

fn words(random: &mut Random, most: u32, with_stop_words: bool) -> Vec<&'static str> {
    let known = WORDS.len() as u32 - u32::from(!with_stop_words);
    let word = |random: &mut Random| WORDS[random.below(known) as usize];
    let mut words: Vec<_> = (0..random.below(most)).map(|_| word(random)).collect();
    words.push(WORDS[random.below(6) as usize]);
    words
}

fn ask(random: &mut Random, depth: u32) -> Ask {
    let parts = |random: &mut Random| -> Vec<Ask> {
        let count = 2 + random.below(2);
        (0..count).map(|_| ask(random, depth - 1)).collect()
    };
    match random.below(if depth == 0 { 4 } else { 10 }) {
        0 => Ask::Phrase(words(random, 1, false)),
        1 => Ask::Phrase(words(random, 3, true)),
        2 => Ask::Title(words(random, 2, false)),
        3 => Ask::Url(words(random, 2, false)),
        4..6 => Ask::And(parts(random)),
        6..9 => Ask::Or(parts(random)),
        _ => Ask::AndNot(Box::new([ask(random, depth - 1), ask(random, depth - 1)])),
    }
}

impl Ask {
    fn text(&self) -> String {
        let join = |parts: &[Ask], operator: &str| {
            let texts: Vec<String> = parts.iter().map(Ask::text).collect();
            format!("({})", texts.join(operator))
        };
        match self {
            Ask::Phrase(words) if words.len() == 1 => words[0].to_owned(),
            Ask::Phrase(words) => format!("\"{}\"", words.join(" ")),
            Ask::Title(words) => format!("title:\"{}\"", words.join(" ")),
            Ask::Url(words) => format!("url:{}", words.join("-")),
            Ask::And(parts) => join(parts, " AND "),
            Ask::Or(parts) => join(parts, " OR "),
            Ask::AndNot(parts) => join(&**parts, " AND NOT "),
        }
    }

    /// Phrases that score, in the order of the query.
    fn scored(&self) -> Vec<Vec<&'static str>> {
        match self {
            Ask::Phrase(words) => vec![words.clone()],
            Ask::Title(_) | Ask::Url(_) => Vec::new(),
            Ask::And(parts) | Ask::Or(parts) => parts.iter().flat_map(Ask::scored).collect(),
            Ask::AndNot(parts) => {
                // What is excluded from what is excluded counts again.
                parts[0]
                    .scored()
                    .into_iter()
                    .chain(parts[1].excluded())
                    .collect()
            }
        }
    }

    fn excluded(&self) -> Vec<Vec<&'static str>> {
        match self {
            Ask::Phrase(_) | Ask::Title(_) | Ask::Url(_) => Vec::new(),
            Ask::And(parts) | Ask::Or(parts) => parts.iter().flat_map(Ask::excluded).collect(),
            Ask::AndNot(parts) => {
                let first = parts[0].excluded();
                first.into_iter().chain(parts[1].scored()).collect()
            }
        }
    }

    fn holds(&self, unit: &Ranked) -> bool {
        match self {
            Ask::Phrase(words) => times(&unit.passing, words) > 0,
            Ask::Title(words) | Ask::Url(words) => {
                times(&[unit.docid.split('-').map(str::to_owned).collect()], words) > 0
            }
            Ask::And(parts) => parts.iter().all(|part| part.holds(unit)),
            Ask::Or(parts) => parts.iter().any(|part| part.holds(unit)),
            Ask::AndNot(parts) => parts[0].holds(unit) && !parts[1].holds(unit),
        }
    }
}

/// What is ranked: a page or a block.
struct Ranked {
    docid: String,
    block: Option<u32>,
    /// The words of the blocks that pass, and of all.
    passing: Vec<Vec<String>>,
    all: Vec<Vec<String>>,
}

/// How often words stand side by side; stop words are blanks, and nothing at the ends.
fn times(blocks: &[Vec<String>], words: &[&str]) -> usize {
    let from = words.iter().position(|word| *word != "the").unwrap();
    let to = words.iter().rposition(|word| *word != "the").unwrap();
    let words = &words[from..=to];
    let fits = |window: &[String]| {
        let mut pairs = window.iter().zip(words);
        pairs.all(|(own, word)| *word == "the" || own == word)
    };
    let in_block = |block: &Vec<String>| block.windows(words.len()).filter(|w| fits(w)).count();
    blocks.iter().map(in_block).sum()
}

fn ranked(pages: &[Page], filter: &Filter, unit: DensityUnit, ranked: Unit) -> Vec<Ranked> {
    let mut units = Vec::new();
    for page in pages {
        let words = |at: usize| -> Vec<String> {
            let text = page.blocks[at].text.split_whitespace();
            text.map(str::to_owned).collect()
        };
        let passing: Vec<usize> = page.passing(filter, unit).collect();
        let all = 0..page.blocks.len();
        match ranked {
            Unit::Page => units.push(Ranked {
                docid: page.docid.clone(),
                block: None,
                passing: passing.into_iter().map(words).collect(),
                all: all.map(words).collect(),
            }),
            Unit::Block => units.extend(all.map(|at| {
                Ranked {
                    docid: page.docid.clone(),
                    block: Some(at as u32),
                    passing: passing
                        .contains(&at)
                        .then(|| words(at))
                        .into_iter()
                        .collect(),
                    all: vec![words(at)],
                }
            })),
        }
    }
    units
}

/// Scores of what answers, by the formula of BM25.
fn brute_force(units: &[Ranked], ask: &Ask, stats: &Stats) -> HashMap<(String, Option<u32>), f64> {
    let counted = |unit: &Ranked| -> Vec<Vec<String>> {
        match stats {
            Stats::Subset => unit.passing.clone(),
            Stats::Collection => unit.all.clone(),
            Stats::Of(_) => panic!("not asked for here"),
        }
    };
    let length = |blocks: &[Vec<String>]| {
        let words = blocks.iter().flatten().filter(|word| *word != "the");
        words.count() as f64
    };
    let lengths: Vec<f64> = units.iter().map(|unit| length(&counted(unit))).collect();
    let n = lengths.iter().filter(|length| **length > 0.0).count() as f64;
    let average = lengths.iter().sum::<f64>() / n;
    let mut scores = HashMap::new();
    for unit in units.iter().filter(|unit| ask.holds(unit)) {
        if unit.block.is_some() && unit.passing.is_empty() {
            continue;
        }
        let mut score = 0.0;
        for words in ask.scored() {
            let tf = times(&unit.passing, &words) as f64;
            let has = |unit: &&Ranked| times(&counted(unit), &words) > 0;
            let df = units.iter().filter(has).count() as f64;
            let idf = (1.0 + (n - df + 0.5) / (df + 0.5)).ln();
            let norm = 1.0 - 0.4 + 0.4 * length(&unit.passing) / average;
            score += if tf > 0.0 {
                idf * tf / (tf + 0.9 * norm)
            } else {
                0.0
            };
        }
        scores.insert((unit.docid.clone(), unit.block), score);
    }
    scores
}

fn random_pages(random: &mut Random) -> Vec<Page> {
    (0..25)
        .map(|number| {
            let blocks: Vec<Block> = (0..random.below(6)).map(|_| random_block(random)).collect();
            let labels = blocks.iter().map(|_| random_said(random));
            Page {
                labels: labels.collect(),
                docid: format!("{}-{number}", words(random, 3, false).join("-")),
                blocks,
            }
        })
        .collect()
}

#[test]
fn random_queries_on_random_collections() {
    let (mut asked, mut answered) = (0, 0);
    for seed in 0..8 {
        let random = &mut Random::new(seed);
        let pages = random_pages(random);
        let directory = TempDir::new().unwrap();
        let unit = DensityUnit::Words;
        let made = |name: &str, pages: &[Page]| {
            let path = directory.path().join(name);
            index(&path, "boilerpipe", Analyzer::English, pages)
        };
        let full = made("full", &pages);
        for case in 0..4 {
            let filter = random_filter(random);
            let reduced = made(&case.to_string(), &cut(&pages, &filter, unit));
            for _ in 0..25 {
                let asked_for = ask(random, 3);
                let text = asked_for.text();
                for ranked_unit in [Unit::Page, Unit::Block] {
                    let units = ranked(&pages, &filter, unit, ranked_unit);
                    for stats in [Stats::Subset, Stats::Collection] {
                        let ranking = Ranking {
                            filter: filter.clone(),
                            stats: stats.clone(),
                            unit: ranked_unit,
                            ..Ranking::default()
                        };
                        let found = search(&full, &text, &ranking);
                        let expected = brute_force(&units, &asked_for, &stats);
                        assert_eq!(
                            found.len(),
                            expected.len(),
                            "{text} {filter} {ranked_unit:?}"
                        );
                        asked += 1;
                        answered += usize::from(!found.is_empty());
                        for hit in &found {
                            let score = expected[&(full.docid(hit.page).to_owned(), hit.block)];
                            let difference = (score - f64::from(hit.score)).abs();
                            assert!(
                                difference < 1e-5,
                                "{text} {filter} {ranked_unit:?} {stats:?}"
                            );
                        }
                    }
                    for model in ["bm25", "qld:mu=20", "tfidf", "qljm+rm3:terms=3,docs=2"] {
                        let ranking = |filter: &Filter| Ranking {
                            filter: filter.clone(),
                            unit: ranked_unit,
                            model: model.parse().unwrap(),
                            ..Ranking::default()
                        };
                        assert_eq!(
                            named(&full, &search(&full, &text, &ranking(&filter))),
                            named(
                                &reduced,
                                &search(&reduced, &text, &ranking(&Filter::default()))
                            ),
                            "{text} {filter} {model} {ranked_unit:?}"
                        );
                    }
                }
            }
        }
    }
    // Most queries find something, or nothing would be tested.
    assert!(answered * 2 > asked, "{answered} of {asked}");
}

/// Without syntax a query is the bag of words that `run` searches, to the bit; so is any text, taken literally.
#[test]
fn plain_words_rank_as_a_bag() {
    let random = &mut Random::new(3);
    let pages = random_pages(random);
    let directory = TempDir::new().unwrap();
    let index = index(directory.path(), "boilerpipe", Analyzer::English, &pages);
    for model in ["bm25", "qld", "tfidf", "qld+rm3:terms=4,docs=3"] {
        for text in [
            "apple",
            "pear plum  pear",
            "the apple-pear, (plum)!",
            "PLUM or fig's and not apple?",
            "title sloe: quince",
            "NOT \"fig\" -apple title:pear",
        ] {
            let ranking = Ranking {
                model: model.parse().unwrap(),
                ..Ranking::default()
            };
            let bag = named(&index, &index.search(text, &ranking, 1000).unwrap());
            let literal = Query::new(&Expression::literal(text), index.analyzer()).unwrap();
            let found = index.search_query(&literal, &ranking, 1000).unwrap();
            assert_eq!(named(&index, &found), bag, "{model} {text}");
            if !text.starts_with("NOT") {
                let read = query(&index, text);
                assert!(read.is_bag());
                let found = index.search_query(&read, &ranking, 1000).unwrap();
                assert_eq!(named(&index, &found), bag, "{model} {text}");
            }
        }
    }
}

/// The parts of an explanation make up the score, and its numbers are those of the pages.
#[test]
fn explanations_add_up() {
    let random = &mut Random::new(5);
    let pages = random_pages(random);
    let directory = TempDir::new().unwrap();
    let index = index(directory.path(), "boilerpipe", Analyzer::English, &pages);
    for model in [
        "bm25",
        "qld:mu=30",
        "qljm",
        "tfidf",
        "tfidf+rm3:terms=3",
        "qld+rm3:docs=3",
    ] {
        for text in [
            "apple",
            "pear \"fig the plum\" pear nowhere",
            "+apple -pear fig title:plum",
            "title:fig",
        ] {
            for (unit, stats) in [
                (Unit::Page, Stats::Subset),
                (Unit::Page, Stats::Collection),
                (Unit::Block, Stats::Subset),
            ] {
                let ranking = Ranking {
                    model: model.parse().unwrap(),
                    filter: "words >= 4".parse::<Filter>().unwrap(),
                    unit,
                    stats,
                    ..Ranking::default()
                };
                let query = query(&index, text);
                let hits = index.search_query(&query, &ranking, 1000).unwrap();
                let explained = index.explain(&query, &ranking, &hits).unwrap();
                assert_eq!(hits.len(), explained.len());
                for (hit, explanation) in hits.iter().zip(explained) {
                    let sum: f64 = explanation.clauses.iter().map(|clause| clause.score).sum();
                    let factors = explanation.factors.iter().map(|part| part.value);
                    let addends = explanation.addends.iter().map(|part| part.value);
                    let score = sum * factors.product::<f64>() + addends.sum::<f64>();
                    assert!((score - explanation.score).abs() < 1e-12, "{model} {text}");
                    assert_eq!(explanation.score as f32, hit.score, "{model} {text}");
                    let page = pages
                        .iter()
                        .find(|page| page.docid == index.docid(hit.page));
                    let blocks = &page.unwrap().blocks;
                    let kept = || blocks.iter().filter(|block| block.num_words >= 4);
                    let words = |block: &Block| u64::from(block.num_words);
                    assert_eq!(
                        (
                            explanation.blocks_kept as usize,
                            explanation.blocks_total as usize,
                            explanation.words_kept,
                            explanation.words_total
                        ),
                        (
                            kept().count(),
                            blocks.len(),
                            kept().map(words).sum(),
                            blocks.iter().map(words).sum()
                        )
                    );
                }
            }
        }
    }
}

/// An explanation worked out by hand: N = 3, lengths 4, 2, 3, average 3; the phrase stands twice in one page, so that
/// df = 1, cf = 2, idf = ln(1 + 2.5 / 1.5) = ln(8/3) = 0.9808293; in page a tf = 2 and the norm is
/// 0.9 · (0.6 + 0.4 · 4/3) = 1.02, so that it adds 0.9808293 · 2 / 3.02 = 0.6495558. rain has df = 2, cf = 3,
/// idf = ln(1 + 1.5 / 2.5) = ln 1.6 = 0.4700036, and adds 0.4700036 · 2 / 3.02 = 0.3112607.
#[test]
fn an_explanation_by_hand() {
    let directory = TempDir::new().unwrap();
    let pages = pages(&[
        ("a", &["rain barrel", "the rain barrel"]),
        ("b", &["rain", "barrel"]),
        ("c", &["fog fog fog"]),
    ]);
    let index = index(directory.path(), "boilerpipe", Analyzer::English, &pages);
    let query = query(&index, "+\"rain barrel\" rain -fog");
    let ranking = Ranking::default();
    let hits = index.search_query(&query, &ranking, 10).unwrap();
    let explained = index.explain(&query, &ranking, &hits).unwrap();
    assert_eq!(explained.len(), 1);
    let explanation = &explained[0];
    let close = |value: f64, expected: f64| assert!((value - expected).abs() < 1e-6, "{value}");
    close(explanation.score, 0.649_555_8 + 0.311_260_7);
    let shown: Vec<_> = explanation
        .clauses
        .iter()
        .map(|clause| (clause.term.as_str(), clause.tf, clause.df, clause.cf))
        .collect();
    let whole = Hundredths::whole;
    assert_eq!(
        shown,
        [
            ("\"rain barrel\"", whole(2), 1, whole(2)),
            ("rain", whole(2), 2, whole(3))
        ]
    );
    close(explanation.clauses[0].weight.unwrap().value, 0.980_829_3);
    close(explanation.clauses[0].score, 0.649_555_8);
    assert_eq!((explanation.length, explanation.num), (whole(4), 3));
    assert_eq!(explanation.average_length, 3.0);
}
