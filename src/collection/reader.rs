//! One file as an iterator of [`Item`]s.

use std::fs;
use std::io::{self, Read};
use std::sync::Arc;

use super::ledger::{Document, Item, Reason, Skipped};
use super::sniff::{SNIFF, Sniffed, is_blogs06_other, sniff};
use super::source::{Refusal, Source};
use super::window::Window;
use super::{Digest, Error, Format, Input, Options, html_file, stored_bytes, trecweb, warc};

/// Yields what one file holds; see [`super`].
pub struct Reader {
    file: Arc<str>,
    kind: Kind,
    wanted: Option<Wanted>,
    digest: Option<Digest>,
}

/// The document asked for by `FILE#DOCID`.
struct Wanted {
    docid: String,
    /// Why a record of this identifier was skipped.
    reason: Option<Reason>,
}

enum Kind {
    Warc(warc::Records),
    TrecWeb(trecweb::Documents),
    Html {
        window: Window,
        items: std::vec::IntoIter<Item>,
    },
    /// A file that is not read.
    Other(Option<Item>),
}

impl Reader {
    /// Reads from `stored`, which need not be a file. `name` is what to call it, and the identifier of a single HTML
    /// page is made from it.
    ///
    /// # Errors
    /// [`Error::Unsupported`], [`Error::Unrecognised`], [`Error::Dictionary`], or [`Error::Read`] if not even the first
    /// bytes can be read.
    pub fn from_read(
        name: &str,
        stored: Box<dyn Read + Send>,
        options: &Options,
    ) -> Result<Self, Error> {
        let file: Arc<str> = name.into();
        let stem = file.rsplit('/').next().unwrap_or(&file).to_owned();
        Self::new(file, &stem, stored, options, true)
    }

    /// `path` is what an HTML page's identifier is made from. `named`: the user named this very file, so the format asked
    /// for holds; in a directory, which may hold files of several kinds, content comes first.
    fn new(
        file: Arc<str>,
        path: &str,
        stored: Box<dyn Read + Send>,
        options: &Options,
        named: bool,
    ) -> Result<Self, Error> {
        let at = || Arc::clone(&file);
        let source = Source::new(stored).map_err(|refusal| match refusal {
            Refusal::Unsupported(what) => Error::Unsupported { path: at(), what },
            Refusal::Dictionary(detail) => Error::Dictionary { path: at(), detail },
            Refusal::Read(message) => Error::Read {
                path: at(),
                source: io::Error::other(message),
            },
        })?;
        let mut window = Window::new(source);
        window.fill(SNIFF);
        let empty = window.available().is_empty() && window.damage().is_none();
        let head = &window.available()[..window.available().len().min(SNIFF)];
        let asked = options.format;
        let format = match (asked, sniff(head, &file)) {
            (Format::Warc | Format::TrecWeb, Sniffed::Known(format)) if !named => format,
            (Format::Warc | Format::TrecWeb, Sniffed::Unsupported(what)) if !named => {
                return Err(Error::Unsupported { path: at(), what });
            }
            (Format::Auto, Sniffed::Known(format)) => format,
            (Format::Auto, Sniffed::Unsupported(what)) => {
                return Err(Error::Unsupported { path: at(), what });
            }
            // A first member that is corrupt tells nothing; only WARC files go on after it.
            (Format::Auto, Sniffed::Unknown) if window.available().is_empty() && !empty => {
                Format::Warc
            }
            (Format::Auto, Sniffed::Unknown) if !empty => {
                return Err(Error::Unrecognised { path: at() });
            }
            (format, _) => format,
        };
        if empty && format != Format::Html {
            let detail = "the file is empty".to_owned();
            return Ok(Self::other(file, Reason::Truncated, detail));
        }
        let kind = match format {
            Format::Warc | Format::Auto => {
                Kind::Warc(warc::Records::new(window, at(), options.clone()))
            }
            Format::TrecWeb => {
                Kind::TrecWeb(trecweb::Documents::new(window, at(), options.clone()))
            }
            Format::Html => {
                let items =
                    html_file::read(&mut window, &file, html_file::docid_of_path(path), options);
                Kind::Html {
                    window,
                    items: items.into_iter(),
                }
            }
        };
        Ok(Self {
            file,
            kind,
            wanted: None,
            digest: None,
        })
    }

    /// A reader of a file that only goes to the ledger.
    fn other(file: Arc<str>, reason: Reason, detail: String) -> Self {
        let item = Item::Skipped(Skipped {
            file: Arc::clone(&file),
            offset: 0,
            docid: None,
            reason,
            detail,
        });
        Self {
            file,
            kind: Kind::Other(Some(item)),
            wanted: None,
            digest: None,
        }
    }

    /// How much of the stored file has been used, in bytes, to compare with [`Input::size`].
    #[must_use]
    pub fn bytes_read(&self) -> u64 {
        match &self.kind {
            Kind::Warc(records) => records.window.source().position(),
            Kind::TrecWeb(documents) => documents.window.source().position(),
            Kind::Html { window, .. } => window.source().position(),
            Kind::Other(_) => 0,
        }
    }

    /// SHA-256 of the stored file in hexadecimal, once it was read to its end; none before, and for what was not opened by
    /// [`open`].
    #[must_use]
    pub fn sha256(&self) -> Option<String> {
        self.digest.as_ref()?.sha256()
    }

    /// How many bytes of the stored file were read so far, and the SHA-256 of exactly those in hexadecimal, to find out with
    /// [`super::sha256_of_prefix`] whether a file still begins as it did. At least what the items given so far were made of
    /// has been read. None for what was not opened by [`open`].
    #[must_use]
    pub fn digest_so_far(&self) -> Option<(u64, String)> {
        self.digest.as_ref().map(Digest::so_far)
    }

    fn next_item(&mut self) -> Option<Item> {
        match &mut self.kind {
            Kind::Warc(records) => records.next(),
            Kind::TrecWeb(documents) => documents.next(),
            Kind::Html { items, .. } => items.next(),
            Kind::Other(item) => item.take(),
        }
    }
}

impl Iterator for Reader {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        let Some(mut wanted) = self.wanted.take() else {
            return self.next_item();
        };
        while let Some(item) = self.next_item() {
            match item {
                Item::Document(document) if document.docid == wanted.docid => {
                    self.kind = Kind::Other(None);
                    return Some(Item::Document(document));
                }
                Item::Skipped(skipped) if skipped.docid.as_ref() == Some(&wanted.docid) => {
                    wanted.reason.get_or_insert(skipped.reason);
                }
                _ => {}
            }
        }
        let detail = wanted.reason.map_or(String::new(), |reason| {
            format!("its record was skipped: {reason}")
        });
        Some(Item::Skipped(Skipped {
            file: Arc::clone(&self.file),
            offset: 0,
            docid: Some(wanted.docid),
            reason: Reason::NotFound,
            detail,
        }))
    }
}

/// Opens a file. Of one that was named as `FILE#DOCID` the reader yields that document alone, or a
/// [`Reason::NotFound`]. A file found in a directory never is an error: if it cannot be read, or is in none of the
/// formats, a single ledger line says so.
///
/// # Errors
/// Those of [`Reader::from_read`], for a file that the user named.
pub fn open(input: &Input, options: &Options) -> Result<Reader, Error> {
    let file = || Arc::clone(&input.name);
    let Some(relative) = &input.relative else {
        let (stored, digest) = stored_bytes(input).map_err(|source| Error::Read {
            path: file(),
            source,
        })?;
        let mut reader = Reader::from_read(&input.name, stored, options)?;
        reader.wanted = input.record.clone().map(|docid| Wanted {
            docid,
            reason: None,
        });
        reader.digest = Some(digest);
        return Ok(reader);
    };
    let special = || {
        input
            .path
            .as_ref()
            .and_then(|path| fs::metadata(path).ok())
            .is_some_and(|data| !data.is_file())
    };
    let last = relative.rsplit('/').next().unwrap_or(relative);
    if options.format != Format::Html && is_blogs06_other(last) {
        let detail =
            "feeds and home pages of BLOGS06 are not indexed; name the file itself to have it read";
        return Ok(Reader::other(file(), Reason::OtherFile, detail.to_owned()));
    }
    if special() {
        return Ok(Reader::other(
            file(),
            Reason::OtherFile,
            "not a regular file".to_owned(),
        ));
    }
    let reader = stored_bytes(input)
        .map_err(|source| Error::Read {
            path: file(),
            source,
        })
        .and_then(|(stored, digest)| {
            let mut reader = Reader::new(file(), relative, stored, options, false)?;
            reader.digest = Some(digest);
            Ok(reader)
        });
    match reader {
        Ok(reader) => Ok(reader),
        Err(error) => {
            let reason = match &error {
                Error::Read { .. } => Reason::ReadError,
                Error::Unrecognised { .. } => Reason::OtherFile,
                _ => Reason::UnsupportedFile,
            };
            let detail = error.to_string();
            let detail = detail
                .strip_prefix(&*input.name)
                .unwrap_or(&detail)
                .trim_start_matches([':', ' '])
                .to_owned();
            Ok(Reader::other(file(), reason, detail))
        }
    }
}

/// The document `docid` of a file.
///
/// # Errors
/// Those of [`open`], and [`Error::NotFound`].
pub fn find(input: &Input, docid: &str, options: &Options) -> Result<Document, Error> {
    let input = Input {
        record: Some(docid.to_owned()),
        ..input.clone()
    };
    let mut reader = open(&input, options)?;
    let mut wanted = reader.wanted.take().unwrap_or(Wanted {
        docid: docid.to_owned(),
        reason: None,
    });
    for item in &mut reader {
        match item {
            Item::Document(document) if document.docid == wanted.docid => return Ok(document),
            Item::Skipped(skipped) if skipped.docid.as_ref() == Some(&wanted.docid) => {
                wanted.reason.get_or_insert(skipped.reason);
            }
            _ => {}
        }
    }
    Err(Error::NotFound {
        path: Arc::clone(&input.name),
        docid: wanted.docid,
        reason: wanted.reason,
    })
}
