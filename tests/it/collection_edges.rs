//! Pages that other readers find, and junk that they do not: what careless servers, crawlers and
//! tools write.
#![allow(clippy::unwrap_used)]

use std::io::{Read, Write};

use flate2::Compression;
use flate2::write::{DeflateEncoder, ZlibEncoder};
use trommel::collection::{DocidSource, Format, Item, Options, Reader};

use crate::collection::{
    check, check_with, gzip, page, read_with, record_eol, response_off, summary,
};

/// A body with words enough that compression makes bytes of it that are no text.
fn long() -> Vec<u8> {
    let words = (0..600).map(|number| format!("<p>word{} of {}", number * 7919 % 1000, number));
    words.collect::<String>().into_bytes()
}

fn deflate(text: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

fn zlib(text: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

/// [`long`] as Node compresses it (quality 5, a window of 16 bits).
fn brotli() -> Vec<u8> {
    include_bytes!("../data/long.br").to_vec()
}

fn zstd(text: &[u8]) -> Vec<u8> {
    zstd::encode_all(text, 1).unwrap()
}

/// A response with a Content-Encoding.
fn encoded(label: &str, body: &[u8]) -> Vec<u8> {
    let head =
        format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: {label}\r\n\r\n");
    response_off("e", &[head.as_bytes(), body].concat(), 0)
}

fn read(stored: Vec<u8>) -> Vec<Item> {
    let options = Options::default().with_format(Format::Warc);
    read_with("test", stored, &options)
}

#[test]
fn the_data_of_these_tests_decodes() {
    let got = summary(read(encoded("br", &brotli())));
    assert_eq!(got, [format!("e {}", String::from_utf8(long()).unwrap())]);
}

/// Raw deflate and brotli were indexed as the bytes that they are, with no line; zstd with one.
#[test]
fn bodies_cut_short_are_kept_as_far_as_they_decode() {
    let long = long();
    for (label, body) in [
        ("gzip", gzip(&long)),
        ("deflate", zlib(&long)),
        ("deflate", deflate(&long)),
        ("br", brotli()),
    ] {
        for size in [body.len() / 2, body.len() - 10, body.len() - 1] {
            let items = read(encoded(label, &body[..size]));
            let [Item::Document(page), Item::Skipped(line)] = &items[..] else {
                panic!("{label} {size}: {:?}", summary(items));
            };
            assert!(page.truncated && !page.bytes.is_empty());
            assert!(long.starts_with(&page.bytes), "{label} {size}");
            assert_eq!(line.reason.to_string(), "bad-content-encoding");
        }
    }
    // The first block of zstd is not whole: nothing decodes, and what does not is no page.
    let body = zstd(&long);
    let expected = ["!bad-content-encoding e"];
    check(encoded("zstd", &body[..body.len() / 2]), &expected);
    // Of two, one is.
    let two = zstd_flushed(&long, &long);
    let items = read(encoded("zstd", &two[..two.len() - 1]));
    let [Item::Document(page), Item::Skipped(line)] = &items[..] else {
        panic!("{:?}", summary(items));
    };
    assert_eq!((&page.bytes, page.truncated), (&long, true));
    assert_eq!(line.reason.to_string(), "bad-content-encoding");
    // A body that is cut inside a chunk.
    let chunked =
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nabc";
    check(
        response_off("e", chunked, 0),
        &["e+ abc", "!bad-transfer-encoding e"],
    );
}

/// One frame of two blocks.
fn zstd_flushed(first: &[u8], second: &[u8]) -> Vec<u8> {
    let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), 1).unwrap();
    encoder.write_all(first).unwrap();
    encoder.flush().unwrap();
    encoder.write_all(second).unwrap();
    encoder.finish().unwrap()
}

/// Junk was indexed where the label named another encoding than the bytes have.
#[test]
fn labels_that_lie() {
    let long = long();
    let text = String::from_utf8(long.clone()).unwrap();
    let whole = [format!("e {text}"), "!encoding-mismatch e".to_owned()];
    let bodies = [
        ("gzip", gzip(&long)),
        ("deflate", zlib(&long)),
        ("deflate", deflate(&long)),
        ("br", brotli()),
        ("zstd", zstd(&long)),
    ];
    for label in ["gzip", "deflate", "br", "zstd", "none", "identity", "utf-8"] {
        for (own, body) in &bodies {
            let named = ["gzip", "deflate", "br", "zstd"].contains(&label);
            let told = [0x1f, 0x28].contains(&body[0]);
            if label == *own || !named && !told {
                continue;
            }
            let got = summary(read(encoded(label, body)));
            assert_eq!(got, whole, "{label}, and is {own}");
        }
    }
    // Compressed twice, labelled once.
    assert_eq!(summary(read(encoded("gzip", &gzip(&gzip(&long))))), whole);
    let Item::Skipped(line) = &read(encoded("deflate", &gzip(&long)))[1] else {
        panic!("no line");
    };
    assert_eq!(line.detail, "labelled deflate, and is gzip");
    assert!(!line.reason.is_failure());
    // Text that is stored decoded is as it was, and needs no line: whole crawls are so.
    for label in ["gzip", "deflate", "br", "zstd"] {
        for body in ["<html>", "plain text, x^", "x\u{9c} latin", "<\0p\0>\0"] {
            check(encoded(label, body.as_bytes()), &[&format!("e {body}")]);
        }
        // What is neither text nor decodes is no page.
        let noise: Vec<u8> = (0..2000u32).map(|n| (n * n * 31 / 7 % 251) as u8).collect();
        check(encoded(label, &noise), &["!bad-content-encoding e"]);
    }
}

/// All pages of the public ClueWeb09 sample were lost: its heads have no status line, and its
/// blocks are shorter than they say by the length of one.
#[test]
fn heads_without_a_status_line() {
    let record = |id: &str, off: i64, html: &str| {
        let head = "Content-Type: text/html; charset=UTF-8\nX-Powered-By: PHP/5.2.8\nContent-Length: 5\n\n";
        let block = format!("{head}{html}");
        let lines = [
            "WARC/0.18".to_owned(),
            "WARC-Type: response".to_owned(),
            format!("WARC-TREC-ID: {id}"),
            "Content-Type: application/http;msgtype=response".to_owned(),
            format!("Content-Length: {}", block.len() as i64 + off),
        ];
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        record_eol("\n", &lines, block.as_bytes())
    };
    let both = |off| [record("a", off, "<p>A"), record("b", off, "<center>B")].concat();
    check(both(0), &["a <p>A", "b <center>B"]);
    let length = "HTTP/1.1 200 OK\n".len() as i64;
    // A plain file gives no sign whether it was cut off.
    let last = "b+ <center>B\n\n";
    check(
        both(length),
        &["a <p>A", "!length-mismatch a", last, "!truncated b"],
    );
    for stored in [both(length), both(-4)] {
        let got = summary(read(gzip(&stored)));
        assert_eq!((&*got[0], &*got[2]), ("a <p>A", "b <center>B"), "{got:?}");
        assert!(got.iter().all(|line| !line.contains("not-html")), "{got:?}");
    }
    // A page that has no head is none, even if it begins like one.
    let lines = [
        "WARC/1.0",
        "WARC-Type: resource",
        "WARC-TREC-ID: r",
        "Content-Type: text/html",
        "Content-Length: 14",
    ];
    check(
        record_eol("\n", &lines, b"Date: 1\n\n<p>x\n"),
        &["r Date: 1\n\n<p>x\n"],
    );
}

/// What is no media type lost the page.
#[test]
fn content_types_that_are_none() {
    let served = |heads: &str, body: &str| {
        let http = format!("HTTP/1.1 200 OK\r\n{heads}\r\n\r\n{body}");
        response_off("e", http.as_bytes(), 0)
    };
    for heads in [
        "Content-Type: text/html charset=utf-8",
        "Content-Type: text/html Last-modified: Thu, 01 Jan 1998",
        "Content-Type: html",
        "Content-Type: text/plain\r\nContent-Type: text/html",
        "Content-Type: text/html\r\nContent-Type: text/html; charset=utf-8",
        "Content-Type: text/html\r\nContent-Type: text/plain",
    ] {
        check(served(heads, "<html>x"), &["e <html>x"]);
    }
    check(
        served("Content-Type: text/html charset=utf-8", "GIF89a"),
        &["!not-html e"],
    );
    check(
        served(
            "Content-Type: text/plain\r\nContent-Type: text/css",
            "<html>x",
        ),
        &["!not-html e"],
    );
    // A charset is believed wherever it stands.
    let items = read(served("Content-Type: text/html charset=EUC-JP", "<html>x"));
    let Item::Document(page) = &items[0] else {
        panic!("no page");
    };
    assert_eq!(
        (&page.media_type, page.charset.as_deref()),
        (&None, Some("euc-jp"))
    );
    // A proxy's answer before the one that counts, and small letters.
    let proxy = "HTTP/1.0 200 Connection established\r\n\r\nhttp/1.1 404 No\r\n\r\n<html>x";
    check(response_off("e", proxy.as_bytes(), 0), &["!status-404 e"]);
    let found = proxy.replace("404", "200");
    check(response_off("e", found.as_bytes(), 0), &["e <html>x"]);
}

/// Small letters in the version line lost a whole file.
#[test]
fn small_letters_in_the_version_line() {
    let small = |id: &str, html: &str| {
        let record = page(id, html);
        [b"warc", &record[4..]].concat()
    };
    let both = [small("a", "A"), small("b", "B")].concat();
    let options = Options::default();
    check_with(both.clone(), &options, &["a A", "b B"]);
    check_with(
        [gzip(&small("a", "A")), gzip(&small("b", "B"))].concat(),
        &options,
        &["a A", "b B"],
    );
    // It goes on after damage.
    let gap = [&small("a", "A")[..], b"garbage\r\n", &small("b", "B")].concat();
    check_with(gap, &options, &["a A", "!gap", "b B"]);
}

#[test]
fn arc_lines_without_type_or_address() {
    let arc = |line: &str, block: &str| format!("{line} {}\n{block}\n", block.len());
    let http = "HTTP/1.0 200 OK\r\n\r\n<html>x";
    let stored = [
        arc("http://a/ 1.2.3.4 20110804181142 ", http),
        arc("http://b/ 0 20110804181142 text/html", http),
        arc("http://c/ 1.2.3.4 20110804181142 ", "SSH-2.0-OpenSSH_5.3p1"),
    ]
    .concat();
    let options = Options::default().with_format(Format::Arc);
    let date = "20110804181142";
    check_with(
        stored.into_bytes(),
        &options,
        &[
            &format!("{date}/http://a/ <html>x"),
            &format!("{date}/http://b/ <html>x"),
            &format!("!not-html {date}/http://c/"),
        ],
    );
}

/// Records without identifiers were all lost.
#[test]
fn records_without_identifiers() {
    let record = |more: &[&str]| {
        let http = b"HTTP/1.1 200 OK\r\n\r\n<html>x";
        let length = format!("Content-Length: {}", http.len());
        let lines = [&["WARC/1.0", "WARC-Type: response", &length], more].concat();
        record_eol("\r\n", &lines, http)
    };
    let url = "WARC-Target-URI: http://a/";
    check(
        record(&["WARC-Date: 2017-02-20T14:00:56Z", url]),
        &["20170220140056/http://a/ <html>x"],
    );
    check(
        record(&["WARC-Date: 2017", url]),
        &["2017/http://a/ <html>x"],
    );
    let first = record(&[url]);
    let second = format!("test#{} <html>x", first.len());
    check([first, record(&[])].concat(), &["test#0 <html>x", &second]);
    let options = Options::default().with_docid(DocidSource::Trec);
    let items = read_with("test", record(&[url]), &options);
    let Item::Skipped(line) = &items[0] else {
        panic!("a page");
    };
    assert_eq!(
        line.detail,
        "no identifier of kind trec: another source, such as path, may find one: http://a/"
    );
}

/// Whatever encodings and heads there are, the same items come however the bytes arrive.
#[test]
fn edges_are_the_same_in_pieces() {
    struct Drip(Vec<u8>, usize);
    impl Read for Drip {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let size = self.1.min(buffer.len()).min(self.0.len());
            buffer[..size].copy_from_slice(&self.0[..size]);
            self.0.drain(..size);
            Ok(size)
        }
    }
    let long = long();
    let small = |bytes: Vec<u8>| [b"warc", &bytes[4..]].concat();
    for stored in [
        [
            encoded("deflate", &gzip(&long)),
            encoded("br", &brotli()[..700]),
        ]
        .concat(),
        small([page("a", "A"), page("b", "B")].concat()),
        b"http://a/ 0 20110804181142  26\nHTTP/1.0 200 OK\r\n\r\n<html>x\n".to_vec(),
    ] {
        let whole = summary(read_with("test", stored.clone(), &Options::default()));
        for size in [1, 7, 4096] {
            let pieces = Box::new(Drip(stored.clone(), size));
            let got = Reader::from_read("test", pieces, &Options::default()).unwrap();
            assert_eq!(summary(got), whole, "in pieces of {size}");
        }
    }
}
