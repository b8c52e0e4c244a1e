//! WACZ files (Web Archive Collection Zipped 1.1.1): ZIP files with WARC files in `archive/`, which are read where they are.
//!
//! The directory of the ZIP file says where the WARC files begin; the file is then read from its beginning to its end,
//! once, and each WARC file is read as it passes. What the pages' file is called is `FILE.wacz!archive/x.warc.gz`, and their
//! offsets are those inside that. Where the directory is missing, or is at odds with the headers in the file, nothing of
//! it is believed: the whole file is searched for gzip members that begin with a record, which finds all that the usual
//! WACZ holds, WARC files stored as they are; offsets are then those in the WACZ file.

use std::io::{self, BufReader, Read, Seek};
use std::sync::{Arc, Mutex, PoisonError};

use flate2::Crc;
use flate2::bufread::DeflateDecoder;

use super::stream::Stream;
use crate::bytes::zip::{self, Method, Part};
use crate::ledger::{Item, Reason, Skipped};
use crate::options::{Format, Options};

/// Bytes read at once from a deflated file.
const BUFFER: usize = 64 * 1024;

/// The file, read once and forward only, by whoever's turn it is.
struct Outer {
    stored: Box<dyn Read + Send>,
    position: u64,
}

type Shared = Arc<Mutex<Outer>>;

fn read(outer: &Shared, buffer: &mut [u8]) -> io::Result<usize> {
    let mut outer = outer.lock().unwrap_or_else(PoisonError::into_inner);
    let read = outer.stored.read(buffer)?;
    outer.position += read as u64;
    Ok(read)
}

/// The data of one file inside.
struct Inner {
    outer: Shared,
    left: u64,
    /// Of what the file holds when unpacked, if that is what passes here.
    crc: Arc<Mutex<Crc>>,
    stored: bool,
}

impl Read for Inner {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = usize::try_from(self.left)
            .unwrap_or(usize::MAX)
            .min(buffer.len());
        let read = read(&self.outer, &mut buffer[..most])?;
        self.left -= read as u64;
        if self.stored {
            update(&self.crc, &buffer[..read]);
        }
        Ok(read)
    }
}

fn update(crc: &Mutex<Crc>, bytes: &[u8]) {
    crc.lock()
        .unwrap_or_else(PoisonError::into_inner)
        .update(bytes);
}

/// What a deflated file holds.
struct Inflated {
    inner: DeflateDecoder<BufReader<Inner>>,
    crc: Arc<Mutex<Crc>>,
}

impl Read for Inflated {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        update(&self.crc, &buffer[..read]);
        Ok(read)
    }
}

/// Reads the WARC files of one file.
pub(crate) struct Parts {
    outer: Shared,
    file: Arc<str>,
    options: Options,
    parts: std::vec::IntoIter<Part>,
    current: Option<(Box<Stream>, Part, Arc<Mutex<Crc>>)>,
}

/// Whether a file inside is one of those that hold the pages (WACZ 1.1.1 §5.2.1; ARC files do not belong there, but are found).
fn is_archive(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let plain = [".gz", ".zst"]
        .iter()
        .find_map(|end| name.strip_suffix(end));
    let plain = plain.unwrap_or(&name);
    name.starts_with("archive/") && (plain.ends_with(".warc") || plain.ends_with(".arc"))
}

/// Finds the WARC files inside, in the order of their data.
///
/// # Errors
/// What is wrong with the ZIP file, in words.
pub(crate) fn archives(file: &mut (impl Read + Seek)) -> Result<Vec<Part>, String> {
    zip::directory(file, is_archive)
}

/// Whether a ZIP file whose directory is damaged begins with something that a WACZ file holds (WACZ 1.1.1 §5.2).
pub(crate) fn begins_file(file: &mut (impl Read + Seek)) -> bool {
    const NAMES: &[&[u8]] = &[b"archive/", b"datapackage", b"indexes/", b"pages/"];
    // The name of the first file stands behind the fixed part of its header.
    let mut head = [0; 64];
    let read = file
        .rewind()
        .and_then(|()| file.read(&mut head))
        .unwrap_or(0);
    let name = head[..read].get(zip::LOCAL_SIZE..).unwrap_or_default();
    NAMES.iter().any(|known| name.starts_with(known))
}

impl Parts {
    /// `stored` is the whole file from its beginning, `parts` what [`archives`] found in it.
    pub(crate) fn new(
        stored: Box<dyn Read + Send>,
        parts: Vec<Part>,
        file: Arc<str>,
        options: &Options,
    ) -> Self {
        Self {
            outer: Arc::new(Mutex::new(Outer {
                stored,
                position: 0,
            })),
            file,
            options: Options {
                format: Format::Auto,
                ..options.clone()
            },
            parts: parts.into_iter(),
            current: None,
        }
    }

    /// Bytes of the file used so far.
    pub(crate) fn position(&self) -> u64 {
        self.outer
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .position
    }

    /// The next page or ledger line.
    pub(crate) fn next(&mut self) -> Option<Item> {
        loop {
            if let Some((stream, ..)) = &mut self.current {
                if let Some(item) = stream.next() {
                    return Some(item);
                }
                if let Some(line) = self.finish() {
                    return Some(line);
                }
            }
            let Some(part) = self.parts.next() else {
                return self.pass(u64::MAX);
            };
            if let Some(line) = self.open(part) {
                return Some(line);
            }
        }
    }

    /// Reads over bytes that are none of ours, up to an offset or the end of the file. Gives what went wrong.
    fn pass(&mut self, to: u64) -> Option<Item> {
        let left = to.saturating_sub(self.position());
        let mut between = Inner {
            outer: Arc::clone(&self.outer),
            left,
            crc: Arc::default(),
            stored: false,
        };
        let passed = io::copy(&mut between, &mut io::sink());
        passed.err().map(|error| {
            self.parts = Vec::new().into_iter();
            self.line(None, self.position(), Reason::ReadError, error.to_string())
        })
    }

    /// Begins to read a file inside. Gives what went wrong.
    fn open(&mut self, part: Part) -> Option<Item> {
        if let line @ Some(_) = self.pass(part.begin) {
            return line;
        }
        let crc = Arc::<Mutex<Crc>>::default();
        let inner = Inner {
            outer: Arc::clone(&self.outer),
            left: part.length,
            crc: Arc::clone(&crc),
            stored: part.method == Method::Stored,
        };
        let stored: Box<dyn Read + Send> = match part.method {
            Method::Stored => Box::new(inner),
            Method::Deflated => Box::new(Inflated {
                inner: DeflateDecoder::new(BufReader::with_capacity(BUFFER, inner)),
                crc: Arc::clone(&crc),
            }),
            Method::Other(how, number) => {
                let detail = match how {
                    "encrypted" => "it is encrypted".to_owned(),
                    how => format!("it is {how} {number}"),
                };
                return Some(self.line(Some(&part), 0, Reason::UnsupportedFile, detail));
            }
        };
        let name: Arc<str> = format!("{}!{}", self.file, part.name).into();
        let path = name.to_string();
        match Stream::new(name, &path, stored, &self.options, false) {
            Ok(stream) => {
                self.current = Some((Box::new(stream), part, crc));
                None
            }
            Err(error) => {
                let detail = error.to_string();
                Some(self.line(Some(&part), 0, Reason::UnsupportedFile, detail))
            }
        }
    }

    /// The current file has been read: compares its check sum with the directory's.
    fn finish(&mut self) -> Option<Item> {
        let (_, part, crc) = self.current.take()?;
        let sum = crc.lock().unwrap_or_else(PoisonError::into_inner).sum();
        (sum != part.crc).then(|| {
            let detail = "the check sum of the file in the ZIP file is wrong".to_owned();
            self.line(Some(&part), 0, Reason::CorruptMember, detail)
        })
    }

    fn line(&self, part: Option<&Part>, offset: u64, reason: Reason, detail: String) -> Item {
        Item::Skipped(Skipped {
            file: match part {
                Some(part) => format!("{}!{}", self.file, part.name).into(),
                None => Arc::clone(&self.file),
            },
            offset,
            docid: None,
            reason,
            records: 1,
            detail,
        })
    }
}
