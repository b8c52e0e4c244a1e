//! The promise of weights: with whole ones, a search is that of an index in which each block stands so many times; with
//! hundredths, that of the definitions over weighted bags.

use std::cmp::Ordering;

use num_rational::BigRational;
use tempfile::TempDir;
use trommel::filter::{Filter, Test};
use trommel::html::segment;
use trommel::index::{
    Hit, Index, IndexError, Model, Query, Ranking, Series, Stats, SweepOptions, Unit, syntax,
};
use trommel::page::{Block, DensityUnit, Tag};
use trommel::text::{Analyzer, Hundredths};
use trommel::weight::{Expression, Power, Sieve, Sign, Subject, Weights};

use crate::brute::Bags;
use crate::equivalence::{EXTRACTORS, MODELS, Page, index, named, random_filter, random_pages};
use crate::oracle::{self, Seen};
use crate::support::Random;

const QUERIES: [&str; 6] = [
    "apple",
    "pear plum",
    "quince fig apple quince",
    "the pears",
    "doc apple",
    "12 doc rare7",
];

/// The title that pages of [`index`] have.
fn title(page: &Page) -> String {
    page.docid.replace('-', " ")
}

/// The weight of a block, read a second time: plain rational numbers.
fn value(expression: &Expression<Subject, Test>, seen: &Seen, at: usize) -> BigRational {
    let whole = |n: u32| BigRational::from_integer(n.into());
    let decimal = |text: &str| -> BigRational {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let digits: i64 = format!("{whole}{fraction}").parse().unwrap();
        BigRational::new(digits.into(), 10i64.pow(fraction.len() as u32).into())
    };
    let part = |part: &Expression<Subject, Test>| value(part, seen, at);
    match expression {
        Expression::Number(number) => decimal(&number.decimal.to_string()),
        Expression::Value(subject) => {
            let block = &seen.blocks[at];
            let units = match seen.unit {
                DensityUnit::Words => block.num_words,
                DensityUnit::Tokens => block.num_tokens,
            };
            match subject.attribute.name {
                "words" => whole(block.num_words),
                "tokens" => whole(block.num_tokens),
                "link-density" if units == 0 => whole(0),
                "link-density" => whole(block.num_linked_words) / whole(units),
                "confidence" => whole((seen.confidence)(subject.of.as_deref(), at)) / whole(100),
                other => panic!("these tests do not weigh by '{other}'"),
            }
        }
        Expression::Sum(terms) => {
            let mut sum = whole(0);
            for (sign, term) in terms {
                match sign {
                    Sign::Plus => sum += part(term),
                    Sign::Minus => sum -= part(term),
                }
            }
            sum
        }
        Expression::Product(factors) => {
            let mut product = whole(1);
            for (power, factor) in factors {
                match power {
                    Power::Times => product *= part(factor),
                    Power::By => product /= part(factor),
                }
            }
            product
        }
        Expression::Least(parts) => parts.iter().map(part).min().unwrap(),
        Expression::Greatest(parts) => parts.iter().map(part).max().unwrap(),
        Expression::If(choice) => match oracle::holds(&choice.test, seen, at) {
            true => part(&choice.then),
            false => part(&choice.otherwise),
        },
    }
}

/// The weights of a page's blocks in hundredths, and that of its title.
pub fn weigh(weights: &Weights, seen: &Seen, title: &str) -> (Vec<u32>, u32) {
    weigh_passing(
        &Sieve {
            filter: Filter::default(),
            weights: weights.clone(),
        },
        seen,
        title,
    )
}

/// The same, 0 for what does not pass.
fn weigh_passing(sieve: &Sieve, seen: &Seen, title: &str) -> (Vec<u32>, u32) {
    let hundredths = |seen: &Seen, at: usize| -> u32 {
        if !oracle::holds(sieve.filter.node(), seen, at) {
            return 0;
        }
        let weight = value(sieve.weights.expression(), seen, at);
        let half = BigRational::new(1.into(), 2.into());
        let rounded = (weight * BigRational::from_integer(100.into()) + half).floor();
        rounded.to_integer().try_into().unwrap()
    };
    let blocks = (0..seen.blocks.len()).map(|at| hundredths(seen, at));
    let words = title.split_whitespace().count() as u32;
    let block = [Block {
        text: title.to_owned(),
        tag: Tag::Title,
        num_words: words,
        num_tokens: words,
        num_words_in_full_lines: words,
        num_lines: 1,
        ..Block::default()
    }];
    let seen_title = Seen {
        blocks: &block,
        unit: seen.unit,
        facts: seen.facts.clone(),
        verdict: &|_, _| true,
        confidence: &|_, _| 100,
    };
    let of_title = match sieve.weights.weigh_titles() && !title.is_empty() {
        true => hundredths(&seen_title, 0),
        false => 0,
    };
    (blocks.collect(), of_title)
}

/// The weights of a page of [`random_pages`].
fn weights_of(page: &Page, sieve: &Sieve, unit: DensityUnit) -> (Vec<u32>, u32) {
    let set = |name: &str| EXTRACTORS.iter().position(|known| *known == name).unwrap();
    let seen = Seen {
        blocks: &page.blocks,
        unit,
        facts: page.facts(),
        verdict: &|name, at| page.labels[at][set(name)].0,
        confidence: &|of, at| u32::from(page.labels[at][set(of.unwrap_or("trommel"))].1),
    };
    weigh_passing(sieve, &seen, &title(page))
}

/// Pages in which each block stands as often as it weighs, the title among them as a block.
fn repeated(pages: &[Page], sieve: &Sieve, unit: DensityUnit) -> Vec<Page> {
    let repeat = |page: &Page| {
        let (weights, of_title) = weights_of(page, sieve, unit);
        let mut blocks = Vec::new();
        for (block, weight) in page.blocks.iter().zip(weights) {
            assert_eq!(weight % 100, 0);
            blocks.extend((0..weight / 100).map(|_| block.clone()));
        }
        let title = Block {
            text: title(page),
            ..Block::default()
        };
        blocks.extend((0..of_title / 100).map(|_| title.clone()));
        Page {
            docid: page.docid.clone(),
            blocks,
            labels: Vec::new(),
        }
    };
    pages.iter().map(repeat).collect()
}

/// Pages of which each block says what it says as often as it weighs.
fn longer(pages: &[Page], sieve: &Sieve, unit: DensityUnit) -> Vec<Page> {
    let lengthen = |page: &Page| {
        let (weights, _) = weights_of(page, sieve, unit);
        let blocks = page
            .blocks
            .iter()
            .zip(weights)
            .filter(|(_, weight)| *weight > 0);
        let blocks = blocks.map(|(block, weight)| Block {
            text: vec![block.text.as_str(); weight as usize / 100].join(" "),
            ..block.clone()
        });
        Page {
            docid: page.docid.clone(),
            blocks: blocks.collect(),
            labels: Vec::new(),
        }
    };
    pages.iter().map(lengthen).collect()
}

/// Weights that are whole numbers from 0 to 100.
fn whole_weights(random: &mut Random, depth: u32) -> String {
    let test = |random: &mut Random| {
        [
            "words >= 4",
            "tag in (h1, h2)",
            "tag = p or tag = title",
            "tag = title",
            "trommel",
            "not second:n=2",
            "confidence >= 0.5",
            "link-density < 0.5",
            "host = a.example.org",
            "date in 2005..2006",
            "2 of (first, trommel, words > 5)",
        ][random.below(11) as usize]
    };
    match random.below(if depth == 0 { 2 } else { 7 }) {
        0 => random.below(4).to_string(),
        1 => ["words", "tokens", "confidence * 0", "2"][random.below(4) as usize].to_owned(),
        2 => format!(
            "min({}, {})",
            whole_weights(random, depth - 1),
            1 + random.below(3)
        ),
        3 => format!("max(1, {}) - 1", whole_weights(random, depth - 1)),
        4 => format!("({}) / 0.5", whole_weights(random, 0)),
        _ => {
            let test = test(random);
            format!(
                "(if {test} then {} else {})",
                whole_weights(random, depth - 1),
                whole_weights(random, depth - 1)
            )
        }
    }
}

/// Weights that may have any hundredths.
fn any_weights(random: &mut Random) -> String {
    let whole = whole_weights(random, 2);
    match random.below(5) {
        0 => format!(
            "max(confidence(trommel), 0.{}) * ({whole})",
            random.below(10)
        ),
        1 => format!("({whole}) / 3"),
        2 => format!(
            "min(100, ({whole}) * 0.{:02} + 1 - link-density)",
            random.below(100)
        ),
        3 => format!("(({whole}) + confidence) / max(1, words)"),
        _ => format!("0.0{} * ({whole})", 1 + random.below(9)),
    }
}

fn ranking(sieve: &Sieve, model: &str, stats: Stats, unit: Unit) -> Ranking {
    Ranking {
        filter: sieve.filter.clone(),
        weights: sieve.weights.clone(),
        model: model.parse().unwrap(),
        stats,
        unit,
        shared: None,
    }
}

fn sieve(random: &mut Random, weights: &str) -> Sieve {
    Sieve {
        filter: match random.below(3) {
            // Places on the page are others for a title.
            0 => loop {
                let filter = random_filter(random);
                let text = filter.to_string();
                if !["position", "page-words", "lines", "commas"]
                    .iter()
                    .any(|it| text.contains(it))
                {
                    break filter;
                }
            },
            _ => Filter::default(),
        },
        weights: weights.parse().unwrap_or_else(|error| panic!("{error}")),
    }
}

const SEGMENTERS: [(&str, DensityUnit); 2] = [
    ("boilerpipe", DensityUnit::Words),
    ("atomic", DensityUnit::Tokens),
];

/// 500 expressions.
#[test]
fn whole_weights_are_blocks_that_stand_so_many_times() {
    let (mut selective, mut of_titles) = (0, 0);
    for seed in 0..50 {
        let random = &mut Random::new(1000 + seed);
        let pages = random_pages(random);
        let directory = TempDir::new().unwrap();
        let (segmenter, unit) = SEGMENTERS[seed as usize % 2];
        let made = |name: &str, pages: &[Page]| {
            let path = directory.path().join(name);
            index(&path, segmenter, Analyzer::English, pages)
        };
        let full = made("full", &pages);
        for case in 0..10 {
            let weights = whole_weights(random, 3);
            let sieve = sieve(random, &weights);
            let blocks = made(&format!("blocks-{case}"), &repeated(&pages, &sieve, unit));
            // For blocks that are ranked, now and then.
            let texts = (case % 4 == 0)
                .then(|| made(&format!("texts-{case}"), &longer(&pages, &sieve, unit)));
            let counts = &blocks.manifest.counts;
            selective += u32::from(counts.terms > 0 && !sieve.is_empty());
            of_titles += u32::from(sieve.weights.weigh_titles());
            // Each model now and then, all together often.
            let models = (0..2).map(|n| MODELS[(case + 4 * n) % MODELS.len()]);
            for (query, model) in models.flat_map(|m| [0, 2, 4, 5].map(|q| (QUERIES[q], m))) {
                for (k, unit) in [(3, Unit::Page), (1000, Unit::Page), (1000, Unit::Block)] {
                    let ranking = |sieve: &Sieve| ranking(sieve, model, Stats::Subset, unit);
                    let other = match (unit, &texts) {
                        (Unit::Page, _) => &blocks,
                        (Unit::Block, Some(texts)) => texts,
                        (Unit::Block, None) => continue,
                    };
                    let weighed = full.search(query, &ranking(&sieve), k).unwrap();
                    let expected = other.search(query, &ranking(&Sieve::default()), k).unwrap();
                    assert_eq!(
                        named(&full, &weighed),
                        named(other, &expected),
                        "{model} {sieve} '{query}' {unit:?} seed {seed}"
                    );
                }
            }
        }
    }
    assert!(selective > 300, "{selective} of 500 leave something");
    assert!(of_titles > 40, "{of_titles} of 500 weigh titles");
}

/// Weights of hundredths are the definitions over bags in which a term counts as its blocks do.
#[test]
fn models_over_weighted_bags() {
    let (mut compared, mut fractions) = (0, 0);
    for seed in 0..25 {
        let random = &mut Random::new(2000 + seed);
        let pages = random_pages(random);
        let directory = TempDir::new().unwrap();
        let (segmenter, unit) = SEGMENTERS[seed as usize % 2];
        let full = index(directory.path(), segmenter, Analyzer::English, &pages);
        for _ in 0..8 {
            let weights = any_weights(random);
            let sieve = sieve(random, &weights);
            let bag = |page: &Page, sieve: &Sieve| {
                let (weights, of_title) = weights_of(page, sieve, unit);
                let texts = page.blocks.iter().map(|block| block.text.clone());
                let texts = texts.zip(weights).chain([(title(page), of_title)]);
                let terms = texts.flat_map(|(text, weight)| {
                    let terms = Analyzer::English.terms(&text).into_iter();
                    terms.map(move |term| (term, f64::from(weight) / 100.0))
                });
                (
                    page.docid.clone(),
                    terms.filter(|(_, weight)| *weight > 0.0).collect(),
                )
            };
            let bags = |sieve: &Sieve| Bags::weighted(pages.iter().map(|page| bag(page, sieve)));
            let (passing, everything) = (bags(&sieve), bags(&Sieve::default()));
            fractions += u32::from(pages.iter().any(|page| {
                let (weights, _) = weights_of(page, &sieve, unit);
                weights.iter().any(|weight| weight % 100 != 0)
            }));
            for (query, model) in QUERIES.iter().flat_map(|q| MODELS.map(|m| (q, m))) {
                let terms = Analyzer::English.terms(query);
                for (stats, all) in [(Stats::Subset, &passing), (Stats::Collection, &everything)] {
                    let case = format!("{model} {sieve} '{query}' {stats} seed {seed}");
                    let ranking = ranking(&sieve, model, stats, Unit::Page);
                    let found = match full.search(query, &ranking, 1000) {
                        Err(IndexError::NoStatistics(_)) if all.is_empty() => continue,
                        found => found.unwrap(),
                    };
                    let expected = passing.scores(all, &terms, &ranking.model);
                    assert_eq!(found.len(), expected.len(), "{case}");
                    let score_of = |hit: &Hit| expected[full.docid(hit.page)];
                    for hit in &found {
                        let (score, own) = (score_of(hit), f64::from(hit.score));
                        assert!((score - own).abs() < 1e-4, "{case}: {score} {own}");
                        compared += 1;
                    }
                    for pair in found.windows(2) {
                        let swapped = score_of(&pair[1]) - score_of(&pair[0]);
                        assert!(swapped <= 1e-6, "{case}: a swap by {swapped}");
                    }
                }
            }
        }
    }
    assert!(
        compared > 10_000 && fractions > 100,
        "{compared} {fractions}"
    );
}

/// 1 for all blocks, however it is said, is the search without weights.
#[test]
fn weight_one_changes_nothing() {
    let random = &mut Random::new(7);
    let pages = random_pages(random);
    let directory = TempDir::new().unwrap();
    let full = index(directory.path(), "boilerpipe", Analyzer::English, &pages);
    for (text, is_one) in [
        ("1", true),
        ("1.00", true),
        ("if words >= 0 then 1 else 7", false),
        ("0.5 + 0.5", false),
        ("0.995", false),
        ("if tag = title then 0 else 1", false),
    ] {
        let weights: Weights = text.parse().unwrap();
        assert_eq!(weights.is_one(), is_one, "{text}");
        for (query, model) in QUERIES.iter().flat_map(|q| MODELS.map(|m| (q, m))) {
            for unit in [Unit::Page, Unit::Block] {
                let filter: Filter = "words >= 3".parse().unwrap();
                let mut sieve = Sieve::from(filter);
                let plain = ranking(&sieve, model, Stats::Subset, unit);
                sieve.weights = weights.clone();
                let weighed = ranking(&sieve, model, Stats::Subset, unit);
                assert_eq!(
                    full.search(query, &weighed, 1000).unwrap(),
                    full.search(query, &plain, 1000).unwrap(),
                    "{text} {model} '{query}'"
                );
            }
        }
    }
}

/// A sweep's steps with weights are the searches with them: series of filters, and parameters that vary.
#[test]
fn sweeps_are_searches() {
    let models: Vec<Model> = MODELS.iter().map(|model| model.parse().unwrap()).collect();
    for seed in 0..4 {
        let random = &mut Random::new(3000 + seed);
        let pages = random_pages(random);
        let directory = TempDir::new().unwrap();
        let index = index(directory.path(), "boilerpipe", Analyzer::English, &pages);
        let min_words = |n: u32| format!("words >= {n}").parse::<Filter>().unwrap();
        let mut series = vec![Series::new((0..8).map(min_words).collect()).unwrap()];
        for _ in 0..3 {
            let text = any_weights(random);
            let weights: Weights = text.parse().unwrap();
            let own = Series::new((0..8).map(min_words).collect()).unwrap();
            series.push(own.with_weights(weights));
        }
        for floor in 0..4 {
            let text = format!(
                "max(confidence, 0.{floor}) * (if tag = title then 2.5 else if tag = h1 then 4 else 1)"
            );
            let one = Series::new(vec![min_words(2)]).unwrap();
            series.push(one.with_weights(text.parse().unwrap()));
        }
        for stats in [Stats::Subset, Stats::Collection] {
            let options = SweepOptions::default()
                .with_models(models.clone())
                .with_stats(stats)
                .with_k([5, 1000][seed as usize % 2])
                .with_memory([1 << 30, 0][seed as usize / 2 % 2]);
            crate::sweep::check(&index, &QUERIES.map(str::to_owned), &series, &options);
        }
    }
}

/// Operators hold over blocks that count, and over titles that do; a phrase counts by the weight of its block.
#[test]
fn operators_and_phrases() {
    let directory = TempDir::new().unwrap();
    let block = |text: &str, tag: &str| Block {
        text: text.to_owned(),
        num_words: text.split(' ').count() as u32,
        num_lines: 1,
        tag: Tag::from_name(tag),
        ..Block::default()
    };
    let pages = [
        ("rain-barrel", vec![block("water butt", "p")]),
        ("a-1", vec![block("rain barrel", "h1"), block("rain", "li")]),
        ("a-2", vec![block("rain", "p"), block("barrel", "li")]),
    ]
    .map(|(docid, blocks)| Page {
        docid: docid.to_owned(),
        blocks,
        labels: Vec::new(),
    });
    let index = index(directory.path(), "boilerpipe", Analyzer::English, &pages);
    let found = |text: &str, weights: &str| -> String {
        let expression = syntax::parse(text).unwrap().expression;
        let query = Query::new(&expression, Analyzer::English).unwrap();
        let ranking = Ranking {
            weights: weights.parse().unwrap(),
            ..Ranking::default()
        };
        let hits = index.search_query(&query, &ranking, 10).unwrap();
        let mut docids: Vec<&str> = hits.iter().map(|hit| index.docid(hit.page)).collect();
        docids.sort_unstable();
        let explained = index.explain(&query, &ranking, &hits).unwrap();
        for (hit, explanation) in hits.iter().zip(explained) {
            let sum: f64 = explanation.shares.iter().map(|share| share.share).sum();
            let shared = weights == "1" || (sum - 1.0).abs() < 1e-9;
            assert!(shared && (explanation.score - f64::from(hit.score)).abs() < 1e-6);
        }
        docids.join(" ")
    };
    let without_lists = "if tag = li then 0 else 1";
    let with_titles = "if tag = title then 2 else if tag = li then 0.01 else 1";
    assert_eq!(found("rain AND barrel", "1"), "a-1 a-2");
    assert_eq!(found("rain AND barrel", without_lists), "a-1");
    assert_eq!(found("rain AND barrel", with_titles), "a-1 a-2 rain-barrel");
    assert_eq!(found("\"rain barrel\"", with_titles), "a-1 rain-barrel");
    assert_eq!(found("barrel NOT rain", without_lists), "");
    assert_eq!(found("butt", with_titles), "rain-barrel");

    // The phrase stands once in the heading: by its weight it counts 2.5 times.
    let expression = syntax::parse("\"rain barrel\" rain").unwrap().expression;
    let query = Query::new(&expression, Analyzer::English).unwrap();
    let ranking = Ranking {
        weights: "if tag = h1 then 2.5 else 0.5".parse().unwrap(),
        ..Ranking::default()
    };
    let hits = index.search_query(&query, &ranking, 1).unwrap();
    let explanation = &index.explain(&query, &ranking, &hits).unwrap()[0];
    assert_eq!(index.docid(hits[0].page), "a-1");
    let tfs: Vec<Hundredths> = explanation.clauses.iter().map(|clause| clause.tf).collect();
    assert_eq!(tfs, [Hundredths::new(250), Hundredths::new(300)]);
    // Two words at 2.5, one at 0.5.
    assert_eq!(explanation.length, Hundredths::new(550));
    let shares: Vec<(Option<u32>, Hundredths)> = explanation
        .shares
        .iter()
        .map(|share| (share.block, share.weight))
        .collect();
    assert_eq!(
        shares,
        [
            (Some(0), Hundredths::new(250)),
            (Some(1), Hundredths::new(50))
        ]
    );
    let [phrase, rain] = [0, 1].map(|clause: usize| explanation.clauses[clause].score);
    let expected = (phrase + rain * 250.0 / 300.0) / (phrase + rain);
    assert!((explanation.shares[0].share - expected).abs() < 1e-9);
    let ordered = explanation.shares[0]
        .share
        .total_cmp(&explanation.shares[1].share);
    assert_eq!(ordered, Ordering::Greater);
}

/// What cannot be weighed is told with page, block and place, and what is dropped by the filter is not asked.
#[test]
fn blocks_that_cannot_be_weighed() {
    let random = &mut Random::new(11);
    let pages = random_pages(random);
    let directory = TempDir::new().unwrap();
    let full = index(directory.path(), "boilerpipe", Analyzer::English, &pages);
    let search = |weights: &str, filter: &str| {
        let ranking = Ranking {
            filter: filter.parse().unwrap(),
            weights: weights.parse().unwrap(),
            ..Ranking::default()
        };
        full.search("apple", &ranking, 10)
    };
    let error = |weights: &str| search(weights, "unfiltered").unwrap_err().to_string();
    for (weights, what, marked) in [
        ("words - 5", "' is negative\n", "^^^^^^^^^\n"),
        ("words * 50", "' is above 100\n", "^^^^^^^^^^\n"),
        (
            "1 / max(0, words - 7)",
            "this is 0 for block ",
            "        ^^^^^^^^^^^^^^^^^\n",
        ),
        (
            "if tag = title then 100 * words else 1",
            "the weight of the title of 'doc-",
            "^^^\n",
        ),
        (
            "confidence(none)",
            "the index has no labels of 'none'; it has: first, ",
            "           ^^^^\n",
        ),
        (
            "confidence(first)",
            "the labels of 'first' have no confidences",
            "           ^^^^^\n",
        ),
        (
            "if bte then 1 else 0",
            "the index has no labels of 'bte'",
            "   ^^^\n",
        ),
    ] {
        let error = error(weights);
        assert!(error.contains(what) && error.contains(marked), "{error}");
    }
    assert!(search("words - 5", "words >= 5").is_ok());
    assert!(search("1 / max(0, words - 7)", "words >= 8").is_ok());
}

/// Frequencies are counted in 32 bits: what does not fit is an error, and no wrong number.
#[test]
fn pages_that_are_too_heavy() {
    let directory = TempDir::new().unwrap();
    let text = "a1 ".repeat(430_000);
    let page = Page {
        docid: "long".to_owned(),
        blocks: vec![Block {
            num_words: 430_000,
            num_lines: 1,
            text,
            ..Block::default()
        }],
        labels: Vec::new(),
    };
    let index = index(directory.path(), "boilerpipe", Analyzer::English, &[page]);
    let search = |weights: &str| {
        let ranking = Ranking {
            weights: weights.parse().unwrap(),
            ..Ranking::default()
        };
        index.search("a1", &ranking, 10)
    };
    assert!(search("99").is_ok());
    let error = search("100").unwrap_err();
    assert!(matches!(error, IndexError::TooHeavy { .. }), "{error}");
    assert!(
        error.to_string().contains("'long' has 43000000 terms"),
        "{error}"
    );
}

/// The first segmenter is what indexes of these tests say; nothing of it is asked.
#[test]
fn block_weights_of_a_page() {
    assert!(!segment::all().is_empty());
    let random = &mut Random::new(13);
    let pages = random_pages(random);
    let directory = TempDir::new().unwrap();
    let full = index(directory.path(), "boilerpipe", Analyzer::English, &pages);
    let sieve = Sieve {
        filter: "words >= 2".parse().unwrap(),
        weights: "if tag = title then 3 else max(confidence, 0.05)"
            .parse()
            .unwrap(),
    };
    let ranking = ranking(&sieve, "bm25", Stats::Subset, Unit::Page);
    for (number, page) in (0..).zip(&pages) {
        let (expected, of_title) = weights_of(page, &sieve, DensityUnit::Words);
        let weights = full.block_weights(number, &ranking).unwrap();
        let weights: Vec<u32> = weights.into_iter().map(u32::from).collect();
        assert_eq!(weights, expected, "{}", page.docid);
        let title = u32::from(full.title_weight(number, &ranking).unwrap());
        assert_eq!(title, of_title);
    }
    let plain = Ranking {
        filter: sieve.filter,
        ..Ranking::default()
    };
    let weights = full.block_weights(0, &plain).unwrap();
    assert!(weights.iter().all(|weight| [0, 100].contains(weight)));
    assert_eq!(full.title_weight(0, &plain).unwrap(), 0);
}

/// An index of several parts and directories weighs as one.
#[test]
fn several_directories() {
    let random = &mut Random::new(17);
    let pages = random_pages(random);
    let directory = TempDir::new().unwrap();
    let made = |name: &str, pages: &[Page]| {
        index(
            &directory.path().join(name),
            "boilerpipe",
            Analyzer::English,
            pages,
        )
    };
    let whole = made("whole", &pages);
    let (first, second) = pages.split_at(23);
    made("first", first);
    made("second", second);
    let both = ["first", "second"].map(|name| directory.path().join(name));
    let both = Index::open_all(&both).unwrap();
    let weights = "if tag = title then 3 else max(confidence, 0.05) * 2";
    for (query, model) in QUERIES.iter().flat_map(|q| MODELS.map(|m| (q, m))) {
        let ranking = Ranking {
            weights: weights.parse().unwrap(),
            model: model.parse().unwrap(),
            ..Ranking::default()
        };
        let expected = whole.search(query, &ranking, 1000).unwrap();
        let found = both.search(query, &ranking, 1000).unwrap();
        assert_eq!(named(&both, &found), named(&whole, &expected));
    }
}
