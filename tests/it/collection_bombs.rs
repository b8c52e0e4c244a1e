//! Files that are made to exhaust memory or time: each is read in a process of its own, whose largest resident set is looked at
//! (Linux), with a limit of records far below their size.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::io::{Cursor, Read, Write};
use std::process::Command;
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder};
use trommel::collection::{Options, Reader};

use super::collection::{gzip, page, response_off, summary};
use super::collection_formats::{arc, arc_off};

const MB: u64 = 1 << 20;
/// Size of what a bomb gives.
const SIZE: u64 = 200 * MB;
/// Limit of records and payloads.
const LIMIT: u64 = MB;
/// Memory that a process may use: the test binary alone takes some 10 MB, the reader's buffers a few more.
const MEMORY: u64 = 48 * MB;
/// Far more than a busy machine takes in a build without optimisation.
const TIME: Duration = Duration::from_secs(60);

/// The bomb's bytes, and the items that come out as [`summary`] shows them.
struct Bomb {
    stored: Box<dyn Read + Send>,
    limit: u64,
    memory: u64,
    expected: Vec<String>,
}

fn bomb(stored: impl Read + Send + 'static, expected: &[&str]) -> Bomb {
    Bomb {
        stored: Box::new(stored),
        limit: LIMIT,
        memory: MEMORY,
        expected: expected.iter().map(|line| (*line).to_owned()).collect(),
    }
}

fn bytes(bytes: Vec<u8>, expected: &[&str]) -> Bomb {
    bomb(Cursor::new(bytes), expected)
}

/// `head`, then `unit` repeated up to [`SIZE`] bytes, then `tail`, as a gzip member.
fn member(head: &[u8], unit: &[u8], tail: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    fill(&mut encoder, head, unit, tail);
    encoder.finish().unwrap()
}

fn fill(encoder: &mut impl Write, head: &[u8], unit: &[u8], tail: &[u8]) {
    let units = unit.repeat((MB as usize).div_ceil(unit.len()));
    encoder.write_all(head).unwrap();
    let mut written = 0;
    while written < SIZE {
        encoder.write_all(&units).unwrap();
        written += units.len() as u64;
    }
    encoder.write_all(tail).unwrap();
}

/// A payload under a label, and a page behind it.
fn payload(headers: &str, body: &[u8]) -> Vec<u8> {
    let head = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{headers}\r\n\r\n");
    [
        response_off("a", &[head.as_bytes(), body].concat(), 0),
        page("b", "B"),
    ]
    .concat()
}

const HEAD: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
const SKIPPED: &[&str] = &["!too-large a", "b B"];

/// A record's header and the beginning of its block, which claims to be as long as all that follows.
fn long_record() -> Vec<u8> {
    let mut record = response_off("a", HEAD.as_bytes(), (SIZE + MB) as i64);
    record.truncate(record.len() - 4);
    record
}

fn chunked(body: &[u8]) -> Vec<u8> {
    let chunk = |part: &[u8]| [format!("{:x}\r\n", part.len()).as_bytes(), part, b"\r\n"].concat();
    let mut chunks: Vec<u8> = body.chunks(1000).flat_map(chunk).collect();
    chunks.extend_from_slice(b"0\r\n\r\n");
    chunks
}

/// A brotli stream (RFC 7932) of meta-blocks of 2^24 bytes each: one literal, copied from a distance of 1. All prefix codes
/// have one symbol, which takes no bits.
fn brotli_bomb() -> Vec<u8> {
    let mut bits = Bits::default();
    bits.push(0, 1); // WBITS: a window of 16 bits
    for _ in 0..SIZE >> 24 {
        bits.push(0, 1); // ISLAST
        bits.push(2, 2); // MNIBBLES: 6
        bits.push((1 << 24) - 1, 24); // MLEN - 1
        bits.push(0, 1); // ISUNCOMPRESSED
        bits.push(0, 3); // one block type each for literals, commands, distances
        bits.push(0, 6); // NPOSTFIX, NDIRECT
        bits.push(0, 2); // context mode
        bits.push(0, 2); // one prefix tree each for literals and distances
        // Simple prefix codes (§3.4): 1, NSYM - 1, the symbol in as many bits as its alphabet needs. Command 399 inserts one
        // literal and copies 2,118 bytes and as many more as 24 bits say (§5); distance 16 is 1 and one bit (§4).
        for (symbol, width) in [(u64::from(b'x'), 8), (399, 10), (16, 6)] {
            bits.push(1, 2);
            bits.push(0, 2);
            bits.push(symbol, width);
        }
        bits.push((1 << 24) - 1 - 2118, 24);
        bits.push(0, 1);
    }
    bits.push(3, 2); // ISLAST, ISLASTEMPTY
    bits.bytes
}

/// Bits packed from the least significant on.
#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    used: usize,
}

impl Bits {
    fn push(&mut self, value: u64, width: usize) {
        for bit in 0..width {
            if self.used.is_multiple_of(8) {
                self.bytes.push(0);
            }
            *self.bytes.last_mut().unwrap() |= ((value >> bit & 1) as u8) << (self.used % 8);
            self.used += 1;
        }
    }
}

fn zstd_bomb(window_log: u32, head: &[u8]) -> Vec<u8> {
    let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap();
    encoder.window_log(window_log).unwrap();
    fill(&mut encoder, head, b"x", b"");
    encoder.finish().unwrap()
}

/// Records that claim a long block each and do not begin a line: to find where each ends took a search of all that follows.
fn swallowed() -> Vec<u8> {
    let one = format!(
        "x{}",
        String::from_utf8(response_off("r", HEAD.as_bytes(), 900_000))
            .unwrap()
            .trim_end()
    );
    let records = one.repeat(3_000_000 / one.len());
    [page("b", "B"), records.into_bytes()].concat()
}

/// A member that begins inside a member, and so on: each is a stored block that holds the next, and none ends well.
fn nested_members() -> Vec<u8> {
    let mut bytes = Vec::new();
    let text = b"WARC/1.0\r\nA: b\r\n";
    for _ in 0..30_000 {
        bytes.extend_from_slice(&[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255, 0]);
        // The block reaches over the next member's header, so that its first block is the next of this member.
        let length = (text.len() + 10) as u16;
        bytes.extend_from_slice(&length.to_le_bytes());
        bytes.extend_from_slice(&(!length).to_le_bytes());
        bytes.extend_from_slice(text);
    }
    bytes
}

type Named = (&'static str, fn() -> Bomb);

const BOMBS: &[Named] = &[
    ("plain record", || {
        let stored = Cursor::new(long_record()).chain(std::io::repeat(b'x').take(SIZE + MB));
        bomb(stored.chain(Cursor::new(page("b", "B"))), SKIPPED)
    }),
    ("compressed record", || {
        bytes(
            [member(&long_record(), b"x", b""), gzip(&page("b", "B"))].concat(),
            SKIPPED,
        )
    }),
    ("record without length", || {
        let head = format!("WARC/1.0\r\nWARC-Type: response\r\nWARC-TREC-ID: a\r\n\r\n{HEAD}");
        let tail = [&b"\r\n\r\n"[..], &page("b", "B")].concat();
        bytes(member(head.as_bytes(), b"x", &tail), SKIPPED)
    }),
    ("zstd record", || {
        let frame = zstd_bomb(24, &long_record());
        let next = zstd::encode_all(&page("b", "B")[..], 1).unwrap();
        bytes([frame, next].concat(), SKIPPED)
    }),
    ("gzip payload", || {
        bytes(
            payload("Content-Encoding: gzip", &member(b"<p>", b"x", b"")),
            SKIPPED,
        )
    }),
    ("chunked gzip payload", || {
        let body = chunked(&member(b"<p>", b"x", b""));
        bytes(
            payload(
                "Transfer-Encoding: chunked\r\nContent-Encoding: gzip",
                &body,
            ),
            SKIPPED,
        )
    }),
    ("gzip in gzip in gzip payload", || {
        let body = gzip(&gzip(&member(b"<p>", b"x", b"")));
        bytes(
            payload("Content-Encoding: gzip, gzip, gzip", &body),
            SKIPPED,
        )
    }),
    ("gzip payload of many members", || {
        let body = gzip(&[b'x'; 100_000]).repeat(3000);
        bytes(payload("Content-Encoding: gzip", &body), SKIPPED)
    }),
    ("deflate payload", || {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
        fill(&mut encoder, b"", b"x", b"");
        bytes(
            payload("Content-Encoding: deflate", &encoder.finish().unwrap()),
            SKIPPED,
        )
    }),
    ("brotli payload", || {
        bytes(payload("Content-Encoding: br", &brotli_bomb()), SKIPPED)
    }),
    ("zstd payload", || {
        bytes(
            payload("Content-Encoding: zstd", &zstd_bomb(20, b"<p>")),
            SKIPPED,
        )
    }),
    ("zstd payload with a huge window", || {
        // The window's descriptor (RFC 8878 §3.1.1.1.2): making one takes that memory, too.
        let mut body = zstd_bomb(20, b"<p>");
        assert_eq!(body[5], (20 - 10) << 3);
        body[5] = (27 - 10) << 3;
        let expected = ["!bad-content-encoding a", "b B"];
        bytes(payload("Content-Encoding: zstd", &body), &expected)
    }),
    ("record header without end", || {
        let head = b"WARC/1.0\r\nWARC-Type: response\r\nX: ";
        let stored = [member(head, b"x", b""), gzip(&page("b", "B"))].concat();
        bytes(stored, &["!header-damaged", "b B"])
    }),
    ("record header of many lines", || {
        let head = b"WARC/1.0\r\nWARC-Type: response\r\n";
        let stored = [member(head, b"X: y\r\n", b""), gzip(&page("b", "B"))].concat();
        bytes(stored, &["!header-damaged", "b B"])
    }),
    // Each line of a header that long took the memory of two strings.
    ("http header of many lines", || {
        let lines = "X: y\r\n".repeat(5_000_000);
        let head = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{lines}");
        let stored = [
            gzip(&response_off("a", head.as_bytes(), 0)),
            gzip(&page("b", "B")),
        ]
        .concat();
        Bomb {
            limit: 64 * MB,
            memory: 200 * MB,
            ..bytes(stored, &["!header-damaged a", "b B"])
        }
    }),
    ("trec document", || {
        let head = b"<DOC>\n<DOCNO>a</DOCNO>\n<DOCHDR>\nhttp://x/\n</DOCHDR>\n";
        let next = "<DOC>\n<DOCNO>b</DOCNO>\n<DOCHDR>\nhttp://x/\n</DOCHDR>\nB</DOC>\n</DOC>\n";
        let tail = format!("\n</DOC>\n{next}");
        bytes(
            member(head, b" </DOC> <DOC>\n", tail.as_bytes()),
            &["!too-large a", "b B</DOC>\n"],
        )
    }),
    ("trec document header without end", || {
        let head = b"<DOC>\n<DOCNO>a</DOCNO>\n<DOCHDR>\nhttp://x/\n";
        bytes(member(head, b"X: y\n", b""), &["!too-large a"])
    }),
    ("jsonl line", || {
        let stored = member(
            b"{\"id\":\"a\",\"text\":\"",
            b"x",
            b"\"}\n{\"id\":\"b\",\"text\":\"B\"}\n",
        );
        bytes(stored, &["!too-large", "b B"])
    }),
    ("jsonl line of brackets", || {
        let line = format!("{{\"id\":\"a\",\"text\":{}\n", "[".repeat(900_000));
        let stored = format!("{line}{{\"id\":\"b\",\"text\":\"B\"}}\n");
        bytes(stored.into_bytes(), &["!bad-line", "b B"])
    }),
    ("arc length", || {
        let stored = [
            arc_off("a", b"HTTP/1.0 200 OK\n\n<html>", 10_000_000_000),
            arc("b", "B"),
        ]
        .concat();
        bytes(
            stored,
            &[
                "!too-large 20040101000000/http://a/",
                "20040101000000/http://b/ B",
            ],
        )
    }),
    ("arc record", || {
        let mut head = arc_off("a", b"HTTP/1.0 200 OK\n\n", (SIZE + 2 * MB) as i64);
        head.pop();
        let stored = [member(&head, b"http://x/ y:z\n", b""), gzip(&arc("b", "B"))].concat();
        bytes(
            stored,
            &[
                "!too-large 20040101000000/http://a/",
                "20040101000000/http://b/ B",
            ],
        )
    }),
    ("html file", || {
        bytes(member(b"<html>", b"x", b""), &["!too-large x"])
    }),
    ("zeros", || {
        let stored = [
            gzip(&page("a", "A")),
            member(b"", b"\0", b""),
            gzip(&page("b", "B")),
        ]
        .concat();
        bytes(stored, &["a A", "!padding", "b B"])
    }),
    ("version lines", || {
        let stored = [
            gzip(&page("a", "A")),
            member(b"", b"WARC/1.0\n", b""),
            gzip(&page("b", "B")),
        ];
        bytes(stored.concat(), &["a A", "!header-damaged", "b B"])
    }),
    ("swallowed records", || bytes(swallowed(), &[])),
    ("nested members", || bytes(nested_members(), &[])),
    ("magics", || {
        let stored = [
            gzip(&page("a", "A")),
            [0x1f, 0x8b, 8].repeat(100_000),
            gzip(&page("b", "B")),
        ];
        bytes(stored.concat(), &["a A", "!corrupt-member", "b B"])
    }),
];

#[test]
fn bombs_are_skipped_in_bounded_memory() {
    for (name, _) in BOMBS {
        let child = Command::new(std::env::current_exe().unwrap())
            .args([
                "--exact",
                "collection_bombs::child",
                "--ignored",
                "--nocapture",
            ])
            .env("TROMMEL_BOMB", name)
            .output()
            .unwrap();
        assert!(
            child.status.success(),
            "{name}: {}{}",
            String::from_utf8_lossy(&child.stdout),
            String::from_utf8_lossy(&child.stderr)
        );
        let out = String::from_utf8_lossy(&child.stdout);
        print!(
            "{}",
            out.lines()
                .filter(|line| line.starts_with(name))
                .collect::<String>()
                + "\n"
        );
    }
}

/// Reads one bomb.
#[test]
#[ignore = "run by bombs_are_skipped_in_bounded_memory"]
fn child() {
    let Ok(wanted) = std::env::var("TROMMEL_BOMB") else {
        return;
    };
    let (_, make) = BOMBS.iter().find(|(name, _)| *name == wanted).unwrap();
    let Bomb {
        stored,
        limit,
        memory,
        expected,
    } = make();
    let options = Options::default().with_max_record_bytes(limit);
    let begin = Instant::now();
    let name = if wanted == "html file" { "x.html" } else { "x" };
    let reader = Reader::from_read(name, stored, &options).unwrap();
    // Where nothing is expected there are too many ledger lines to be kept.
    let got = match expected.is_empty() {
        true => vec![reader.count().to_string()],
        false => summary(reader),
    };
    let time = begin.elapsed();
    if !expected.is_empty() {
        assert!(got == expected, "{:.1000?}", got);
    }
    println!(
        "\n{wanted}: {time:.1?}, peak {:?} MB",
        peak().map(|peak| peak / MB)
    );
    assert!(time < TIME, "{time:?}");
    assert!(peak().is_none_or(|peak| peak < memory), "{:?}", peak());
}

/// The process's largest resident set in bytes, where the system tells.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kilobytes * 1024)
}
