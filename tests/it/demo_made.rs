//! Made collections: the same bytes whatever the threads, a smaller one the beginning of a larger one, judgments that are true of the pages,
//! and damage that costs no page.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use trommel::collection::{Item, Options, Reason, inputs, open};
use trommel::demo::made::{Damage, MadeOptions, MadePage, Maker, language};
use trommel::html::{self, Charset, Limits};
use trommel::output::{Directory, MadeFiles, Reads, reports, write_made_files};
use trommel::text::detect_language;

fn options(change: impl FnOnce(&mut MadeOptions)) -> MadeOptions {
    let mut options = MadeOptions::default();
    change(&mut options);
    options
}

fn write(place: &Path, options: MadeOptions, pages: u64, threads: usize) -> MadeFiles {
    let reads = Reads::default();
    let directory = Directory::check(place, &reports::DEMO, false, &reads).unwrap();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    let pool = pool.build().unwrap();
    pool.install(|| write_made_files(&directory, options, pages, &|_| {}).unwrap())
}

/// All files below a folder, by name.
fn files(place: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for folder in ["", "pages"] {
        for entry in fs::read_dir(place.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                let name = path.strip_prefix(place).unwrap();
                found.insert(name.display().to_string(), fs::read(&path).unwrap());
            }
        }
    }
    found
}

#[test]
fn the_same_bytes_whatever_the_threads() {
    let all = || {
        options(|options| {
            options.seed = 7;
            options.languages = language::all().iter().collect();
            options.legacy = 500_000;
            options.damage = 50_000;
        })
    };
    let places = [1, 2, 5].map(|threads| {
        let place = tempfile::TempDir::new().unwrap();
        write(place.path(), all(), 1500, threads);
        place
    });
    let first = files(places[0].path());
    assert_eq!(first.len(), 3, "{:?}", first.keys());
    for place in &places[1..] {
        assert!(files(place.path()) == first);
    }
    let other = tempfile::TempDir::new().unwrap();
    let mut options = all();
    options.seed = 8;
    write(other.path(), options, 1500, 2);
    assert!(files(other.path())["pages/part-00000.warc.gz"] != first["pages/part-00000.warc.gz"]);
    // A larger one begins with the smaller one; files have 5,000 pages.
    let larger = tempfile::TempDir::new().unwrap();
    write(larger.path(), all(), 5001, 2);
    let larger = files(larger.path());
    assert!(larger.contains_key("pages/part-00001.warc.gz"));
    let (small, large) = (
        &first["pages/part-00000.warc.gz"],
        &larger["pages/part-00000.warc.gz"],
    );
    assert!(large.starts_with(small));
}

/// Every page is read, with its own bytes, and what is broken between them is in the ledger and nothing else.
#[test]
fn damage_costs_no_page() {
    let place = tempfile::TempDir::new().unwrap();
    let damaged = || options(|options| options.damage = 200_000);
    let made = write(place.path(), damaged(), 1000, 2);
    assert_eq!(made.num_pages, 1000);
    let maker = Maker::new(damaged()).unwrap();
    let pages: Vec<MadePage> = (0..)
        .flat_map(|group| maker.group(group))
        .take(1000)
        .collect();
    for kind in [
        Damage::Cut,
        Damage::Bytes,
        Damage::HalfRecord,
        Damage::Zeros,
    ] {
        assert!(
            pages.iter().any(|page| page.damage == Some(kind)),
            "{kind:?}"
        );
    }
    let mut read = BTreeMap::new();
    let mut failures = 0;
    for input in inputs(&[made.pages]).unwrap() {
        for item in open(&input, &Options::default()).unwrap() {
            match item {
                Item::Document(document) => {
                    read.insert(document.docid, document.bytes);
                }
                Item::Skipped(skipped) => {
                    failures += u64::from(skipped.reason != Reason::Warcinfo);
                }
            }
        }
    }
    for page in &pages {
        assert!(read.get(&page.docid) == Some(&page.bytes), "{}", page.docid);
    }
    assert_eq!(failures, made.num_broken);
    let others: Vec<&String> = read
        .keys()
        .filter(|docid| !docid.ends_with("-broken"))
        .collect();
    assert_eq!(others.len(), pages.len());
}

/// Grades by what stands on the pages: whoever is about a topic has its words in more than one block, and whoever only quotes a headline has
/// them all, too; a page that was not judged seldom has.
#[test]
fn grades_are_true_of_pages() {
    let maker = Maker::new(MadeOptions::default()).unwrap();
    let pages: Vec<MadePage> = (0..4).flat_map(|group| maker.group(group)).collect();
    let docids: BTreeSet<&str> = pages.iter().map(|page| page.docid.as_str()).collect();
    let urls: BTreeSet<&str> = pages.iter().map(|page| page.url.as_str()).collect();
    assert_eq!(docids.len(), pages.len());
    assert_eq!(urls.len(), pages.len());
    let mut topics = maker.topics();
    for page in &pages {
        topics.add(&page.docid, &page.grades);
    }
    let xml = topics.xml();
    let queries: Vec<(usize, Vec<&str>)> = xml
        .split("<topic number=\"")
        .skip(1)
        .map(|topic| {
            let (number, rest) = topic.split_once('"').unwrap();
            let query = rest.split("<query>").nth(1).unwrap();
            let query = query.split("</query>").next().unwrap();
            (number.parse().unwrap(), query.split(' ').collect())
        })
        .collect();
    assert!(queries.len() >= 20, "{}", queries.len());
    let words = |page: &MadePage| -> Vec<String> {
        let text = String::from_utf8(page.bytes.clone())
            .unwrap()
            .to_lowercase();
        text.split(|c: char| !c.is_alphanumeric())
            .map(str::to_owned)
            .collect()
    };
    let (mut judged, mut chance) = (0, 0);
    for page in &pages {
        let words = words(page);
        for (number, query) in &queries {
            let count = |word: &&&str| words.iter().filter(|it| it.as_str() == **word).count();
            let has_all = query.iter().all(|word| count(&word) > 0);
            let grade = page.grades.iter().find(|(topic, _)| topic + 1 == *number);
            match grade {
                Some((_, 2)) => {
                    let most: usize = query.iter().map(|word| count(&word)).sum();
                    assert!(has_all && most > query.len(), "{} {query:?}", page.docid);
                    judged += 1;
                }
                Some((_, 0)) => assert!(has_all, "{} {query:?}", page.docid),
                Some(_) => {}
                None => chance += usize::from(has_all),
            }
        }
    }
    assert!(judged > 100, "{judged}");
    assert!(chance < pages.len() * queries.len() / 1000, "{chance}");
}

/// Languages by the trigrams of whatlang, of most pages (headings of the layouts are English, and lists of headlines are short), and the text of a page in an old encoding as that of the same page in UTF-8.
#[test]
fn languages_and_charsets_can_be_told() {
    for language in language::all() {
        let made = |legacy| {
            let maker = Maker::new(options(|options| {
                options.languages = vec![language];
                options.legacy = legacy;
            }));
            maker.unwrap().group(0)
        };
        let text = |page: &MadePage| -> String {
            html::parse(&page.bytes, Charset::Auto, None, &Limits::default()).text
        };
        let (new, old) = (made(0), made(1_000_000));
        let same = new
            .iter()
            .zip(&old)
            .filter(|(new, old)| text(new) == text(old));
        let same = same.count();
        // All layouts but the one by hand, a sixth of the blogs, say what they are in; its encoding is guessed.
        assert!(
            same * 10 >= new.len() * 7,
            "{}: {same} of {}",
            language.code,
            new.len()
        );
        let differ = new
            .iter()
            .zip(&old)
            .filter(|(new, old)| new.bytes != old.bytes);
        assert!(
            language.code == "en" || differ.count() * 10 > new.len() * 9,
            "{}",
            language.code
        );
        let told = new
            .iter()
            .filter(|page| detect_language(&text(page)) == Some(language.code));
        let told = told.count();
        // Pseudo-words of Russian are too much like those of its neighbours.
        let is_told = told * 2 > new.len() || language.code == "ru";
        assert!(is_told, "{}: {told} of {}", language.code, new.len());
    }
}
