//! Little made collections of several files, and what an index of them is compared by.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use serde_json::Value;
use trommel::collection::{WarcPage, write_warc};
use trommel::index::Manifest;

use crate::cli::Place;
use crate::support::Random;

const WORDS: [&str; 24] = [
    "rain",
    "barrel",
    "compost",
    "garden",
    "lid",
    "gnats",
    "summer",
    "heap",
    "moist",
    "scraps",
    "layers",
    "leaves",
    "winter",
    "kitchen",
    "water",
    "weeks",
    "downspout",
    "autumn",
    "spade",
    "seed",
    "frost",
    "bed",
    "path",
    "wall",
];

const TOPICS: &str = "<webtrack2012>\
    <topic number=\"1\" type=\"f\"><query>rain barrel</query></topic>\
    <topic number=\"2\" type=\"f\"><query>kitchen scraps heap winter</query></topic>\
    <topic number=\"3\" type=\"f\"><query>frost frost spade</query></topic>\
    <topic number=\"4\" type=\"f\"><query>gnats</query></topic></webtrack2012>";

/// A page of a few blocks. `pad` bytes in its title take memory while its part is written, and no time: so little collections make
/// several parts.
fn page(random: &mut Random, number: usize, pad: usize) -> String {
    let mut words = |n: u32| -> String {
        let word = |_| WORDS[(random.below(24) * random.below(24) / 24) as usize];
        (0..n).map(word).collect::<Vec<_>>().join(" ")
    };
    let title = words(2);
    let menu: String = (0..3)
        .map(|n| format!("<li><a href=/{n}>{}</a>", words(2)))
        .collect();
    let body: String = (0..number % 5)
        .map(|n| format!("<p>{}.</p>", words(4 + 9 * n as u32)))
        .collect();
    format!(
        "<title>{title} n{number} {}</title><body><ul>{menu}</ul>{body}",
        ".".repeat(pad)
    )
}

/// Writes a WARC file of pages with these numbers, each of which makes docid, url and text.
pub(crate) fn write(path: &Path, numbers: impl IntoIterator<Item = usize>, pad: usize) {
    let pages: Vec<(String, String, String)> = numbers
        .into_iter()
        .map(|number| {
            let html = page(&mut Random::new(number as u64), number, pad);
            (
                format!("p-{number:04}"),
                format!("http://example.org/{}/{number}", WORDS[number % 24]),
                html,
            )
        })
        .collect();
    let records = pages.iter().map(|(docid, url, html)| WarcPage {
        docid,
        url,
        date: "2026-01-01T00:00:00Z",
        html: html.as_bytes(),
    });
    write_warc(File::create(path).unwrap(), records).unwrap();
}

/// Bytes of padding at which `--memory 24M --threads 1` makes parts of about 14 pages.
pub(crate) const PAD: usize = 1_000_000;

/// A place with topics and files `c0.warc.gz` and so on of so many pages each.
pub(crate) fn place(files: usize, pages: usize, pad: usize) -> Place {
    let place = Place::empty();
    place.write("topics.xml", TOPICS);
    for file in 0..files {
        let path = place.path(&format!("c{file}.warc.gz"));
        write(&path, file * pages..(file + 1) * pages, pad);
    }
    place
}

/// Cuts the last record of a WARC file in two, which is one failure.
pub(crate) fn damage(path: &Path) {
    let bytes = fs::read(path).unwrap();
    fs::write(path, &bytes[..bytes.len() - 40]).unwrap();
}

/// Run files of several models and filters, and answers to queries of titles and urls, one after another.
#[track_caller]
pub(crate) fn results(place: &Place, indexes: &[&str], extractor: Option<&str>) -> String {
    let indexes: String = indexes
        .iter()
        .map(|index| format!(" --index {index}"))
        .collect();
    let mut filters = vec![
        String::new(),
        " --min-words 8".to_owned(),
        " --min-density 6 --max-link-density 0.3".to_owned(),
    ];
    filters.extend(extractor.map(|name| format!(" --extractor {name}")));
    let mut lines = Vec::new();
    for filter in &filters {
        for model in ["bm25", "qld:mu=500", "tfidf"] {
            lines.push(format!(
                "run{indexes} --topics topics.xml --model {model}{filter}"
            ));
        }
        for query in ["title:rain", "url:frost", "rain AND title:garden"] {
            lines.push(format!("search{indexes}{filter} --json -k 20 {query}"));
        }
    }
    lines.push(format!(
        "run{indexes} --topics topics.xml --model bm25+rm3 --min-words 8"
    ));
    let mut all = String::new();
    for line in lines {
        let done = place.run(&line);
        assert_eq!(done.code, 0, "{line}: {}", done.err);
        all += &done.out;
    }
    assert!(all.lines().count() > 100, "{all}");
    all
}

/// Lines of the ledger of an index in alphabetical order: those of threads come as they come.
pub(crate) fn ledger(index: &Path) -> Vec<String> {
    let text = fs::read_to_string(index.join("ledger.jsonl")).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    lines.sort();
    lines
}

/// The manifest of an index, but for its parts, which differ in names of no meaning, for the hash of the ledger, whose lines come as
/// they come, and for where it lies.
pub(crate) fn manifest(index: &Path) -> Value {
    let text = fs::read(index.join("manifest.json")).unwrap();
    let mut manifest: Value = serde_json::from_slice(&text).unwrap();
    for key in ["sha256", "parts", "ledger_file", "inputs_from"] {
        manifest.as_object_mut().unwrap().remove(key).unwrap();
    }
    manifest
}

/// The file of a label set that has an ending.
pub(crate) fn label_file(index: &Path, name: &str, ending: &str) -> Option<PathBuf> {
    let manifest = Manifest::read(index).unwrap();
    let set = manifest.extractors.iter().find(|set| set.name == name)?;
    let file = set.files.keys().find(|file| file.ends_with(ending))?;
    Some(index.join("labels").join(file))
}

/// Writes a manifest or another sealed file that was edited, with the seal that it would have.
pub(crate) fn write_sealed(path: &Path, value: &Value) {
    let mut value = value.clone();
    value.as_object_mut().unwrap().remove("sha256");
    let text = serde_json::to_string_pretty(&value).unwrap();
    let rest = format!("{}\n", text.strip_prefix("{\n").unwrap());
    let hash = trommel::collection::sha256_of(rest.as_bytes()).unwrap();
    fs::write(path, format!("{{\n  \"sha256\": \"{hash}\",\n{rest}")).unwrap();
}

/// Number of parts that an index, or what there is of it, consists of.
pub(crate) fn parts(index: &Path) -> usize {
    let files = ["manifest.json", "build.json"];
    let text = files
        .iter()
        .find_map(|file| fs::read(index.join(file)).ok());
    let value: Value = text.map_or(Value::Null, |text| serde_json::from_slice(&text).unwrap());
    value["parts"].as_array().map_or(0, Vec::len)
}

/// [`parts`] of a build that is under way: its state may be replaced at any time.
pub(crate) fn parts_of_build(index: &Path) -> usize {
    match index.join("build.json").exists() {
        true => parts(index),
        false => 0,
    }
}

/// Files of the labels with their bytes.
pub(crate) fn labels(index: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = fs::read_dir(index.join("labels")).unwrap();
    files
        .map(|file| {
            let path = file.unwrap().path();
            (
                path.file_name().unwrap().to_string_lossy().into_owned(),
                fs::read(&path).unwrap(),
            )
        })
        .collect()
}

/// All files below a directory.
pub(crate) fn files(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => found.extend(files(&path)),
            false => found.push(path),
        }
    }
    found.sort();
    found
}

/// Indexes that must not be told apart, except by what their parts are.
#[track_caller]
pub(crate) fn assert_same_index(one: &Path, other: &Path) {
    assert_eq!(manifest(one), manifest(other));
    assert_eq!(ledger(one), ledger(other));
    assert_eq!(one.join("labels").exists(), other.join("labels").exists());
    if one.join("labels").exists() {
        assert!(labels(one) == labels(other), "the labels are not the same");
    }
}
