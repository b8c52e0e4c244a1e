//! Writing pages as a WARC file.
//!
//! Records are put together here and not by the `warc` crate, whose headers are hash maps: with it the order of the
//! header lines, and so the file, would differ from run to run.

use std::io::{self, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use trommel_text::Fnv1a;

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
pub fn write_warcinfo(mut out: impl Write) -> io::Result<()> {
    let info = b"software: trommel\r\nformat: WARC File Format 1.0\r\n";
    let fields = [("Content-Type", "application/warc-fields")];
    let id = uuid("warcinfo");
    record(&mut out, "warcinfo", &id, DATE, &fields, &[info])
}

/// Returns whether a file begins as what [`write_warcinfo`] wrote, which may be cut off.
#[must_use]
pub fn begins_with_warcinfo(head: &[u8]) -> bool {
    let mut expected = Vec::new();
    write_warcinfo(&mut expected).is_ok() && head.starts_with(&expected)
}

/// Writes the text of a page as a `conversion` record, as the WET files of Common Crawl have them (WARC 1.0 §5.7.8), as a
/// gzip member. The standard asks for an address: a page without one gets `urn:x-docid:` and its docid.
///
/// # Errors
/// As [`write_warc`].
pub fn write_conversion(mut out: impl Write, page: &WarcPage) -> io::Result<()> {
    // A file's name may hold anything.
    let one_line = |text: &str| text.replace('\r', "%0D").replace('\n', "%0A");
    let docid = one_line(page.docid);
    let url = match page.url {
        "" => format!("urn:x-docid:{docid}").replace(' ', "%20"),
        url => one_line(url),
    };
    let fields = [
        ("WARC-TREC-ID", docid.as_str()),
        ("WARC-Target-URI", url.as_str()),
        ("Content-Type", "text/plain; charset=utf-8"),
    ];
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
        if value.contains(['\r', '\n']) {
            let error = format!("line break in {name}: {value:?}");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, error));
        }
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
