//! Compressed topics, judgments and runs, told by their first bytes and never by a name, so that standard input is unpacked too.

use std::cell::Cell;
use std::io::{self, BufRead, BufReader, Chain, Cursor, Read};
use std::rc::Rc;

use flate2::bufread::MultiGzDecoder;

use super::TrecError;

/// So many bytes come out of any compressed file.
const FREE: u64 = 64 << 20;

/// How many bytes, beyond the first [`FREE`], may come out for each byte that goes in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bound {
    /// A hundred: judgments and runs shrink to a tenth, rarely to a fortieth; what shrinks to less is made to fill the memory (gzip
    /// reaches 1,032, zstd more).
    Hundredfold,
    /// Any number. Whoever reads topics has a bound of its own, since there are some that repeat words hundreds of times (those of
    /// learned sparse models) and shrink to a four-hundredth.
    None,
}

/// Bytes that tell what a file is packed with.
const HEAD: usize = 6;

/// What else files are packed with, by their first bytes.
const OTHERS: [(&[u8], &str); 6] = [
    (b"BZh", "bzip2"),
    (b"\xFD7zXZ\0", "xz"),
    (b"PK\x03\x04", "zip"),
    (b"\x04\x22\x4D\x18", "lz4"),
    (b"\x1F\x9D", "compress"),
    (b"7z\xBC\xAF\x27\x1C", "7z"),
];

/// The input as it is, or what comes out of it if it is packed with gzip or zstd (of one member or many).
///
/// # Errors
/// An input that cannot be read, and one that is packed in another way. What unpacks beyond the bound ends in an error when it is
/// read, and so does what is damaged or cut off.
pub(super) fn unpacked<'a>(
    mut input: impl BufRead + 'a,
    name: &str,
    bound: Bound,
) -> Result<Box<dyn BufRead + 'a>, TrecError> {
    let io = |cause| TrecError::Io {
        name: name.to_owned(),
        cause,
    };
    // A pipe may give fewer bytes at once.
    let mut head = Vec::with_capacity(HEAD);
    let mut few = input.by_ref().take(HEAD as u64);
    few.read_to_end(&mut head).map_err(io)?;
    if let Some((_, format)) = OTHERS.iter().find(|(magic, _)| head.starts_with(magic)) {
        let name = name.to_owned();
        return Err(TrecError::Packed { name, format });
    }
    let kind = kind(&head);
    let whole: Chain<Cursor<Vec<u8>>, _> = Cursor::new(head).chain(input);
    let Some(format) = kind else {
        return Ok(Box::new(whole));
    };
    let taken = Rc::new(Cell::new(0));
    let counted = Counted {
        input: whole,
        taken: Rc::clone(&taken),
    };
    let unpacked: Box<dyn Read + 'a> = match format {
        Format::Gzip => Box::new(MultiGzDecoder::new(counted)),
        Format::Zstd => Box::new(zstd::stream::read::Decoder::with_buffer(counted).map_err(io)?),
    };
    Ok(Box::new(BufReader::new(Bounded {
        unpacked,
        format,
        bound,
        taken,
        given: 0,
    })))
}

#[derive(Clone, Copy)]
enum Format {
    Gzip,
    Zstd,
}

/// RFC 1952 §2.3.1; RFC 8878 §3.1.1, and §3.1.2 for frames that are skipped.
fn kind(head: &[u8]) -> Option<Format> {
    match head {
        [0x1F, 0x8B, ..] => Some(Format::Gzip),
        [0x28, 0xB5, 0x2F, 0xFD, ..] | [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..] => Some(Format::Zstd),
        _ => None,
    }
}

/// Counts the bytes that are taken.
struct Counted<R> {
    input: R,
    taken: Rc<Cell<u64>>,
}

impl<R: BufRead> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        self.taken.set(self.taken.get() + read as u64);
        Ok(read)
    }
}

impl<R: BufRead> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.input.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.taken.set(self.taken.get() + amount as u64);
        self.input.consume(amount);
    }
}

/// What comes out, as long as it is in proportion to what went in.
struct Bounded<R> {
    unpacked: R,
    format: Format,
    bound: Bound,
    taken: Rc<Cell<u64>>,
    given: u64,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self
            .unpacked
            .read(buffer)
            .map_err(|error| damaged(error, self.format))?;
        self.given += read as u64;
        let is_bomb = self.given > FREE && self.given / 100 > self.taken.get();
        if is_bomb && self.bound == Bound::Hundredfold {
            let text = "it unpacks to more than 100 times its size";
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, text));
        }
        Ok(read)
    }
}

/// An error of a decompressor, in words; errors of the operating system stay as they are.
fn damaged(error: io::Error, format: Format) -> io::Error {
    if error.raw_os_error().is_some() || error.kind() == io::ErrorKind::Interrupted {
        return error;
    }
    let format = match format {
        Format::Gzip => "gzip",
        Format::Zstd => "zstd",
    };
    let text = format!("its {format} data is damaged or cut off ({error})");
    io::Error::new(io::ErrorKind::InvalidData, text)
}
