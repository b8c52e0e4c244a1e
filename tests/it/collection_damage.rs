//! Damaged files: what is lost, what is kept, and that nothing depends on how the bytes arrive.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::io::{self, Read, Write};

use flate2::Compression;
use flate2::write::GzEncoder;

use trommel::collection::{Format, Item, Options, Reader};
use trommel::text::SplitMix64;

use super::collection::{
    check, check_with, gzip, page, read_with, record_eol, response_off, summary,
};

const HEAD: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";

fn off(id: &str, html: &str, off: i64) -> Vec<u8> {
    response_off(id, format!("{HEAD}{html}").as_bytes(), off)
}

fn lf(id: &str, html: &str, off: i64) -> Vec<u8> {
    let http = format!("HTTP/1.1 200 OK\nContent-Type: text/html\n\n{html}");
    let length = format!("Content-Length: {}", http.len() as i64 + off);
    let id = format!("WARC-TREC-ID: {id}");
    record_eol(
        "\n",
        &["WARC/0.18", "WARC-Type: response", &id, &length],
        http.as_bytes(),
    )
}

#[test]
fn line_ends() {
    check([lf("a", "A", 0), lf("b", "B", 0)].concat(), &["a A", "b B"]);
    check(
        [page("a", "A"), lf("b", "B", 0), page("c", "C")].concat(),
        &["a A", "b B", "c C"],
    );
    // Header lines end in LF, records in CR LF twice, as in many ClueWeb09 files.
    let mixed = [lf("a", "A\n", 0), b"\r\n".to_vec(), lf("b", "B", 0)].concat();
    check(mixed, &["a A\n", "b B"]);
}

#[test]
fn clueweb09_blank_line_inside_the_header() {
    let http = format!("{HEAD}A");
    let length = format!("Content-Length: {}", http.len());
    let lines = [
        "WARC/0.18",
        "WARC-Type: response",
        "WARC-TREC-ID: a",
        "",
        &length,
    ];
    check(
        [record_eol("\n", &lines, http.as_bytes()), lf("b", "B", 0)].concat(),
        &["a A", "b B"],
    );
}

#[test]
fn clueweb22_warcinfo_without_length() {
    let info = record_eol(
        "\r\n",
        &[
            "WARC/1.0",
            "WARC-Type: warcinfo",
            "WARC-Record-ID: <urn:uuid:i>",
        ],
        b"software: x",
    );
    check([info, page("a", "A")].concat(), &["!warcinfo i", "a A"]);
    let http = format!("{HEAD}A\r\n\r\nB");
    let page_without = record_eol(
        "\r\n",
        &["WARC/1.0", "WARC-Type: response", "WARC-TREC-ID: a"],
        http.as_bytes(),
    );
    check(
        [page_without, page("b", "B")].concat(),
        &["a A\r\n\r\nB", "!length-mismatch a", "b B"],
    );
}

#[test]
fn content_length_too_long() {
    for make in [off, lf] {
        for over in [1, 3, 4, 5, 20, 60, 200, 1_000, 100_000] {
            let stored = [make("a", "A", over), make("b", "B", 0), make("c", "C", 0)].concat();
            let got = summary(read_with("x.warc", stored, &Options::default()));
            // Up to the line ends that close the record nothing but these can have been taken for the block.
            let expected: &[&str] = &["a A", "!length-mismatch a", "b B", "c C"];
            let blank = (1..=4).contains(&over) && got.len() == 3 && got[0].trim_end() == "a A";
            assert!(
                got == expected || blank && got[1..] == ["b B", "c C"],
                "{over}: {got:?}"
            );
        }
    }
    // The last record of a file, and of a gzip member.
    check(gzip(&off("a", "A", 50)), &["a A", "!length-mismatch a"]);
    // A plain file may as well have been cut off there.
    check(off("a", "A", 50), &["a+ A\r\n\r\n", "!truncated a"]);
    let members = [gzip(&off("a", "A", 50)), gzip(&page("b", "B"))].concat();
    check(members, &["a A", "!length-mismatch a", "b B"]);
    check(off("a", "A", 9_000_000_000), &["!too-large a"]);
    let stored = [off("a", "A", 9_000_000_000), page("b", "B")].concat();
    check(stored, &["!too-large a", "b B"]);
}

/// A writer stopped in the middle of a line, and another went on in the same file.
#[test]
fn a_record_that_begins_inside_a_line() {
    let stored = [off("a", "<p>one", 500), page("b", "B")].concat();
    let at = stored.windows(3).position(|text| text == b"one").unwrap();
    let stored = [&stored[..at + 1], &page("b", "B")].concat();
    check(stored, &["a+ <p>o", "!truncated a", "b B"]);
}

/// A record inside a record is none of the file's, as long as the lengths are right.
#[test]
fn embedded_records_are_payload() {
    let inner = String::from_utf8(page("inner", "I")).unwrap();
    check(
        [page("a", &format!("x\n{inner}")), page("b", "B")].concat(),
        &[&format!("a x\n{inner}"), "b B"],
    );
}

#[test]
fn content_length_too_short() {
    let text = "<p>one\n\ntwo\r\n\r\nthree\nfour";
    for make in [off, lf] {
        for under in 1..text.len() as i64 + 20 {
            let stored = [make("a", text, -under), make("b", "B", 0)].concat();
            let expected = [&format!("a {text}"), "!length-mismatch a", "b B"];
            check(stored, &expected);
            check(make("a", text, -under), &expected[..2]);
        }
    }
}

#[test]
fn gaps() {
    let (a, b) = (page("a", "A"), page("b", "B"));
    for make in [|bytes: &[u8]| bytes.to_vec(), gzip] {
        let check = |between: &[u8], expected: &[&str]| {
            let stored = if make(b"x") == b"x" {
                [&a, between, &b].concat()
            } else {
                gzip(&[&a, between, &b].concat())
            };
            check(stored, expected);
        };
        check(&[0; 5000], &["a A", "!padding", "b B"]);
        check(&[0; 1], &["a A", "!padding", "b B"]);
        check(&[0; 300_000], &["a A", "!padding", "b B"]);
        check(b"rubbish", &["a A", "!gap", "b B"]);
        check(b"rubbish\n", &["a A", "!gap", "b B"]);
        check(
            &[b"rubbish ".repeat(50_000), b"\n".to_vec()].concat(),
            &["a A", "!gap", "b B"],
        );
        check(b"\r\n\r\n\n\n", &["a A", "b B"]);
        check(
            b"WARC/1.0\r\nWARC-Type: resp\n",
            &["a A", "!header-damaged", "b B"],
        );
        // The first line of a record is damaged: the record is lost, and its neighbours are not.
        let damaged = String::from_utf8(page("d", "D"))
            .unwrap()
            .replace("WARC/1.0", "WBRC/1.0");
        check(damaged.as_bytes(), &["a A", "!gap", "b B"]);
    }
    check(
        [b"rubbish\n".to_vec(), a.clone()].concat(),
        &["!gap", "a A"],
    );
    check([a.clone(), b"rubbish".to_vec()].concat(), &["a A", "!gap"]);
    check([a.clone(), vec![0; 3000]].concat(), &["a A", "!padding"]);
    // Between gzip members.
    let (a, b) = (gzip(&a), gzip(&b));
    check(
        [&a[..], &[0; 3000], &b].concat(),
        &["a A", "!padding", "b B"],
    );
    check(
        [&a[..], &b"rubbish"[..], &b].concat(),
        &["a A", "!gap", "b B"],
    );
    check(
        [&a[..], &[0x1f, 0x8b, 0x08, 0x1f, 0x8b, 0x08], &b].concat(),
        &["a A", "!corrupt-member", "b B"],
    );
    check([&a[..], &[0; 3000]].concat(), &["a A", "!padding"]);
    check([&a[..], &[0x1f]].concat(), &["a A", "!truncated"]);
}

/// Every single byte of the middle member is broken in turn: its neighbours are always whole, and it is either lost
/// with a ledger line or was broken where that does not matter.
#[test]
fn corrupt_gzip_member() {
    let text: String = (0..400)
        .map(|n| format!("<p>{}", n * n * 7919 % 10_007))
        .collect();
    let members = [
        gzip(&page("a", "A")),
        gzip(&page("b", &text)),
        gzip(&page("c", "C")),
    ];
    let options = Options::default().with_format(Format::Warc);
    for at in 0..members[1].len() {
        let mut middle = members[1].clone();
        middle[at] ^= 0x55;
        let stored = [&members[0], &middle, &members[2]]
            .map(|part| &part[..])
            .concat();
        let got = summary(read_with("x", stored, &options));
        assert_eq!(
            (got.first().unwrap().as_str(), got.last().unwrap().as_str()),
            ("a A", "c C"),
            "{at}"
        );
        if got.get(1) != Some(&format!("b {text}")) {
            // What is decompressed wrongly may come out as a gap before the corruption is noticed.
            let lost = |line: &String| line.starts_with("!corrupt-member") || line == "!gap";
            assert!(
                got[1..got.len() - 1].iter().all(lost) && got.len() <= 4,
                "{at}: {got:?}"
            );
        } else {
            assert!(at < 10, "a broken byte {at} was not noticed"); // flags, time, and system in the gzip header
        }
    }
    let mut first = members[0].clone();
    first[30] ^= 0xff;
    check(
        [&first[..], &members[1], &members[2]].concat(),
        &["!corrupt-member a", &format!("b {text}"), "c C"],
    );
}

/// A zstd frame whose error comes before any of its bytes is used up was found again for ever.
#[test]
fn corrupt_zstd_frame() {
    let zstd = |bytes: &[u8]| zstd::encode_all(bytes, 1).unwrap();
    let frames = [
        page("a", "A"),
        page("b", "<p>text ".repeat(20).as_str()),
        page("c", "C"),
    ];
    let frames = frames.each_ref().map(|page| zstd(page));
    for at in 0..frames[1].len() {
        for flip in [0x01, 0x55, 0x80, 0xff] {
            let mut middle = frames[1].clone();
            middle[at] ^= flip;
            let stored = [&frames[0], &middle, &frames[2]]
                .map(|part| &part[..])
                .concat();
            let got: Vec<_> =
                Reader::from_read("x", Box::new(io::Cursor::new(stored)), &Options::default())
                    .unwrap()
                    .take(10)
                    .collect();
            let got = summary(got);
            assert_eq!(
                (got[0].as_str(), got[got.len() - 1].as_str()),
                ("a A", "c C"),
                "{at} {got:?}"
            );
            assert!((2..5).contains(&got.len()), "{at}: {got:?}");
        }
    }
}

/// In one stream for a whole file, what was decompressed before the corruption is kept. Stored blocks (RFC 1951 §3.2.4)
/// of at most 65,535 bytes: 70,000 broken bytes hit the head of one, whose two lengths then do not agree.
#[test]
fn corrupt_gzip_stream() {
    let pages: Vec<_> = (0..10)
        .map(|n| page(&n.to_string(), &n.to_string().repeat(30_000)))
        .collect();
    let mut encoder = GzEncoder::new(Vec::new(), Compression::none());
    encoder.write_all(&pages.concat()).unwrap();
    let mut stored = encoder.finish().unwrap();
    stored[100_000..170_000].fill(0xff);
    let got = summary(read_with("x", stored, &Options::default()));
    for (n, got) in got[..3].iter().enumerate() {
        assert_eq!(*got, format!("{n} {}", n.to_string().repeat(30_000)));
    }
    assert!(
        got.last().unwrap().starts_with("!corrupt-member 3"),
        "{}",
        got.last().unwrap()
    );
    assert_eq!(got.len(), 4);
}

/// A file of two records is cut at every position: the first is recovered as soon as it is whole, nothing else is
/// invented, and a loss is always told.
#[test]
fn truncated_everywhere() {
    let pages = [page("a", "<p>first"), page("b", "<p>second")];
    let whole = pages[0].len();
    let plain = pages.concat();
    for cut in 1..plain.len() {
        let got = summary(read_with("x.warc", &plain[..cut], &Options::default()));
        if cut >= whole - 4 {
            assert_eq!(got[0], "a <p>first", "{cut}");
        } else {
            assert_eq!(
                got.last().map(|line| &line[..10]),
                Some("!truncated"),
                "{cut}: {got:?}"
            );
            assert!(
                got.len() == 1 || "a+ <p>first".starts_with(&got[0]),
                "{cut}: {got:?}"
            );
        }
        if cut > whole && cut < plain.len() - 4 {
            assert!(got.last().unwrap().starts_with('!'), "{cut}: {got:?}");
            assert!(
                got.len() == 2 || "b+ <p>second".starts_with(&got[1]),
                "{cut}: {got:?}"
            );
        }
    }
    for stored in [
        [gzip(&pages[0]), gzip(&pages[1])].concat(),
        gzip(&plain),
        zstd::encode_all(&plain[..], 3).unwrap(),
    ] {
        for cut in 4..stored.len() {
            let got = summary(read_with("x.warc", &stored[..cut], &Options::default()));
            if cut == gzip(&pages[0]).len() {
                assert!(
                    got == ["a <p>first"] || got.last().unwrap().starts_with("!truncated"),
                    "{cut}: {got:?}"
                );
            } else {
                assert!(
                    got.last().unwrap().starts_with("!truncated"),
                    "{cut}: {got:?}"
                );
            }
        }
    }
}

/// Hands out a few bytes at a time.
struct Dribble {
    bytes: Vec<u8>,
    at: usize,
    random: SplitMix64,
    most: u64,
}

impl Read for Dribble {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let size = self.random.below(self.most as usize) + 1;
        let size = size.min(buffer.len()).min(self.bytes.len() - self.at);
        buffer[..size].copy_from_slice(&self.bytes[self.at..self.at + size]);
        self.at += size;
        Ok(size)
    }
}

/// What a file gives, after checking that it gives the same in pieces of up to `most` bytes.
pub fn all_at_once_and_dribbled(
    stored: &[u8],
    options: &Options,
    seed: u64,
    most: u64,
) -> Vec<Item> {
    let whole = read_with("x.warc", stored, options);
    let dribble = Dribble {
        bytes: stored.to_vec(),
        at: 0,
        random: SplitMix64::new(seed),
        most,
    };
    let parts: Vec<_> = Reader::from_read("x.warc", Box::new(dribble), options)
        .unwrap()
        .collect();
    assert_eq!(whole, parts, "seed {seed}");
    whole
}

fn damaged_collection() -> Vec<Vec<u8>> {
    vec![
        page("a", "<p>A"),
        off("b", &"text ".repeat(200), 700),
        lf("c", "C", 0),
        off("d", "one\r\n\r\ntwo", -6),
        b"rubbish\n".to_vec(),
        vec![0; 700],
        page("e", &"E".repeat(5000)),
    ]
}

#[test]
fn chunking_changes_nothing() {
    let parts = damaged_collection();
    let mut members: Vec<Vec<u8>> = parts.iter().map(|part| gzip(part)).collect();
    members[2][20] ^= 0xff;
    members.insert(3, b"between".to_vec());
    for stored in [parts.concat(), gzip(&parts.concat()), members.concat()] {
        for max_record_bytes in [100, 1000, 1 << 26] {
            let options = Options::default()
                .with_max_record_bytes(max_record_bytes)
                .with_format(Format::Warc);
            for (seed, most) in [(1, 1), (2, 7), (3, 100), (4, 5000)] {
                all_at_once_and_dribbled(&stored, &options, seed, most);
            }
        }
    }
}

/// Seeded damage of all kinds: no panic, no hang, the same items however the bytes arrive, and pages that lie before
/// the damage come out whole.
#[test]
fn mutations() {
    let parts = damaged_collection();
    let doc = |id: &str| {
        format!("<DOC>\n<DOCNO>{id}</DOCNO>\n<DOCHDR>\nhttp://x/\n</DOCHDR>\n<p>{id}\n</DOC>\n")
    };
    let trec: String = ["a", "b", "c"].map(doc).concat();
    let bases = [
        (Format::Warc, parts.concat()),
        (Format::Warc, gzip(&parts.concat())),
        (
            Format::Warc,
            parts
                .iter()
                .map(|part| gzip(part))
                .collect::<Vec<_>>()
                .concat(),
        ),
        (
            Format::Warc,
            parts
                .iter()
                .flat_map(|part| zstd::encode_all(&part[..], 1).unwrap())
                .collect(),
        ),
        (Format::TrecWeb, trec.clone().into_bytes()),
        (Format::TrecWeb, gzip(trec.as_bytes())),
    ];
    for (format, base) in bases {
        let options = Options::default()
            .with_format(format)
            .with_max_record_bytes(3000);
        for seed in 1..2000 {
            let mut numbers = SplitMix64::new(seed);
            let mut random = |below: usize| numbers.below(below);
            // The first bytes tell the compression: left alone, so that the file is not refused as a whole.
            let mut stored = base.clone();
            for _ in 0..=random(4) {
                let at = 8 + random(stored.len() - 8);
                match random(5) {
                    0 => stored[at] ^= 1 << random(8),
                    1 => stored.truncate(at + 1),
                    2 => drop(stored.drain(at..(at + random(50)).min(stored.len()))),
                    3 => stored
                        .splice(at..at, vec![random(256) as u8; random(50)])
                        .for_each(drop),
                    _ => {
                        let from = random(at);
                        let copy = stored[from..at].to_vec();
                        stored.splice(at..at, copy).for_each(drop);
                    }
                }
                stored.resize(stored.len().max(16), 0);
            }
            all_at_once_and_dribbled(&stored, &options, seed, 200);
        }
    }
}

/// A read error is told, and what came before it is kept.
#[test]
fn read_errors() {
    struct Failing(Vec<u8>);
    impl Read for Failing {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if self.0.is_empty() {
                return Err(io::Error::other("disk on fire"));
            }
            let size = self.0.len().min(buffer.len());
            buffer[..size].copy_from_slice(&self.0[..size]);
            self.0.drain(..size);
            Ok(size)
        }
    }
    let bytes = [page("a", "A"), page("b", "B")].concat();
    let reader = Reader::from_read(
        "x",
        Box::new(Failing(bytes[..bytes.len() - 5].to_vec())),
        &Options::default(),
    );
    assert_eq!(summary(reader.unwrap()), ["a A", "b+ ", "!read-error b"]);
}

#[test]
fn an_oversized_record_does_not_hide_the_next() {
    let options = Options::default()
        .with_format(Format::Warc)
        .with_max_record_bytes(1000);
    let big = "x".repeat(200_000);
    check_with(
        [off("a", &big, 0), page("b", "B")].concat(),
        &options,
        &["!too-large a", "b B"],
    );
    check_with(
        [off("a", &big, -150_000), page("b", "B")].concat(),
        &options,
        &["!too-large a", "!gap", "b B"],
    );
    check_with(
        [off("a", &big, -199_990), page("b", "B")].concat(),
        &options,
        &["!too-large a", "b B"],
    );
    check_with(
        [off("a", &big, 50_000), page("b", "B")].concat(),
        &options,
        &["!too-large a", "b B"],
    );
}

/// Garbage in front of a record hid it from the one before, which took both for the rest of its block.
#[test]
fn a_record_behind_a_long_line_of_garbage_was_swallowed() {
    for length in [10, 3000, 100_000] {
        let garbage = [b"x".repeat(length), page("b", "B")].concat();
        check(
            [page("a", "A"), garbage, page("c", "C")].concat(),
            &["a A", "!gap", "b B", "c C"],
        );
    }
}

/// Of two records inside a block that is cut short the second was found, since only that begins a line.
#[test]
fn a_record_in_the_middle_of_a_line_was_swallowed() {
    let long = off("a", &format!("<p>{}", "x".repeat(5000)), 0);
    let stored = [&long[..long.len() - 4900], &page("b", "B"), &page("c", "C")].concat();
    let got = summary(read_with("x.warc", stored, &Options::default()));
    assert_eq!(got[1..], ["!truncated a", "b B", "c C"], "{got:?}");
}

/// The header of a record was wiped out, and what was left of it went to the page before.
#[test]
fn what_is_left_of_a_wiped_record_was_added_to_the_page_before() {
    let wiped = vec![0; page("b", "B").len() - 4];
    check(
        [&page("a", "A")[..], &wiped, b"\r\n\r\n", &page("c", "C")].concat(),
        &["a A", "!padding", "c C"],
    );
    // The page says how long it is.
    let http = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1\r\n\r\nA";
    let stored = [
        &response_off("a", http.as_bytes(), 0)[..],
        b"rest of a page\r\n\r\n",
        &page("c", "C"),
    ];
    check(stored.concat(), &["a A", "!gap", "c C"]);
}

/// A length that is too long by the length of the next record leads to a boundary.
#[test]
fn a_length_that_leads_to_the_end_of_the_next_record_hid_that() {
    let http = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1\r\n\r\nA";
    let next = page("b", "B");
    let a = response_off("a", http.as_bytes(), next.len() as i64 + 4);
    check(
        [a, next, page("c", "C")].concat(),
        &["a A", "!length-mismatch a", "b B", "c C"],
    );
}

/// A request that goes on after its end said nothing, whatever page was lost there.
#[test]
fn a_page_lost_behind_a_request_was_not_told() {
    let lines = [
        "WARC/1.0",
        "WARC-Type: request",
        "WARC-Record-ID: <urn:uuid:r>",
        "Content-Length: 5",
    ];
    let stored = [
        record_eol("\r\n", &lines, b"GET / and what is left of a page"),
        page("b", "B"),
    ];
    check(stored.concat(), &["!request r", "!gap r", "b B"]);
}

/// Where the middle of two headers was overwritten they became one, and the page of the first was lost untold.
#[test]
fn control_characters_in_a_header_were_not_told() {
    let head =
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-\0\0\x01\r\nWARC-TREC-ID: a\r\nContent-Length: ";
    let http = format!("{HEAD}A");
    let stored = format!("{head}{}\r\n\r\n{http}\r\n\r\n", http.len());
    check(
        [stored.into_bytes(), page("b", "B")].concat(),
        &["a A", "!header-damaged a", "b B"],
    );
}

/// Documents of TREC web files that became one, or hid behind a line that was cut.
#[test]
fn trec_documents_that_ran_together() {
    let doc = |id: &str| {
        format!("<DOC>\n<DOCNO>{id}</DOCNO>\n<DOCHDR>\nhttp://x/\n</DOCHDR>\n{id}\n</DOC>\n")
    };
    let (a, b, c) = (doc("a"), doc("b"), doc("c"));
    let check = |stored: String, expected: &[&str]| {
        let options = Options::default().with_format(Format::TrecWeb);
        check_with(stored, &options, expected);
    };
    let cut = a.trim_end_matches("</DOC>\n");
    check(
        format!(
            "{cut}{}{c}",
            b.trim_start_matches("<DOC>\n<DOCNO>b</DOCNO>\n")
        ),
        &[
            "a a\n<DOCHDR>\nhttp://x/\n</DOCHDR>\nb\n",
            "!header-damaged a",
            "c c\n",
        ],
    );
    check(
        format!("{}{b}", cut.trim_end()),
        &["a a", "!header-damaged a", "b b\n"],
    );
    // Without the end of its DOCNO all of a document was taken for its header.
    let open = "<DOC>\n<DOCNO>a\nHTTP/1.1 200 OK\n</DOCHDR>\na\n</DOC>\n";
    check(
        format!("{open}{c}"),
        &[
            "a \nHTTP/1.1 200 OK\n</DOCHDR>\na\n",
            "!header-damaged a",
            "c c\n",
        ],
    );
    check(
        a.replace("http://x/", "http://\0\u{1}/"),
        &["a a\n", "!header-damaged a"],
    );
}
