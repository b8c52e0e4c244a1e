//! What several test modules need.

use std::path::{Path, PathBuf};

/// The folder with corpora and reference outputs, or none (with a line that says what is skipped) where it is missing.
pub fn shared(part: &str) -> Option<PathBuf> {
    let root = std::env::var_os("TROMMEL_SHARED").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared"),
        PathBuf::from,
    );
    let path = root.join(part);
    if path.exists() {
        return Some(path);
    }
    eprintln!("skipped: {} is not there (set TROMMEL_SHARED)", path.display());
    None
}
