//! Thousands of damaged files: whatever is done to a file, the records that the damage did not touch come out as they were.
//!
//! A file of each kind is taken apart into its records by means that are not the reader's: where records begin is known from
//! putting the file together, or from offsets in a file that was decompressed as a whole, and where that lies in the stored file
//! is found by decompressing it member by member. A seeded mutation knows which stored bytes it touched, and so which records
//! have to be recovered. `docs/damage.md` has the table that this prints.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::{BTreeMap, HashMap};
use std::io::{Cursor, Read, Write};
use std::ops::Range;
use std::time::{Duration, Instant};

use flate2::{Decompress, FlushDecompress, Status};
use trommel::collection::{Document, Item, Options, Reader, Reason, inputs, open};

use super::collection::gzip;
use super::support::{Random, shared};

/// Mutated files of each kind, unless `TROMMEL_MUTATIONS` asks for another number.
const FILES: u64 = 400;
/// No file of this size takes anything like it.
const TIME: Duration = Duration::from_secs(20);
/// Decompressed bytes behind a record that have to be right for it to be known as whole: the beginning of the next record.
const BEHIND: u64 = 4096;

/// A file, and what is in it.
struct Base {
    kind: &'static str,
    name: &'static str,
    stored: Vec<u8>,
    records: Vec<Record>,
}

/// A page of a file.
struct Record {
    docid: String,
    bytes: Vec<u8>,
    /// The stored bytes that it depends on.
    stored: Range<u64>,
    /// The only stored bytes by which it can be told from the one before, where that has nothing like a length (plain TREC
    /// web and JSONL): from the end of the one before to the end of its own header.
    betraying: Option<Range<u64>>,
}

/// Where compressed bytes end up: (stored, decompressed) offsets in ascending order, one pair at least at each member's end,
/// and where members begin.
struct Map {
    pairs: Vec<(u64, u64)>,
    members: Vec<(u64, u64)>,
    end: (u64, u64),
}

impl Map {
    fn plain(length: usize) -> Map {
        let pairs = (0..=length as u64).map(|at| (at, at)).collect();
        Map {
            pairs,
            members: Vec::new(),
            end: (length as u64, length as u64),
        }
    }

    /// Decompresses members a few bytes at a time. Gives the decompressed bytes as well.
    fn gzip(stored: &[u8]) -> (Map, Vec<u8>) {
        let mut map = Map {
            pairs: Vec::new(),
            members: Vec::new(),
            end: (0, 0),
        };
        let (mut at, mut plain) = (0, Vec::new());
        while at < stored.len() {
            map.members.push((at as u64, plain.len() as u64));
            let mut inflate = Decompress::new_gzip(15);
            let begin = plain.len() as u64;
            loop {
                plain.reserve(64 * 1024);
                let input = &stored[at..(at + 16).min(stored.len())];
                let before = inflate.total_in();
                let status = inflate
                    .decompress_vec(input, &mut plain, FlushDecompress::None)
                    .unwrap();
                at += (inflate.total_in() - before) as usize;
                map.pairs.push((at as u64, begin + inflate.total_out()));
                if status == Status::StreamEnd {
                    break;
                }
            }
        }
        map.end = (stored.len() as u64, plain.len() as u64);
        (map, plain)
    }

    /// The stored bytes that decompressed ones depend on: from the beginning of their member to where they, and what has to
    /// follow them in the same member, are out.
    fn stored(&self, range: &Range<u64>) -> Range<u64> {
        if self.members.is_empty() {
            return range.clone();
        }
        let before = self
            .members
            .iter()
            .rev()
            .find(|(_, plain)| *plain <= range.start)
            .unwrap();
        let behind = self.members.iter().find(|(_, plain)| *plain >= range.end);
        let member_end = behind.copied().unwrap_or(self.end);
        let wanted = (range.end + BEHIND).min(member_end.1);
        // The check sum belongs to a member's last record.
        let end = match wanted == member_end.1 {
            true => member_end.0,
            false => {
                self.pairs
                    .iter()
                    .find(|(_, plain)| *plain >= wanted)
                    .unwrap()
                    .0
            }
        };
        before.0..end
    }
}

fn read(name: &str, stored: Vec<u8>) -> Vec<Item> {
    Reader::from_read(name, Box::new(Cursor::new(stored)), &Options::default())
        .map(Iterator::collect)
        .unwrap_or_default()
}

/// A file made of parts, each a record in the decompressed stream.
fn base(
    kind: &'static str,
    name: &'static str,
    parts: &[Vec<u8>],
    stored: Vec<u8>,
    map: &Map,
) -> Base {
    let mut at = 0;
    let mut ends = Vec::new();
    for part in parts {
        ends.push((at, at + part.len() as u64));
        at += part.len() as u64;
    }
    assert_eq!(at, map.end.1, "{kind}");
    let (mut records, mut lines) = (Vec::new(), 0);
    // Each part by itself says what page is in it.
    for ((begin, end), part) in ends.iter().zip(parts) {
        for item in read(name, part.clone()) {
            match item {
                Item::Document(Document { docid, bytes, .. }) => {
                    let stored = map.stored(&(*begin..*end));
                    let header = [&b"</DOCHDR>\n"[..], b"\"html\":\""]
                        .iter()
                        .find_map(|end| {
                            let at = memchr_all(&part[..part.len().min(1000)], end);
                            at.first()
                                .filter(|_| !part.starts_with(b"WARC/"))
                                .map(|at| (at + end.len()) as u64)
                        });
                    let betraying = header.filter(|_| map.members.is_empty());
                    let betraying = betraying.map(|end| begin.saturating_sub(8)..begin + end);
                    records.push(Record {
                        docid,
                        bytes,
                        stored,
                        betraying,
                    });
                }
                Item::Skipped(_) => lines += 1,
            }
        }
    }
    let whole = read(name, stored.clone());
    assert_eq!(whole.len(), records.len() + lines, "{kind}");
    Base {
        kind,
        name,
        stored,
        records,
    }
}

/// The four ways in which the same parts are stored.
fn stored_in_all_ways(
    kinds: [&'static str; 4],
    name: &'static str,
    parts: &[Vec<u8>],
) -> Vec<Base> {
    let plain = parts.concat();
    let members: Vec<u8> = parts.iter().flat_map(|part| gzip(part)).collect();
    let one = gzip(&plain);
    let mut bases = vec![base(
        kinds[0],
        name,
        parts,
        plain.clone(),
        &Map::plain(plain.len()),
    )];
    for (kind, stored) in [(kinds[1], members), (kinds[2], one)] {
        if !kind.is_empty() {
            let (map, plain_again) = Map::gzip(&stored);
            assert_eq!(plain_again, plain);
            bases.push(base(kind, name, parts, stored, &map));
        }
    }
    if !kinds[3].is_empty() {
        let frames: Vec<Vec<u8>> = parts
            .iter()
            .map(|part| zstd::encode_all(&part[..], 3).unwrap())
            .collect();
        let (mut map, mut at, mut plain_at) = (
            Map {
                pairs: Vec::new(),
                members: Vec::new(),
                end: (0, 0),
            },
            0,
            0,
        );
        for (frame, part) in frames.iter().zip(parts) {
            map.members.push((at, plain_at));
            at += frame.len() as u64;
            plain_at += part.len() as u64;
        }
        map.end = (at, plain_at);
        bases.push(base(kinds[3], name, parts, frames.concat(), &map));
    }
    bases
}

fn warc_part(id: &str, html: &[u8]) -> Vec<u8> {
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\r\n",
        html.len()
    );
    super::collection::response_off(id, &[head.as_bytes(), html].concat(), 0)
}

fn trec_part(id: &str, html: &[u8]) -> Vec<u8> {
    let head = format!(
        "<DOC>\n<DOCNO>{id}</DOCNO>\n<DATE_XML>2006-01-01T00:00:00+0000</DATE_XML>\n<PERMALINK>http://x/{id}#</PERMALINK>\n\
         <DOCHDR>\nhttp://x/{id} 0.0.0.0 20051220123456 {}\nHTTP/1.1 200 OK\nContent-Type: text/html\n</DOCHDR>\n",
        html.len()
    );
    [head.as_bytes(), html, b"\n</DOC>\n"].concat()
}

fn arc_part(id: &str, html: &[u8]) -> Vec<u8> {
    let http = [
        &b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"[..],
        html,
    ]
    .concat();
    super::collection_formats::arc_off(id, &http, 0)
}

fn jsonl_part(id: &str, html: &[u8]) -> Vec<u8> {
    let html = String::from_utf8_lossy(html);
    let line = serde_json::json!({"docid": id, "url": format!("http://x/{id}"), "html": html});
    format!("{line}\n").into_bytes()
}

/// Pages of up to so many lines of seeded words, some with what looks like the beginning of something else.
fn made_up(count: usize, lines: u32) -> Vec<(String, Vec<u8>)> {
    let mut random = Random::new(7);
    let mut pages = Vec::new();
    for n in 0..count {
        let mut html = format!("<html><head><title>Page {n}</title></head><body>\n");
        for _ in 0..random.below(lines) + 1 {
            let class = random.below(9);
            let words = (0..=random.below(12)).map(|_| format!("{:x}", random.next() >> 40));
            let words = words.collect::<Vec<_>>().join(" ");
            html += &format!("<p class=\"c{class}\">{words}</p>\r\n");
        }
        html += [
            "</body></html>\n",
            "</body></html>",
            "\r\n\r\n",
            "</DOC> WARC/1.0 http://x/ ",
        ][n % 4];
        pages.push((format!("page-{n}"), html.into_bytes()));
    }
    pages
}

/// Real pages: some dozens of the judged collection, small ones.
fn real(count: usize) -> Option<Vec<(String, Vec<u8>)>> {
    let path = shared("retrieval/news/collection.warc.gz")?;
    let input = &inputs(&[path]).unwrap()[0];
    let pages = open(input, &Options::default())
        .unwrap()
        .filter_map(|item| match item {
            Item::Document(page) if page.bytes.len() < 25_000 => Some((page.docid, page.bytes)),
            _ => None,
        });
    Some(pages.step_by(7).take(count).collect())
}

/// A file as it is, taken apart at the offsets at which its decompressed form has records.
fn sample(kind: &'static str, name: &'static str, path: &str) -> Option<Base> {
    let stored = std::fs::read(shared(path)?).unwrap();
    let (map, plain) = match stored.starts_with(&[0x1f, 0x8b]) {
        true => Map::gzip(&stored),
        false => (Map::plain(stored.len()), stored.clone()),
    };
    let begins: Vec<usize> = memchr_all(&plain, b"WARC/")
        .into_iter()
        .filter(|at| *at == 0 || plain[at - 1] == b'\n')
        .collect();
    let ends = begins[1..].iter().copied().chain([plain.len()]);
    let parts: Vec<Vec<u8>> = begins
        .iter()
        .zip(ends)
        .map(|(begin, end)| plain[*begin..end].to_vec())
        .collect();
    Some(base(kind, name, &parts, stored, &map))
}

fn memchr_all(bytes: &[u8], needle: &[u8]) -> Vec<usize> {
    (0..bytes.len().saturating_sub(needle.len()))
        .filter(|at| bytes[*at..].starts_with(needle))
        .collect()
}

fn bases() -> Vec<Base> {
    let mut bases = Vec::new();
    let (pages, small) = (made_up(12, 400), made_up(60, 8));
    let make = |part: fn(&str, &[u8]) -> Vec<u8>, pages: &[(String, Vec<u8>)]| -> Vec<Vec<u8>> {
        pages.iter().map(|(id, html)| part(id, html)).collect()
    };
    let warc = [
        "WARC, plain",
        "WARC, gzip a record",
        "WARC, one gzip",
        "WARC, zstd a record",
    ];
    bases.extend(stored_in_all_ways(warc, "x.warc", &make(warc_part, &pages)));
    let trec = ["TREC web, plain", "", "TREC web, one gzip", ""];
    bases.extend(stored_in_all_ways(trec, "x.trec", &make(trec_part, &pages)));
    let arc = ["ARC, plain", "ARC, gzip a record", "", ""];
    bases.extend(stored_in_all_ways(arc, "x.arc", &make(arc_part, &pages)));
    let jsonl = ["JSONL, plain", "", "JSONL, one gzip", ""];
    bases.extend(stored_in_all_ways(
        jsonl,
        "x.jsonl",
        &make(jsonl_part, &pages),
    ));
    let small_warc = ["WARC of small pages, plain", "", "", ""];
    bases.extend(stored_in_all_ways(
        small_warc,
        "x.warc",
        &make(warc_part, &small),
    ));
    let small_arc = ["ARC of small pages, plain", "", "", ""];
    bases.extend(stored_in_all_ways(
        small_arc,
        "x.arc",
        &make(arc_part, &small),
    ));
    let small_trec = ["TREC web of small pages, plain", "", "", ""];
    bases.extend(stored_in_all_ways(
        small_trec,
        "x.trec",
        &make(trec_part, &small),
    ));
    if let Some(pages) = real(30) {
        let news = ["news WARC, plain", "news WARC, gzip a record", "", ""];
        bases.extend(stored_in_all_ways(news, "x.warc", &make(warc_part, &pages)));
        let news = ["news TREC web, plain", "", "", ""];
        bases.extend(stored_in_all_ways(news, "x.trec", &make(trec_part, &pages)));
    }
    bases.extend(sample(
        "ClueWeb09",
        "x.warc.gz",
        "formats/clueweb-quirk.warc.gz",
    ));
    bases.extend(sample(
        "Common Crawl, plain",
        "x.warc",
        "formats/warcfile.warc",
    ));
    bases.extend(sample(
        "Common Crawl, gzip a record",
        "x.warc.gz",
        "formats/warcfile.warc.gz",
    ));
    bases
}

/// What was done, in words, the bytes that came of it, and the stretches of stored bytes that were touched; what was put in
/// somewhere is an empty stretch.
type Mutated = (&'static str, Vec<u8>, Vec<Range<u64>>);

/// Stretches are mostly short, sometimes long.
fn stretch(random: &mut Random, length: usize) -> Range<usize> {
    let longest = 1 << (random.below(14) + 1);
    let size = random.below(longest) as usize + 1;
    let begin = random.below(length as u32) as usize;
    begin..(begin + size).min(length)
}

fn mutate(base: &Base, random: &mut Random) -> Mutated {
    let stored = &base.stored;
    let wide = |range: &Range<usize>| range.start as u64..range.end as u64;
    let one = stretch(random, stored.len());
    let mut bytes = stored.clone();
    match random.below(9) {
        0 => {
            let mut touched = Vec::new();
            for _ in 0..=random.below(8) {
                let at = random.below(stored.len() as u32) as usize;
                bytes[at] ^= 1 << random.below(8);
                touched.push(at as u64..at as u64 + 1);
            }
            ("bits flipped", bytes, touched)
        }
        1 => {
            bytes.truncate(one.start);
            ("cut off", bytes, vec![wide(&(one.start..stored.len()))])
        }
        2 => {
            bytes.drain(one.clone());
            ("taken out", bytes, vec![wide(&one)])
        }
        3 => {
            let other = stretch(random, stored.len());
            let (a, b) = if one.start <= other.start {
                (one, other)
            } else {
                (other, one)
            };
            let b = b.start.max(a.end)..b.end.max(a.end);
            let parts = [
                &stored[..a.start],
                &stored[b.clone()],
                &stored[a.end..b.start],
                &stored[a.clone()],
                &stored[b.end..],
            ];
            ("swapped", parts.concat(), vec![wide(&a), wide(&b)])
        }
        4 => {
            let at = random.below(stored.len() as u32 + 1) as usize;
            bytes.splice(at..at, stored[one].to_vec());
            ("repeated", bytes, vec![wide(&(at..at))])
        }
        5 => {
            bytes[one.clone()].fill(0);
            ("zeroed", bytes, vec![wide(&one)])
        }
        6 => {
            one.clone().for_each(|at| bytes[at] = random.next() as u8);
            ("overwritten", bytes, vec![wide(&one)])
        }
        7 => {
            let at = one.start;
            let junk = match random.below(3) {
                0 => (0..one.len()).map(|_| random.next() as u8).collect(),
                1 => vec![0; one.len()],
                _ => b"some line of text\n"
                    .iter()
                    .copied()
                    .cycle()
                    .take(one.len())
                    .collect::<Vec<u8>>(),
            };
            bytes.splice(at..at, junk);
            ("put in", bytes, vec![wide(&(at..at))])
        }
        _ => wrong_length(base, random).unwrap_or_else(|| {
            bytes.truncate(one.start);
            ("cut off", bytes, vec![wide(&(one.start..stored.len()))])
        }),
    }
}

/// Another number for a record's length, in plain files and in files of a member a record.
fn wrong_length(base: &Base, random: &mut Random) -> Option<Mutated> {
    let record = &base.records[random.below(base.records.len() as u32) as usize];
    let range = record.stored.start as usize..record.stored.end as usize;
    let compressed = base.stored.starts_with(&[0x1f, 0x8b]);
    if compressed
        && base
            .records
            .iter()
            .filter(|other| other.stored.start == record.stored.start)
            .count()
            > 1
    {
        return None;
    }
    let mut part = base.stored[range.clone()].to_vec();
    if compressed {
        let mut plain = Vec::new();
        flate2::read::GzDecoder::new(&part[..])
            .read_to_end(&mut plain)
            .ok()?;
        part = plain;
    }
    let arc = base.name == "x.arc";
    let digits = match arc {
        true => {
            let end = part.iter().position(|byte| *byte == b'\n')?;
            part[..end].iter().rposition(|byte| *byte == b' ')? + 1..end
        }
        false => {
            let at = memchr_all(&part[..part.len().min(4096)], b"Content-Length: ").first()? + 16;
            at..at
                + part[at..]
                    .iter()
                    .position(|byte| *byte == b'\r' || *byte == b'\n')?
        }
    };
    let length: u64 = std::str::from_utf8(&part[digits.clone()])
        .ok()?
        .parse()
        .ok()?;
    // Off by up to the whole length, or far too long, or none.
    let wrong = match random.below(6) {
        0 | 1 => length + 1 + u64::from(random.below(300)),
        2 => length.saturating_sub(1 + u64::from(random.below(300))),
        3 => u64::from(random.below(length as u32 + 1)),
        4 => length * (2 + u64::from(random.below(20))),
        _ => 10_000_000_000,
    };
    part.splice(digits, wrong.to_string().into_bytes());
    if compressed {
        part = gzip(&part);
    }
    let bytes = [
        &base.stored[..range.start],
        &part,
        &base.stored[range.end..],
    ]
    .concat();
    Some(("wrong length", bytes, vec![record.stored.clone()]))
}

/// What became of the records of some files.
#[derive(Debug, Default)]
struct Tally {
    files: u64,
    outside: u64,
    outside_lost: u64,
    inside: u64,
    inside_same: u64,
    inside_lost: u64,
    /// Files of which a page was lost without a line in the ledger.
    silent: u64,
    lines: u64,
}

fn is_outside(record: &Record, touched: &[Range<u64>]) -> bool {
    touched
        .iter()
        .all(|touched| touched.end <= record.stored.start || touched.start >= record.stored.end)
}

/// Where as many bytes were taken out of a record as the next ones have, its length leads to the end of one of these, and they
/// are a part of it as if they had always been: nothing tells. They count as touched then.
fn with_what_fits(base: &Base, how: &str, mut touched: Vec<Range<u64>>) -> Vec<Range<u64>> {
    const CLOSING: u64 = 16;
    if how == "taken out" {
        let cut = touched[0].clone();
        let holds = |record: &&Record| record.stored.contains(&cut.start);
        // Where the end of the record comes to lie of which a part was taken out.
        let end = base
            .records
            .iter()
            .find(holds)
            .map(|record| cut.end + record.stored.end - cut.start);
        let fits =
            |record: &&Record| end.is_some_and(|end| record.stored.end.abs_diff(end) <= CLOSING);
        touched.extend(
            base.records
                .iter()
                .find(fits)
                .map(|last| cut.end..last.stored.end),
        );
    }
    touched
}

/// Reads a mutated file and compares. Gives what is wrong.
fn check(base: &Base, (how, bytes, touched): Mutated, tally: &mut Tally) -> Option<String> {
    let touched = with_what_fits(base, how, touched);
    let length = bytes.len();
    let begin = Instant::now();
    let reader = Reader::from_read(base.name, Box::new(Cursor::new(bytes)), &Options::default());
    // A step gives an item, and every item takes up some bytes.
    let items: Vec<Item> = reader
        .map(|reader| reader.take(2 * length + 16).collect())
        .unwrap_or_default();
    let time = begin.elapsed();
    tally.files += 1;
    let mut got: HashMap<&str, Vec<&Document>> = HashMap::new();
    let (mut lines, mut events, mut pages) = (0, 0, 0);
    for item in &items {
        match item {
            Item::Document(page) => {
                pages += 1;
                got.entry(&page.docid).or_default().push(page);
            }
            Item::Skipped(line) => {
                lines += 1;
                let usual = [Reason::Warcinfo, Reason::Request, Reason::Metadata];
                events += usize::from(!usual.contains(&line.reason));
            }
        }
    }
    // Records whose identifier was changed come out as well, perhaps under that of another.
    let known = |docid: &&&str| base.records.iter().any(|record| record.docid == **docid);
    let strangers = pages - got.keys().filter(known).count() as u64;
    tally.lines += lines as u64;
    // Of documents that became one without a trace nothing can be told.
    let (mut wrong, mut lost) = (Vec::new(), 0);
    for record in &base.records {
        let pages = got
            .get(record.docid.as_str())
            .map_or(&[][..], Vec::as_slice);
        let same = pages
            .iter()
            .any(|page| page.bytes == record.bytes && !page.truncated);
        if is_outside(record, &touched) {
            tally.outside += 1;
            tally.outside_lost += u64::from(!same);
            if !same {
                let as_what = pages
                    .iter()
                    .map(|page| (page.bytes.len(), page.truncated))
                    .collect::<Vec<_>>();
                wrong.push(format!(
                    "{} of {} bytes came as {as_what:?}",
                    record.docid,
                    record.bytes.len()
                ));
            }
        } else {
            tally.inside += 1;
            tally.inside_same += u64::from(same);
            tally.inside_lost += u64::from(pages.is_empty());
            let traceless = record.betraying.as_ref().is_some_and(|header| {
                let covers = |touched: &Range<u64>| {
                    touched.start <= header.start + 8 && touched.end + 10 >= header.end
                };
                touched.iter().any(covers)
            });
            lost += u64::from(pages.is_empty() && !traceless);
        }
    }
    // A file that ends, or is empty, between two records says nothing of those that followed.
    let silent = how == "cut off"
        && base.records.iter().all(|record| {
            touched
                .iter()
                .all(|cut| cut.start <= record.stored.start || cut.start + 4 >= record.stored.end)
        });
    if lost > strangers && events == 0 && !silent {
        tally.silent += 1;
        // What is taken out between two places that are alike leaves nothing behind that does not fit.
        if how != "taken out" {
            wrong.push(format!("{lost} lost without a line in the ledger"));
        }
    }
    if time > TIME {
        wrong.push(format!("took {time:?}"));
    }
    let lines: Vec<String> = items
        .iter()
        .filter_map(|item| match item {
            Item::Skipped(line) => Some(line.to_string()),
            Item::Document(_) => None,
        })
        .take(6)
        .collect();
    (!wrong.is_empty()).then(|| {
        format!(
            "{}, {how} at {touched:?}: {}; ledger {lines:#?}",
            base.kind,
            wrong.join("; ")
        )
    })
}

fn run(files: u64) {
    let mut wrong = Vec::new();
    let mut rows = Vec::new();
    let mut by_mutation: BTreeMap<&str, Tally> = BTreeMap::new();
    for base in bases() {
        let mut tally = Tally::default();
        for seed in 0..files {
            let mut random = Random::new(seed);
            let mutated = mutate(&base, &mut random);
            let how = mutated.0;
            let mut one = Tally::default();
            if let Some(what) = check(&base, mutated, &mut one) {
                wrong.push(format!("seed {seed}: {what}"));
            }
            for sum in [&mut tally, by_mutation.entry(how).or_default()] {
                sum.files += one.files;
                sum.outside += one.outside;
                sum.outside_lost += one.outside_lost;
                sum.inside += one.inside;
                sum.inside_same += one.inside_same;
                sum.inside_lost += one.inside_lost;
                sum.silent += one.silent;
                sum.lines += one.lines;
            }
        }
        rows.push((
            format!("{} ({} pages)", base.kind, base.records.len()),
            tally,
        ));
    }
    let mut table = Vec::new();
    writeln!(table, "| file | files | outside | of them lost | inside | whole all the same | changed or cut | lost | files with a loss untold | ledger lines |").unwrap();
    writeln!(table, "|---|---|---|---|---|---|---|---|---|---|").unwrap();
    let by_mutation = by_mutation
        .into_iter()
        .map(|(how, tally)| (how.to_owned(), tally));
    for (name, t) in rows.into_iter().chain(by_mutation) {
        let changed = t.inside - t.inside_same - t.inside_lost;
        writeln!(
            table,
            "| {name} | {} | {} | {} | {} | {} | {changed} | {} | {} | {} |",
            t.files,
            t.outside,
            t.outside_lost,
            t.inside,
            t.inside_same,
            t.inside_lost,
            t.silent,
            t.lines
        )
        .unwrap();
    }
    println!("{}", String::from_utf8(table).unwrap());
    for what in wrong.iter().take(12) {
        println!("{what}");
    }
    assert!(wrong.is_empty(), "{} files", wrong.len());
}

#[test]
fn mutated_files() {
    let asked = std::env::var("TROMMEL_MUTATIONS");
    run(asked.map_or(FILES, |files| files.parse().expect("a number")));
}
