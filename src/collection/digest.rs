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
    ended: bool,
}

/// Bytes that are hashed as they are read.
pub(super) struct Digested<R> {
    inner: R,
    state: Arc<Mutex<State>>,
}

/// The hash of what a [`Digested`] has given out.
pub(super) struct Digest(Arc<Mutex<State>>);

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
        }
        Ok(read)
    }
}

impl Digest {
    /// The hash in hexadecimal; none if the file was not read to its end.
    pub fn sha256(&self) -> Option<String> {
        let state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = state.ended.then(|| state.hasher.clone().finalize())?;
        let mut hex = String::with_capacity(64);
        for byte in bytes {
            // Writing to a string cannot fail.
            let _ = write!(hex, "{byte:02x}");
        }
        Some(hex)
    }
}

/// The SHA-256 of a file in hexadecimal.
///
/// # Errors
/// Those of reading it.
pub fn sha256_of_file(path: &Path) -> io::Result<String> {
    sha256_of(File::open(path)?)
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
    use super::*;

    /// The hash of "abc" is the first example of FIPS 180-4.
    #[test]
    fn hashes_what_was_read() {
        let (mut reader, digest) = Digested::new(&b"abc"[..]);
        assert_eq!(digest.sha256(), None);
        io::copy(&mut reader, &mut io::sink()).unwrap();
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(digest.sha256().as_deref(), Some(expected));
    }
}
