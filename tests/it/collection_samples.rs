//! Real files. The expected counts, total payload sizes and CRC-32s of the payloads one after the other were worked
//! out in Python: decompress, split at lines that are `WARC/` and a version, take what follows the second blank line
//! of each response, drop the CR LF CR LF that ends it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr
)]

use std::collections::BTreeMap;
use std::path::PathBuf;

use trommel::collection::{Document, Item, Options, Skipped, inputs, open};

fn read(name: &str) -> Option<(Vec<Document>, Vec<Skipped>)> {
    let shared = std::env::var_os("TROMMEL_SHARED")
        .map_or_else(|| PathBuf::from("../shared"), PathBuf::from);
    let path = shared.join(name);
    if !path.exists() {
        eprintln!("skipped: {} is missing", path.display());
        return None;
    }
    let (mut pages, mut skipped) = (Vec::new(), Vec::new());
    for input in inputs(&[path]).unwrap() {
        for item in open(&input, &Options::default()).unwrap() {
            match item {
                Item::Document(page) => pages.push(page),
                Item::Skipped(line) => skipped.push(line),
            }
        }
    }
    Some((pages, skipped))
}

fn check(
    name: &str,
    pages: usize,
    bytes: usize,
    crc: u32,
    reasons: &[(&str, usize)],
) -> Vec<Document> {
    let Some((documents, skipped)) = read(name) else {
        return Vec::new();
    };
    let mut got = BTreeMap::new();
    for line in &skipped {
        *got.entry(line.reason.to_string()).or_default() += 1;
    }
    let expected = reasons
        .iter()
        .map(|(reason, count)| ((*reason).to_owned(), *count))
        .collect();
    assert_eq!(got, expected, "{name}: {skipped:?}");
    let mut sum = flate2::Crc::new();
    documents.iter().for_each(|page| sum.update(&page.bytes));
    let total = documents.iter().map(|page| page.bytes.len()).sum::<usize>();
    assert_eq!(
        (documents.len(), total, sum.sum()),
        (pages, bytes, crc),
        "{name}"
    );
    documents
}

#[test]
fn clueweb09() {
    let pages = check(
        "formats/clueweb-quirk.warc.gz",
        29,
        911_605,
        0x8c58_1d6e,
        &[("warcinfo", 1)],
    );
    for (n, page) in pages.iter().enumerate() {
        assert_eq!(page.docid, format!("clueweb09-ja0016-50-{n:05}"));
        assert!(
            !page.truncated && page.bytes.trim_ascii().starts_with(b"<html>"),
            "{}",
            page.docid
        );
        assert_eq!(page.charset.as_deref(), Some("euc-jp"));
    }
}

#[test]
fn clipped() {
    let pages = check(
        "formats/clipped.warc.gz",
        1,
        74_970,
        0x2603_9369,
        &[("truncated", 1)],
    );
    assert!(pages.iter().all(|page| page.truncated));
}

#[test]
fn no_pages() {
    for name in [
        "formats/block-sized-records.warc",
        "formats/block-sized-records.warc.gz",
    ] {
        check(name, 0, 0, 0, &[("other-type", 3)]);
    }
}

#[test]
fn common_crawl_plain_and_compressed() {
    let reasons = [("metadata", 16), ("request", 17), ("warcinfo", 1)];
    let plain = check("formats/warcfile.warc", 16, 513_225, 0x4e57_a6c2, &reasons);
    let gz = check(
        "formats/warcfile.warc.gz",
        16,
        513_225,
        0x4e57_a6c2,
        &reasons,
    );
    for (plain, gz) in plain.iter().zip(&gz) {
        assert_eq!(
            (&plain.docid, &plain.url, &plain.bytes),
            (&gz.docid, &gz.url, &gz.bytes)
        );
    }
}

/// The judged collection has one warcinfo record and 2,683 pages.
#[test]
fn judged_collection() {
    if let Some((pages, skipped)) = read("retrieval/news/collection.warc.gz") {
        assert_eq!((pages.len(), skipped.len()), (2683, 1), "{skipped:?}");
        assert!(
            pages
                .iter()
                .all(|page| !page.truncated && page.charset.is_none())
        );
    }
}
