//! Writing files.

use std::fs;
use std::path::Path;

use anyhow::Context;

/// Writes a file whole or not at all: under another name first, which then becomes its own.
pub fn write_file(path: &Path, content: &[u8]) -> anyhow::Result<()> {
    let shown = || path.display().to_string();
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    fs::write(&part, content).with_context(shown)?;
    fs::rename(&part, path).with_context(shown)
}
