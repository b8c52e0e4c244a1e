//! Pages and their gold texts, as files.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use trommel_archive as collection;
use trommel_page::html::Charset;

use super::{Format, Gold, mistaken};
use crate::LabError;

/// A page and its gold text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pair {
    /// The file's path inside its folder, without extension.
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
        let name = relative.with_extension("").to_string_lossy().into_owned();
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
        None => Ok((format.read)(&bytes, Charset::Auto)),
        Some(found) => Err(LabError::GoldFormat {
            path: path.to_owned(),
            asked: format.name,
            found,
        }),
    }
}
