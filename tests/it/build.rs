//! Building an index through the library: what goes to the ledger and the manifest, and that threads change nothing.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use tempfile::TempDir;
use trommel::collection::{self, Reason, Skipped, WarcPage, write_warc};
use trommel::html::{Limits, segment};
use trommel::index::{
    BuildOptions, BuildReport, Index, IndexError, LEDGER, NewLabels, PageRecord, Progress,
    Provenance, Ranking, Reading, Writer, WriterOptions, build,
};
use trommel::text::Analyzer;

fn options(threads: usize) -> BuildOptions {
    BuildOptions::default()
        .with_reading(Reading::default())
        .with_segmenter(segment::all()[0])
        .with_analyzer(Analyzer::English)
        .with_extractors(Vec::new())
        .with_threads(threads)
        .with_memory(64 << 20)
        .with_max_bad(None)
        .with_allow_empty(false)
        .with_resume(false)
}

fn build_from(
    directory: &Path,
    paths: &[PathBuf],
    options: &BuildOptions,
) -> Result<BuildReport, IndexError> {
    let inputs = collection::inputs(paths).unwrap();
    build(directory, &inputs, options, &Progress::default())
}

fn page(words: usize, salt: usize) -> String {
    let vocabulary = ["apple", "pear", "plum", "fig", "quince", "sloe", "medlar"];
    let text: Vec<&str> = (0..words)
        .map(|i| vocabulary[(i * i + salt * (i + 1)) % 7])
        .collect();
    format!(
        "<title>{salt}</title><ul><li>{}</ul><p>{}",
        text[0],
        text.join(" ")
    )
}

/// A WARC file of pages with these docids.
fn warc(path: &Path, pages: &[(String, String)]) {
    let records = pages.iter().map(|(docid, html)| WarcPage {
        docid,
        url: "",
        date: "",
        html: html.as_bytes(),
    });
    write_warc(File::create(path).unwrap(), records).unwrap();
}

/// Pages `doc-FROM` to `doc-TO`.
fn pages(range: std::ops::Range<usize>) -> Vec<(String, String)> {
    range
        .map(|n| (format!("doc-{n}"), page(1 + n % 40, n)))
        .collect()
}

fn ledger(directory: &Path) -> Vec<Skipped> {
    fs::read_to_string(directory.join(LEDGER))
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Reasons with their numbers of lines.
fn totals(lines: &[Skipped]) -> BTreeMap<String, u64> {
    let mut totals = BTreeMap::new();
    for line in lines {
        *totals.entry(line.reason.to_string()).or_default() += 1;
    }
    totals
}

/// All hits of some queries by docid, with the bits of their scores.
fn results(index: &Index) -> Vec<Vec<(String, u32)>> {
    let filtered = Ranking {
        filter: serde_json::from_str(r#"{"min_words":5}"#).unwrap(),
        ..Ranking::default()
    };
    let mut results = Vec::new();
    for ranking in [Ranking::default(), filtered] {
        for query in ["apple", "fig quince fig", "medlar sloe pear"] {
            let hits = index.search(query, &ranking, 1000).unwrap();
            let named = hits
                .iter()
                .map(|hit| (index.docid(hit.page).to_owned(), hit.score.to_bits()));
            results.push(named.collect());
        }
    }
    results
}

/// Three good pages between damaged and unwanted records, in two files; and a file that is no collection.
fn damaged_collection(directory: &Path) -> Vec<PathBuf> {
    let first = directory.join("first.warc.gz");
    warc(&first, &pages(0..2));
    let mut bytes = fs::read(&first).unwrap();
    // The last member is cut in its middle, and a whole record follows.
    bytes.truncate(bytes.len() - 40);
    let second = directory.join("second.warc.gz");
    warc(&second, &[pages(0..1), pages(2..4)].concat());
    bytes.extend(fs::read(&second).unwrap());
    fs::write(&first, bytes).unwrap();
    let noise = directory.join("noise.bin");
    fs::write(&noise, [0, 1, 2, 3]).unwrap();
    vec![first, noise, second]
}

#[test]
fn ledger_and_manifest_of_a_damaged_collection() {
    let directory = TempDir::new().unwrap();
    let paths = damaged_collection(directory.path());
    for threads in [1, 3] {
        let at = directory.path().join(format!("index-{threads}"));
        let report = build_from(&at, &paths, &options(threads)).unwrap();
        let lines = ledger(&at);
        let manifest = &report.manifest;
        assert_eq!(manifest.ledger, totals(&lines));
        let failures = lines.iter().filter(|line| line.reason.is_failure());
        assert_eq!(report.failures, failures.count() as u64);
        // The second page of the first file is lost; the pages of the second file stand in the first one already.
        let docids: Vec<String> = {
            let index = Index::open(&at).unwrap();
            assert_eq!(&index.manifest, manifest);
            (0..index.num_pages() as u32)
                .map(|page| index.docid(page).to_owned())
                .collect()
        };
        assert_eq!(docids, ["doc-0", "doc-2", "doc-3"]);
        assert_eq!(manifest.counts.pages, 3);
        assert_eq!(manifest.ledger["duplicate-docid"], 4);
        assert_eq!(manifest.ledger["unreadable-file"], 1);
        assert_eq!(manifest.ledger["warcinfo"], 3);
        assert_eq!(manifest.ledger["corrupt-member"], 1);
        let unreadable = lines.iter().find(|l| l.reason == Reason::UnreadableFile);
        assert!(unreadable.unwrap().file.ends_with("noise.bin"));
        let duplicates: Vec<(&str, bool)> = lines
            .iter()
            .filter(|line| line.reason == Reason::DuplicateDocid)
            .map(|line| {
                let docid = line.docid.as_deref().unwrap();
                (docid, line.file.ends_with("first.warc.gz"))
            })
            .collect();
        let expected = [
            ("doc-0", true),
            ("doc-0", false),
            ("doc-2", false),
            ("doc-3", false),
        ];
        assert_eq!(duplicates, expected);
    }
}

/// Path, size and hash of each file that was read, in order.
#[test]
fn inputs_are_named_and_hashed() {
    let directory = TempDir::new().unwrap();
    let paths = damaged_collection(directory.path());
    let html = directory.path().join("page.html");
    fs::write(&html, page(5, 1)).unwrap();
    let paths = [paths, vec![html]].concat();
    let report = build_from(&directory.path().join("index"), &paths, &options(2)).unwrap();
    let read: Vec<&PathBuf> = paths
        .iter()
        .filter(|path| !path.ends_with("noise.bin"))
        .collect();
    assert_eq!(report.manifest.inputs.len(), read.len());
    for (entry, path) in report.manifest.inputs.iter().zip(read) {
        let bytes = fs::read(path).unwrap();
        let mut hash = String::new();
        for byte in Sha256::digest(&bytes) {
            write!(hash, "{byte:02x}").unwrap();
        }
        assert_eq!(entry.path, path.to_string_lossy());
        assert_eq!(entry.bytes, Some(bytes.len() as u64));
        assert_eq!(entry.sha256.as_ref(), Some(&hash), "{}", entry.path);
    }
}

/// Page numbers follow the input, whatever thread is first; and scores do not hang on the order at all.
#[test]
fn threads_and_order() {
    let directory = TempDir::new().unwrap();
    let files: Vec<PathBuf> = (0..3)
        .map(|n| {
            let path = directory.path().join(format!("{n}.warc.gz"));
            warc(&path, &pages(n * 60..(n + 1) * 60));
            path
        })
        .collect();
    let indexed = |name: &str, files: &[PathBuf], threads: usize| {
        let at = directory.path().join(name);
        let mut report = build_from(&at, files, &options(threads)).unwrap();
        // How blocks are divided among segments is up to the threads.
        report.manifest.parts.clear();
        (Index::open(&at).unwrap(), report)
    };
    let (one, report) = indexed("one", &files, 1);
    assert_eq!(report.manifest.counts.pages, 180);
    assert_eq!(one.num_pages(), 180);
    for number in 0..180 {
        assert_eq!(one.docid(number), format!("doc-{number}"));
    }
    for threads in [2, 3, 8] {
        let (other, other_report) = indexed(&format!("threads-{threads}"), &files, threads);
        assert_eq!(report, other_report, "{threads} threads");
        assert_eq!(results(&one), results(&other), "{threads} threads");
        for number in 0..180 {
            assert_eq!(one.page(number).unwrap(), other.page(number).unwrap());
            let blocks = other.page_blocks(number).unwrap();
            assert_eq!(one.page_blocks(number).unwrap(), blocks);
        }
    }
    let turned: Vec<PathBuf> = files.iter().rev().cloned().collect();
    let (turned, _) = indexed("turned", &turned, 3);
    assert_eq!(turned.docid(0), "doc-120");
    assert_eq!(results(&one), results(&turned));
}

#[test]
fn pages_without_text_keep_their_place() {
    let directory = TempDir::new().unwrap();
    let file = directory.path().join("a.warc.gz");
    let blank = [
        "",
        " ",
        "<p></p>",
        "<title>only</title>",
        "<script>apple</script>",
    ];
    let mut all: Vec<(String, String)> = blank
        .iter()
        .enumerate()
        .map(|(n, html)| (format!("blank-{n}"), (*html).to_owned()))
        .collect();
    all.insert(2, ("full".to_owned(), "<p>apple".to_owned()));
    warc(&file, &all);
    let at = directory.path().join("index");
    let report = build_from(&at, &[file], &options(2)).unwrap();
    let index = Index::open(&at).unwrap();
    // An empty payload is nothing that could be taken for HTML; what is in the ledger is not in the index.
    let skipped = report.manifest.ledger.get("not-html").copied().unwrap_or(0);
    assert_eq!(report.manifest.counts.pages + skipped, 6);
    assert_eq!(report.failures, 0);
    let found = index.search("apple", &Ranking::default(), 10).unwrap();
    let docids: Vec<&str> = found.iter().map(|hit| index.docid(hit.page)).collect();
    assert_eq!(docids, ["full"]);
    let only = (0..index.num_pages() as u32).find(|page| index.docid(*page) == "blank-3");
    let only = only.unwrap();
    assert_eq!(index.page_blocks(only).unwrap(), []);
    assert_eq!(index.page(only).unwrap().title, "only");
}

/// A page that runs into a limit of the parser is indexed as far as the limit allows, counted, and no failure.
#[test]
fn parse_limits_are_reported() {
    let directory = TempDir::new().unwrap();
    let file = directory.path().join("a.warc.gz");
    let limits = Limits::default()
        .with_bytes(2000)
        .with_depth(20)
        .with_attributes(10)
        .with_nodes(200)
        .with_work(5_000);
    let spans = "<span>".repeat(15);
    let pages = [
        ("short", "<p>apple".to_owned(), ""),
        (
            "bytes",
            format!("<p>apple {}", "pear ".repeat(500)),
            "longer than",
        ),
        ("depth", "<div>".repeat(30) + "apple", "nested deeper"),
        (
            "attributes",
            format!("<p{}>apple", " a".repeat(30)),
            "over the limit of attributes",
        ),
        ("nodes", "<p>apple".repeat(150), "over the limit of nodes"),
        (
            "work",
            format!("{spans}apple{}", "</x>".repeat(450)),
            "over the limit of work",
        ),
    ];
    let named = pages
        .iter()
        .map(|(docid, html, _)| ((*docid).to_owned(), html.clone()));
    warc(&file, &named.collect::<Vec<_>>());
    let at = directory.path().join("index");
    let options = options(3)
        .with_reading(Reading::default().with_limits(limits))
        .with_max_bad(Some(0));
    let report = build_from(&at, &[file], &options).unwrap();
    assert_eq!(report.failures, 0);
    let lines = ledger(&at);
    for (docid, _, detail) in &pages {
        let line = lines.iter().find(|l| l.docid.as_deref() == Some(docid));
        if detail.is_empty() {
            assert_eq!(line, None, "{docid}");
            continue;
        }
        let line = line.unwrap_or_else(|| panic!("{docid} is not in the ledger"));
        assert_eq!(line.reason, Reason::ParseLimit);
        assert!(line.detail.starts_with(detail), "{docid}: {}", line.detail);
    }
    let over = pages.iter().filter(|(_, _, detail)| !detail.is_empty());
    let over = over.count() as u64;
    assert_eq!(report.manifest.counts.pages_over_parse_limits, over);
    assert_eq!(report.manifest.ledger["parse-limit"], over);
    assert_eq!(report.manifest.options["max-depth"], "20");
    let index = Index::open(&at).unwrap();
    let hits = index.search("apple", &Ranking::default(), 10).unwrap();
    assert_eq!(hits.len(), pages.len());
}

#[test]
fn abandoned_and_refused_directories() {
    let directory = TempDir::new().unwrap();
    let at = directory.path().join("index");
    let begin = || Writer::create(&at, &WriterOptions::default());
    let is_empty = || at.read_dir().unwrap().next().is_none();
    let writer = begin().unwrap();
    let number = writer.number().unwrap();
    writer
        .add(number, &PageRecord::default(), &[], &[])
        .unwrap();
    assert!(!is_empty());
    writer.abandon().unwrap();
    assert!(is_empty());
    assert!(matches!(Index::open(&at), Err(IndexError::Missing(_))));
    // What was abandoned can be begun anew; what was only dropped is refused by name.
    drop(begin().unwrap());
    assert!(matches!(begin(), Err(IndexError::Unfinished(_))));
    fs::remove_dir_all(&at).unwrap();
    fs::create_dir(&at).unwrap();
    fs::write(at.join("note"), "mine").unwrap();
    assert!(matches!(begin(), Err(IndexError::NotEmpty(_))));
    assert_eq!(fs::read_to_string(at.join("note")).unwrap(), "mine");
}

/// Numbers are given once and for one writer; what does not fit is refused, and no index comes of it.
#[test]
fn misused_writers() {
    let directory = TempDir::new().unwrap();
    let create = |name: &str, labels: &[NewLabels]| {
        let options = WriterOptions::default().with_labels(labels.to_vec());
        Writer::create(&directory.path().join(name), &options).unwrap()
    };
    let record = PageRecord::default();
    let refused =
        |result: Result<(), IndexError>| assert!(matches!(result, Err(IndexError::Misused(_))));
    let (one, other) = (create("one", &[]), create("other", &[]));
    one.add(one.number().unwrap(), &record, &[], &[]).unwrap();
    // A number of another writer stands for a page that is there.
    refused(one.add(other.number().unwrap(), &record, &[], &[]));
    let one = one.flush().unwrap();
    // Or for one of a part that is finished.
    let third = create("third", &[]);
    refused(one.add(third.number().unwrap(), &record, &[], &[]));
    // A page was numbered and never added: the last one, and one in between.
    let last = one.number().unwrap();
    assert_eq!(last.get(), 1);
    refused(one.flush().map(drop));
    let between = create("between", &[]);
    let _never = between.number().unwrap();
    let added = between.add(between.number().unwrap(), &record, &[], &[]);
    added.unwrap();
    refused(between.finish(Provenance::default()).map(drop));
    let labelled = create("labelled", &[NewLabels::named("a", false)]);
    refused(labelled.add(labelled.number().unwrap(), &record, &[], &[]));
    for name in ["one", "other", "third", "between", "labelled"] {
        assert!(Index::open(&directory.path().join(name)).is_err(), "{name}");
    }
}

#[test]
fn an_empty_build_leaves_the_directory_empty() {
    let directory = TempDir::new().unwrap();
    let file = directory.path().join("a.warc.gz");
    warc(&file, &[]);
    let at = directory.path().join("index");
    for _ in 0..2 {
        let error = build_from(&at, std::slice::from_ref(&file), &options(2)).unwrap_err();
        assert!(matches!(error, IndexError::Empty(_)), "{error}");
        assert!(at.read_dir().unwrap().next().is_none());
    }
}

/// Past `max_bad` the build stops; the ledger says what failed up to there, and there is no index.
#[test]
fn too_many_failures() {
    let directory = TempDir::new().unwrap();
    let paths = damaged_collection(directory.path());
    for (most, stops) in [(0, true), (3, true), (100, false)] {
        let at = directory.path().join(format!("index-{most}"));
        let options = options(1).with_max_bad(Some(most));
        let result = build_from(&at, &paths, &options);
        let failures = ledger(&at).iter().filter(|l| l.reason.is_failure()).count() as u64;
        match result {
            Err(IndexError::TooManyBad(bad)) => {
                assert!(stops && bad == most + 1, "{bad}");
                assert_eq!(failures, bad);
                assert!(matches!(Index::open(&at), Err(IndexError::Unfinished(_))));
            }
            other => {
                assert!(!stops, "{other:?}");
                assert_eq!(failures, other.unwrap().failures);
            }
        }
    }
}
