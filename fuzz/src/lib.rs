//! What the targets share. Each target is a function of bytes that panics where something is not as it should be.
//!
//! Inputs are files as they are, without a prefix for the fuzzer, so that any file is a seed and any finding is a file.

use std::io::{self, Read};

use trommel::collection::{Format, Item, Options, Reader};

#[path = "../../tests/it/whole_page.rs"]
pub mod whole_page;

/// Small, so that inputs of a few KB are over it.
const MAX_RECORD_BYTES: u64 = 4096;

/// Reads a file of a format to its end, whole and in pieces: the items are the same, documents have an identifier and
/// are no larger than allowed, and offsets in a plain file only grow.
pub fn read(format: Format, data: &[u8]) {
    let whole = items(format, data, |_| usize::MAX);
    // Pieces of 1 to 256 bytes: the byte at which one begins says how many.
    let pieces = items(format, data, |byte| usize::from(byte) + 1);
    assert_eq!(whole, pieces, "whole, and in pieces");
    let plain = !data.starts_with(&[0x1f, 0x8b]) && !is_zstd(data);
    let mut last = 0;
    for item in whole.iter().flatten() {
        let offset = match item {
            Item::Document(document) => {
                assert!(!document.docid.is_empty(), "{item:?}");
                assert!(document.bytes.len() as u64 <= MAX_RECORD_BYTES, "{item:?}");
                document.offset
            }
            Item::Skipped(skipped) => {
                assert_ne!(skipped.docid.as_deref(), Some(""), "{item:?}");
                skipped.offset
            }
        };
        if plain {
            assert!(offset >= last, "back from {last}: {item:?}");
            assert!(offset <= data.len() as u64, "past the end: {item:?}");
            last = offset;
        }
    }
}

/// A zstd frame, or one that is to be skipped.
fn is_zstd(data: &[u8]) -> bool {
    matches!(
        data,
        [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..]
    )
}

/// The items of a file, or why there are none.
fn items(format: Format, data: &[u8], piece: fn(u8) -> usize) -> Result<Vec<Item>, String> {
    let pieces = Pieces {
        data: data.to_vec(),
        at: 0,
        piece,
    };
    let options = Options::default().with_format(format).with_max_record_bytes(MAX_RECORD_BYTES);
    let reader =
        Reader::from_read("file", Box::new(pieces), &options).map_err(|error| error.to_string())?;
    Ok(reader.collect())
}

/// Bytes that arrive a piece at a time.
struct Pieces {
    data: Vec<u8>,
    at: usize,
    /// The length of a piece that begins with a byte.
    piece: fn(u8) -> usize,
}

impl Read for Pieces {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let rest = &self.data[self.at..];
        let wanted = rest.first().map_or(0, |byte| (self.piece)(*byte));
        let length = wanted.min(rest.len()).min(buffer.len());
        buffer[..length].copy_from_slice(&rest[..length]);
        self.at += length;
        Ok(length)
    }
}
