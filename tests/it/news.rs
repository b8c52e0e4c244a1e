//! The main job on the judged news collection: equivalence byte for byte, threads, and the figures that an independent
//! implementation gave.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use tempfile::TempDir;
use trommel::collection::{self, Item};
use trommel::experiment::sweep::{Base, Vary, lines};
use trommel::extractor::{self, Extractor, Label, Subject, Verdicts};
use trommel::filter::{Filter, Test};
use trommel::html::{self, Charset, Limits, segment};
use trommel::index::{
    BuildOptions, Index, LabelOptions, Progress, Ranking, Reading, Series, Stats, SweepOptions,
    build, label, run,
};
use trommel::measure::{self, Selection};
use trommel::page::{Block, DensityUnit};
use trommel::text::Analyzer;
use trommel::trec::{RunWriter, qrels, run as run_file, topics};
use trommel::weight::Weights;

use crate::brute::Bags;
use crate::equivalence::{self, Page, cut, index};
use crate::oracle::{self, Seen};
use crate::support::shared;

fn options(threads: usize) -> BuildOptions {
    BuildOptions::default()
        .with_reading(Reading::default())
        .with_segmenter(segment::all()[0])
        .with_analyzer(Analyzer::English)
        .with_extractors(Vec::new())
        .with_threads(threads)
        .with_memory(128 << 20)
        .with_max_bad(Some(0))
        .with_allow_empty(false)
        .with_resume(false)
}

/// Extractors whose verdicts the index gets when it is built, and one that is added afterwards.
const EXTRACTORS: [&str; 5] = [
    "boilerpipe-article",
    "boilerpipe-numwords",
    "justext",
    "bte",
    "content-tree:n=3",
];
const ADDED: &str = "block-fusion";

fn parsed(names: &[&str]) -> Vec<Arc<Extractor>> {
    let parse = |name: &&str| Arc::new(extractor::parse(name).unwrap());
    names.iter().map(parse).collect()
}

fn build_index(directory: &Path, collection: &Path, threads: usize) -> Index {
    let inputs = collection::inputs(&[collection.join("collection.warc.gz")]).unwrap();
    let options = options(threads).with_extractors(parsed(&EXTRACTORS));
    build(directory, &inputs, &options, &Progress::default()).unwrap();
    let options = LabelOptions::default()
        .with_extractors(parsed(&[ADDED]))
        .with_threads(threads);
    label(directory, &[], &options, &Progress::default()).unwrap();
    Index::open(directory).unwrap()
}

/// The index, built once for the tests of this module; none where the collection is not there.
fn news() -> Option<&'static (PathBuf, Index, TempDir)> {
    static NEWS: OnceLock<Option<(PathBuf, Index, TempDir)>> = OnceLock::new();
    NEWS.get_or_init(|| {
        let collection = shared("retrieval/news")?;
        let directory = TempDir::new().unwrap();
        let index = build_index(&directory.path().join("index"), &collection, 2);
        Some((collection, index, directory))
    })
    .as_ref()
}

fn queries(collection: &Path) -> Vec<(String, String)> {
    let topics = topics::read_file(&collection.join("topics.A.xml")).unwrap();
    topics.queries("title").unwrap()
}

fn run_bytes(index: &Index, queries: &[(String, String)], ranking: &Ranking) -> Vec<u8> {
    let mut writer = RunWriter::new(Vec::new(), "test").unwrap();
    run(index, queries, ranking, 1000, &mut writer).unwrap();
    writer.finish().unwrap()
}

fn under(filter: &str) -> Ranking {
    Ranking {
        filter: serde_json::from_str(filter).unwrap(),
        ..Ranking::default()
    }
}

/// Calls `each` with every page of the collection as it is parsed from the source, with the verdicts of these extractors.
fn for_each_page(
    collection: &Path,
    unit: DensityUnit,
    extractors: impl IntoIterator<Item = String>,
    mut each: impl FnMut(&str, &str, &Seen),
) {
    let inputs = collection::inputs(&[collection.join("collection.warc.gz")]).unwrap();
    let reader = collection::open(&inputs[0], &collection::Options::default()).unwrap();
    let segmenter = segment::all()[0];
    let parsed = |name: String| {
        let extractor = extractor::parse(&name).unwrap();
        (name, extractor)
    };
    let extractors: BTreeMap<String, Extractor> = extractors.into_iter().map(parsed).collect();
    for item in reader {
        let Item::Document(document) = item else {
            continue;
        };
        let charset = document.charset.as_deref();
        let page = html::parse(&document.bytes, Charset::Auto, charset, &Limits::default());
        let subject = Subject::new(&page, &document.docid, &document.url);
        let verdicts = extractors.iter();
        let verdicts =
            verdicts.map(|(name, of)| (name.as_str(), of.verdicts(&subject, &segmenter)));
        let verdicts: BTreeMap<&str, Verdicts> = verdicts.collect();
        let host = url_host(&document.url);
        let seen = Seen {
            blocks: &subject.blocks(&segmenter).blocks,
            unit,
            facts: [
                host.clone(),
                trommel::text::registrable_domain(&host).to_owned(),
                document.media_type.clone().unwrap_or_default(),
                page.language_or(document.language.as_deref()).to_owned(),
                document.date.clone(),
            ],
            verdict: &|name, at| verdicts[name].labels[at] == Label::Content,
            confidence: &|of, at| {
                let confidences = verdicts[of.unwrap()].confidences.as_ref().unwrap();
                u32::from(confidences[at].in_hundredths())
            },
        };
        each(&document.docid, &page.title, &seen);
    }
}

/// The extractors that tests name.
fn named_by<'t>(tests: impl IntoIterator<Item = &'t Test>) -> Vec<String> {
    let name = |test: &Test| match test {
        Test::Verdict(name) => Some(name.to_string()),
        Test::Compare(comparison) => comparison.of.as_ref().map(|name| name.to_string()),
    };
    tests.into_iter().filter_map(name).collect()
}

/// The index's pages, cut down to the blocks that pass a filter, each parsed from the source for the extractors' verdicts.
fn cut_by_extractor(collection: &Path, full: &Index, filters: &[Filter]) -> Vec<Vec<Page>> {
    let mut cut_pages: Vec<Vec<Page>> = filters.iter().map(|_| Vec::new()).collect();
    let mut tests = Vec::new();
    for filter in filters {
        filter.node().for_each(&mut |test| tests.push(test));
    }
    let unit = full.density_unit();
    for_each_page(collection, unit, named_by(tests), |docid, _, seen| {
        for (at, filter) in filters.iter().enumerate() {
            let passes = |at: &usize| oracle::holds(filter.node(), seen, *at);
            let passing = (0..seen.blocks.len()).filter(passes);
            cut_pages[at].push(Page {
                docid: docid.to_owned(),
                blocks: passing.map(|at| seen.blocks[at].clone()).collect(),
                labels: Vec::new(),
            });
        }
    });
    cut_pages
}

/// Weighing blocks by whole numbers gives the run of an index in which each stands so many times, byte for byte, with each of the
/// models.
#[test]
fn whole_weights_are_blocks_that_stand_so_many_times() {
    let Some((collection, full, _)) = news() else {
        return;
    };
    let queries = queries(collection);
    let weights: Vec<Weights> = [
        "if tag in (h1, h2) then 4 else 1",
        "if justext then 3 else if words >= 11 then 1 else 0",
        "if tag = title then 5 else if bte then 2 else 1",
        "min(words, 3) * (if link-density <= 0.33 then 1 else 0)",
        "(if boilerpipe-article then 2 else 0) + (if 2 of (content-tree:n=3, bte, block-fusion) then 5 else 0)",
    ]
    .map(|text| text.parse().unwrap())
    .into();
    let mut tests = Vec::new();
    for one in &weights {
        one.expression()
            .for_each(&mut |_| {}, &mut |test| tests.push(test));
    }
    let mut repeated: Vec<Vec<Page>> = weights.iter().map(|_| Vec::new()).collect();
    let unit = full.density_unit();
    for_each_page(collection, unit, named_by(tests), |docid, title, seen| {
        for (pages, weights) in repeated.iter_mut().zip(&weights) {
            let (of_blocks, of_title) = crate::weights::weigh(weights, seen, title);
            let title = [Block {
                text: title.to_owned(),
                ..Block::default()
            }];
            let all = seen
                .blocks
                .iter()
                .zip(of_blocks)
                .chain(title.iter().zip([of_title]));
            let mut blocks = Vec::new();
            for (block, weight) in all {
                assert_eq!(weight % 100, 0);
                blocks.extend((0..weight / 100).map(|_| block.clone()));
            }
            pages.push(Page {
                docid: docid.to_owned(),
                blocks,
                labels: Vec::new(),
            });
        }
    });
    for (pages, weights) in repeated.iter().zip(&weights) {
        let directory = TempDir::new().unwrap();
        let other = index(directory.path(), "boilerpipe", Analyzer::English, pages);
        for model in equivalence::MODELS {
            let plain = Ranking {
                model: model.parse().unwrap(),
                ..Ranking::default()
            };
            let weighed = Ranking {
                weights: weights.clone(),
                ..plain.clone()
            };
            let found = run_bytes(full, &queries, &weighed);
            assert!(
                found != run_bytes(full, &queries, &plain),
                "{weights} weigh nothing"
            );
            let expected = run_bytes(&other, &queries, &plain);
            assert!(found == expected, "{weights}, {model}: the runs differ");
        }
    }
}

/// The host of a plain address.
fn url_host(url: &str) -> String {
    let rest = url.split_once("://").map_or("", |(_, rest)| rest);
    rest.split(['/', ':'])
        .next()
        .unwrap_or_default()
        .to_lowercase()
}

/// Searching under a filter gives the run that an index of these pages gives, byte for byte, with each of the models.
#[track_caller]
fn check_cut(
    full: &Index,
    queries: &[(String, String)],
    filter: &Filter,
    cut_pages: &[Page],
    models: &[&str],
) {
    let directory = TempDir::new().unwrap();
    let reduced = index(directory.path(), "boilerpipe", Analyzer::English, cut_pages);
    for model in models {
        let ranking = |filter: &Filter| Ranking {
            filter: filter.clone(),
            model: model.parse().unwrap(),
            ..Ranking::default()
        };
        let filtered = run_bytes(full, queries, &ranking(filter));
        let unfiltered = run_bytes(full, queries, &ranking(&Filter::default()));
        assert!(filtered != unfiltered, "{filter} filters nothing");
        let reindexed = run_bytes(&reduced, queries, &ranking(&Filter::default()));
        assert!(filtered == reindexed, "{filter}, {model}: the runs differ");
    }
}

/// The pages with all their blocks, as they were indexed.
fn stored_pages(index: &Index) -> Vec<Page> {
    (0..index.num_pages() as u32)
        .map(|number| Page {
            docid: index.docid(number).to_owned(),
            blocks: index.page_blocks(number).unwrap(),
            labels: Vec::new(),
        })
        .collect()
}

/// Every formula, alone and with feedback.
const MODELS: [&str; 9] = [
    "bm25",
    "bm25:k1=1.2,b=0.75+rm3",
    "qld",
    "qld:mu=2500+rm3",
    "qljm",
    "qljm+rm3:terms=20,docs=5,weight=0.3",
    "tfidf",
    "tfidf:norm-byte=1",
    "tfidf+rm3",
];

#[test]
fn filtered_runs_equal_runs_on_cut_pages() {
    let Some((collection, full, _)) = news() else {
        return;
    };
    let queries = queries(collection);
    let pages = stored_pages(full);
    for filter in [
        r#"{"min_words":2}"#,
        r#"{"min_words":5}"#,
        r#"{"min_words":11}"#,
        r#"{"min_words":20}"#,
        r#"{"min_words":40}"#,
        r#"{"min_density":"5"}"#,
        r#"{"min_density":"10"}"#,
        r#"{"min_density":"14"}"#,
        r#"{"max_link_density":"0.33"}"#,
        r#"{"min_words":10,"max_link_density":"0.33"}"#,
        r#"{"min_words":3,"max_words":60,"min_density":"7","max_density":"16","max_link_density":"0.35"}"#,
    ] {
        let filter: Filter = serde_json::from_str(filter).unwrap();
        let cut_pages = cut(&pages, &filter, full.density_unit());
        check_cut(full, &queries, &filter, &cut_pages, &MODELS);
    }
}

/// What is left out cannot be among the first: runs of an index that is read whole are the same, byte for byte, for filters whose
/// statistics are looked up, and for those that are counted.
#[test]
fn pruned_runs_are_exhaustive_runs() {
    let Some((collection, full, directory)) = news() else {
        return;
    };
    let queries = queries(collection);
    let open = || Index::open(&directory.path().join("index")).unwrap();
    let (pruning, exhaustive) = (open(), open().exhaustive(true));
    assert_eq!(full.num_pages(), pruning.num_pages());
    for (number, filter) in [
        "unfiltered",
        "words >= 5",
        "words >= 11",
        "words > 40",
        "words <= 30",
        "density >= 10.5",
        "density >= 10.55",
        "link-density <= 0.33",
        "link-density <= 0.333",
        "words >= 10 and link-density <= 0.33",
        "2 of (bte, justext, boilerpipe-article)",
        "not (tag in (li, td, div)) and density >= 5",
        "words in 5..40 or linked-words = 0",
    ]
    .iter()
    .enumerate()
    {
        for (place, model) in MODELS.iter().enumerate() {
            let stats = ["subset", "collection", "words >= 20"][(number + place) % 3];
            let ranking = Ranking {
                filter: filter.parse().unwrap(),
                model: model.parse().unwrap(),
                stats: stats.parse().unwrap(),
                ..Ranking::default()
            };
            for k in [1, 10, 100, 1000] {
                let bytes = |index: &Index| {
                    let mut writer = RunWriter::new(Vec::new(), "test").unwrap();
                    run(index, &queries, &ranking, k, &mut writer).unwrap();
                    writer.finish().unwrap()
                };
                let same = bytes(&pruning) == bytes(&exhaustive);
                assert!(same, "{filter}, {model}, {stats}, {k}");
            }
        }
    }
}

/// Filters that no flag can say: brackets, cascades, majorities, tags, places on the page, attributes of the page.
#[test]
fn expressions_filter_as_if_the_rest_had_not_been_indexed() {
    let Some((collection, full, _)) = news() else {
        return;
    };
    let queries = queries(collection);
    let filters = [
        "words >= 11 and (link-density <= 0.33 or justext)",
        "2 of (bte, justext, boilerpipe-article)",
        "justext or (block-fusion and words >= 5)",
        "not (tag in (li, td, div)) and density >= 5",
        "position-share < 0.5 and not bte",
        "(boilerpipe-numwords or tag in (h1, h2)) and page-words in 100..2000",
        "words in 5..40 or linked-words = 0",
        "not host = news.example.org and media-type = text/html and words >= 8",
        "tokens > 12 and lines <= 8 and position >= 3",
        "chars >= 40 and link-density < 0.5",
        "commas >= 2 or words >= 30",
        "language = en and words >= 6 or language in (de, fr)",
        "date >= 2012 and density > 4",
    ];
    let filters = filters.map(|text| text.parse::<Filter>().unwrap());
    let cut_pages = cut_by_extractor(collection, full, &filters);
    for (filter, cut_pages) in filters.iter().zip(&cut_pages) {
        let kept: usize = cut_pages.iter().map(|page| page.blocks.len()).sum();
        assert!(kept > 0, "{filter}");
        check_cut(full, &queries, filter, cut_pages, &["bm25", "qld+rm3"]);
    }
}

/// Statistics of other blocks are those of an index that has just these.
#[test]
fn statistics_of_an_expression_are_those_of_cut_pages() {
    let Some((collection, full, _)) = news() else {
        return;
    };
    let queries = queries(collection);
    let pages = stored_pages(full);
    for (filter, others) in [
        ("words >= 11 and link-density <= 0.33", "words >= 5"),
        (
            "not (tag in (li, td)) and density >= 8",
            "not (tag in (li, td))",
        ),
        ("words in 15..80", "words in 10..90 or tag = h1"),
    ] {
        let [filter, others] = [filter, others].map(|text| text.parse::<Filter>().unwrap());
        let directory = TempDir::new().unwrap();
        let counted = cut(&pages, &others, full.density_unit());
        let counted = index(directory.path(), "boilerpipe", Analyzer::English, &counted);
        for model in equivalence::MODELS {
            let ranking = |stats: Stats| Ranking {
                filter: filter.clone(),
                model: model.parse().unwrap(),
                stats,
                ..Ranking::default()
            };
            let of_others = run_bytes(full, &queries, &ranking(Stats::Of(others.clone())));
            let of_all = run_bytes(&counted, &queries, &ranking(Stats::Collection));
            assert!(of_others == of_all, "{filter}, {others}, {model}");
            let of_subset = run_bytes(full, &queries, &ranking(Stats::Subset));
            assert!(of_others != of_subset, "{filter}, {others}, {model}");
        }
    }
}

/// Verdicts that were stored when indexing, and those that were added afterwards; alone, and with a threshold.
#[test]
fn extractors_filter_as_if_the_rest_had_not_been_indexed() {
    let Some((collection, full, _)) = news() else {
        return;
    };
    let alone = EXTRACTORS
        .iter()
        .chain([&ADDED])
        .map(|name| Filter::content(name));
    let mut filters: Vec<Filter> = alone.collect();
    filters.push(filters[0].clone().and("words >= 11".parse().unwrap()));
    let queries = queries(collection);
    let cut_pages = cut_by_extractor(collection, full, &filters);
    for (filter, cut_pages) in filters.iter().zip(&cut_pages) {
        check_cut(full, &queries, filter, cut_pages, &["bm25", "qld+rm3"]);
    }
}

/// A sweep's steps are the runs under their filters, with all models at once.
#[test]
fn sweeps_equal_single_searches() {
    let Some((collection, full, _)) = news() else {
        return;
    };
    let queries: Vec<String> = queries(collection).into_iter().map(|(_, q)| q).collect();
    let series = |varies: &[&str]| -> Vec<Series> {
        let varies: Vec<Vary> = varies.iter().map(|vary| vary.parse().unwrap()).collect();
        let lines = lines(&varies, &Base::default(), false).unwrap();
        lines
            .iter()
            .flat_map(|line| line.series(|_| true).unwrap())
            .collect()
    };
    let options = |models: &[&str]| {
        SweepOptions::default()
            .with_models(models.iter().map(|model| model.parse().unwrap()).collect())
            .with_stats(Stats::Subset)
            .with_k(1000)
            .with_memory(1 << 30)
    };
    let all = series(&[
        "min-words=1..100",
        "min-density=1..20",
        "max-link-density=0..1:0.1",
    ]);
    crate::sweep::check(full, &queries, &all, &options(&["bm25"]));
    let some = series(&["min-words=5..50:15", "min-density=8..14:3"]);
    crate::sweep::check(full, &queries, &some, &options(&MODELS));
}

/// Every model ranks as its formula, written anew over the same terms, does.
#[test]
fn rankings_agree_with_the_formulas() {
    let Some((collection, full, _)) = news() else {
        return;
    };
    let pages = stored_pages(full);
    for filter in ["{}", r#"{"min_words":11}"#] {
        let filter: Filter = serde_json::from_str(filter).unwrap();
        let bags = Bags::new(
            cut(&pages, &filter, full.density_unit())
                .iter()
                .map(|page| {
                    let terms = page
                        .blocks
                        .iter()
                        .flat_map(|block| full.analyzer().terms(&block.text));
                    (page.docid.clone(), terms.collect())
                }),
        );
        for (query, model) in queries(collection)
            .iter()
            .flat_map(|q| MODELS.map(|m| (&q.1, m)))
        {
            let ranking = Ranking {
                filter: filter.clone(),
                model: model.parse().unwrap(),
                ..Ranking::default()
            };
            let found = full.search(query, &ranking, usize::MAX).unwrap();
            let terms = full.analyzer().terms(query);
            let expected = bags.scores(&bags, &terms, &ranking.model);
            assert_eq!(found.len(), expected.len(), "{model} '{query}'");
            let mut least = f64::INFINITY;
            for hit in &found {
                let score = expected[full.docid(hit.page)];
                let difference = (score - f64::from(hit.score)).abs();
                assert!(
                    difference < 1e-4,
                    "{model} '{query}': {score} {}",
                    hit.score
                );
                // Pages that differ by more than 1e-6 stand in the order of their scores.
                assert!(score < least + 1e-6, "{model} '{query}': a swap at {score}");
                least = least.min(score);
            }
        }
    }
}

#[test]
fn threads_make_no_difference() {
    let Some((collection, two, _)) = news() else {
        return;
    };
    let queries = queries(collection);
    for threads in [1, 3] {
        let directory = TempDir::new().unwrap();
        let other = build_index(&directory.path().join("index"), collection, threads);
        assert_eq!(other.manifest.counts, two.manifest.counts);
        for ranking in [Ranking::default(), under(r#"{"min_words":11}"#)] {
            let (a, b) = (
                run_bytes(two, &queries, &ranking),
                run_bytes(&other, &queries, &ranking),
            );
            assert!(
                a == b,
                "{threads} threads, {}: the runs differ",
                ranking.filter
            );
        }
    }
}

/// An index holds the blocks that parsing the collection anew gives.
#[test]
fn stored_blocks_are_those_of_the_pages() {
    let Some((collection, index, _)) = news() else {
        return;
    };
    let inputs = collection::inputs(&[collection.join("collection.warc.gz")]).unwrap();
    let reader = collection::open(&inputs[0], &collection::Options::default()).unwrap();
    let documents = reader.filter_map(|item| match item {
        Item::Document(document) => Some(document),
        Item::Skipped(_) => None,
    });
    let mut pages = 0;
    for (number, document) in (0..).zip(documents) {
        pages += 1;
        if number % 20 != 0 {
            continue;
        }
        let page = html::parse(
            &document.bytes,
            Charset::Auto,
            document.charset.as_deref(),
            &Limits::default(),
        );
        let blocks = (segment::all()[0].segment)(&page).blocks;
        assert_eq!(index.docid(number), document.docid);
        assert_eq!(
            index.page_blocks(number).unwrap(),
            blocks,
            "{}",
            document.docid
        );
        let record = index.page(number).unwrap();
        assert_eq!(
            (record.docid, record.title, record.url),
            (document.docid, page.title, document.url)
        );
    }
    assert_eq!(pages, 2683);
    assert_eq!(index.num_pages(), 2683);
}

/// Within 0.03 of an independent implementation, whose blocks and tokens differ a little.
#[test]
fn measures_agree_with_an_independent_implementation() {
    let Some((collection, index, _)) = news() else {
        return;
    };
    let queries = queries(collection);
    let qrels = qrels::read_file(&collection.join("qrels.A.txt")).unwrap();
    let measures = Selection::parse(["P@10", "nDCG@10", "AP"])
        .unwrap()
        .measures;
    for (filter, expected) in [
        ("{}", [0.541, 0.797, 0.752]),
        (r#"{"min_words":11}"#, [0.550, 0.813, 0.765]),
    ] {
        let ranking = Ranking {
            filter: serde_json::from_str::<Filter>(filter).unwrap(),
            model: "bm25:k1=1.2,b=0.75".parse().unwrap(),
            ..Ranking::default()
        };
        let bytes = run_bytes(index, &queries, &ranking);
        let run = run_file::parse(bytes.as_slice(), "run").unwrap();
        let options = measure::Options::default();
        let means = measure::evaluate(&qrels, &run, &measures, &options)
            .unwrap()
            .means;
        eprintln!("{filter}: {means:?}, expected about {expected:?}");
        for (mean, expected) in means.iter().zip(expected) {
            assert!(
                (mean - expected).abs() <= 0.03,
                "{filter}: {mean} against {expected}"
            );
        }
    }
}
