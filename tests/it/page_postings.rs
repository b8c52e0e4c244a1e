//! Indexes without postings by page: smaller, and searched to the same results.

use std::fs;

use trommel::demo;

use crate::cli::Place;
use crate::cli_sweep::files;

/// A place with the demo's pages in two halves and an index of each, with and without postings by page.
fn place() -> Place {
    let place = Place::of_demo();
    let pages = demo::pages().unwrap();
    let (one, other) = pages.split_at(100);
    place.demo_pages("one.warc.gz", one);
    place.demo_pages("other.warc.gz", other);
    for half in ["one", "other"] {
        for (index, flag) in [("with", ""), ("without", "--no-page-postings")] {
            let line = format!("index --index {index}-{half} {flag} {half}.warc.gz");
            place.check(&line, 0, "", "*");
        }
    }
    place
}

fn has_page_postings(place: &Place, index: &str) -> bool {
    let files = files(&place.path(index));
    files.keys().any(|name| name.contains("page-postings"))
}

#[test]
fn an_index_may_be_without_them() {
    let place = place();
    assert!(has_page_postings(&place, "with-one"));
    assert!(!has_page_postings(&place, "without-one"));
    for index in ["with", "without"] {
        let line = format!("merge --index {index} {index}-one {index}-other");
        place.check(&line, 0, "", "*");
    }
    assert!(has_page_postings(&place, "with"));
    assert!(!has_page_postings(&place, "without"));
    place.check("check --index without", 0, "*", "*");
    for search in [
        "",
        "--min-words 11",
        "--min-words 11 --model qld+rm3",
        "--max-link-density 0.33 --stats collection",
    ] {
        for index in ["with", "without"] {
            let run = format!("run --index {index} --topics topics.xml --tag t {search}");
            place.check(&format!("{run} --output {index}.run --force"), 0, "", "*");
        }
        let [with, without] =
            ["with.run", "without.run"].map(|name| fs::read(place.path(name)).unwrap());
        assert!(!with.is_empty());
        assert_eq!(with, without, "{search}");
    }
    // Of such two no one index can be made.
    let done = place.run("merge --index mixed with-one without-other");
    assert_eq!(done.code, 2);
    assert!(done.err.contains("page-postings"), "{}", done.err);
}

/// A build that goes on leaves out what it left out.
#[test]
fn a_build_that_goes_on_need_not_be_told() {
    let place = place();
    place.check("index --index without-one --resume", 0, "", "*");
    let done = place.run("index --index with-one --resume --no-page-postings");
    assert_eq!(done.code, 2, "{}", done.err);
    assert!(!has_page_postings(&place, "without-one"));
}
