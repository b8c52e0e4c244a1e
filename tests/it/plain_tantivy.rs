//! An index opened with tantivy alone, without any of our code: its fast fields are there, and range queries find blocks by them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::Value as Json;
use tantivy::DocAddress;
use tantivy::collector::DocSetCollector;
use tantivy::query::QueryParser;
use tantivy::schema::{TantivyDocument, Value};

use crate::cli;

/// The folders of a kind in all parts of an index.
fn folders(index: &Path, kind: &str) -> Vec<PathBuf> {
    let parts = std::fs::read_dir(index.join("parts")).unwrap();
    let files = parts.flat_map(|part| std::fs::read_dir(part.unwrap().path()).unwrap());
    let folders = files.map(|file| file.unwrap().path());
    let mut folders: Vec<PathBuf> = folders
        .filter(|path| {
            let name = path.file_name().unwrap().to_str().unwrap();
            path.is_dir() && name.starts_with(kind)
        })
        .collect();
    folders.sort();
    assert!(!folders.is_empty(), "no {kind} in {}", index.display());
    folders
}

/// Where a document is: the folder of its index, and its number there.
type Place = (PathBuf, u32);

/// The documents that a query finds.
fn found(folders: &[PathBuf], query: &str) -> Vec<Place> {
    let mut found = Vec::new();
    for folder in folders {
        let index = tantivy::Index::open_in_dir(folder).unwrap();
        let query = QueryParser::for_index(&index, Vec::new())
            .parse_query(query)
            .unwrap();
        let searcher = index.reader().unwrap().searcher();
        let addresses = searcher.search(&query, &DocSetCollector).unwrap();
        found.extend(
            addresses
                .into_iter()
                .map(|address| (folder.clone(), address.doc_id)),
        );
    }
    found
}

/// The text of every block by its place. `extents.bin` says where the blocks of each page stand: behind the numbers of pages and segments, and
/// one for each segment, of eight bytes each, a page has another of eight, and three of four: the segment, the first of its blocks there and
/// how many.
fn texts(index: &Path) -> BTreeMap<Place, String> {
    let opened = trommel::index::Index::open(index).unwrap();
    let mut texts = BTreeMap::new();
    let mut page = 0;
    let parts = std::fs::read_dir(index.join("parts")).unwrap();
    let mut parts: Vec<PathBuf> = parts.map(|part| part.unwrap().path()).collect();
    parts.sort();
    for part in parts {
        let extents = std::fs::read(part.join("extents.bin")).unwrap();
        let count = |at: usize| u64::from_le_bytes(extents[at..at + 8].try_into().unwrap());
        let start = 16 + 8 * count(8) as usize;
        for extent in extents[start..].chunks(20).take(count(0) as usize) {
            let number = |at: usize| {
                let four = extent[8 + at..12 + at].try_into().unwrap();
                u32::from_le_bytes(four)
            };
            let folder = part.join(format!("blocks.{}", number(0)));
            let blocks = opened.page_blocks(page).unwrap();
            assert_eq!(blocks.len(), number(8) as usize);
            for (doc, block) in (number(4)..).zip(blocks) {
                texts.insert((folder.clone(), doc), block.text);
            }
            page += 1;
        }
    }
    texts
}

/// The addresses of pages that tantivy stores.
fn urls(places: Vec<Place>) -> Vec<String> {
    let url = |(folder, doc): Place| {
        let index = tantivy::Index::open_in_dir(folder).unwrap();
        let field = index.schema().get_field("url").unwrap();
        let searcher = index.reader().unwrap().searcher();
        let document: TantivyDocument = searcher.doc(DocAddress::new(0, doc)).unwrap();
        let url = document.get_first(field).and_then(|value| value.as_str());
        url.unwrap().to_owned()
    };
    places.into_iter().map(url).collect()
}

#[test]
fn range_queries_find_the_blocks_that_the_program_prints() {
    let place = cli::Place::empty();
    place.check("demo --output d", 0, "*", "*");
    let printed = place.run("blocks --json d/demo.warc.gz").out;
    let blocks: Vec<Json> = printed
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let folders = folders(&place.path("d/index"), "blocks");
    let texts = texts(&place.path("d/index"));
    assert_eq!(texts.len(), blocks.len());
    let number = |block: &Json, name: &str| block[name].as_f64().unwrap();
    type Passes = fn(&dyn Fn(&str) -> f64) -> bool;
    let cases: [(&str, Passes); 3] = [
        ("num_words:[11 TO *] AND text_density:[10 TO *]", |of| {
            of("num_words") >= 11.0 && of("text_density") >= 10.0
        }),
        ("link_density:{0.33 TO *} AND num_tokens:[* TO 5]", |of| {
            of("link_density") > 0.33 && of("num_tokens") <= 5.0
        }),
        ("num_linked_words:[1 TO 3] AND num_words:[* TO 40]", |of| {
            (1.0..=3.0).contains(&of("num_linked_words")) && of("num_words") <= 40.0
        }),
    ];
    for (query, passes) in cases {
        let passing = blocks
            .iter()
            .filter(|block| passes(&|name| number(block, name)));
        let mut expected: Vec<String> = passing
            .map(|block| block["text"].as_str().unwrap().to_owned())
            .collect();
        expected.sort();
        assert!(!expected.is_empty() && expected.len() < blocks.len());
        let places = found(&folders, query).into_iter();
        let mut found: Vec<String> = places.map(|place| texts[&place].clone()).collect();
        found.sort();
        assert_eq!(found, expected, "{query}");
    }
}

#[test]
fn every_field_of_the_design_is_a_fast_field() {
    let place = cli::Place::empty();
    place.check("demo --output d", 0, "*", "*");
    let fast = |kind: &str| -> BTreeSet<String> {
        let index = tantivy::Index::open_in_dir(&folders(&place.path("d/index"), kind)[0]).unwrap();
        let schema = index.schema();
        let fields = schema.fields().filter(|(_, entry)| entry.is_fast());
        fields.map(|(_, entry)| entry.name().to_owned()).collect()
    };
    let has = |fast: &BTreeSet<String>, names: &[&str]| {
        for name in names {
            assert!(fast.contains(*name), "{name} is none of {fast:?}");
        }
    };
    let names = [
        "num_words",
        "num_tokens",
        "num_linked_words",
        "num_words_in_full_lines",
        "num_lines",
        "num_terms",
        "text_density",
        "link_density",
        "tag",
    ];
    has(&fast("blocks"), &names);
    has(&fast("pages"), &["date", "host", "language", "media_type"]);
    let pages = folders(&place.path("d/index"), "pages");
    let of_host = urls(found(
        &pages,
        "host:slowspokes.example AND language:en AND date:[2007-06-01T00:00:00Z TO 2007-06-30T23:59:59Z]",
    ));
    // Of that month are the posts, and the lists of posts that end in it.
    let is_of_host = |url: &String| url.starts_with("http://slowspokes.example/");
    assert!(of_host.iter().all(is_of_host), "{of_host:?}");
    let posts = of_host.iter().filter(|url| url.contains(".example/2007/"));
    let posts: Vec<&String> = posts.collect();
    assert!(posts.len() > 1, "{of_host:?}");
    assert!(
        posts.iter().all(|url| url.contains("/2007/06/")),
        "{of_host:?}"
    );
}
