//! Pages as records of the `warc` crate, for programs that go on with that.

use warc::{BufferedBody, Record, RecordType, WarcHeader};

use super::write::{DATE, uuid};
use super::{Content, Document};

/// A record of type `resource` with the page as it is decoded (its HTTP head and encodings are gone), or of type `conversion`
/// with its text: `WARC-TREC-ID` is the docid, `WARC-Record-ID` is made from it, and a page without a date has a fixed one.
///
/// # Errors
/// A date that is none by RFC 3339, which such a record cannot have.
impl TryFrom<&Document> for Record<BufferedBody> {
    type Error = ::warc::Error;

    fn try_from(document: &Document) -> Result<Self, ::warc::Error> {
        let (kind, media) = match document.content {
            Content::Html => (RecordType::Resource, "text/html"),
            Content::Text { .. } => (RecordType::Conversion, "text/plain"),
        };
        let media = document.media_type.as_deref().unwrap_or(media);
        let media = match &document.charset {
            Some(charset) => format!("{media}; charset={charset}"),
            None => media.to_owned(),
        };
        let date = match document.date.as_str() {
            "" => DATE,
            date => date,
        };
        let mut record = Record::<BufferedBody>::with_body(document.bytes.clone());
        record.set_warc_type(kind);
        record.set_warc_id(format!("<urn:uuid:{}>", uuid(&document.docid)));
        let trec_id = WarcHeader::Unknown("warc-trec-id".to_owned());
        for (name, value) in [
            (WarcHeader::Date, date),
            (WarcHeader::ContentType, media.as_str()),
            (WarcHeader::TargetURI, document.url.as_str()),
            (trec_id, document.docid.as_str()),
        ] {
            if !value.is_empty() {
                record.set_header(name, value)?;
            }
        }
        if document.truncated {
            record.set_header(WarcHeader::Truncated, "unspecified")?;
        }
        Ok(record)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_have_what_the_page_has() {
        let mut document = Document {
            docid: "d-1".to_owned(),
            url: "http://example.org/".to_owned(),
            date: "2007-03-01T10:00:00Z".to_owned(),
            charset: Some("utf-8".to_owned()),
            language: None,
            media_type: None,
            content: Content::Html,
            bytes: b"<p>one".to_vec(),
            truncated: true,
            record_id: None,
            file: "f".into(),
            offset: 0,
        };
        let record = Record::try_from(&document).unwrap();
        assert_eq!(*record.warc_type(), RecordType::Resource);
        assert_eq!(record.body(), b"<p>one");
        for (name, value) in [
            (WarcHeader::Date, "2007-03-01T10:00:00Z"),
            (WarcHeader::TargetURI, "http://example.org/"),
            (WarcHeader::ContentType, "text/html; charset=utf-8"),
            (WarcHeader::Unknown("warc-trec-id".to_owned()), "d-1"),
            (WarcHeader::ContentLength, "6"),
        ] {
            assert_eq!(record.header(name).unwrap(), value);
        }
        assert!(record.truncated_type().is_some());
        let again = Record::try_from(&document).unwrap();
        assert_eq!(record.warc_id(), again.warc_id());
        document.date = "2009-03-65".to_owned();
        assert!(Record::try_from(&document).is_err());
        document.date = String::new();
        document.content = Content::Text {
            title: String::new(),
        };
        let record = Record::try_from(&document).unwrap();
        assert_eq!(*record.warc_type(), RecordType::Conversion);
    }
}
