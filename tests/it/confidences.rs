//! Confidences of extractors: stored, added, merged and gone on with, the same bytes; a filter like any other.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;
use trommel::collection::{self, Item};
use trommel::extractor::{
    self, Extractor, ExtractorRow, Label, Make, Subject, Takes, Verdict, Verdicts,
};
use trommel::filter::Filter;
use trommel::html::segment;
use trommel::index::{
    BuildOptions, Existing, Index, IndexError, LabelOptions, Manifest, Progress, Ranking, Reading,
    build, check, label,
};
use trommel::page::Segmentation;
use trommel::text::Analyzer;

use crate::cli::{Place, objects};
use crate::experiments::run_text;
use crate::made::{self, PAD, assert_same_index, results};
use crate::serve::{Server, array};

/// What nobody would call a model: labels and probabilities that differ from leaf to leaf, and do not follow from each other.
const fn row(name: &'static str) -> ExtractorRow {
    ExtractorRow {
        name,
        summary: "",
        source: "",
        segmenter: Some("leaf"),
        takes: Takes::Parameters(&[]),
        make: Make::Scored(|_| Ok(Box::new(scores))),
    }
}

fn scores(_: &Subject, segmentation: &Segmentation) -> Vec<Verdict> {
    let sum = |text: &str| text.bytes().map(u32::from).sum::<u32>();
    let verdict = |sum: u32| Verdict {
        label: Label::content_if(!sum.is_multiple_of(3)),
        probability: (sum % 1000) as f32 / 999.0,
    };
    let blocks = segmentation.blocks.iter();
    blocks.map(|block| verdict(sum(&block.text))).collect()
}

static SCORED: ExtractorRow = row("scored");
static OTHER: ExtractorRow = row("other");
static TROMMEL: ExtractorRow = row("trommel");
const PLAIN: &str = "min-words-10";

fn scored(row: &'static ExtractorRow) -> Arc<Extractor> {
    Arc::new(Extractor::new(row, "").unwrap())
}

fn plain() -> Arc<Extractor> {
    Arc::new(extractor::parse(PLAIN).unwrap())
}

fn options(extractors: &[Arc<Extractor>]) -> BuildOptions {
    BuildOptions::default()
        .with_reading(Reading::default())
        .with_segmenter(segment::all()[0])
        .with_analyzer(Analyzer::English)
        .with_extractors(extractors.to_vec())
        .with_threads(1)
        .with_memory(24 << 20)
        .with_max_bad(None)
        .with_allow_empty(false)
        .with_resume(false)
}

fn build_at(
    directory: &Path,
    paths: &[PathBuf],
    options: &BuildOptions,
) -> Result<Manifest, IndexError> {
    let inputs = collection::inputs(paths).unwrap();
    let built = build(directory, &inputs, options, &Progress::default());
    built.map(|report| report.manifest)
}

fn label_at(directory: &Path, extractor: Arc<Extractor>, replace: bool) -> Manifest {
    let options = LabelOptions::default()
        .with_extractors(vec![extractor])
        .with_existing(match replace {
            true => Existing::Replace,
            false => Existing::Refuse,
        })
        .with_threads(2);
    let labelled = label(directory, &[], &options, &Progress::default());
    labelled.unwrap().manifest
}

/// What is wrong with an index.
fn problems(index: &Path) -> Vec<String> {
    let problems = check(index, false).unwrap().problems;
    problems.into_iter().map(|problem| problem.what).collect()
}

/// A place with an index `ix` of two made files, with these extractors.
fn place(extractors: &[Arc<Extractor>]) -> Place {
    let place = made::place(2, 20, 0);
    let paths = [0, 1].map(|file| place.path(&format!("c{file}.warc.gz")));
    build_at(&place.path("ix"), &paths, &options(extractors)).unwrap();
    place
}

/// Indexes that were made in every way are the same, and their confidences are those that the extractor gives of the pages.
#[test]
fn every_way_gives_the_same_confidences() {
    let place = made::place(3, 12, PAD);
    let files = [0, 1, 2].map(|file| place.path(&format!("c{file}.warc.gz")));
    made::damage(&files[2]);
    let both = options(&[plain(), scored(&SCORED)]);
    let [whole, begun, added] = ["whole", "begun", "added"].map(|name| place.path(name));
    build_at(&whole, &files, &both).unwrap();
    assert!(made::parts(&whole) > 1);

    let stopped = both.clone().with_max_bad(Some(0));
    let error = build_at(&begun, &files, &stopped).unwrap_err();
    assert!(matches!(error, IndexError::TooManyBad(1)), "{error}");
    assert!(made::parts(&begun) > 0);
    let resumed =
        |extractors: &[Arc<Extractor>]| options(extractors).with_resume(true).with_threads(3);
    // Labels of the same name without confidences would not go on with those that have some.
    let mut bare = extractor::parse(PLAIN).unwrap();
    (bare.name, bare.spec) = ("scored".to_owned(), "scored".to_owned());
    let error = build_at(&begun, &files, &resumed(&[plain(), Arc::new(bare)])).unwrap_err();
    assert!(matches!(error, IndexError::Changed { .. }), "{error}");
    build_at(&begun, &files, &resumed(&both.extractors)).unwrap();
    assert_same_index(&whole, &begun);
    // Finished, and asked for again.
    build_at(&begun, &files, &resumed(&both.extractors)).unwrap();

    build_at(&added, &files, &options(&[plain()])).unwrap();
    let text = fs::read_to_string(added.join("manifest.json")).unwrap();
    assert!(
        !text.contains("confidences"),
        "as it was before there were any"
    );
    label_at(&added, scored(&SCORED), false);
    assert_same_index(&whole, &added);

    let shards = [0, 1, 2].map(|file| {
        let directory = place.path(&format!("s{file}"));
        build_at(&directory, &files[file..=file], &both).unwrap();
        directory
    });
    trommel::index::merge(&place.path("merged"), &shards).unwrap();
    assert_same_index(&whole, &place.path("merged"));
    for name in ["whole", "begun", "added", "merged", "s1"] {
        assert_eq!(problems(&place.path(name)), [""; 0], "{name}");
    }
    for filter in ["scored --min-confidence 0.55", "scored --min-confidence 1"] {
        let of_whole = results(&place, &["whole"], Some(filter));
        assert!(results(&place, &["s0", "s1", "s2"], Some(filter)) == of_whole);
        assert!(results(&place, &["merged"], Some(filter)) == of_whole);
    }

    let index = Index::open(&whole).unwrap();
    let extractor = scored(&SCORED);
    let inputs = collection::inputs(&files).unwrap();
    let (mut seen, mut page_number) = (std::collections::BTreeSet::new(), 0);
    for input in &inputs {
        for item in collection::open(input, &collection::Options::default()).unwrap() {
            let Item::Document(document) = item else {
                continue;
            };
            let page = Reading::default().page(&document);
            let subject = Subject::new(&page, &document.docid, &document.url);
            let expected = extractor.verdicts(&subject, &segment::all()[0]);
            let stored: Verdicts = index.page_verdicts(page_number, "scored").unwrap();
            assert_eq!(stored, expected);
            seen.extend(expected.confidences.unwrap());
            page_number += 1;
        }
    }
    assert!(seen.len() > 20, "{seen:?}");
}

/// Which labels are meant, and what there is to do where there are none.
#[test]
fn whose_confidences() {
    let under = |index: &Index, filter: &str| {
        let ranking = Ranking {
            filter: serde_json::from_str(filter).unwrap(),
            ..Ranking::default()
        };
        let found = index.search("rain", &ranking, 10);
        found.map_err(|error| error.to_string())
    };
    let alone = r#"{"min_confidence":"0.5"}"#;
    let of_plain = r#"{"min_confidence":"0.5","extractor":"min-words-10"}"#;
    let open = |place: &Place| Index::open(&place.path("ix")).unwrap();
    let kept = |index: &Index, filter: &str| {
        let filter: Filter = serde_json::from_str(filter).unwrap();
        index.kept(&filter).unwrap()
    };

    let none = place(&[plain()]);
    let index = open(&none);
    let error = under(&index, alone).unwrap_err();
    assert!(error.contains("has no confidences of blocks"), "{error}");
    let error = under(&index, of_plain).unwrap_err();
    let expected = "the labels of 'min-words-10' in";
    assert!(error.starts_with(expected), "{error}");
    assert!(error.contains("(there are those of: none)"), "{error}");
    assert!(under(&index, r#"{"min_confidence":"0","extractor":"bte"}"#).is_err());

    let one = place(&[plain(), scored(&SCORED)]);
    let index = open(&one);
    assert!(under(&index, alone).is_ok());
    let of_scored = kept(&index, r#"{"min_confidence":"0.5","extractor":"scored"}"#);
    let bare = kept(&index, alone);
    let labels = kept(&index, r#"{"extractor":"scored"}"#);
    // Both must hold: fewer blocks than by either alone.
    assert!(0 < of_scored.blocks && of_scored.blocks < bare.blocks.min(labels.blocks));
    let everything = kept(&index, "{}");
    assert_eq!(kept(&index, r#"{"min_confidence":"0"}"#), everything);
    let error = under(&index, of_plain).unwrap_err();
    assert!(error.contains("(there are those of: scored)"), "{error}");

    let two = place(&[scored(&SCORED), scored(&OTHER)]);
    let error = under(&open(&two), alone).unwrap_err();
    let expected = "has confidences of scored, other: say whose are meant: confidence(NAME)";
    assert!(error.contains(expected), "{error}");
    let three = place(&[scored(&SCORED), scored(&TROMMEL), scored(&OTHER)]);
    let index = open(&three);
    assert_eq!(index.confidences_of(None).unwrap().name, "trommel");
    assert_eq!(kept(&index, alone), bare, "the three say the same");
}

/// What replaces labels with confidences by others leaves no file behind that is not theirs.
#[test]
fn replaced_by_labels_without_confidences() {
    let place = place(&[scored(&SCORED)]);
    let index = place.path("ix");
    assert!(made::label_file(&index, "scored", "confidences").is_some());
    let mut bare = extractor::parse(PLAIN).unwrap();
    bare.name = "scored".to_owned();
    let manifest = label_at(&index, Arc::new(bare), true);
    assert!(!manifest.extractors[0].confidences);
    assert_eq!(made::label_file(&index, "scored", "confidences"), None);
    assert_eq!(made::labels(&index).len(), 1);
    assert_eq!(problems(&index), [""; 0]);
    let manifest = label_at(&index, scored(&SCORED), true);
    assert!(manifest.extractors[0].confidences);
    assert_eq!(made::labels(&index).len(), 2);
    assert_eq!(problems(&index), [""; 0]);
}

#[test]
fn damaged_confidences() {
    let place = place(&[scored(&SCORED)]);
    let index = place.path("ix");
    let file = made::label_file(&index, "scored", "confidences").unwrap();
    let whole = fs::read(&file).unwrap();
    let number = u64::from_le_bytes(whole[..8].try_into().unwrap());
    assert_eq!(whole.len() as u64, 8 + number);
    let changed = |at: usize, byte: u8| {
        let mut bytes = whole.clone();
        bytes[at] = byte;
        bytes
    };
    let other = (whole[8] + 1) % 101;
    for (bytes, expected) in [
        (changed(8, other), "it has other bytes than it had"),
        (changed(0, whole[0] ^ 1), "it has other bytes than it had"),
        (whole[..whole.len() - 1].to_vec(), "bytes, and had"),
        ([whole.as_slice(), &[0]].concat(), "bytes, and had"),
        (Vec::new(), "it has 0 bytes, and had"),
    ] {
        fs::write(&file, &bytes).unwrap();
        let found = problems(&index);
        assert!(found.iter().any(|it| it.contains(expected)), "{found:?}");
        let line = "search --index ix --min-confidence 0.5 rain";
        place.check(line, 2, "", expected);
        place.check(line, 2, "", "trommel label --replace");
        place.check("search --index ix rain", 0, "*", "*");
    }
    fs::remove_file(&file).unwrap();
    assert!(!problems(&index).is_empty());
    fs::write(&file, &whole).unwrap();
    assert_eq!(problems(&index), [""; 0]);
}

/// The command line and the server take the filter and show what it is made of.
#[test]
fn shown_and_swept() {
    let place = place(&[plain(), scored(&SCORED)]);
    place.write("qrels.txt", "1 0 p-0003 1\n2 0 p-0004 1\n3 0 p-0008 1\n");
    let judged = "--topics topics.xml --qrels qrels.txt";
    let server = Server::start(&place, judged);

    // Pages show every block's confidence, and what is kept is what has as much as the filter asks for.
    let index = Index::open(&place.path("ix")).unwrap();
    let (mut kept, mut all) = (0, 0);
    for number in 0..index.num_pages() as u32 {
        let verdicts = index.page_verdicts(number, "scored").unwrap();
        let docid = index.docid(number);
        let page = server.json(&format!("/api/page/{docid}?min_confidence=0.37"));
        let blocks = array(&page["blocks"]);
        for (block, confidence) in blocks.iter().zip(verdicts.confidences.unwrap()) {
            assert_eq!(block["confidences"]["scored"], confidence.to_f64());
            assert_eq!(block["confidences"].as_object().unwrap().len(), 1);
            assert_eq!(block["kept"], confidence.in_hundredths() >= 37);
            (kept, all) = (kept + u64::from(block["kept"] == true), all + 1);
        }
    }
    assert!(0 < kept && kept < all, "{kept} of {all}");
    let found = server.json("/api/search?q=rain&min_confidence=0.37&explain=true&k=5");
    assert_eq!(found["kept"]["blocks"], kept);
    assert_eq!(found["filter"], "confidence >= 0.37");

    // The same hits with the same explanations as on the command line.
    let flags = "--min-confidence 0.37 --explain -k 5 rain";
    let lines = objects(&place.run(&format!("search --index ix --json {flags}")).out);
    assert!(!lines.is_empty());
    for (line, hit) in lines.iter().zip(array(&found["results"])) {
        assert_eq!(line["docid"], hit["docid"]);
        assert_eq!(line["explain"], hit["explain"]);
        let [least, greatest] = [0, 1].map(|at| line["explain"]["confidence"][at].as_f64());
        assert!(least >= Some(0.37) && greatest >= least, "{line}");
    }
    let text = place.run(&format!("search --index ix {flags}")).out;
    assert!(text.contains(" words, confidence 0."), "{text}");
    let blocks = format!("search --index ix --json --unit block {flags}");
    for line in objects(&place.run(&blocks).out) {
        let page = index.find(line["docid"].as_str().unwrap()).unwrap();
        let verdicts = index.page_verdicts(page, "scored").unwrap();
        let block = line["block"].as_u64().unwrap() as usize;
        let confidence = verdicts.confidences.unwrap()[block].to_f64();
        let expected = serde_json::json!([confidence, confidence]);
        assert_eq!(line["explain"]["confidence"], expected);
    }
    let unbounded = objects(&place.run("search --index ix --json --explain rain").out);
    assert_eq!(unbounded[0]["explain"].get("confidence"), None);

    // Histograms: what stands at a bin and above passes the threshold.
    let manifest = server.json("/api/manifest");
    assert_eq!(manifest["confidences_of"], "scored");
    assert_eq!(
        array(&manifest["extractors"])[0]["confidences"],
        Value::Null
    );
    let histogram = &array(&manifest["extractors"])[1]["confidences"];
    assert_eq!(histogram["filter"], "min_confidence");
    for (at, bins) in (0..=20).map(|at| (at, &array(&histogram["blocks"])[at..])) {
        let threshold = format!("{:.2}", at as f64 / 20.0);
        let found = server.json(&format!(
            "/api/search?q=rain&k=1&min_confidence={threshold}"
        ));
        let passing: u64 = bins.iter().map(|bin| bin.as_u64().unwrap()).sum();
        assert_eq!(found["kept"]["blocks"], passing, "{threshold}");
    }
    assert!(array(&manifest["sweep"]["dimensions"]).contains(&"min_confidence".into()));

    // A sweep's steps are searches, alone, over a grid, on the page.
    let sweep = |more: &str| {
        let line = format!("sweep --index ix {judged} --json {more}");
        let done = place.run(&line);
        assert_eq!(done.code, 0, "{line}: {}", done.err);
        serde_json::from_str::<Value>(&done.out).unwrap()
    };
    let swept = sweep("--vary min-confidence=0..1:0.05 --min-words 2");
    assert_eq!(array(&swept["lines"][0]["points"]).len(), 21);
    let served = server.swept("/api/sweep?vary=min_confidence&min_words=2");
    assert_eq!(served["lines"], swept["lines"]);
    let grid =
        sweep("--vary min-confidence=0.2,0.6 --vary min-words=1,9 --grid --extractor scored");
    let filters = array(&grid["lines"])
        .iter()
        .flat_map(|line| array(&line["points"]));
    let filters: Vec<&str> = filters
        .map(|point| point["result"]["filter"].as_str().unwrap())
        .collect();
    assert_eq!(
        filters,
        [
            "scored and words >= 1 and confidence(scored) >= 0.2",
            "scored and words >= 1 and confidence(scored) >= 0.6",
            "scored and words >= 9 and confidence(scored) >= 0.2",
            "scored and words >= 9 and confidence(scored) >= 0.6",
        ]
    );
    let runs = "--vary min-confidence=0.2,0.6 --model qld+rm3 --runs --output steps";
    let line = format!("sweep --index ix {judged} {runs}");
    place.check(&line, 0, "*", "*");
    for p in ["0.2", "0.6"] {
        let ranking = format!("--model qld+rm3 --min-confidence {p}");
        let run = place.run(&format!("run --index ix --topics topics.xml {ranking}"));
        let file = format!(
            "steps/runs/min-confidence={p}.qld-mu=1000+rm3-terms=10,docs=10,weight=0.5.run"
        );
        let step = fs::read_to_string(place.path(&file)).unwrap();
        assert_eq!(step, run.out, "{p}");
    }

    // Mistakes.
    for (line, error) in [
        (
            "search --index ix --min-confidence 1.5 rain",
            "1.5 is more than 1",
        ),
        (
            "search --index ix --min-confidence 0.125 rain",
            "2 digits behind the point",
        ),
        (
            "search --index ix --min-confidence likely rain",
            "'likely' is not",
        ),
        (
            "search --index ix --min-confidence 0.5 --extractor min-words-10 rain",
            "the labels of 'min-words-10' in ix have no confidences",
        ),
        (
            "sweep --index ix --topics topics.xml --qrels qrels.txt --vary min-confidence=0..1:0.5 --extractor min-words-10",
            "the labels of 'min-words-10' in ix have no confidences",
        ),
        (
            "sweep --index ix --topics topics.xml --qrels qrels.txt --vary min-confidence=0..2:0.5",
            "1.5 is more than 1",
        ),
        (
            "extract --extractor min-words-10 --min-confidence 0.5 c0.warc.gz",
            "min-words-10 gives no confidences",
        ),
    ] {
        place.check(line, 2, "", error);
    }
    for (address, error) in [
        (
            "min_confidence=2",
            "min_confidence: 2 is more than 1: the range is from 0 to 1, and 2 percent is 0.02",
        ),
        (
            "min_confidence=0.5&extractor=min-words-10",
            "min_confidence: the labels of 'min-words-10' have no confidences; there are those of: scored",
        ),
    ] {
        let answer = server.get(&format!("/api/search?q=rain&{address}"));
        let body: Value = serde_json::from_str(&answer.body).unwrap();
        assert_eq!((answer.status, &body["error"]), (400, &error.into()));
    }
}

/// Experiment files take it in filters and as what varies, and come to what the command line comes to.
#[test]
fn experiments_take_it() {
    let place = place(&[plain(), scored(&SCORED)]);
    place.write("qrels.txt", "1 0 p-0003 1\n2 0 p-0004 1\n3 0 p-0008 1\n");
    let run = |kind: &str, options: &str| {
        let inputs = "index = \"ix\"\ntopics = \"topics.xml\"\nqrels = \"qrels.txt\"";
        let text = format!(
            "kind = \"{kind}\"\ntitle = \"T\"\n[input]\n{inputs}\n[options]\n{options}\nmeasures = [\"AP\"]"
        );
        run_text(&text, &place.path(""))
    };
    let swept = r#"
        vary = ["min-confidence=0.2,0.6"]
        filter = { extractor = "scored", min_words = 2 }
        models = ["bm25"]
    "#;
    let outcome = run("sweep", swept).unwrap();
    let line = "sweep --index ix --topics topics.xml --qrels qrels.txt --json -m AP --min-words 2 \
        --extractor scored --vary min-confidence=0.2,0.6";
    let expected: Value = serde_json::from_str(&place.run(line).out).unwrap();
    let points = array(&expected["lines"][0]["points"]);
    let table = outcome.figures.tables.iter();
    let mut table = table.filter(|it| it.name == "min-confidence, bm25:k1=0.9,b=0.4");
    let table = table.next().unwrap();
    assert_eq!(points.len(), 2);
    for point in points {
        let threshold = point["threshold"].as_str().unwrap();
        let figure = table.figure(threshold, "AP");
        assert_eq!(figure, point["result"]["means"][0].as_f64(), "{threshold}");
    }
    let filtered = |filters: &str| {
        let options = format!("extractors = []\nfilters = [{filters}]");
        run("retrieval", &options)
    };
    let both = r#"{ min_confidence = "0.6" }, { extractor = "scored", min_confidence = "0.6" }"#;
    let outcome = filtered(both).unwrap();
    let names: Vec<&str> = (outcome.figures.tables[0].rows.iter())
        .map(|(name, _)| name.as_str())
        .collect();
    let expected = [
        "unfiltered",
        "confidence >= 0.6",
        "scored and confidence(scored) >= 0.6",
    ];
    assert_eq!(names, expected);
    for (filters, error) in [
        (
            r#"{ min_confidence = "0.125" }"#,
            "2 digits behind the point",
        ),
        (
            r#"{ min_confidence = "0.5", extractor = "min-words-10" }"#,
            "have no confidences",
        ),
    ] {
        let found = filtered(filters).unwrap_err().to_string();
        assert!(found.contains(error), "{found}");
    }
}
