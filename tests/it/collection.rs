//! Reading collections: records and documents that are whole. Damage is in `collection_damage`, real files are in
//! `collection_samples`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr
)]

use std::io::{Cursor, Read, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
use trommel::collection::{
    DocidSource, Error, Format, Item, Options, Reader, WarcPage, find, inputs, open, parse_status,
    write_warc,
};

/// One line an item: `docid payload` (`docid+` if truncated), or `!reason docid`.
pub fn summary(items: impl IntoIterator<Item = Item>) -> Vec<String> {
    let line = |item| match item {
        Item::Document(page) => {
            let cut = if page.truncated { "+" } else { "" };
            format!(
                "{}{cut} {}",
                page.docid,
                String::from_utf8_lossy(&page.bytes)
            )
        }
        Item::Skipped(skipped) => match skipped.docid {
            Some(docid) => format!("!{} {docid}", skipped.reason),
            None => format!("!{}", skipped.reason),
        },
    };
    items.into_iter().map(line).collect()
}

pub fn read_with(name: &str, stored: impl Into<Vec<u8>>, options: &Options) -> Vec<Item> {
    Reader::from_read(name, Box::new(Cursor::new(stored.into())), options)
        .unwrap()
        .collect()
}

pub fn check_with(stored: impl Into<Vec<u8>>, options: &Options, expected: &[&str]) {
    let stored = stored.into();
    let got = summary(read_with("test", stored.clone(), options));
    assert_eq!(
        got,
        expected,
        "{}",
        stored[..stored.len().min(400)].escape_ascii()
    );
}

pub fn check(stored: impl Into<Vec<u8>>, expected: &[&str]) {
    check_with(
        stored,
        &Options::default().with_format(Format::Warc),
        expected,
    );
}

/// A record made of header lines and a block, closed by a blank line. `eol` ends its lines.
pub fn record_eol(eol: &str, lines: &[&str], block: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for line in lines {
        bytes.extend_from_slice(line.as_bytes());
        bytes.extend_from_slice(eol.as_bytes());
    }
    [
        &bytes,
        eol.as_bytes(),
        block,
        eol.as_bytes(),
        eol.as_bytes(),
    ]
    .concat()
}

/// A response with identifier `id` and a Content-Length that is off by `off`.
pub fn response_off(id: &str, http: &[u8], off: i64) -> Vec<u8> {
    let length = format!("Content-Length: {}", http.len() as i64 + off);
    let id = format!("WARC-TREC-ID: {id}");
    record_eol(
        "\r\n",
        &["WARC/1.0", "WARC-Type: response", &id, &length],
        http,
    )
}

/// A response that serves `html`.
pub fn page(id: &str, html: &str) -> Vec<u8> {
    response_off(
        id,
        format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{html}").as_bytes(),
        0,
    )
}

pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// A response with HTTP header lines and a body.
fn encoded(headers: &[&str], body: &[u8]) -> Vec<u8> {
    let mut http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n".to_vec();
    for header in headers {
        http.extend_from_slice(format!("{header}\r\n").as_bytes());
    }
    response_off("e", &[&http, &b"\r\n"[..], body].concat(), 0)
}

/// A brotli stream made by hand (RFC 7932): a window of 16 bits, one uncompressed meta-block (§9.2: ISLAST 0,
/// MNIBBLES 4, MLEN - 1 from bit 4, ISUNCOMPRESSED at bit 20), then an empty last one.
fn brotli(text: &[u8]) -> Vec<u8> {
    let head = ((text.len() as u32 - 1) << 4 | 1 << 20).to_le_bytes();
    [&head[..3], text, &[3]].concat()
}

fn chunked(parts: &[&[u8]]) -> Vec<u8> {
    let mut body = Vec::new();
    for part in parts {
        body.extend_from_slice(format!("{:x};ext=1\r\n", part.len()).as_bytes());
        body.extend_from_slice(part);
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(b"0\r\n\r\n");
    body
}

fn no_page(kind: &str, more: &[&str], block: &[u8]) -> Vec<u8> {
    let (kind, length) = (
        format!("WARC-Type: {kind}"),
        format!("Content-Length: {}", block.len()),
    );
    let id = "WARC-Record-ID: <urn:uuid:r>";
    record_eol(
        "\r\n",
        &[&["WARC/1.1", &kind, id, &length], more].concat(),
        block,
    )
}

#[test]
fn record_types() {
    let ok = b"HTTP/1.1 200 OK\r\n\r\n<html>";
    let html = ["Content-Type: text/html; charset=x"];
    for (stored, expected) in [
        (no_page("warcinfo", &[], b"a: b"), "!warcinfo r"),
        (
            no_page("request", &[], b"GET / HTTP/1.1\r\n\r\n"),
            "!request r",
        ),
        (no_page("metadata", &[], b"a: b"), "!metadata r"),
        (no_page("revisit", &[], ok), "!revisit r"),
        (no_page("conversion", &[], b"text"), "!conversion r"),
        (no_page("continuation", &[], ok), "!segmented r"),
        (no_page("unheard-of", &[], ok), "!other-type r"),
        (
            no_page("response", &["WARC-Segment-Number: 1"], ok),
            "!segmented r",
        ),
        (
            no_page("response", &["WARC-Target-URI: dns:example.com"], b"x"),
            "!dns r",
        ),
        (
            no_page("response", &["Content-Type: text/dns"], b"x"),
            "!dns r",
        ),
        (no_page("response", &[], ok), "r <html>"),
        (
            no_page("RESPONSE", &["WARC-Truncated: length"], ok),
            "r+ <html>",
        ),
        (
            no_page(
                "response",
                &[],
                b"HTTP/1.1 404 No\r\nContent-Type: text/html\r\n\r\n",
            ),
            "!status-404 r",
        ),
        (
            no_page(
                "response",
                &[],
                b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n<html>",
            ),
            "!not-html r",
        ),
        (
            no_page("response", &[], b"HTTP/1.1 200 OK\r\n\r\nplain"),
            "!not-html r",
        ),
        (
            no_page(
                "response",
                &["WARC-Identified-Payload-Type: text/html"],
                b"HTTP/1.1 200 OK\r\n\r\nx",
            ),
            "r x",
        ),
        (
            no_page("response", &html, b"no HTTP header"),
            "r no HTTP header",
        ),
        (no_page("resource", &html, b"page"), "r page"),
        (
            no_page("resource", &["Content-Type: text/plain"], b"<html>"),
            "!not-html r",
        ),
        (
            no_page("resource", &[], b"<!DOCTYPE html>"),
            "r <!DOCTYPE html>",
        ),
    ] {
        check(stored, &[expected]);
    }
}

#[test]
fn fields_of_a_document() {
    let lines = [
        "WARC/0.18",
        "WARC-Type: response",
        "WARC-Target-URI: http://a/\u{e9}",
        "WARC-Date: 2009-03-65T08:43:19-0800",
        "WARC-Record-ID: <urn:uuid:123>",
        "Content-Length: 55",
    ];
    let http = b"HTTP/1.1 200 OK\nContent-Type: Text/HTML; Charset=\"X\"\n\np";
    assert_eq!(http.len(), 55);
    let items = read_with(
        "dir/f.warc",
        record_eol("\n", &lines, http),
        &Options::default(),
    );
    let [Item::Document(page)] = &items[..] else {
        panic!("{items:?}")
    };
    assert_eq!(
        (page.docid.as_str(), page.url.as_str()),
        ("123", "http://a/\u{e9}")
    );
    assert_eq!(
        (page.date.as_str(), &*page.file, page.offset),
        ("2009-03-65T08:43:19-0800", "dir/f.warc", 0)
    );
    assert_eq!(
        (page.media_type.as_deref(), page.charset.as_deref()),
        (Some("text/html"), Some("x"))
    );
}

#[test]
fn docids_and_status() {
    let lines = [
        "WARC/1.0",
        "WARC-Type: response",
        "WARC-Target-URI: <http://a/>",
        "Content-Length: 26",
    ];
    let plain = record_eol("\r\n", &lines, b"HTTP/1.1 404 No\r\n\r\n<html>x");
    let check = |docid, status: &str, expected: &str| {
        let options = Options::default()
            .with_docid(docid)
            .with_status(parse_status(status).unwrap());
        check_with(plain.clone(), &options, &[expected]);
    };
    check(DocidSource::Url, "200-299", "!status-404 http://a/");
    check(DocidSource::Url, "404", "http://a/ <html>x");
    check(DocidSource::Path, "404", "test#0 <html>x");
    check(DocidSource::Auto, "200-599", "test#0 <html>x");
    check(DocidSource::Trec, "404", "!no-docid");
    assert!(parse_status("299-200").is_err() && parse_status("x").is_err());
}

#[test]
fn encodings() {
    let html = b"<html>".as_slice();
    let long = b"<html>".repeat(2000);
    let mut deflate = DeflateEncoder::new(Vec::new(), Compression::default());
    deflate.write_all(html).unwrap();
    let deflate = deflate.finish().unwrap();
    let mut zlib = ZlibEncoder::new(Vec::new(), Compression::default());
    zlib.write_all(html).unwrap();
    let zlib = zlib.finish().unwrap();
    let zstd = zstd::encode_all(html, 1).unwrap();
    let (te, gz, de) = (
        "Transfer-Encoding: chunked",
        "Content-Encoding: gzip",
        "Content-Encoding: deflate",
    );
    let cut = &gzip(&long)[..60];
    let broken = [&b"3\r\nabc\r\n"[..], b"oops\r\n"].concat();
    for (stored, expected) in [
        (
            encoded(&[te], &chunked(&[b"<ht", b"ml>"])),
            vec!["e <html>"],
        ),
        (encoded(&[te], html), vec!["e <html>"]),
        (encoded(&[te], b"3\r\nabc"), vec!["e abc"]),
        (
            encoded(&[te], b"9\r\nabc"),
            vec!["e+ abc", "!bad-transfer-encoding e"],
        ),
        (
            encoded(&[te], &broken),
            vec!["e abcoops\r\n", "!bad-transfer-encoding e"],
        ),
        (
            encoded(&[te, gz], &chunked(&[&gzip(html)])),
            vec!["e <html>"],
        ),
        (encoded(&[gz], html), vec!["e <html>"]),
        (
            encoded(&["content-encoding:  X-GZIP"], &gzip(html)),
            vec!["e <html>"],
        ),
        (
            encoded(&["Content-Encoding: gzip, gzip"], &gzip(&gzip(html))),
            vec!["e <html>"],
        ),
        (
            encoded(
                &[gz],
                &[gzip(b"<ht"), gzip(b"ml>"), b"junk".to_vec()].concat(),
            ),
            vec!["e <html>"],
        ),
        (encoded(&[], &gzip(html)), vec!["e <html>"]),
        (encoded(&["Content-Length: 3"], html), vec!["e <html>"]),
        (
            encoded(&[gz], b"\x1f\x8b no gzip"),
            vec!["!bad-content-encoding e"],
        ),
        (encoded(&[de], &zlib), vec!["e <html>"]),
        (encoded(&[de], &deflate), vec!["e <html>"]),
        (encoded(&[de], html), vec!["e <html>"]),
        (encoded(&[de], b"text"), vec!["e text"]),
        (
            encoded(&["Content-Encoding: br"], &brotli(html)),
            vec!["e <html>"],
        ),
        (encoded(&["Content-Encoding: br"], html), vec!["e <html>"]),
        (encoded(&["Content-Encoding: br"], b"text"), vec!["e text"]),
        (
            encoded(&["Content-Encoding: zstd"], &zstd),
            vec!["e <html>"],
        ),
        (
            encoded(&["Content-Encoding: utf-8"], html),
            vec!["e <html>"],
        ),
    ] {
        check(stored, &expected);
    }
    let got = summary(read_with(
        "x.warc",
        encoded(&[gz], cut),
        &Options::default(),
    ));
    assert!(got[0].starts_with("e+ <html><html>"), "{got:?}");
    assert_eq!(got[1..], ["!bad-content-encoding e"]);
}

#[test]
fn limits() {
    let options = |max| {
        Options::default()
            .with_format(Format::Warc)
            .with_max_record_bytes(max)
    };
    let big = page("big", &"x".repeat(300_000));
    let picture = response_off(
        "pic",
        &[
            b"HTTP/1.1 200 OK\r\nContent-Type: image/gif\r\n\r\n".to_vec(),
            vec![b'x'; 300_000],
        ]
        .concat(),
        0,
    );
    let stored = [big, picture, page("b", "B")].concat();
    let expected = ["!too-large big", "!not-html pic", "b B"];
    check_with(stored.clone(), &options(1000), &expected);
    check_with(gzip(&stored), &options(1000), &expected);
    // A payload that inflates beyond the limit.
    let bomb = encoded(&["Content-Encoding: gzip"], &gzip(&vec![b'x'; 100_000]));
    check_with(
        [bomb, page("b", "B")].concat(),
        &options(50_000),
        &["!too-large e", "b B"],
    );
    // A gzip member of 256 MiB in a record that claims to be 10 GB long: what follows the member is found.
    let mut member = GzEncoder::new(Vec::new(), Compression::fast());
    member
        .write_all(&response_off(
            "bomb",
            b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n",
            10_000_000_000,
        ))
        .unwrap();
    std::io::copy(&mut std::io::repeat(b'x').take(256 << 20), &mut member).unwrap();
    let stored = [member.finish().unwrap(), gzip(&page("b", "B"))].concat();
    check_with(stored, &options(1 << 20), &["!too-large bomb", "b B"]);
}

#[test]
fn compressions() {
    let pages = [page("a", "A"), page("b", "B"), page("c", "C")];
    let plain = pages.concat();
    let expected = ["a A", "b B", "c C"];
    check(plain.clone(), &expected);
    check(gzip(&plain), &expected);
    check(
        pages
            .iter()
            .map(|page| gzip(page))
            .collect::<Vec<_>>()
            .concat(),
        &expected,
    );
    // Members that begin anywhere, as parallel compressors make them.
    check(
        plain.chunks(50).map(gzip).collect::<Vec<_>>().concat(),
        &expected,
    );
    let zstd = |bytes: &[u8]| zstd::encode_all(bytes, 3).unwrap();
    check(zstd(&plain), &expected);
    let skippable = [&[0x51, 0x2a, 0x4d, 0x18, 3, 0, 0, 0][..], b"abc"].concat();
    let frames = pages
        .iter()
        .flat_map(|page| [skippable.clone(), zstd(page)])
        .collect::<Vec<_>>()
        .concat();
    check(frames, &expected);
}

/// "Zstandard Compression for WARC Files 1.0": the dictionary is a skippable frame of magic 0x184D2A5D.
#[test]
fn zstd_dictionary() {
    let dictionary = page("a", "some text to be found in the pages").repeat(20);
    let mut file = Vec::new();
    let mut frame = |content: &[u8]| {
        file = [
            &[0x5d, 0x2a, 0x4d, 0x18][..],
            &(content.len() as u32).to_le_bytes(),
            content,
        ]
        .concat();
        for id in ["a", "b"] {
            let mut compressor = zstd::bulk::Compressor::with_dictionary(3, &dictionary).unwrap();
            file.extend(compressor.compress(&page(id, id)).unwrap());
        }
        check(file.clone(), &["a a", "b b"]);
    };
    frame(&dictionary);
    frame(&zstd::encode_all(&dictionary[..], 3).unwrap());
    let cut = file[..20].to_vec();
    let error = Reader::from_read("x", Box::new(Cursor::new(cut)), &Options::default())
        .err()
        .unwrap();
    assert!(matches!(error, Error::Dictionary { .. }), "{error}");
}

#[test]
fn offsets() {
    let pages = [page("a", "A"), page("b", "B")];
    let offsets = |stored: Vec<u8>| -> Vec<u64> {
        let items = read_with("x.warc", stored, &Options::default());
        items
            .into_iter()
            .map(|item| {
                if let Item::Document(page) = item {
                    page.offset
                } else {
                    panic!()
                }
            })
            .collect()
    };
    assert_eq!(offsets(pages.concat()), [0, pages[0].len() as u64]);
    assert_eq!(offsets(gzip(&pages.concat())), [0, pages[0].len() as u64]);
    let members = [gzip(&pages[0]), gzip(&pages[1])];
    assert_eq!(offsets(members.concat()), [0, members[0].len() as u64]);
}

const GOV2: &str = "<DOC>
<DOCNO>GX000-00-0000000</DOCNO>
<DOCHDR>
http://a.gov/x
HTTP/1.1 200 OK
Date: Tue, 09 Dec 2003 21:21:33 GMT

Content-Type: text/html; charset=iso-8859-1
</DOCHDR>
<html>one </DOC> two
</DOC> three
<DOC>
</html>
</DOC>
";
const WT10G: &str = "<DOC>
<DOCNO>WTX001-B01-1</DOCNO>
<DOCOLDNO>IA001-000000-B001-1</DOCOLDNO>
<DOCHDR>
http://a:80/b.html 205.156.212.5 19970114142725 text/html 1247
HTTP/1.0 200 OK
Content-type: text/plain
</DOCHDR>
W
  </DOC>\t
";
const BLOGS06: &str = "<DOC>
<DOCNO>BLOG06-20051206-000-0000000001</DOCNO>
<DATE_XML>2005-12-06T09:00:00+0000</DATE_XML>
<FEEDNO>BLOG06-feed-000001</FEEDNO>
<FEEDURL>http://b/feed#</FEEDURL>
<BLOGHPNO>BLOG06-bloghp-000001</BLOGHPNO>
<BLOGHPURL>http://b/</BLOGHPURL>
<PERMALINK>http://b/post#</PERMALINK>
<DOCHDR>
http://b/other 0.0.0.0 20051220123456 6789
</DOCHDR>
<p>B
</DOC>
";

#[test]
fn trec_web() {
    let stored = format!("{GOV2}{WT10G}{BLOGS06}");
    let expected = [
        "GX000-00-0000000 <html>one </DOC> two\n</DOC> three\n<DOC>\n</html>\n",
        "WTX001-B01-1 W\n",
        "BLOG06-20051206-000-0000000001 <p>B\n",
    ];
    check_with(stored.clone(), &Options::default(), &expected);
    check_with(gzip(stored.as_bytes()), &Options::default(), &expected);
    check_with(
        stored.replace('\n', "\r\n"),
        &Options::default(),
        &expected
            .map(|page| page.replace('\n', "\r\n"))
            .each_ref()
            .map(String::as_str),
    );
    let got = read_with("x", stored, &Options::default());
    let fields = |item: &Item| {
        let Item::Document(page) = item else {
            panic!("{item:?}")
        };
        (
            page.url.clone(),
            page.date.clone(),
            page.media_type.clone().unwrap_or_default(),
        )
    };
    let own =
        |url: &str, date: &str, media: &str| (url.to_owned(), date.to_owned(), media.to_owned());
    assert_eq!(
        fields(&got[0]),
        own(
            "http://a.gov/x",
            "Tue, 09 Dec 2003 21:21:33 GMT",
            "text/html"
        )
    );
    assert_eq!(
        fields(&got[1]),
        own("http://a:80/b.html", "19970114142725", "text/plain")
    );
    assert_eq!(
        fields(&got[2]),
        own("http://b/post#", "2005-12-06T09:00:00+0000", "")
    );
}

#[test]
fn trec_web_damage() {
    let doc = |id: &str, text: &str| {
        format!("<DOC>\n<DOCNO> {id} </DOCNO>\n<DOCHDR>\nhttp://x/\n</DOCHDR>\n{text}\n</DOC>\n")
    };
    let options = Options::default()
        .with_format(Format::TrecWeb)
        .with_max_record_bytes(100_000);
    let check = |stored: String, expected: &[&str]| check_with(stored, &options, expected);
    let unclosed = doc("a", "A").replace("</DOC>\n", "");
    check(
        unclosed + &doc("b", "B"),
        &["a A\n", "!header-damaged a", "b B\n"],
    );
    check(
        doc("a", "A") + "rubbish\n" + &doc("b", "B"),
        &["a A\n", "!gap", "b B\n"],
    );
    check(
        doc("a", "A") + "\0\0\0\n" + &doc("b", "B"),
        &["a A\n", "!padding", "b B\n"],
    );
    check(
        doc("a", "A").replace("</DOC>\n", ""),
        &["a+ A\n", "!truncated a"],
    );
    check(
        "<DOC>\n<DOCNO>a</DOCNO>\n<DOCHDR>\nhttp".to_owned(),
        &["!truncated a"],
    );
    check(doc("", "A"), &["!no-docid"]);
    check(
        doc("a", "A").replace("http://x/", "http://x/\nHTTP/1.0 404"),
        &["!status-404 a"],
    );
    check(
        doc("a", &"x".repeat(900_000)) + &doc("b", "B"),
        &["!too-large a", "b B\n"],
    );
    check(
        doc("a", &"x".repeat(150_000)) + &doc("b", "B"),
        &["!too-large a", "b B\n"],
    );
    check(
        doc("a", "<p>A").replace("</DOCHDR>\n", ""),
        &["a <p>A\n", "!header-damaged a"],
    );
    check(doc("a", "A").trim_end().to_owned(), &["a A\n"]);
    check(
        "<DOC>\n<DOCNO>a</DOCNO>\nbare text\n</DOC>\n".to_owned(),
        &["a \nbare text\n"],
    );
}

struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("trommel-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, bytes).unwrap();
        path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).ok();
    }
}

fn read_all(paths: &[&Path], options: &Options) -> Vec<String> {
    let paths: Vec<PathBuf> = paths.iter().map(|path| path.to_path_buf()).collect();
    let readers = inputs(&paths).unwrap();
    summary(
        readers
            .iter()
            .flat_map(|input| open(input, options).unwrap()),
    )
}

#[test]
fn directories() {
    let dir = Scratch::new("directories");
    dir.write("b.html", "<p>b");
    dir.write("a/z.HTM", "<p>z");
    dir.write("a/empty.html", "");
    dir.write("a/c.warc.gz", gzip(&page("c", "C")));
    dir.write("20051206/permalinks-000.gz", gzip(BLOGS06.as_bytes()));
    dir.write("20051206/feeds-000.gz", gzip(BLOGS06.as_bytes()));
    dir.write("20051206/homepages-000.gz", gzip(BLOGS06.as_bytes()));
    dir.write("notes.txt", "not a page");
    dir.write("x.zip", b"PK\x03\x04....");
    #[cfg(unix)]
    std::os::unix::fs::symlink(&dir.0, dir.0.join("a/loop")).unwrap();
    let expected = [
        "!other-file",
        "!other-file",
        "BLOG06-20051206-000-0000000001 <p>B\n",
        "c C",
        "a/empty ",
        "a/z <p>z",
        "b <p>b",
        "!other-file",
        "!unsupported-file",
    ];
    assert_eq!(read_all(&[&dir.0], &Options::default()), expected);
    let html = Options::default().with_format(Format::Html);
    let got = read_all(&[&dir.0], &html);
    assert!(
        got.contains(&"notes.txt not a page".to_owned()),
        "every file is a page if the user says so: {got:?}"
    );
    // A file named by the user is an error where one in a directory is a ledger line.
    let one = |name: &str| {
        open(
            &inputs(&[dir.0.join(name)]).unwrap()[0],
            &Options::default(),
        )
    };
    assert!(matches!(
        one("notes.txt").err(),
        Some(Error::Unrecognised { .. })
    ));
    assert!(matches!(
        one("x.zip").err(),
        Some(Error::Unsupported { .. })
    ));
    assert_eq!(summary(one("20051206/feeds-000.gz").unwrap()).len(), 1);
    assert!(matches!(
        inputs(&[dir.0.join("missing")]),
        Err(Error::Missing { .. })
    ));
}

#[test]
fn one_record_of_a_file() {
    let dir = Scratch::new("one-record");
    let bytes = [
        page("a#1", "A"),
        page("b", "B"),
        no_page("request", &[], b""),
    ]
    .concat();
    let path = dir.write("x.warc", &bytes);
    let spec = |docid: &str| PathBuf::from(format!("{}#{docid}", path.display()));
    let options = Options::default();
    assert_eq!(read_all(&[&spec("b")], &options), ["b B"]);
    assert_eq!(read_all(&[&spec("a#1")], &options), ["a#1 A"]);
    assert_eq!(read_all(&[&spec("none")], &options), ["!not-found none"]);
    let input = &inputs(std::slice::from_ref(&path)).unwrap()[0];
    assert_eq!(input.size, Some(bytes.len() as u64));
    assert_eq!(find(input, "b", &options).unwrap().bytes, b"B");
    let error = find(input, "r", &options).unwrap_err();
    assert!(
        error
            .to_string()
            .ends_with("no document r (skipped: request)"),
        "{error}"
    );
    // A file whose name holds # wins.
    dir.write("x.warc#b", page("c", "C"));
    assert_eq!(read_all(&[&spec("b")], &options), ["c C"]);
}

#[test]
fn refusals() {
    for (head, what) in [
        (&[0x04, 0x22, 0x4d, 0x18, 0, 0, 0, 0][..], "LZ4"),
        (b"BZh91AY&SY", "bzip2"),
    ] {
        let error = Reader::from_read("x", Box::new(Cursor::new(head)), &Options::default())
            .err()
            .unwrap();
        assert!(error.to_string().contains(what), "{error}");
    }
    for name in "auto warc arc wet wacz trecweb html jsonl".split(' ') {
        assert_eq!(name.parse::<Format>().unwrap().to_string(), name);
    }
    assert!(matches!("pdf".parse::<Format>(), Err(Error::Value { .. })));
    assert_eq!("trecweb".parse::<Format>().unwrap(), Format::TrecWeb);
    check_with("", &Options::default(), &["!truncated"]);
}

#[test]
fn progress_ends_at_the_size_of_the_file() {
    for stored in [page("a", "A"), gzip(&page("a", "A"))] {
        let size = stored.len() as u64;
        let mut reader =
            Reader::from_read("x", Box::new(Cursor::new(stored)), &Options::default()).unwrap();
        assert_eq!(reader.by_ref().count(), 1);
        assert_eq!(reader.bytes_read(), size);
    }
}

#[test]
fn readers_can_be_sent() {
    fn is_send<T: Send>() {}
    is_send::<Reader>();
}

/// What we write is read by ourselves and, independently, by the `warc` crate.
#[test]
fn written_files() {
    let pages = [("a", "http://a/", "<p>A"), ("b", "http://b/", "")];
    let write = || {
        let mut bytes = Vec::new();
        let pages = pages.map(|(docid, url, html)| WarcPage {
            docid,
            url,
            date: "",
            html: html.as_bytes(),
        });
        write_warc(&mut bytes, pages).unwrap();
        bytes
    };
    let bytes = write();
    assert_eq!(bytes, write());
    let info = "!warcinfo ";
    let got = summary(read_with("x", bytes.clone(), &Options::default()));
    assert!(got[0].starts_with(info), "{got:?}");
    assert_eq!(got[1..], ["a <p>A", "b "]);

    let mut plain = Vec::new();
    flate2::bufread::MultiGzDecoder::new(&bytes[..])
        .read_to_end(&mut plain)
        .unwrap();
    let records: Vec<_> = warc::WarcReader::new(&plain[..])
        .iter_records()
        .map(Result::unwrap)
        .collect();
    assert_eq!(records.len(), 3);
    assert_eq!(
        records[1].header(warc::WarcHeader::TargetURI).as_deref(),
        Some("http://a/")
    );
    assert!(records[1].body().ends_with(b"\r\n\r\n<p>A"));
    assert_ne!(records[1].warc_id(), records[2].warc_id());

    let bad = WarcPage {
        docid: "a\r\nb",
        url: "",
        date: "",
        html: b"",
    };
    assert!(write_warc(Vec::new(), [bad]).is_err());
}
