//! ARC files of the Internet Archive, versions 1 and 2 (Burner and Kahle, "Arc File Format", 1996): how records begin.
//!
//! ```text
//! filedesc://IA-001102.arc 0.0.0.0 19960923142103 text/plain 76
//! 1 0 Alexa Internet
//! URL IP-address Archive-date Content-type Archive-length
//!
//! http://www.dryswamp.edu:80/index.html 127.10.100.2 19961104142103 text/html 202
//! HTTP/1.0 200 Document follows
//! …
//! ```
//!
//! Version 2 has result code, check sum, location, offset and file name between type and length. The first line
//! ([`crate::head::url_line`]) becomes the header that a WARC record of the same content has, and all that follows is what
//! [`super::warc`] does: the same repairs of lengths, the same way past damage. An ARC record has no identifier of its own: the
//! one it is given is `DATE/URL`, as in the addresses of web archives.

use memchr::{memchr, memchr_iter};

use super::frame::{Candidates, Grammar};
use crate::head::header::{Fields, Header, Parsed, text};
use crate::head::url_line::{LOOK, MAX_SCHEME, begins_record, in_scheme, scheme, url_line};

/// Schemes that are recognised where they do not begin a line.
const SCHEMES: &[&[u8]] = &[b"https", b"http", b"ftp", b"dns"];

/// Records of ARC files.
pub(crate) const GRAMMAR: Grammar = Grammar {
    look: LOOK,
    opens,
    begins: begins_record,
    convinces: |bytes| opens(bytes, false),
    is_cut,
    candidates,
    header,
    closing: 1,
    before_member: 0,
    inside_header: b"\nHTTP/",
};

fn opens(bytes: &[u8], line: bool) -> bool {
    let known = || scheme(bytes).is_some_and(|length| SCHEMES.contains(&&bytes[..length]));
    (line || known()) && begins_record(bytes)
}

fn header(bytes: &[u8], _: bool) -> Parsed {
    let Some(line) = url_line(bytes) else {
        return Parsed::Incomplete;
    };
    let (url, date, media) = (text(line.url), text(line.date), text(line.media));
    let kind = match line.url.starts_with(b"filedesc:") {
        true => "warcinfo",
        false => "response",
    };
    let mut fields = Fields::default();
    fields.set("warc-type", kind);
    fields.set("warc-record-id", &format!("{date}/{url}"));
    fields.set("warc-target-uri", &url);
    fields.set("warc-date", &date);
    // The type of a block without HTTP header; where that header has none, the one that the crawler made out.
    fields.set("content-type", &media);
    fields.set("warc-identified-payload-type", &media);
    if let Some(status) = line.status {
        fields.set("arc-result-code", &text(status));
    }
    Parsed::Header(Header {
        fields,
        length: line.length,
        content_length: Some(line.content_length),
        crlf: line.crlf,
        damaged: false,
    })
}

/// Every colon of the bytes may be that of an address. In the middle of a line, where letters before it may be anything,
/// only known schemes count.
fn candidates(bytes: &[u8], from: usize) -> Candidates<'_> {
    let colons = memchr_iter(b':', bytes.get(from..).unwrap_or_default()).map(move |at| from + at);
    Box::new(colons.filter_map(move |colon| {
        let before = &bytes[from..colon];
        let length = before
            .iter()
            .rev()
            .take(MAX_SCHEME)
            .take_while(in_scheme)
            .count();
        let begin = colon - length;
        let line = begin
            .checked_sub(1)
            .is_none_or(|at| matches!(bytes[at], b'\n' | 0));
        match line {
            true => Some(begin).filter(|_| length > 0),
            false => {
                let known = SCHEMES.iter().find(|known| before.ends_with(known))?;
                Some(colon - known.len())
            }
        }
    }))
}

fn is_cut(bytes: &[u8]) -> bool {
    scheme(bytes).is_some() && bytes.len() < LOOK && memchr(b'\n', bytes).is_none()
}
