//! Labels of extractors in an index: stored or added, the same bits; refused where the sources are not what they were.

use std::fs;
use std::path::{Path, PathBuf};
use std::slice::from_ref;
use std::sync::Arc;

use tempfile::TempDir;
use trommel::collection::{self, WarcPage, write_warc};
use trommel::extractor::{self, Extractor};
use trommel::filter::Filter;
use trommel::html::segment;
use trommel::index::{
    BuildOptions, Existing, Index, LabelOptions, Manifest, Progress, Ranking, Reading, build, label,
};
use trommel::text::Analyzer;

use crate::made;

const STORED: &str = "boilerpipe-numwords";
const ADDED: &str = "min-words-10";

/// Pages of different numbers of blocks, some without any.
fn write_pages(path: &Path, salt: usize) {
    let pages: Vec<(String, String)> = (0..60)
        .map(|number| {
            let block = |n: usize| format!("<p>{}</p>", "apple pear ".repeat((n * salt) % 9));
            let body: String = (0..number % 23).map(block).collect();
            (
                format!("d{number}"),
                format!("<title>t</title><body>{body}</body>"),
            )
        })
        .collect();
    let records = pages.iter().map(|(docid, html)| WarcPage {
        docid,
        url: "http://example.org/",
        date: "",
        html: html.as_bytes(),
    });
    write_warc(fs::File::create(path).unwrap(), records).unwrap();
}

fn parsed(names: &[&str]) -> Vec<Arc<Extractor>> {
    let parse = |name: &&str| Arc::new(extractor::parse(name).unwrap());
    names.iter().map(parse).collect()
}

fn build_with(directory: &Path, paths: &[PathBuf], extractors: &[&str], threads: usize) {
    let options = BuildOptions::default()
        .with_reading(Reading::default())
        .with_segmenter(segment::all()[0])
        .with_analyzer(Analyzer::English)
        .with_extractors(parsed(extractors))
        .with_threads(threads)
        .with_memory(64 << 20)
        .with_max_bad(None)
        .with_allow_empty(false)
        .with_resume(false);
    let inputs = collection::inputs(paths).unwrap();
    build(directory, &inputs, &options, &Progress::default()).unwrap();
}

fn add(directory: &Path, paths: &[PathBuf], name: &str) -> Result<Manifest, String> {
    let options = LabelOptions::default()
        .with_extractors(parsed(&[name]))
        .with_threads(2);
    let inputs = collection::inputs(paths).unwrap();
    let labelled = label(directory, &inputs, &options, &Progress::default());
    labelled
        .map(|report| report.manifest)
        .map_err(|error| error.to_string())
}

fn bits(directory: &Path, name: &str) -> Vec<u8> {
    fs::read(made::label_file(directory, name, "bits").unwrap()).unwrap()
}

#[test]
fn added_labels_are_those_that_indexing_stores() {
    let place = TempDir::new().unwrap();
    let source = place.path().join("pages.warc.gz");
    write_pages(&source, 5);
    let both = place.path().join("both");
    build_with(&both, from_ref(&source), &[STORED, ADDED], 3);
    let one = place.path().join("one");
    build_with(&one, from_ref(&source), &[STORED], 1);
    let manifest = add(&one, &[], ADDED).unwrap();
    assert_eq!(manifest, Manifest::read(&one).unwrap());
    assert_eq!(
        manifest.extractors,
        Manifest::read(&both).unwrap().extractors
    );
    for name in [STORED, ADDED] {
        assert_eq!(bits(&one, name), bits(&both, name), "{name}");
    }
    let index = Index::open(&one).unwrap();
    let mut content = 0;
    for page in 0..index.num_pages() as u32 {
        let blocks = index.page_blocks(page).unwrap();
        let expected: Vec<bool> = blocks.iter().map(|block| block.num_words >= 10).collect();
        let verdicts = index.page_verdicts(page, ADDED).unwrap();
        assert_eq!(verdicts.content(), expected);
        assert_eq!(verdicts.confidences, None);
        let filter = Filter::content(ADDED);
        assert_eq!(index.passing(page, &filter).unwrap(), expected);
        content += expected.iter().filter(|label| **label).count() as u64;
    }
    assert_eq!(manifest.extractors[1].content_blocks, content);
    assert!(content > 0);
}

/// A directory of HTML files is labelled from the manifest alone: docids are paths inside the directory.
#[test]
fn files_of_a_directory_are_found_again() {
    let place = TempDir::new().unwrap();
    let pages = place.path().join("pages");
    fs::create_dir_all(pages.join("sub")).unwrap();
    for name in ["a.html", "sub/b.html"] {
        fs::write(pages.join(name), "<body><p>apple pear plum").unwrap();
    }
    let index = place.path().join("index");
    build_with(&index, &[pages], &[], 1);
    assert_eq!(add(&index, &[], ADDED).unwrap().extractors.len(), 1);
}

/// What is added to other sources than those that were indexed is refused, and the index stays as it was.
#[test]
fn changed_sources_are_refused() {
    let place = TempDir::new().unwrap();
    let source = place.path().join("pages.warc.gz");
    write_pages(&source, 5);
    let index = place.path().join("index");
    build_with(&index, from_ref(&source), &[STORED], 1);
    let before = Manifest::read(&index).unwrap();
    let original = fs::read(&source).unwrap();

    let check = |paths: &[PathBuf], name: &str, error: &str| {
        let found = add(&index, paths, name).unwrap_err();
        assert!(found.contains(error), "{found}");
        assert_eq!(Manifest::read(&index).unwrap(), before);
    };
    check(&[], STORED, "has labels of 'boilerpipe-numwords' already");
    let other = place.path().join("other.warc.gz");
    write_pages(&other, 7);
    check(
        &[other.clone(), other.clone()],
        ADDED,
        "2 files were named, and the index was made of 1",
    );
    check(from_ref(&other), ADDED, "bytes, and had");
    let mut longer = original.clone();
    longer.extend_from_slice(&original);
    fs::write(&source, &longer).unwrap();
    check(&[], ADDED, "bytes, and had");
    // As long as before, with another date in a header: the same pages, other bytes.
    let mut same_length = original.clone();
    let last = same_length.len() - 1;
    same_length[4] ^= 1;
    fs::write(&source, &same_length).unwrap();
    check(&[], ADDED, "its bytes are not those that were indexed");
    same_length[last / 2] ^= 1;
    fs::write(&source, &same_length).unwrap();
    check(&[], ADDED, "labels were not added");
    fs::remove_file(&source).unwrap();
    check(&[], ADDED, "it is no file (any more)");
    fs::write(&source, &original).unwrap();
    assert!(add(&index, &[], ADDED).is_ok());
}

/// A source of the right size and pages, but cut into other blocks (as by another version), is refused.
#[test]
fn other_blocks_are_refused() {
    let place = TempDir::new().unwrap();
    let file = |words: &str| format!("<body><p>{words}</p></body>");
    let source = place.path().join("page.html");
    fs::write(&source, file("apple pear")).unwrap();
    let index = place.path().join("index");
    build_with(&index, from_ref(&source), &[], 1);
    fs::write(&source, file("applepears")).unwrap();
    let error = add(&index, &[], ADDED).unwrap_err();
    assert!(error.contains("is cut into other blocks"), "{error}");
}

#[test]
fn labels_that_are_not_there() {
    let place = TempDir::new().unwrap();
    let source = place.path().join("pages.warc.gz");
    write_pages(&source, 5);
    let directory = place.path().join("index");
    build_with(&directory, &[source], &[STORED], 1);
    let index = Index::open(&directory).unwrap();
    let search = |name: &str| {
        let ranking = Ranking {
            filter: Filter::content(name),
            ..Ranking::default()
        };
        let found = index.search("apple", &ranking, 10);
        found.map_err(|error| error.to_string())
    };
    assert!(!search(STORED).unwrap().is_empty());
    let error = search(ADDED).unwrap_err();
    let expected = "has no labels of 'min-words-10' (it has: boilerpipe-numwords)";
    assert!(error.contains(expected), "{error}");
    let whole = bits(&directory, STORED);
    fs::write(
        made::label_file(&directory, STORED, "bits").unwrap(),
        [0; 9],
    )
    .unwrap();
    let index = Index::open(&directory).unwrap();
    let error = index.page_verdicts(0, STORED).unwrap_err().to_string();
    assert!(error.contains("is damaged"), "{error}");
    let options = LabelOptions::default()
        .with_extractors(parsed(&[STORED]))
        .with_existing(Existing::Replace);
    let labelled = label(&directory, &[], &options, &Progress::default());
    let manifest = labelled.unwrap().manifest;
    assert_eq!(manifest.extractors.len(), 1);
    assert_eq!(bits(&directory, STORED), whole);
}
