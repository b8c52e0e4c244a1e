//! One file as an iterator of [`Item`]s.

use std::borrow::Cow;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use trommel_text::from_word;

use crate::bytes::digest::{Digest, Digested};
use crate::bytes::source::{PARQUET, Source};
use crate::bytes::zip;
use crate::error::Error;
#[cfg(feature = "parquet")]
use crate::format::parquet;
use crate::format::stream::Stream;
use crate::format::{is_blogs06_other, wacz};
use crate::input::{Input, name_of};
use crate::ledger::{Document, Item, Reason, Skipped};
use crate::options::{Format, Options};

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
    Stream(Box<Stream>),
    Wacz(Box<wacz::Parts>),
    #[cfg(feature = "parquet")]
    Parquet(Box<parquet::Rows>),
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
        Self::of_stored(file, &stem, stored, options, true)
    }

    fn of_kind(file: Arc<str>, kind: Kind) -> Self {
        Self {
            file,
            kind,
            first: None,
            wanted: None,
            digest: None,
        }
    }

    /// A file that is read forward only; see [`Stream::new`].
    fn of_stored(
        file: Arc<str>,
        path: &str,
        stored: Box<dyn Read + Send>,
        options: &Options,
        named: bool,
    ) -> Result<Self, Error> {
        let stream = Stream::new(Arc::clone(&file), path, stored, options, named)?;
        Ok(Self::of_kind(file, Kind::Stream(Box::new(stream))))
    }

    /// A reader of a file that only goes to the ledger.
    fn other(file: Arc<str>, reason: Reason, detail: String) -> Self {
        let stream = Stream::other(Arc::clone(&file), reason, detail);
        Self::of_kind(file, Kind::Stream(Box::new(stream)))
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
                return Ok(Self::of_kind(at(), Kind::Wacz(Box::new(parts))));
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
            records: 1,
            detail: format!("the ZIP file is damaged: {detail}; it is searched for gzip members"),
        };
        let source = Source::searched(stored);
        let stream = Stream::of_source(at(), file, source, options, true)?;
        let mut reader = Self::of_kind(at(), Kind::Stream(Box::new(stream)));
        reader.first = Some(Item::Skipped(line));
        Ok(reader)
    }

    /// A Parquet file: `path` is the file that `stored` gives the bytes of.
    #[cfg(feature = "parquet")]
    fn of_parquet(
        file: &Arc<str>,
        path: &Path,
        stored: Box<dyn Read + Send>,
        options: &Options,
    ) -> Result<Self, Error> {
        let at = || Arc::clone(file);
        let failed = |source| Error::Read { path: at(), source };
        let seekable = File::open(path).map_err(failed)?;
        match parquet::Rows::new(stored, seekable, at(), options) {
            Ok(rows) => Ok(Self::of_kind(at(), Kind::Parquet(Box::new(rows)))),
            Err(parquet::Refusal::Damaged(detail)) => Err(Error::Parquet { path: at(), detail }),
            Err(parquet::Refusal::NoPages(columns)) => Err(Error::Columns {
                path: at(),
                columns,
            }),
        }
    }

    #[cfg(not(feature = "parquet"))]
    fn of_parquet(
        file: &Arc<str>,
        _: &Path,
        _: Box<dyn Read + Send>,
        _: &Options,
    ) -> Result<Self, Error> {
        let what = "a Parquet file, and the feature parquet was left out";
        let path = Arc::clone(file);
        Err(Error::Unsupported { path, what })
    }

    /// The bytes of the stored file that have been used, to compare with [`Input::size`].
    #[must_use]
    pub fn bytes_read(&self) -> u64 {
        match &self.kind {
            Kind::Stream(stream) => stream.bytes_read(),
            Kind::Wacz(parts) => parts.position(),
            #[cfg(feature = "parquet")]
            Kind::Parquet(rows) => rows.position(),
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
            Kind::Stream(stream) => stream.next(),
            Kind::Wacz(parts) => parts.next(),
            #[cfg(feature = "parquet")]
            Kind::Parquet(rows) => rows.next(),
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
            self.kind = Kind::Stream(Box::new(Stream::Other(None)));
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
            records: 1,
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
    if options.format != Format::Html && is_bookkeeping(last) {
        let detail =
            "what Spark and its like keep beside their files; name the file itself to have it read";
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

/// Is a file of a directory what Spark, Hadoop or Arrow say there of the others, or a check sum of Hadoop's?
fn is_bookkeeping(name: &str) -> bool {
    let names = ["_SUCCESS", "_metadata", "_common_metadata"];
    let begins = |prefix: &&str| name.starts_with(prefix);
    let is_sum = name.starts_with('.') && name.ends_with(".crc");
    is_sum || names.contains(&name) || ["_committed_", "_started_"].iter().any(begins)
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

/// As [`Reader::of_stored`], of a file that can also be a WACZ or a Parquet file.
fn open_file(input: &Input, path: &str, options: &Options, named: bool) -> Result<Reader, Error> {
    let failed = |source| Error::Read {
        path: Arc::clone(&input.name),
        source,
    };
    let (stored, digest) = stored_bytes(input).map_err(failed)?;
    let format = options.format;
    // Both formats have their directory at the end, and are told by as many bytes.
    let sought = input.path.as_deref().filter(|_| format != Format::Html);
    let begun = sought.and_then(|path| Some((path, magic(path)?)));
    let name = || Arc::clone(&input.name);
    let mut reader = match begun {
        Some((path, magic)) if magic == zip::LOCAL => {
            Reader::of_zip(&name(), path, stored, options)?
        }
        Some((path, magic)) if magic == PARQUET => {
            Reader::of_parquet(&name(), path, stored, options)?
        }
        _ if named && matches!(format, Format::Wacz | Format::Parquet) => {
            let path = name();
            return Err(Error::OtherBeginning { path, format });
        }
        _ => Reader::of_stored(name(), path, stored, options, named)?,
    };
    reader.digest = Some(digest);
    Ok(reader)
}

/// Opens a file or the standard input; what is read is hashed.
fn stored_bytes(input: &Input) -> io::Result<(Box<dyn Read + Send>, Digest)> {
    let stored: Box<dyn Read + Send> = match &input.path {
        Some(path) => Box::new(File::open(path)?),
        None => Box::new(io::stdin()),
    };
    let (stored, digest) = Digested::new(stored);
    Ok((Box::new(stored), digest))
}

/// The first bytes of a regular file.
fn magic(path: &Path) -> Option<[u8; 4]> {
    let mut magic = [0; 4];
    let regular = fs::metadata(path).is_ok_and(|data| data.is_file());
    let mut read = || File::open(path)?.read_exact(&mut magic);
    (regular && read().is_ok()).then_some(magic)
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
