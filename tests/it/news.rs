//! The main job on the judged news collection: equivalence byte for byte, threads, and the figures that an independent
//! implementation gave.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use tempfile::TempDir;
use trommel::collection::{self, Item};
use trommel::html::{self, Charset, Limits, segment};
use trommel::index::{BuildOptions, Filter, Index, Progress, Ranking, Reading, build, run};
use trommel::measure::{self, Selection};
use trommel::text::Analyzer;
use trommel::trec::{RunWriter, qrels, run as run_file, topics};

use crate::equivalence::{Page, cut, index};
use crate::support::shared;

fn options(threads: usize) -> BuildOptions {
    BuildOptions {
        reading: Reading::default(),
        segmenter: segment::all()[0],
        analyzer: Analyzer::English,
        extractors: Vec::new(),
        threads,
        memory: 128 << 20,
        max_bad: Some(0),
    }
}

fn build_index(directory: &Path, collection: &Path, threads: usize) -> Index {
    let inputs = collection::inputs(&[collection.join("collection.warc.gz")]).unwrap();
    build(directory, &inputs, &options(threads), &Progress::default()).unwrap();
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
    topics
        .iter()
        .map(|topic| (topic.id.clone(), topic.text("title").unwrap().to_owned()))
        .collect()
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

#[test]
fn filtered_runs_equal_runs_on_cut_pages() {
    let Some((collection, full, _)) = news() else {
        return;
    };
    let queries = queries(collection);
    let pages: Vec<Page> = (0..full.num_pages() as u32)
        .map(|number| Page {
            docid: full.docid(number).to_owned(),
            blocks: full.page_blocks(number).unwrap(),
            labels: Vec::new(),
        })
        .collect();
    let unfiltered = run_bytes(full, &queries, &Ranking::default());
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
        let ranking = under(filter);
        let directory = TempDir::new().unwrap();
        let cut_pages = cut(&pages, &ranking.filter, full.density_unit());
        let reduced = index(
            directory.path(),
            "boilerpipe",
            Analyzer::English,
            &cut_pages,
        );
        let filtered = run_bytes(full, &queries, &ranking);
        assert_ne!(filtered, unfiltered, "{filter} filters nothing");
        let reindexed = run_bytes(&reduced, &queries, &Ranking::default());
        assert!(filtered == reindexed, "{filter}: the runs differ");
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
