//! Hashes that stay the same across programs, machines and versions, for models.

/// FNV-1a of 64 bits (Fowler, Noll, Vo; draft-eastlake-fnv): offset basis and prime are theirs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fingerprint(u64);

impl Fingerprint {
    pub fn new() -> Self {
        Fingerprint(0xcbf2_9ce4_8422_2325)
    }

    /// Goes on with these bytes.
    pub fn push(mut self, bytes: &[u8]) -> Self {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        self
    }

    pub fn finish(self) -> u64 {
        self.0
    }
}

/// The fingerprint of a text.
pub(super) fn fingerprint(text: &str) -> u64 {
    Fingerprint::new().push(text.as_bytes()).finish()
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
            assert_eq!(fingerprint(text), hash, "{text}");
        }
    }
}
