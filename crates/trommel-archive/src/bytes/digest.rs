//! SHA-256 of a file while it is read, so that an index can say what it was made of without reading everything twice.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use sha2::{Digest as _, Sha256};

#[derive(Default)]
struct State {
    hasher: Sha256,
    bytes: u64,
    ended: bool,
}

/// Bytes that are hashed as they are read.
pub(crate) struct Digested<R> {
    inner: R,
    state: Arc<Mutex<State>>,
}

/// The hash of what a [`Digested`] has given out.
pub(crate) struct Digest(Arc<Mutex<State>>);

impl<R: Read> Digested<R> {
    pub fn new(inner: R) -> (Self, Digest) {
        let state = Arc::<Mutex<State>>::default();
        let digest = Digest(Arc::clone(&state));
        (Digested { inner, state }, digest)
    }
}

impl<R: Read> Read for Digested<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if read == 0 && !buffer.is_empty() {
            state.ended = true;
        } else {
            state.hasher.update(&buffer[..read]);
            state.bytes += read as u64;
        }
        Ok(read)
    }
}

impl Digest {
    /// The hash in hexadecimal; none if the file was not read to its end.
    pub fn sha256(&self) -> Option<String> {
        let state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.ended.then(|| hex_digest(&state.hasher))
    }

    /// How many bytes were read so far, and the hash of exactly those in hexadecimal.
    pub fn so_far(&self) -> (u64, String) {
        let state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        (state.bytes, hex_digest(&state.hasher))
    }
}

/// What the hash is if nothing follows.
fn hex_digest(hasher: &Sha256) -> String {
    let mut hex = String::with_capacity(64);
    for byte in hasher.clone().finalize() {
        // Writing to a string cannot fail.
        let _ = write!(hex, "{byte:02x}");
    }
    hex
}

/// The SHA-256 of a file in hexadecimal.
///
/// # Errors
/// Those of reading it.
pub fn sha256_of_file(path: &Path) -> io::Result<String> {
    sha256_of(File::open(path)?)
}

/// The SHA-256 of the first `bytes` bytes of a file in hexadecimal, to compare with [`crate::Reader::digest_so_far`];
/// none if the file is shorter.
///
/// # Errors
/// Those of reading it.
pub fn sha256_of_prefix(path: &Path, bytes: u64) -> io::Result<Option<String>> {
    let (reader, digest) = Digested::new(File::open(path)?);
    io::copy(&mut reader.take(bytes), &mut io::sink())?;
    let (read, sha256) = digest.so_far();
    Ok((read == bytes).then_some(sha256))
}

/// The SHA-256 of what a reader gives, in hexadecimal.
///
/// # Errors
/// Those of reading it.
pub fn sha256_of(input: impl Read) -> io::Result<String> {
    let (mut reader, digest) = Digested::new(input);
    io::copy(&mut reader, &mut io::sink())?;
    Ok(digest.sha256().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// The hash of "abc" is the first example of FIPS 180-4.
    #[test]
    fn hashes_what_was_read() {
        let (mut reader, digest) = Digested::new(&b"abc"[..]);
        assert_eq!(digest.sha256(), None);
        io::copy(&mut reader, &mut io::sink()).unwrap();
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(digest.sha256().as_deref(), Some(expected));
        assert_eq!(digest.so_far(), (3, expected.to_owned()));
    }

    #[test]
    fn hashes_the_beginning_of_a_file() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        io::Write::write_all(&mut file, b"abcdef").unwrap();
        let prefix = |bytes| sha256_of_prefix(file.path(), bytes).unwrap();
        assert_eq!(prefix(3), Some(sha256_of(&b"abc"[..]).unwrap()));
        assert_eq!(prefix(0), Some(sha256_of(&b""[..]).unwrap()));
        assert_eq!(prefix(6), Some(sha256_of_file(file.path()).unwrap()));
        assert_eq!(prefix(7), None);
    }
}
