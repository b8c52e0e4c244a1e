//! Where the metadata of a run stand.

use std::path::{Path, PathBuf};

/// What the name of a run has behind it in the name of the file with its metadata.
pub const METADATA_ENDING: &str = ".ir_metadata.yml";

/// Where the metadata of a run are.
pub fn sidecar(run: &Path) -> PathBuf {
    let mut name = run.file_name().unwrap_or_default().to_owned();
    name.push(METADATA_ENDING);
    run.with_file_name(name)
}
