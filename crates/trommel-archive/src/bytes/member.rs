//! One compressed member at a time: the two decompressors behind one face.
//!
//! gzip (RFC 1952) and zstd (RFC 8878) files are both sequences of members, and a WARC file has one per record; what
//! follows relies on no more than that a member is recognised by its first bytes and says where it ends.

use flate2::{Decompress, FlushDecompress, Status};
use memchr::memchr;
use zstd::stream::raw::{Decoder, InBuffer, Operation, OutBuffer};

use crate::head::header::begins_with_magic;
use crate::head::url_line;

/// How a stored file is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Codec {
    Plain,
    Gzip,
    Zstd,
}

impl Codec {
    /// First bytes of a member.
    pub(crate) fn magic(self) -> &'static [u8] {
        match self {
            Self::Plain => b"",
            Self::Gzip => &[0x1f, 0x8b, 0x08],
            Self::Zstd => &[0x28, 0xb5, 0x2f, 0xfd],
        }
    }

    /// The name used in messages.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
        }
    }
}

/// Bytes of a zstd frame given first: fewer than the smallest frame has, since one that is there as a whole is
/// decompressed in one piece.
const FIRST_BYTES: usize = 4;
/// Size of a zstd block's header (RFC 8878 §3.1.1.2).
const BLOCK_HEADER: usize = 3;

/// A decompressor at work on one member.
pub(crate) enum Member {
    /// Deflate, bare or as gzip or zlib wrap it.
    Inflate(Box<Decompress>),
    Zstd(Box<Frame>),
}

/// What one call of [`Member::run`] did. Output may have been produced even where `outcome` is an error.
pub(crate) struct Progress {
    pub(crate) consumed: usize,
    pub(crate) produced: usize,
    /// `Ok(true)` at the end of the member, check sum included; an error if it is corrupt. What the libraries say about
    /// that depends on how the bytes were cut, so it is not passed on.
    pub(crate) outcome: Result<bool, ()>,
}

impl Member {
    /// A decompressor for a new member; `dictionary` is for zstd only.
    pub(crate) fn new(codec: Codec, dictionary: &[u8]) -> Result<Self, String> {
        match codec {
            Codec::Zstd => {
                let decoder = if dictionary.is_empty() {
                    Decoder::new()
                } else {
                    Decoder::with_dictionary(dictionary)
                };
                let decoder = decoder.map_err(|error| error.to_string())?;
                Ok(Self::Zstd(Box::new(Frame::new(decoder))))
            }
            Codec::Gzip | Codec::Plain => Ok(Self::gzip()),
        }
    }

    /// A decompressor for a new member of gzip.
    pub(crate) fn gzip() -> Self {
        Self::Inflate(Box::new(Decompress::new_gzip(15)))
    }

    pub(crate) fn run(&mut self, input: &[u8], output: &mut [u8]) -> Progress {
        match self {
            Self::Inflate(inflate) => {
                let (before_in, before_out) = (inflate.total_in(), inflate.total_out());
                let outcome = inflate.decompress(input, output, FlushDecompress::None);
                Progress {
                    consumed: (inflate.total_in() - before_in) as usize,
                    produced: (inflate.total_out() - before_out) as usize,
                    outcome: outcome
                        .map(|status| status == Status::StreamEnd)
                        .map_err(drop),
                }
            }
            Self::Zstd(frame) => frame.run(input, output),
        }
    }
}

/// A zstd frame that is decompressed piece by piece: of a piece that turns out to be corrupt the library tells nothing,
/// not even what it gave before the error, so a larger piece would cost more. It makes what is given independent of
/// how the bytes arrive.
pub(crate) struct Frame {
    decoder: Decoder<'static>,
    /// Bytes to give next; 0 if output may be left to take.
    wanted: usize,
}

impl Frame {
    pub(crate) fn new(decoder: Decoder<'static>) -> Self {
        Self {
            decoder,
            wanted: FIRST_BYTES,
        }
    }

    fn run(&mut self, input: &[u8], output: &mut [u8]) -> Progress {
        let taking = self.wanted == 0;
        let progress = self.step(input, output);
        if taking && progress.produced == 0 && progress.outcome == Ok(false) {
            return self.step(input, output);
        }
        progress
    }

    fn step(&mut self, input: &[u8], output: &mut [u8]) -> Progress {
        let size = output.len();
        let mut input = InBuffer::around(&input[..input.len().min(self.wanted)]);
        let mut output = OutBuffer::around(output);
        let outcome = self.decoder.run(&mut input, &mut output);
        // The hint is what the next block needs, with the header of the one after it: that is a piece of its own.
        self.wanted = match outcome {
            Ok(_) if output.pos() == size => 0,
            Ok(hint) if hint > BLOCK_HEADER => hint - BLOCK_HEADER,
            _ => BLOCK_HEADER,
        };
        let (consumed, produced) = (input.pos(), output.pos());
        Progress {
            consumed,
            produced,
            outcome: outcome.map(|hint| hint == 0).map_err(drop),
        }
    }
}

/// Decompressed bytes that a member's content is told by: the first line of most ARC records fits in.
const BEGINNING: usize = 2048;

/// Longest file name or comment in the header of a gzip member that a search believes.
const MAX_NAME: usize = 1024;

/// Whether name and comment in a gzip header (RFC 1952 §2.3) end soon, if there are any: a magic that stands somewhere by
/// chance must not cost a search for where they end.
fn is_plausible(stored: &[u8]) -> bool {
    let [_, _, _, flags, ..] = *stored else {
        return false;
    };
    let mut rest = stored.get(10..).unwrap_or_default();
    if flags & 4 != 0 {
        let [low, high, after @ ..] = rest else {
            return false;
        };
        let extra = usize::from(u16::from_le_bytes([*low, *high]));
        rest = after.get(extra..).unwrap_or_default();
    }
    for flag in [8, 16] {
        if flags & flag != 0 {
            match memchr(0, &rest[..rest.len().min(MAX_NAME)]) {
                Some(end) => rest = &rest[end + 1..],
                None => return false,
            }
        }
    }
    // What is reserved must be zero.
    flags & 0xe0 == 0
}

/// Whether the member that `stored` begins with decompresses to the beginning of a record.
pub(crate) fn begins_record(codec: Codec, dictionary: &[u8], stored: &[u8]) -> bool {
    if codec == Codec::Gzip && !is_plausible(stored) {
        return false;
    }
    let Ok(mut member) = Member::new(codec, dictionary) else {
        return false;
    };
    let mut output = vec![0u8; BEGINNING];
    let mut filled = 0;
    let mut rest = stored;
    while let Some(free) = output.get_mut(filled..).filter(|free| !free.is_empty()) {
        let progress = member.run(rest, free);
        filled += progress.produced;
        rest = rest.get(progress.consumed..).unwrap_or_default();
        if progress.outcome != Ok(false) || progress.consumed + progress.produced == 0 {
            break;
        }
    }
    let text = output.get(..filled).unwrap_or_default().trim_ascii_start();
    [&b"<DOC>"[..], b"{\""]
        .iter()
        .any(|begin| text.starts_with(begin))
        || begins_with_magic(text)
        || url_line::begins_record(text)
}
