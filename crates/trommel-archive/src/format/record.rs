//! A WARC record's header and block → a page, or the reason why it is none (WARC 1.1, ISO
//! 28500:2017, §6).

use crate::bytes::payload::{Failure, Payload, payload};
use crate::head::header::{Header, MAX_HEADER};
use crate::head::http::{self, Head};
use crate::ledger::{Content, Reason};
use crate::options::{DocidSource, Format, Options};

/// A page taken out of a record.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Page {
    pub(crate) charset: Option<String>,
    pub(crate) language: Option<String>,
    pub(crate) media_type: Option<String>,
    pub(crate) content: Content,
    pub(crate) payload: Payload,
}

/// Why there is no page, and details.
pub(crate) type Refused = (Reason, String);

fn refused<T>(reason: Reason, detail: impl Into<String>) -> Result<T, Refused> {
    Err((reason, detail.into()))
}

/// What the header alone rules out.
fn refused_by_header(header: &Header, block: &[u8], format: Format) -> Result<(), Refused> {
    let field = |name| header.fields.get(name);
    let kind = field("warc-type").map(str::to_ascii_lowercase);
    let url = url(header);
    let media = field("content-type").unwrap_or_default();
    if url.starts_with("dns:") || media.starts_with("text/dns") {
        return refused(Reason::Dns, url);
    }
    match kind.as_deref() {
        Some("response" | "resource") if format == Format::Wet => {
            return refused(Reason::OtherType, "no text in a file that is read as WET");
        }
        Some("response" | "resource") => {}
        Some("warcinfo") => return refused(Reason::Warcinfo, ""),
        Some("request") => return refused(Reason::Request, ""),
        Some("metadata") => return refused(Reason::Metadata, ""),
        Some("revisit") => return refused(Reason::Revisit, url),
        Some("conversion") if format == Format::Wet => {}
        Some("conversion") => return refused(Reason::Conversion, "not read as WET"),
        Some("continuation") => return refused(Reason::Segmented, "a later segment of a record"),
        Some(other) => return refused(Reason::OtherType, format!("record type {other}")),
        // The type's line is damaged, but only responses have such a block.
        None if http::begins_with_status(block) => {}
        None => return refused(Reason::HeaderDamaged, "no WARC-Type"),
    }
    if let Some(number) = field("warc-segment-number") {
        return refused(
            Reason::Segmented,
            format!("segment {number} of a record; segments are not joined"),
        );
    }
    Ok(())
}

/// What a record says of its page.
#[derive(Default)]
pub(crate) struct Declared {
    /// The HTTP head of the block.
    head: Option<Head>,
    media: Option<String>,
    charset: Option<String>,
    content: Content,
}

/// What header and HTTP head rule out; `prefix` is the block or its beginning.
pub(crate) fn declared(
    header: &Header,
    prefix: &[u8],
    options: &Options,
) -> Result<Declared, Refused> {
    refused_by_header(header, prefix, options.format)?;
    let own = header.fields.get("content-type").unwrap_or_default();
    if options.format == Format::Wet {
        return declared_text(own, header.fields.get("x-title").unwrap_or_default());
    }
    // A record that does not say what its block is has an HTTP message, as one that says so.
    let is_http = own.is_empty() || own.starts_with("application/http");
    let head = http::head(prefix, is_http);
    let (mut media, charset) = match &head {
        Some(head) => http::content_type(head.fields.all("content-type")),
        None if is_http => (None, None),
        None => http::content_type([own]),
    };
    // Version 2 of ARC repeats the status outside the HTTP message.
    let outside = || header.fields.get("arc-result-code")?.parse().ok();
    if let Some(status) = head.as_ref().map_or_else(outside, |head| head.status)
        && !options.status.contains(&status)
    {
        return refused(Reason::Status(status), url(header));
    }
    if media.is_none() {
        media = http::content_type(header.fields.all("warc-identified-payload-type")).0;
    }
    match media {
        Some(media) if !http::is_html(&media) => refused(Reason::NotHtml, media),
        media => Ok(Declared {
            head,
            media,
            charset,
            content: Content::Html,
        }),
    }
}

/// What a conversion record says: text, unless it was converted to HTML.
fn declared_text(content_type: &str, title: &str) -> Result<Declared, Refused> {
    let (media, charset) = http::content_type([content_type]);
    let title = title.to_owned();
    let content = match media.as_deref() {
        None | Some("text/plain") => Content::Text { title },
        Some(media) if http::is_html(media) => Content::Html,
        Some(media) => return refused(Reason::NotHtml, media),
    };
    Ok(Declared {
        head: None,
        media,
        charset,
        content,
    })
}

/// The page in a record. `truncated`: the block is known to be cut short, so an HTTP head without
/// an end is no page.
pub(crate) fn page(
    header: &Header,
    block: &[u8],
    truncated: bool,
    options: &Options,
) -> Result<Page, Refused> {
    let Declared {
        head,
        media: media_type,
        charset,
        content,
    } = declared(header, block, options)?;
    let Some(head) = head else {
        let payload = Payload {
            bytes: block.to_vec(),
            ..Payload::default()
        };
        return sniffed(Page {
            charset,
            language: None,
            media_type,
            content,
            payload,
        });
    };
    if truncated && !head.whole {
        return refused(Reason::Truncated, "the record ends inside its HTTP header");
    }
    if !head.whole && block.len() > MAX_HEADER {
        return refused(Reason::HeaderDamaged, "the HTTP header does not end");
    }
    let body = block.get(head.length..).unwrap_or_default();
    match payload(&head.fields, body, options.max_record_bytes) {
        Ok(payload) => sniffed(Page {
            charset,
            language: head.fields.get("content-language").map(str::to_owned),
            media_type,
            content,
            payload,
        }),
        Err(Failure::TooLarge) => refused(
            Reason::TooLarge,
            format!("decodes to more than {} bytes", options.max_record_bytes),
        ),
        Err(Failure::Undecodable(detail)) => refused(Reason::BadContentEncoding, detail),
    }
}

/// A page without a declared type has to look like one.
fn sniffed(page: Page) -> Result<Page, Refused> {
    if page.content == Content::Html
        && page.media_type.is_none()
        && !http::looks_like_html(&page.payload.bytes)
    {
        return refused(
            Reason::NotHtml,
            "no declared type, and it does not look like HTML",
        );
    }
    Ok(page)
}

/// The record's address; some writers of WARC 1.0 put it in angle brackets.
pub(crate) fn url(header: &Header) -> String {
    bare(header.fields.get("warc-target-uri").unwrap_or_default()).to_owned()
}

fn bare(value: &str) -> &str {
    value
        .strip_prefix('<')
        .and_then(|value| value.strip_suffix('>'))
        .unwrap_or(value)
}

/// What names a record that has no identifier: its date, in the 14 digits of web archives'
/// addresses if it has as many, and its address.
pub(crate) fn date_and_url(header: &Header) -> Option<String> {
    let date = header.fields.get("warc-date")?;
    let url = Some(url(header)).filter(|url| !url.is_empty())?;
    let digits: String = date.chars().filter(char::is_ascii_digit).take(14).collect();
    let date = if digits.len() == 14 { &digits } else { date };
    Some(format!("{date}/{url}"))
}

/// The record's identifier. None: it has none of this kind. `location` is the record's file and
/// offset.
pub(crate) fn docid(
    header: &Header,
    source: DocidSource,
    location: impl Fn() -> String,
) -> Option<String> {
    let trec = || header.fields.get("warc-trec-id").map(str::to_owned);
    let record = || {
        let id = bare(header.fields.get("warc-record-id")?);
        Some(id.strip_prefix("urn:uuid:").unwrap_or(id).to_owned()).filter(|id| !id.is_empty())
    };
    match source {
        DocidSource::Auto => trec().or_else(record),
        DocidSource::Trec => trec(),
        DocidSource::Record => record(),
        DocidSource::Url => Some(url(header)).filter(|url| !url.is_empty()),
        DocidSource::Path => Some(location()),
    }
}
