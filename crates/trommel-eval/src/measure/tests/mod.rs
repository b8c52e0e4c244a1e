//! Tests of the measures: by hand, against the originals' own outputs, and against other implementations on random runs.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr
)]

mod by_hand;
mod trec_eval;

use std::path::{Path, PathBuf};

/// A folder of the references that may not be redistributed; none where it is missing, which is said.
fn reference(name: &str) -> Option<PathBuf> {
    let shared = std::env::var_os("TROMMEL_SHARED").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        PathBuf::from,
    );
    let folder = shared.join("reference").join(name);
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("skipped: no {} (set TROMMEL_SHARED)", folder.display());
    None
}
