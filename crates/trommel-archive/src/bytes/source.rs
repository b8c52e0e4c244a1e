//! Stored bytes → decompressed bytes, member by member, past damage.

use std::io::Read;

use memchr::memmem;

use super::member::{Codec, Member, begins_record};
use super::stored::Stored;
use super::zip;
use crate::head::header::is_blank;
use crate::ledger::Reason;

/// Compressed bytes that a member is tried with when its neighbour was corrupt.
const TRIAL: usize = 16 * 1024;
/// Bytes that may be decompressed in vain more than once. The search for the next member begins inside a corrupt one, so
/// members made to begin inside each other could otherwise cost the square of a file's size.
const MAX_WASTED: u64 = 64 << 20;
/// Largest zstd dictionary taken (the ones in use are about 100 KB).
const MAX_DICTIONARY: usize = 16 * 1024 * 1024;

/// Bytes of the stored file that gave nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Damage {
    pub(crate) reason: Reason,
    /// Stored offset at which the damaged member, or the gap, begins.
    pub(crate) offset: u64,
    pub(crate) detail: String,
    /// The damage struck inside a member, so bytes just before it belong to something incomplete.
    pub(crate) inside: bool,
}

/// One step of decompression.
pub(crate) enum Step {
    /// So many bytes were written.
    Data(usize),
    /// What follows comes from the member at this stored offset.
    Member(u64),
    /// A stretch was lost; what follows does not continue what came before.
    Damage(Damage),
    End,
}

/// Why a file cannot be decompressed at all.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// Recognised, but not read: what it is.
    Unsupported(&'static str),
    /// What is not read forward only, with an article.
    NoStream(&'static str),
    Dictionary(String),
    Read(String),
}

/// First bytes of formats that are recognised in order to refuse them by name.
const UNSUPPORTED: &[(&[u8], &str)] = &[
    (&[0x04, 0x22, 0x4d, 0x18], "an LZ4 file"),
    (b"BZh", "a bzip2 file"),
    (&[0xfd, b'7', b'z', b'X', b'Z', 0], "an xz file"),
    (&[b'7', b'z', 0xbc, 0xaf], "a 7-Zip file"),
    (&[0x1f, 0x9d], "a file of Unix compress"),
    (b"PARE", "an encrypted Parquet file"),
];

/// First, and last, bytes of a Parquet file (its specification, "File format").
pub(crate) const PARQUET: &[u8] = b"PAR1";

/// The decompressing reader of one file.
pub(crate) struct Source {
    stored: Stored,
    codec: Codec,
    member: Option<Member>,
    /// The current member is corrupt, which is told once what was decompressed before has been handed out.
    corrupt: bool,
    /// Stored offset of the current member.
    member_offset: u64,
    dictionary: Vec<u8>,
    /// Stored offset up to which members have been decompressed, right or wrong.
    furthest: u64,
    /// Bytes that the current member has given.
    produced: u64,
    /// Bytes that were decompressed in vain a second time or more.
    wasted: u64,
}

impl Source {
    /// Recognises the compression by its first bytes.
    pub(crate) fn new(reader: Box<dyn Read + Send>) -> Result<Self, Refusal> {
        let mut stored = Stored::new(reader);
        stored.at_least(8, 0);
        if let Some(error) = stored.take_failure() {
            return Err(Refusal::Read(error));
        }
        let head = stored.available();
        if let Some((_, name)) = UNSUPPORTED
            .iter()
            .find(|(magic, _)| head.starts_with(magic))
        {
            return Err(Refusal::Unsupported(name));
        }
        if head.starts_with(zip::LOCAL) {
            return Err(Refusal::NoStream("a ZIP or WACZ file"));
        }
        if head.starts_with(PARQUET) {
            return Err(Refusal::NoStream("a Parquet file"));
        }
        let codec = if head.starts_with(&[0x1f, 0x8b]) {
            Codec::Gzip
        } else if head.starts_with(Codec::Zstd.magic()) || skippable(head).is_some() {
            Codec::Zstd
        } else {
            Codec::Plain
        };
        let mut source = Self::of(stored, codec);
        if codec == Codec::Zstd {
            source.read_dictionary()?;
        }
        Ok(source)
    }

    /// Whatever the file is, its gzip members that begin with a record are searched for.
    pub(crate) fn searched(reader: Box<dyn Read + Send>) -> Self {
        Self::of(Stored::new(reader), Codec::Gzip)
    }

    fn of(stored: Stored, codec: Codec) -> Self {
        Self {
            stored,
            codec,
            member: None,
            corrupt: false,
            member_offset: 0,
            dictionary: Vec::new(),
            furthest: 0,
            produced: 0,
            wasted: 0,
        }
    }

    pub(crate) fn is_plain(&self) -> bool {
        self.codec == Codec::Plain
    }

    /// Offset in the stored file up to which bytes have been used.
    pub(crate) fn position(&self) -> u64 {
        self.stored.position()
    }

    /// Decompresses on into `output`, which must not be empty.
    pub(crate) fn step(&mut self, output: &mut [u8]) -> Step {
        if self.codec == Codec::Plain {
            return self.copy(output);
        }
        if std::mem::take(&mut self.corrupt) {
            return self.skip_corrupt();
        }
        loop {
            let Some(member) = &mut self.member else {
                match self.next_member() {
                    Some(step) => return step,
                    None => continue,
                }
            };
            let progress = member.run(self.stored.available(), output);
            self.stored.consume(progress.consumed);
            self.produced += progress.produced as u64;
            match progress.outcome {
                Ok(true) => self.member = None,
                Ok(false) if progress.consumed + progress.produced == 0 => {
                    if !self.stored.more(self.member_offset) {
                        return self.cut_short();
                    }
                }
                Ok(false) => {}
                Err(()) if progress.produced > 0 => self.corrupt = true,
                Err(()) => return self.skip_corrupt(),
            }
            if progress.produced > 0 {
                return Step::Data(progress.produced);
            }
        }
    }

    fn copy(&mut self, output: &mut [u8]) -> Step {
        let position = self.stored.position();
        if self.stored.available().is_empty() && !self.stored.more(position) {
            return self.end();
        }
        let bytes = self.stored.available();
        let count = bytes.len().min(output.len());
        output[..count].copy_from_slice(&bytes[..count]);
        self.stored.consume(count);
        Step::Data(count)
    }

    /// The end of the file: a read error is told once.
    fn end(&mut self) -> Step {
        match self.stored.take_failure() {
            None => Step::End,
            Some(detail) => {
                let offset = self.stored.position();
                Step::Damage(Damage {
                    reason: Reason::ReadError,
                    offset,
                    detail,
                    inside: true,
                })
            }
        }
    }

    /// A corrupt member is noticed after its end if its last block was not recognised as such, so the search for the
    /// next one begins inside it.
    fn skip_corrupt(&mut self) -> Step {
        self.member = None;
        if self.member_offset < self.furthest {
            self.wasted += self.produced;
        }
        self.furthest = self.furthest.max(self.stored.position());
        if self.wasted <= MAX_WASTED {
            self.stored.go_back(self.member_offset);
        }
        // An error may come before any byte is used up: the member must not be found again.
        self.stored
            .consume(usize::from(self.stored.position() == self.member_offset));
        let why = format!("a {} member does not decompress", self.codec.name());
        self.resynchronise(self.member_offset, true, &why)
    }

    /// The file ends inside a member. If another one begins inside it, it is corrupt and ran on over its end.
    fn cut_short(&mut self) -> Step {
        self.member = None;
        if let damage @ Step::Damage(_) = self.end() {
            return damage;
        }
        let step = self.skip_corrupt();
        if !self.stored.available().is_empty() {
            return step;
        }
        let detail = format!("the file ends inside a {} member", self.codec.name());
        let (reason, offset) = (Reason::Truncated, self.member_offset);
        Step::Damage(Damage {
            reason,
            offset,
            detail,
            inside: true,
        })
    }

    /// Between members. None: something was skipped, call again.
    fn next_member(&mut self) -> Option<Step> {
        let position = self.stored.position();
        self.stored.at_least(8, position);
        let head = self.stored.available();
        if head.is_empty() {
            return Some(self.end());
        }
        let magic = self.codec.magic();
        if head.starts_with(magic) {
            return match Member::new(self.codec, &self.dictionary) {
                Ok(member) => {
                    self.member = Some(member);
                    self.member_offset = position;
                    self.produced = 0;
                    Some(Step::Member(position))
                }
                Err(error) => Some(self.resynchronise(position, false, &error)),
            };
        }
        if let (Codec::Zstd, Some(length)) = (self.codec, skippable(head)) {
            return self.skip_frame(length);
        }
        if head.len() < magic.len() && magic.starts_with(head) {
            self.stored.consume(magic.len());
            self.member_offset = position;
            return Some(self.cut_short());
        }
        Some(self.resynchronise(position, false, "bytes between members"))
    }

    fn skip_frame(&mut self, length: u32) -> Option<Step> {
        self.member_offset = self.stored.position();
        let mut left = u64::from(length) + 8;
        while left > 0 {
            let position = self.stored.position();
            if self.stored.available().is_empty() && !self.stored.more(position) {
                return Some(self.cut_short());
            }
            let count = (self.stored.available().len() as u64).min(left);
            self.stored.consume(count as usize);
            left -= count;
        }
        None
    }

    /// Searches for the next member that begins with a record and reports what lies between `begin` and it.
    fn resynchronise(&mut self, begin: u64, inside: bool, why: &str) -> Step {
        let magic = self.codec.magic();
        let finder = memmem::Finder::new(magic);
        let mut blank = !inside;
        loop {
            let bytes = self.stored.available();
            let found = finder.find(bytes);
            // A magic that the end of the buffer cuts through is looked at again with the bytes that follow.
            let skip = found.unwrap_or_else(|| bytes.len().saturating_sub(magic.len() - 1));
            blank = blank && is_blank(&bytes[..skip]);
            self.stored.consume(skip);
            let position = self.stored.position();
            if found.is_some() {
                self.stored.at_least(TRIAL, position);
                if begins_record(self.codec, &self.dictionary, self.stored.available()) {
                    break;
                }
                blank = false;
                self.stored.consume(1);
            } else if !self.stored.more(position) {
                let rest = self.stored.available();
                blank = blank && is_blank(rest);
                self.stored.consume(rest.len());
                break;
            }
        }
        let length = self.stored.position() - begin;
        let (reason, detail) = match (inside, blank) {
            (true, _) => (
                Reason::CorruptMember,
                format!("{why}; {length} stored bytes skipped"),
            ),
            (false, true) => (
                Reason::Padding,
                format!("{length} blank bytes between members"),
            ),
            (false, false) => (Reason::Gap, format!("{why}; {length} stored bytes skipped")),
        };
        Step::Damage(Damage {
            reason,
            offset: begin,
            detail,
            inside,
        })
    }

    /// Takes the dictionary that "Zstandard Compression for WARC Files 1.0" (IIPC, proposed) allows as the first frame
    /// of a file: a skippable frame of magic 0x184D2A5D, its content being the dictionary as it is or as a zstd frame.
    fn read_dictionary(&mut self) -> Result<(), Refusal> {
        let head = self.stored.available();
        let Some(length) = skippable(head).filter(|_| head.first() == Some(&0x5d)) else {
            return Ok(());
        };
        let length = length as usize;
        if length > MAX_DICTIONARY {
            return Err(Refusal::Dictionary(format!("it is {length} bytes long")));
        }
        self.stored.consume(8);
        if !self.stored.at_least(length, 0) {
            return Err(Refusal::Dictionary("the file ends inside it".to_owned()));
        }
        let frame = self.stored.available().get(..length).unwrap_or_default();
        if frame.starts_with(Codec::Zstd.magic()) {
            let decoder = zstd::stream::read::Decoder::with_buffer(frame);
            let decoder = decoder.map_err(|error| Refusal::Dictionary(error.to_string()))?;
            let read = decoder
                .take(MAX_DICTIONARY as u64)
                .read_to_end(&mut self.dictionary);
            read.map_err(|error| Refusal::Dictionary(error.to_string()))?;
        } else {
            self.dictionary = frame.to_vec();
        }
        self.stored.consume(length);
        Ok(())
    }
}

/// Content length of a skippable zstd frame (RFC 8878 §3.1.2), if `head` begins with one.
fn skippable(head: &[u8]) -> Option<u32> {
    match head {
        [0x50..=0x5f, 0x2a, 0x4d, 0x18, a, b, c, d, ..] => {
            Some(u32::from_le_bytes([*a, *b, *c, *d]))
        }
        _ => None,
    }
}
