//! Pages and their gold texts, as files.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use trommel_archive as collection;
use trommel_page::html::Charset;

use super::{Format, Gold, mistaken};
use crate::LabError;

/// A page and its gold text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pair {
    /// The file's path inside its folder, without extension (`a/1` of `a/1.html` and of `a/1.html.gz`).
    pub name: String,
    /// The page.
    pub page: PathBuf,
    /// The gold text, unless there is none.
    pub gold: Option<PathBuf>,
}

/// Pairs of page and gold text by name, in the order of their names. Without `gold` all pages; with it all gold texts.
///
/// # Errors
/// A folder that cannot be listed, and gold texts whose page is missing.
pub fn pairs(gold: Option<&Path>, pages: &Path) -> Result<Vec<Pair>, LabError> {
    // What was named comes first: the folder of pages may have been made up from it.
    let gold = gold.map(files).transpose()?;
    let pages_by_name = files(pages)?;
    let Some(gold) = gold else {
        let pairs = pages_by_name.into_iter().map(|(name, page)| Pair {
            name,
            page,
            gold: None,
        });
        return Ok(pairs.collect());
    };
    let pair = |(name, gold): (String, PathBuf)| match pages_by_name.get(&name) {
        Some(page) => Ok(Pair {
            name,
            page: page.clone(),
            gold: Some(gold),
        }),
        None => Err(LabError::NoPage {
            gold,
            pages: pages.to_owned(),
        }),
    };
    gold.into_iter().map(pair).collect()
}

/// The files of a folder by their path in it without extension.
fn files(folder: &Path) -> Result<BTreeMap<String, PathBuf>, LabError> {
    if !folder.is_dir() {
        let error = io::Error::new(io::ErrorKind::NotFound, "no such directory");
        return Err(LabError::file(folder, error));
    }
    let inputs = collection::inputs(&[folder.to_owned()])
        .map_err(|error| LabError::file(folder, io::Error::other(error.to_string())))?;
    let by_name = inputs.into_iter().filter_map(|input| {
        let relative = PathBuf::from(input.relative?);
        let packed = relative.extension().is_some_and(|of| of == "gz");
        let unpacked = if packed {
            relative.with_extension("")
        } else {
            relative
        };
        let name = unpacked.with_extension("").to_string_lossy().into_owned();
        Some((name, input.path?))
    });
    Ok(by_name.collect())
}

/// Reads a gold text. They have encodings of their own, and GN1's are pages.
///
/// # Errors
/// A file that cannot be read, or is of another format.
pub fn read(path: &Path, format: &Format) -> Result<Gold, LabError> {
    let bytes = std::fs::read(path).map_err(|error| LabError::file(path, error))?;
    match mistaken(format, &bytes) {
        None => (format.read)(&bytes, Charset::Auto)
            .map_err(|why| LabError::file(path, io::Error::new(io::ErrorKind::InvalidData, why))),
        Some(found) => Err(LabError::GoldFormat {
            path: path.to_owned(),
            asked: format.name,
            found,
        }),
    }
}

/// The most bytes of an unpacked page; pages of gold standards have a hundredth of that.
const MOST_BYTES: u64 = 256 << 20;

/// Reads a page of a gold standard, which may be packed by gzip.
///
/// # Errors
/// A file that cannot be read or unpacked, or is too large.
pub fn read_page(path: &Path) -> Result<Vec<u8>, LabError> {
    let wrong = |error| LabError::file(path, error);
    let bytes = std::fs::read(path).map_err(wrong)?;
    // RFC 1952 §2.3.1.
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return Ok(bytes);
    }
    let mut page = Vec::new();
    let mut unpacked = MultiGzDecoder::new(bytes.as_slice()).take(MOST_BYTES + 1);
    unpacked.read_to_end(&mut page).map_err(wrong)?;
    if page.len() as u64 > MOST_BYTES {
        let why = format!("more than {MOST_BYTES} bytes when unpacked");
        return Err(wrong(io::Error::new(io::ErrorKind::InvalidData, why)));
    }
    Ok(page)
}
