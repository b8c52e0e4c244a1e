//! Writing pages as a WARC file.
//!
//! Records are put together here and not by the `warc` crate, whose headers are hash maps: with it the order of the
//! header lines, and so the file, would differ from run to run.

use std::io::{self, Read, Write};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use trommel_text::Fnv1a;

use crate::bytes::digest::sha256_of;

/// Date of every record: the same pages always make the same file.
pub(super) const DATE: &str = "2000-01-01T00:00:00Z";

/// A page to be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WarcPage<'a> {
    /// Goes into `WARC-TREC-ID`.
    pub docid: &'a str,
    /// Goes into `WARC-Target-URI`.
    pub url: &'a str,
    /// WARC-Date, `YYYY-MM-DDThh:mm:ssZ`; empty for a fixed one.
    pub date: &'a str,
    /// The page as HTTP served it; its text for a conversion record.
    pub html: &'a [u8],
}

/// Writes a WARC/1.0 file: a `warcinfo` record, then each page as a `response` of its own with status 200 and media
/// type `text/html` without charset; every record is a gzip member. The same pages give the same bytes: record
/// identifiers are made from docids.
///
/// # Errors
/// Those of `out`, and `InvalidInput` for a value with a line break, which a header cannot hold.
pub fn write_warc<'a>(
    mut out: impl Write,
    pages: impl IntoIterator<Item = WarcPage<'a>>,
) -> io::Result<()> {
    write_warcinfo(&mut out)?;
    for page in pages {
        write_response(&mut out, &page)?;
    }
    out.flush()
}

/// Writes a page as [`write_warc`] does: one record, one gzip member.
///
/// # Errors
/// As [`write_warc`].
pub fn write_response(mut out: impl Write, page: &WarcPage) -> io::Result<()> {
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\r\n",
        page.html.len()
    );
    let fields = [
        ("WARC-TREC-ID", page.docid),
        ("WARC-Target-URI", page.url),
        ("Content-Type", "application/http; msgtype=response"),
    ];
    let date = if page.date.is_empty() {
        DATE
    } else {
        page.date
    };
    record(
        &mut out,
        "response",
        &uuid(page.docid),
        date,
        &fields,
        &[head.as_bytes(), page.html],
    )
}

/// Writes the `warcinfo` record that a WARC file begins with, as a gzip member.
///
/// # Errors
/// Those of `out`.
pub fn write_warcinfo(out: impl Write) -> io::Result<()> {
    write_warcinfo_with(out, SOFTWARE, &[])
}

/// What `software` is in the record of files that no version of the program matters for.
const SOFTWARE: &str = "trommel";

/// As [`write_warcinfo`], with the program as it names itself, which must begin with `trommel`, and further fields.
///
/// # Errors
/// Those of `out`, and `InvalidInput` for a value with a line break.
pub fn write_warcinfo_with(
    mut out: impl Write,
    software: &str,
    more: &[(&str, &str)],
) -> io::Result<()> {
    let mut info = String::new();
    let format = [("software", software), ("format", "WARC File Format 1.0")];
    for (name, value) in format.iter().chain(more) {
        refuse_line_breaks(name, value)?;
        info.push_str(&format!("{name}: {value}\r\n"));
    }
    let fields = [("Content-Type", "application/warc-fields")];
    let id = uuid(match more {
        [] => "warcinfo",
        _ => &info,
    });
    record(&mut out, "warcinfo", &id, DATE, &fields, &[info.as_bytes()])
}

/// Bytes of a `warcinfo` record that are looked at.
const MOST_INFO: u64 = 64 << 10;

/// Returns whether a file begins as what [`write_warcinfo`] or [`write_warcinfo_with`] wrote, which may be cut off behind the first record.
#[must_use]
pub fn begins_with_warcinfo(head: &[u8]) -> bool {
    let mut info = Vec::new();
    let read = GzDecoder::new(head).take(MOST_INFO).read_to_end(&mut info);
    let text = String::from_utf8_lossy(&info);
    let body = text.split_once("\r\n\r\n").map(|(_, body)| body);
    read.is_ok()
        && text.starts_with("WARC/1.0\r\nWARC-Type: warcinfo\r\n")
        && body.is_some_and(|body| body.starts_with(&format!("software: {SOFTWARE}")))
}

/// What a `conversion` record says of the page whose text it has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ConvertedFrom<'a> {
    /// The identifier of the page's own record, for `WARC-Refers-To`; empty if it has none.
    pub record_id: &'a str,
    /// The page's title, for `X-Title`, which is read back; empty for none.
    pub title: &'a str,
}

/// Writes the text of a page as a `conversion` record, as the WET files of Common Crawl have them (WARC 1.0 §5.7.8), as a
/// gzip member. The standard asks for an address: a page without one gets `urn:x-docid:` and its docid. The digests of block and payload,
/// which are the same here, are SHA-256 in hexadecimal digits.
///
/// # Errors
/// As [`write_warc`].
pub fn write_conversion(
    mut out: impl Write,
    page: &WarcPage,
    from: &ConvertedFrom,
) -> io::Result<()> {
    // A file's name may hold anything.
    let one_line = |text: &str| text.replace('\r', "%0D").replace('\n', "%0A");
    let docid = one_line(page.docid);
    let url = match page.url {
        "" => format!("urn:x-docid:{docid}").replace(' ', "%20"),
        url => one_line(url),
    };
    let digest = format!("sha256:{}", sha256_of(page.html)?);
    let mut fields = vec![
        ("WARC-TREC-ID", docid.as_str()),
        ("WARC-Target-URI", url.as_str()),
        ("Content-Type", "text/plain; charset=utf-8"),
        ("WARC-Block-Digest", digest.as_str()),
        ("WARC-Payload-Digest", digest.as_str()),
    ];
    let refers = one_line(from.record_id);
    if !refers.is_empty() {
        fields.push(("WARC-Refers-To", refers.as_str()));
    }
    let words: Vec<&str> = from.title.split_whitespace().collect();
    let title = words.join(" ");
    if !title.is_empty() {
        fields.push(("X-Title", title.as_str()));
    }
    let date = if page.date.is_empty() {
        DATE
    } else {
        page.date
    };
    let id = uuid(&format!("conversion {docid}"));
    record(&mut out, "conversion", &id, date, &fields, &[page.html])
}

fn record(
    out: &mut impl Write,
    kind: &str,
    id: &str,
    date: &str,
    fields: &[(&str, &str)],
    block: &[&[u8]],
) -> io::Result<()> {
    let mut gzip = GzEncoder::new(out, Compression::default());
    write!(
        gzip,
        "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:{id}>\r\n"
    )?;
    for (name, value) in [("WARC-Date", date)].iter().chain(fields) {
        refuse_line_breaks(name, value)?;
        write!(gzip, "{name}: {value}\r\n")?;
    }
    write!(
        gzip,
        "Content-Length: {}\r\n\r\n",
        block.iter().map(|part| part.len()).sum::<usize>()
    )?;
    for part in block {
        gzip.write_all(part)?;
    }
    gzip.write_all(b"\r\n\r\n")?;
    gzip.finish()?;
    Ok(())
}

fn refuse_line_breaks(name: &str, value: &str) -> io::Result<()> {
    if !value.contains(['\r', '\n']) {
        return Ok(());
    }
    let error = format!("line break in {name}: {value:?}");
    Err(io::Error::new(io::ErrorKind::InvalidInput, error))
}

/// An identifier in the form of a UUID of version 8 (RFC 9562 §5.8), made of two FNV-1a hashes of `name` (offset
/// bases: the standard one, and one with its halves swapped).
pub(super) fn uuid(name: &str) -> String {
    let hash = |basis: u64| Fnv1a::from_basis(basis).push(name.as_bytes()).finish();
    let (high, low) = (hash(0xcbf2_9ce4_8422_2325), hash(0x8422_2325_cbf2_9ce4));
    format!(
        "{:08x}-{:04x}-8{:03x}-{:04x}-{:012x}",
        high >> 32,
        high >> 16 & 0xffff,
        high & 0xfff,
        low >> 48 & 0x3fff | 0x8000,
        low & 0xffff_ffff_ffff
    )
}
