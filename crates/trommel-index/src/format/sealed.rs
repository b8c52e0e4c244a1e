//! Files of JSON that say of themselves whether they are whole: the first line after the brace has the SHA-256 of all that follows
//! it.

use std::path::Path;

use serde::Serialize;
use trommel_archive::sha256_of;

use crate::format::error::IndexError;
use crate::format::file;

/// What stands before the hash, and after it.
const BEFORE: &str = "{\n  \"sha256\": \"";

const AFTER: &str = "\",\n";

/// Digits of a SHA-256.
const DIGITS: usize = 64;

/// What the seal of a file says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Seal {
    /// The bytes are those that were written.
    Whole,
    /// They are others.
    Broken,
    /// There is none.
    Missing,
}

/// Writes a value as a sealed file of JSON: whole or not at all.
pub(crate) fn write(path: &Path, value: &impl Serialize) -> Result<(), IndexError> {
    let text = serde_json::to_string_pretty(value).map_err(|error| IndexError::Damaged {
        path: path.to_owned(),
        why: error.to_string(),
    })?;
    // Of an object, the brace and its line feed.
    let rest = text.strip_prefix("{\n").unwrap_or(&text);
    let rest = format!("{rest}\n");
    let hash = sha256_of(rest.as_bytes()).map_err(IndexError::io(path))?;
    let sealed = format!("{BEFORE}{hash}{AFTER}{rest}");
    file::replace(path, sealed.as_bytes())
}

/// Looks at the seal of a file's bytes.
pub(crate) fn seal(bytes: &[u8]) -> Seal {
    let parts = || {
        let (hash, rest) = bytes
            .strip_prefix(BEFORE.as_bytes())?
            .split_at_checked(DIGITS)?;
        Some((hash, rest.strip_prefix(AFTER.as_bytes())?))
    };
    match parts() {
        None => Seal::Missing,
        Some((hash, rest)) => match sha256_of(rest).is_ok_and(|now| now.as_bytes() == hash) {
            true => Seal::Whole,
            false => Seal::Broken,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A byte changed anywhere is seen.
    #[test]
    fn seals() {
        let place = tempfile::TempDir::new().unwrap();
        let path = place.path().join("a.json");
        let value = serde_json::json!({"a": 1, "b": {"c": "d"}});
        write(&path, &value).unwrap();
        let bytes = std::fs::read(&path).unwrap();
        assert_eq!(seal(&bytes), Seal::Whole);
        let mut read: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
        assert!(read.as_object_mut().unwrap().remove("sha256").is_some());
        assert_eq!(read, value);
        for at in 0..bytes.len() {
            for bit in 0..8 {
                let mut changed = bytes.clone();
                changed[at] ^= 1 << bit;
                assert_ne!(seal(&changed), Seal::Whole, "{at}");
            }
        }
        for cut in [0, 5, bytes.len() - 1] {
            assert_ne!(seal(&bytes[..cut]), Seal::Whole);
        }
        assert_eq!(seal(b"{\"schema_version\": 2}"), Seal::Missing);
    }
}
