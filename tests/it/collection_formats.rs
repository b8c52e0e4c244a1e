//! WET, ARC, WACZ and JSONL; damage of theirs included.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::io::Cursor;
use std::path::{Path, PathBuf};

use trommel::collection::{
    Content, DocidSource, Document, Error, Format, Item, Options, Reader, Reason, find, inputs,
    open,
};

use super::collection::{check_with, gzip, page, read_with, record_eol, summary};
use super::collection_damage::all_at_once_and_dribbled;

fn options(format: Format) -> Options {
    Options::default().with_format(format)
}

fn documents(items: Vec<Item>) -> Vec<Document> {
    let document = |item| match item {
        Item::Document(document) => document,
        Item::Skipped(line) => panic!("{line}"),
    };
    items.into_iter().map(document).collect()
}

/// A record of an ARC file of version 1, as `http://ID/`, whose length is off by `off`.
pub fn arc_off(id: &str, http: &[u8], off: i64) -> Vec<u8> {
    let length = http.len() as i64 + off;
    let line = format!("http://{id}/ 1.2.3.4 20040101000000 text/html {length}\n");
    [line.as_bytes(), http, b"\n"].concat()
}

pub fn arc(id: &str, html: &str) -> Vec<u8> {
    arc_off(
        id,
        format!("HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n{html}").as_bytes(),
        0,
    )
}

/// The version block of the specification.
pub fn version_block() -> Vec<u8> {
    let block = "1 0 Alexa Internet\nURL IP-address Archive-date Content-type Archive-length\n";
    let length = block.len();
    format!("filedesc://x.arc 0.0.0.0 20040101000000 text/plain {length}\n{block}\n").into_bytes()
}

fn arc_id(id: &str) -> String {
    format!("20040101000000/http://{id}/")
}

/// Checks ARC bytes; in `expected` stands `@a` for the identifier of `a`.
fn check_arc(stored: Vec<u8>, expected: &[&str]) {
    let own = |line: &&str| match line.split_once('@') {
        None => (*line).to_owned(),
        Some((before, rest)) => {
            let (id, after) = rest.split_at(1);
            format!("{before}{}{after}", arc_id(id))
        }
    };
    let expected: Vec<String> = expected.iter().map(own).collect();
    let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
    check_with(stored, &options(Format::Arc), &expected);
}

#[test]
fn arc_files() {
    let parts = [version_block(), arc("a", "<p>A"), arc("b", "<p>B")];
    let info = "!warcinfo 20040101000000/filedesc://x.arc";
    let expected = [
        info,
        &format!("{} <p>A", arc_id("a")),
        &format!("{} <p>B", arc_id("b")),
    ];
    let members: Vec<u8> = parts.iter().flat_map(|part| gzip(part)).collect();
    for stored in [parts.concat(), gzip(&parts.concat()), members] {
        for format in [Format::Auto, Format::Arc] {
            check_with(stored.clone(), &options(format), &expected);
        }
    }
    let items = read_with("x.arc", parts[1..].concat(), &Options::default());
    let pages = documents(items);
    assert_eq!(pages[0].url, "http://a/");
    assert_eq!(
        (pages[1].date.as_str(), pages[1].offset),
        ("20040101000000", parts[1].len() as u64)
    );
    assert_eq!(pages[0].media_type.as_deref(), Some("text/html"));
}

/// The two records of version 2 in the specification; its document is 202 bytes long, ours is shorter.
#[test]
fn arc_version_2() {
    let line = |url: &str, status: u16, length: usize| {
        format!(
            "{url} 127.10.100.2 19961104142103 text/html {status} fac069150613fe55599cc7fa88aa089d - 209 IA-001102.arc {length}\n"
        )
    };
    let http = "HTTP/1.0 200 OK\n\n<html>";
    let bare = "<p>no HTTP header";
    let stored = [
        line("http://a/", 200, http.len()) + http + "\n",
        line("http://b/ with blank", 200, bare.len()) + bare + "\n",
        line("http://c/", 404, bare.len()) + bare + "\n",
    ]
    .concat();
    check_with(
        stored,
        &Options::default(),
        &[
            "19961104142103/http://a/ <html>",
            "19961104142103/http://b/ with blank <p>no HTTP header",
            "!status-404 19961104142103/http://c/",
        ],
    );
}

#[test]
fn arc_records_that_are_no_pages() {
    let record = |head: &str, block: &str| format!("{head} {}\n{block}\n", block.len());
    let stored = [
        record(
            "dns:a.b 1.2.3.4 20040101000000 text/dns",
            "20040101000000\na.b. 1 IN A 1.2.3.4",
        ),
        record(
            "http://a/ 1.2.3.4 20040101000000 image/gif",
            "HTTP/1.0 200 OK\nContent-Type: image/gif\n\nGIF",
        ),
        record(
            "http://b/ 1.2.3.4 20040101000000 text/html",
            "HTTP/1.0 404 No\n\n<html>",
        ),
        // Only the crawler's line says what it is.
        record(
            "http://c/ 1.2.3.4 20040101000000 text/html",
            "HTTP/1.0 200 OK\n\ntext",
        ),
        record(
            "http://d/ 1.2.3.4 20040101000000 no-type",
            "HTTP/1.0 200 OK\n\ntext",
        ),
    ]
    .concat();
    check_with(
        stored,
        &options(Format::Arc),
        &[
            "!dns 20040101000000/dns:a.b",
            "!not-html 20040101000000/http://a/",
            "!status-404 20040101000000/http://b/",
            "20040101000000/http://c/ text",
            "!not-html 20040101000000/http://d/",
        ],
    );
}

#[test]
fn arc_lengths() {
    let http = b"HTTP/1.0 200 OK\r\n\r\n<p>one\ntwo".as_slice();
    let page = "@a <p>one\ntwo";
    for over in [2, 3, 10, 60, 100, 5000] {
        let stored = [arc_off("a", http, over), arc("b", "B"), arc("c", "C")].concat();
        check_arc(stored, &[page, "!length-mismatch @a", "@b B", "@c C"]);
    }
    for under in [1, 3, 5, 10] {
        let stored = [arc_off("a", http, -under), arc("b", "B")].concat();
        check_arc(stored, &[page, "!length-mismatch @a", "@b B"]);
    }
    check_arc(
        [arc_off("a", http, 10_000_000_000), arc("b", "B")].concat(),
        &["!too-large @a", "@b B"],
    );
}

#[test]
fn arc_damage() {
    let (a, b, c) = (arc("a", "A"), arc("b", "B"), arc("c", "C"));
    let damaged = b.replace_first(b"http:", b"http;");
    check_arc([&a[..], &damaged, &c].concat(), &["@a A", "!gap", "@c C"]);
    check_arc([&b"rubbish\n"[..], &a].concat(), &["!gap", "@a A"]);
    check_arc(
        [&a[..], &[0; 3000], &b].concat(),
        &["@a A", "!padding", "@b B"],
    );
    check_arc([&a[..a.len() - 1], &b].concat(), &["@a A", "@b B"]);
    // The next record's first line and HTTP header are gone: the length is right all the same.
    let wiped = [&a[..], b"what is left\n", &c].concat();
    check_arc(wiped, &["@a A", "!gap", "@c C"]);
    let long = arc("a", "<p>one two");
    let cut = &long[..long.len() - 5];
    check_arc([cut, &b].concat(), &["@a+ <p>one", "!truncated @a", "@b B"]);
    check_arc(cut.to_vec(), &["@a+ <p>one", "!truncated @a"]);
    check_arc(
        [&a[..], &b"http://b/ 1.2.3"[..]].concat(),
        &["@a A", "!truncated"],
    );
    let mut middle = gzip(&b);
    middle[20] ^= 0xff;
    let stored = [gzip(&a), middle, gzip(&c)].concat();
    let got = summary(read_with("x", stored, &options(Format::Arc)));
    assert_eq!(got[0], format!("{} A", arc_id("a")));
    assert_eq!(*got.last().unwrap(), format!("{} C", arc_id("c")));
    let lost = |line: &String| line.starts_with("!corrupt-member") || line == "!gap";
    assert!(got[1..got.len() - 1].iter().all(lost), "{got:?}");
}

trait Replace {
    fn replace_first(&self, from: &[u8], to: &[u8]) -> Vec<u8>;
}

impl Replace for Vec<u8> {
    fn replace_first(&self, from: &[u8], to: &[u8]) -> Vec<u8> {
        let at = self
            .windows(from.len())
            .position(|part| part == from)
            .unwrap();
        [&self[..at], to, &self[at + from.len()..]].concat()
    }
}

fn conversion(id: &str, media: &str, text: &str) -> Vec<u8> {
    let (id, length) = (
        format!("WARC-Record-ID: <urn:uuid:{id}>"),
        format!("Content-Length: {}", text.len()),
    );
    let media = format!("Content-Type: {media}");
    let lines = ["WARC/1.0", "WARC-Type: conversion", &id, &media, &length];
    record_eol("\r\n", &lines, text.as_bytes())
}

fn warcinfo() -> Vec<u8> {
    let lines = [
        "WARC/1.0",
        "WARC-Type: warcinfo",
        "WARC-Record-ID: <urn:uuid:i>",
        "Content-Length: 4",
    ];
    record_eol("\r\n", &lines, b"a: b")
}

#[test]
fn wet_files() {
    let text = "HTTP/1.1 200 OK is no header here\n\n1 < 2 <b>\n";
    let parts = [
        warcinfo(),
        conversion("a", "text/plain", text),
        conversion("b", "text/html", "<p>B"),
        conversion("c", "application/pdf", "%PDF"),
    ];
    for stored in [
        parts.concat(),
        parts.iter().flat_map(|part| gzip(part)).collect(),
    ] {
        for format in [Format::Auto, Format::Wet] {
            let expected = ["!warcinfo i", &format!("a {text}"), "b <p>B", "!not-html c"];
            check_with(stored.clone(), &options(format), &expected);
        }
        let none = [
            "!warcinfo i",
            "!conversion a",
            "!conversion b",
            "!conversion c",
        ];
        check_with(stored, &options(Format::Warc), &none);
    }
    let pages = documents(read_with("x", parts[1..3].concat(), &Options::default()));
    assert_eq!(
        pages[0].content,
        Content::Text {
            title: String::new()
        }
    );
    assert_eq!(pages[0].media_type.as_deref(), Some("text/plain"));
    assert_eq!(pages[1].content, Content::Html);
}

/// Where pages and their texts are in one file, the pages count.
#[test]
fn conversions_beside_responses() {
    let stored = [
        warcinfo(),
        page("a", "A"),
        conversion("t", "text/plain", "A"),
    ]
    .concat();
    let check = |format, expected: &[&str]| check_with(stored.clone(), &options(format), expected);
    check(Format::Auto, &["!warcinfo i", "a A", "!conversion t"]);
    check(Format::Wet, &["!warcinfo i", "!other-type a", "t A"]);
}

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(name)
}

fn read_file(path: &Path, options: &Options) -> Vec<Item> {
    open(&inputs(&[path.to_owned()]).unwrap()[0], options)
        .unwrap()
        .collect()
}

/// Files of Python's zipfile: sizes before or behind the data, in 32 or 64 bits; stored and deflated.
#[test]
fn wacz_files() {
    let four = "<p>four".repeat(100);
    let expected = [
        "a1 <p>one",
        "a2 <p>two",
        "b1 <p>three",
        &format!("b2 {four}"),
    ];
    for name in ["plain.wacz", "descriptors.wacz", "zip64.wacz"] {
        let path = data(name);
        for format in [Format::Auto, Format::Wacz] {
            assert_eq!(
                summary(read_file(&path, &options(format))),
                expected,
                "{name}"
            );
        }
        let pages = documents(read_file(&path, &Options::default()));
        let file = |inner: &str| format!("{}!archive/{inner}", path.display());
        assert_eq!(
            (pages[0].offset, &*pages[0].file),
            (0, file("a.warc.gz").as_str())
        );
        assert_eq!(&*pages[3].file, file("b.warc"));
        assert!(pages[3].offset > 0);
        let input = &inputs(std::slice::from_ref(&path)).unwrap()[0];
        assert_eq!(
            find(input, "b1", &Options::default()).unwrap().bytes,
            b"<p>three"
        );
        let mut reader = open(input, &Options::default()).unwrap();
        assert_eq!(reader.by_ref().count(), 4);
        assert_eq!(Some(reader.bytes_read()), input.size);
        let sum = trommel::collection::sha256_of_file(&path).unwrap();
        assert_eq!(reader.sha256(), Some(sum));
    }
}

#[test]
fn wacz_that_is_none() {
    let dir = tempfile::tempdir().unwrap();
    let error = |name: &str, bytes: &[u8], options: &Options| {
        let path = dir.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        open(&inputs(&[path]).unwrap()[0], options).err().unwrap()
    };
    let wacz = std::fs::read(data("plain.wacz")).unwrap();
    let stream = Reader::from_read(
        "-",
        Box::new(Cursor::new(wacz.clone())),
        &Options::default(),
    );
    assert!(matches!(stream.err(), Some(Error::Stream { .. })));
    let got = error("x", &page("a", "A"), &options(Format::Wacz));
    assert!(matches!(got, Error::OtherBeginning { .. }), "{got}");
    let other = wacz.replace_first(b"datapackage.json", b"something/else.x");
    let got = error("x", &other[..other.len() - 1], &Options::default());
    assert!(matches!(got, Error::Unsupported { .. }), "{got}");
    let bytes = String::from_utf8_lossy(&wacz).into_owned();
    assert!(bytes.contains("archive/"));
    let other: Vec<u8> = [wacz].concat();
    let other = (0..4).fold(other, |bytes, _| {
        bytes.replace_first(b"archive/", b"brchive/")
    });
    let got = error("x.zip", &other, &Options::default());
    assert!(got.to_string().contains("without WARC files"), "{got}");
}

/// Cut anywhere, or with any byte of its directory broken, what is stored as gzip members is found.
#[test]
fn damaged_wacz() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.wacz");
    let wacz = std::fs::read(data("plain.wacz")).unwrap();
    let read = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        summary(read_file(&path, &Options::default()))
    };
    let directory = wacz
        .windows(4)
        .position(|part| part == b"PK\x01\x02")
        .unwrap();
    for at in directory..wacz.len() {
        for flip in [0x01, 0x80, 0xff] {
            let mut bytes = wacz.clone();
            bytes[at] ^= flip;
            let got = read(&bytes);
            let whole = got.len() >= 4 && got[0] == "a1 <p>one" && got[2] == "b1 <p>three";
            let checked = got.iter().any(|line| line == "!corrupt-member");
            let rest = got
                .iter()
                .filter(|line| ["a1 <p>one", "a2 <p>two"].contains(&line.as_str()));
            assert!(
                whole || checked && rest.count() == 2,
                "{at} {flip}: {got:?}"
            );
        }
    }
    let b = wacz
        .windows(14)
        .position(|part| part == b"archive/b.warc")
        .unwrap();
    for cut in b..wacz.len() {
        let got = read(&wacz[..cut]);
        assert_eq!(got[0], "!corrupt-member", "{cut}");
        assert!(got.contains(&"a1 <p>one".to_owned()), "{cut}: {got:?}");
        assert!(got.contains(&"a2 <p>two".to_owned()), "{cut}: {got:?}");
    }
    // Damage inside: the check sums tell.
    let mut bytes = wacz.clone();
    let at = wacz
        .windows(9)
        .rposition(|part| part == b"b1\x3e\r\nCont")
        .unwrap_or(directory - 150);
    bytes[at] ^= 0x10;
    let got = read(&bytes);
    assert!(
        got.iter()
            .any(|line| line.starts_with("!corrupt-member") || line.starts_with("!read-error")),
        "{got:?}"
    );
}

#[test]
fn jsonl_files() {
    let lines = [
        r#"{"docid": "a", "url": "http://a/", "title": "T\u00e9", "text": "1 < 2\nline", "date": "2020", "more": [{}]}"#,
        r#"{"id": 7, "html": "<p>ä", "text": "not this"}"#,
        "",
        r#"{"_id": "c", "contents": "C"}"#,
    ];
    let stored = lines.join("\n");
    let expected = ["a 1 < 2\nline", "7 <p>ä", "c C"];
    for stored in [
        stored.clone(),
        format!("{stored}\n"),
        stored.replace('\n', "\r\n"),
        format!("\u{feff}{stored}"),
    ] {
        for format in [Format::Auto, Format::Jsonl] {
            let zstd = zstd::encode_all(stored.as_bytes(), 1).unwrap();
            check_with(stored.clone(), &options(format), &expected);
            check_with(gzip(stored.as_bytes()), &options(format), &expected);
            check_with(zstd, &options(format), &expected);
        }
    }
    let pages = documents(read_with("x", stored, &Options::default()));
    assert_eq!(
        pages[0].content,
        Content::Text {
            title: "Té".to_owned()
        }
    );
    assert_eq!(
        (pages[0].url.as_str(), pages[0].date.as_str()),
        ("http://a/", "2020")
    );
    assert_eq!(pages[1].content, Content::Html);
    assert_eq!(pages[1].offset, lines[0].len() as u64 + 1);
}

#[test]
fn jsonl_docids() {
    let line = r#"{"docid": "a", "url": "http://a/", "text": "A"}"#;
    let check = |docid, line: &str, expected: &str| {
        let options = options(Format::Jsonl).with_docid(docid);
        check_with(line, &options, &[expected]);
    };
    check(DocidSource::Record, line, "a A");
    check(DocidSource::Url, line, "http://a/ A");
    check(DocidSource::Path, line, "test#0 A");
    check(DocidSource::Auto, r#"{"text": "A"}"#, "!no-docid");
    for key in ["id", "_id", "docno", "doc_id", "pid", "ClueWeb22-ID"] {
        let line = format!(r#"{{"{key}": "k", "Clean-Text": "A"}}"#);
        check(DocidSource::Auto, &line, "k A");
    }
    check(
        DocidSource::Url,
        r#"{"docid": "a", "text": "A"}"#,
        "!no-docid a",
    );
}

#[test]
fn jsonl_empty_identifier_is_none_in_the_ledger_as_well() {
    let line = r#"{"docid": "", "text": "A"}"#;
    check_with(line, &options(Format::Jsonl), &["!no-docid"]);
    check_with("{\"id\": \"\"}\n", &options(Format::Jsonl), &["!bad-line"]);
}

#[test]
fn jsonl_damage() {
    let (a, b) = (r#"{"id": "a", "text": "A"}"#, r#"{"id": "b", "text": "B"}"#);
    let options = options(Format::Jsonl).with_max_record_bytes(100);
    let check = |between: &str, expected: &str| {
        let stored = format!("{a}\n{between}\n{b}\n");
        check_with(stored, &options, &["a A", expected, "b B"]);
    };
    check("rubbish", "!bad-line");
    check(r#"{"id": "x", "text": "#, "!bad-line");
    check(r#"{"id": "x"}"#, "!bad-line x");
    check(r#"{"id": ["x"], "text": ""}"#, "!bad-line");
    check(r#"{"id": "x", "text": 1}"#, "!bad-line");
    check("[]", "!bad-line");
    check("\0\0\0", "!padding");
    check(&"x".repeat(101), "!too-large");
    check(&"x".repeat(500_000), "!too-large");
    check(
        &format!(r#"{{"id": "x", "text": {}"#, "[".repeat(50)),
        "!bad-line",
    );
    // Two lines became one.
    check_with(format!("{a}x{b}\n"), &options, &["!bad-line", "b B"]);
    check_with(
        format!("{a}\n{}", &b[..10]),
        &options,
        &["a A", "!truncated"],
    );
    let cut = gzip(format!("{a}\n{b}").as_bytes());
    let got = summary(read_with("x", &cut[..cut.len() - 10], &options));
    assert_eq!(got, ["a A", "!truncated"]);
}

/// A zstd frame of raw blocks whose third header is wrong: how much of the second comes out before that is noticed depends on the
/// pieces in which the file arrives, and the ledger must not.
#[test]
fn jsonl_in_a_corrupt_zstd_member_is_told_alike_in_pieces() {
    let stored = [
        0x28, 0xb5, 0x2f, 0xfd, 0x74, 0x68, 0x3a, 0x20, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
        0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
        0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x11, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
        0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x20, 0x00, 0x00, 0x00, 0x00, 0x3c, 0x44, 0x4f, 0x43,
        0x25, 0x4e, 0x4f, 0x3e, 0x61, 0x3c, 0x2f, 0x44, 0x4f, 0x43, 0x4e, 0x4f, 0x3e, 0x00, 0x00,
        0x00, 0x00, 0x80, 0x1c, 0x00, 0x00, 0x74, 0xf8, 0x2d,
    ];
    let options = options(Format::Jsonl);
    for seed in 1..=100 {
        let items = all_at_once_and_dribbled(&stored, &options, seed, 40);
        let is_told =
            |item: &Item| matches!(item, Item::Skipped(s) if s.reason == Reason::CorruptMember);
        assert!(items.iter().any(is_told), "{items:?}");
    }
}

#[test]
fn formats_are_told_by_content() {
    let check = |name: &str, stored: &str, format: Option<Format>| {
        let reader = Reader::from_read(
            name,
            Box::new(Cursor::new(stored.to_owned())),
            &Options::default(),
        );
        assert_eq!(reader.is_ok(), format.is_some(), "{name} {stored}");
    };
    check(
        "x",
        "{\"docid\":\"a\",\"url\":\"\",\"title\":\"\",\"text\":\"\"}\n",
        Some(Format::Jsonl),
    );
    check("x.json", "{\n  \"a\": 1\n}\n", None);
    check("x.json", "{\"profile\": \"data-package\"}", None);
    check("x.jsonl", "rubbish", Some(Format::Jsonl));
    check("x.jsonl.gz", "rubbish", Some(Format::Jsonl));
    check("x.arc.gz", "rubbish", Some(Format::Arc));
    let long = format!("{{\"id\": \"a\", \"text\": \"{}\"}}", "x".repeat(100_000));
    check("x", &long, Some(Format::Jsonl));
    // A record that the sniffed bytes do not begin with.
    super::collection::check_with(
        [b"rubbish\n".to_vec(), arc("a", "A")].concat(),
        &Options::default(),
        &["!gap", &format!("{} A", arc_id("a"))],
    );
}
