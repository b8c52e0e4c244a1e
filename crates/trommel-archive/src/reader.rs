//! One file as an iterator of [`Item`]s.

use std::borrow::Cow;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use super::input::name_of;
use super::ledger::{Document, Item, Reason, Skipped};
use super::sniff::{SNIFF, Sniffed, begins_collection, is_blogs06_other, sniff};
use super::source::{Refusal, Source};
use super::window::Window;
use super::{
    Digest, Error, Format, Input, Options, html_file, jsonl, stored_bytes, trecweb, wacz, warc, zip,
};
use trommel_text::from_word;

/// Yields what one file holds; see [`super`].
pub struct Reader {
    file: Arc<str>,
    kind: Kind,
    /// Given before all else.
    first: Option<Item>,
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
    /// WARC, WET and ARC.
    Records(warc::Records),
    Jsonl(jsonl::Lines),
    Wacz(Box<wacz::Parts>),
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
    /// [`Error::Unsupported`], [`Error::Unrecognised`], [`Error::NoPage`], [`Error::Dictionary`], or [`Error::Read`] if not even the first
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
            Refusal::Zip => Error::Stream { path: at() },
            Refusal::Dictionary(detail) => Error::Dictionary { path: at(), detail },
            Refusal::Read(message) => Error::Read {
                path: at(),
                source: io::Error::other(message),
            },
        })?;
        Self::of_source(file, path, source, options, named)
    }

    /// A WACZ file, if it is one: `path` is the file that `stored` gives the bytes of.
    fn of_zip(
        file: &Arc<str>,
        path: &Path,
        stored: Box<dyn Read + Send>,
        options: &Options,
    ) -> Result<Self, Error> {
        let at = || Arc::clone(file);
        let failed = |source| Error::Read { path: at(), source };
        let unsupported = |what| Error::Unsupported { path: at(), what };
        let mut seekable = File::open(path).map_err(failed)?;
        let detail = match wacz::archives(&mut seekable) {
            Ok(parts) if parts.is_empty() => {
                return Err(unsupported("a ZIP file without WARC files in archive/"));
            }
            Ok(parts) => {
                let parts = wacz::Parts::new(stored, parts, at(), options);
                return Ok(Self {
                    kind: Kind::Wacz(Box::new(parts)),
                    ..Self::other(at(), Reason::Gap, String::new())
                });
            }
            Err(detail) => detail,
        };
        let asked = options.format == Format::Wacz;
        let is_wacz = asked || file.ends_with(".wacz") || wacz::begins_file(&mut seekable);
        if !is_wacz {
            return Err(unsupported("a damaged ZIP file"));
        }
        let line = Skipped {
            file: at(),
            offset: 0,
            docid: None,
            reason: Reason::CorruptMember,
            detail: format!("the ZIP file is damaged: {detail}; it is searched for gzip members"),
        };
        let source = Source::searched(stored);
        let mut reader = Self::of_source(at(), file, source, options, true)?;
        reader.first = Some(Item::Skipped(line));
        Ok(reader)
    }

    /// A file inside a WACZ file.
    pub(super) fn of_part(
        name: Arc<str>,
        stored: Box<dyn Read + Send>,
        options: &Options,
    ) -> Result<Self, Error> {
        let path = name.to_string();
        Self::new(name, &path, stored, options, false)
    }

    fn of_source(
        file: Arc<str>,
        path: &str,
        source: Source,
        options: &Options,
        named: bool,
    ) -> Result<Self, Error> {
        let at = || Arc::clone(&file);
        let mut window = Window::new(source);
        window.fill(SNIFF);
        let empty = window.available().is_empty() && window.damage().is_none();
        let head = &window.available()[..window.available().len().min(SNIFF)];
        let asked = options.format;
        let whole = window.ended() && head.len() == window.available().len();
        let format = match (asked, sniff(head, whole, &file)) {
            // The same files: what was asked for says which of their records are pages.
            (Format::Warc | Format::Wet, Sniffed::Known(Format::Warc | Format::Wet)) => asked,
            // As one page a whole archive would be indexed, its headers and all.
            (Format::Html, _) => match begins_collection(head, whole) {
                Some(found) => return Err(Error::NoPage { path: at(), found }),
                None => asked,
            },
            (_, Sniffed::Known(format)) if !named || asked == Format::Auto => format,
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
        let options = &Options {
            format,
            ..options.clone()
        };
        let kind = match format {
            Format::Warc | Format::Wet | Format::Arc | Format::Auto | Format::Wacz => {
                Kind::Records(warc::Records::new(window, at(), options.clone()))
            }
            Format::Jsonl => Kind::Jsonl(jsonl::Lines::new(window, at(), options.clone())),
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
            first: None,
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
            first: None,
            wanted: None,
            digest: None,
        }
    }

    /// How much of the stored file has been used, in bytes, to compare with [`Input::size`].
    #[must_use]
    pub fn bytes_read(&self) -> u64 {
        match &self.kind {
            Kind::Records(records) => records.window.source().position(),
            Kind::Jsonl(lines) => lines.window.source().position(),
            Kind::Wacz(parts) => parts.position(),
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

    /// The document that is wanted, by its docid, or else by the docid that it has in runs; others are passed over.
    fn look_for(&mut self, wanted: &mut Wanted) -> Option<Document> {
        let docid = wanted.docid.clone();
        let mut as_word = None;
        while let Some(item) = self.next_item() {
            match item {
                Item::Document(document) if document.docid == docid => return Some(document),
                Item::Document(document) if document.docid == from_word(&docid) => {
                    as_word.get_or_insert(document);
                }
                Item::Skipped(skipped) if skipped.docid.as_ref() == Some(&docid) => {
                    wanted.reason.get_or_insert(skipped.reason);
                }
                _ => {}
            }
        }
        as_word
    }

    fn next_item(&mut self) -> Option<Item> {
        if let Some(item) = self.first.take() {
            return Some(item);
        }
        match &mut self.kind {
            Kind::Records(records) => records.next(),
            Kind::Jsonl(lines) => lines.next(),
            Kind::Wacz(parts) => parts.next(),
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
        if let Some(document) = self.look_for(&mut wanted) {
            self.kind = Kind::Other(None);
            return Some(Item::Document(document));
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
        let own = input.path.as_ref().and_then(|path| path.file_name());
        let stem = own.map_or(Cow::Borrowed("-"), name_of);
        let mut reader = open_file(input, &stem, options, true)?;
        reader.wanted = input.record.clone().map(|docid| Wanted {
            docid,
            reason: None,
        });
        return Ok(reader);
    };
    let last = relative.rsplit('/').next().unwrap_or(relative);
    if options.format != Format::Html && is_blogs06_other(last) {
        let detail =
            "feeds and home pages of BLOGS06 are not indexed; name the file itself to have it read";
        return Ok(Reader::other(file(), Reason::OtherFile, detail.to_owned()));
    }
    if let Some((reason, what)) = input.path.as_deref().and_then(irregular) {
        return Ok(Reader::other(file(), reason, what.to_owned()));
    }
    match open_file(input, relative, options, false) {
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

/// What something is that is no regular file: to open it might never end.
fn irregular(path: &Path) -> Option<(Reason, &'static str)> {
    let metadata = fs::metadata(path);
    let dangles = || fs::symlink_metadata(path).is_ok_and(|link| link.is_symlink());
    match metadata {
        Ok(data) if data.is_file() => None,
        Ok(data) => Some((Reason::OtherFile, kind(data.file_type()))),
        Err(error) if error.kind() == io::ErrorKind::NotFound && dangles() => {
            Some((Reason::ReadError, "a link that leads nowhere"))
        }
        Err(_) => None,
    }
}

#[cfg(unix)]
fn kind(file: fs::FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    match file {
        _ if file.is_fifo() => "a named pipe, and no file",
        _ if file.is_socket() => "a socket, and no file",
        _ if file.is_block_device() || file.is_char_device() => "a device, and no file",
        _ => "no regular file",
    }
}

#[cfg(not(unix))]
fn kind(_: fs::FileType) -> &'static str {
    "no regular file"
}

/// As [`Reader::new`], of a file that can also be a WACZ file.
fn open_file(input: &Input, path: &str, options: &Options, named: bool) -> Result<Reader, Error> {
    let failed = |source| Error::Read {
        path: Arc::clone(&input.name),
        source,
    };
    let (stored, digest) = stored_bytes(input).map_err(failed)?;
    let zip = match (&input.path, options.format) {
        (None, _) | (_, Format::Html) => None,
        (Some(path), _) => Some(path).filter(|path| is_zip(path)),
    };
    let name = || Arc::clone(&input.name);
    let mut reader = match zip {
        Some(zip) => Reader::of_zip(&name(), zip, stored, options)?,
        None if named && options.format == Format::Wacz => {
            return Err(Error::NoWacz { path: name() });
        }
        None => Reader::new(name(), path, stored, options, named)?,
    };
    reader.digest = Some(digest);
    Ok(reader)
}

/// Whether a regular file begins as a ZIP file does.
fn is_zip(path: &Path) -> bool {
    let mut magic = [0; zip::LOCAL.len()];
    let regular = fs::metadata(path).is_ok_and(|data| data.is_file());
    let mut read = || File::open(path)?.read_exact(&mut magic);
    regular && read().is_ok() && magic == zip::LOCAL
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
    let found = reader.look_for(&mut wanted);
    found.ok_or_else(|| Error::NotFound {
        path: Arc::clone(&input.name),
        docid: wanted.docid,
        reason: wanted.reason,
    })
}
