//! Hashes that stay the same across programs, machines and versions, for models and identifiers.

/// FNV-1a of 64 bits (Fowler, Noll, Vo; draft-eastlake-fnv): offset basis and prime are theirs.
///
/// ```
/// use trommel_text::{Fnv1a, fnv1a};
///
/// assert_eq!(Fnv1a::new().push(b"foo").push(b"bar").finish(), fnv1a(b"foobar"));
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Fnv1a(u64);

impl Default for Fnv1a {
    fn default() -> Self {
        Fnv1a::new()
    }
}

impl Fnv1a {
    /// The hash of no bytes.
    pub fn new() -> Self {
        Fnv1a::from_basis(0xcbf2_9ce4_8422_2325)
    }

    /// Another hash of no bytes, for whoever needs two that are independent.
    pub fn from_basis(basis: u64) -> Self {
        Fnv1a(basis)
    }

    /// The hash of the bytes so far and these.
    #[must_use]
    pub fn push(mut self, bytes: &[u8]) -> Self {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        self
    }

    /// The hash as a number.
    pub fn finish(self) -> u64 {
        self.0
    }
}

/// The hash of some bytes.
pub fn fnv1a(bytes: &[u8]) -> u64 {
    Fnv1a::new().push(bytes).finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The vectors of the authors' test suite.
    #[test]
    fn published_vectors() {
        for (text, hash) in [
            ("", 0xcbf2_9ce4_8422_2325),
            ("a", 0xaf63_dc4c_8601_ec8c),
            ("foobar", 0x8594_4171_f739_67e8),
        ] {
            assert_eq!(fnv1a(text.as_bytes()), hash, "{text}");
        }
    }
}
