//! Where the files that were indexed are now: an index may be read from another directory than the one it was made from, and moved
//! together with its files.

use std::path::{Component, Path, PathBuf};
use std::{env, fs};

use trommel_archive::path_of;

use crate::format::manifest::{InputEntry, Manifest};

/// The current directory as seen from an index directory: what relative paths of its inputs start from. None where that is not
/// known, or cannot be said in text.
pub(crate) fn current(index: &Path) -> Option<String> {
    seen_from(
        &fs::canonicalize(index).ok()?,
        &env::current_dir().ok()?.canonicalize().ok()?,
    )
}

/// A directory as seen from another one, with `/` between the parts; both absolute, and without links. None where nothing leads from one to
/// the other, or that cannot be said in text.
pub fn seen_from(from: &Path, to: &Path) -> Option<String> {
    let (from, to): (Vec<Component>, Vec<Component>) =
        (from.components().collect(), to.components().collect());
    let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    // Nothing leads from one drive to another.
    if common == 0 {
        return None;
    }
    let up = from[common..].iter().map(|_| Some(".."));
    let down = to[common..].iter().map(|part| part.as_os_str().to_str());
    let parts: Vec<&str> = up.chain(down).collect::<Option<_>>()?;
    Some(match parts.as_slice() {
        [] => ".".to_owned(),
        parts => parts.join("/"),
    })
}

/// The directory that relative paths of an index's inputs start from.
pub(crate) fn start(index: &Path, manifest: &Manifest) -> Option<PathBuf> {
    let from = manifest.inputs_from.as_ref()?;
    fs::canonicalize(index.join(from)).ok()
}

/// Where a file that was indexed is: of the places where it may be the first that has a file of its size. With `sources` it is looked
/// for in that directory alone: by its path, by its path in the directory that was indexed, by its name. Without, it is
/// looked for where it was, as seen from the index; where its path leads from here; and beside the index.
///
/// If there is none, the likeliest place.
pub(crate) fn find(
    index: &Path,
    manifest: &Manifest,
    entry: &InputEntry,
    sources: Option<&Path>,
) -> PathBuf {
    let path = path_of(&entry.path);
    let relative = entry.relative.as_deref().map(path_of);
    let below = |directory: &Path| {
        let own = Some(&*path).filter(|path| path.is_relative());
        let name = path.file_name().map(Path::new);
        let paths = [own, relative.as_deref(), name].into_iter().flatten();
        paths.map(|path| directory.join(path)).collect::<Vec<_>>()
    };
    let places = match sources {
        Some(sources) => below(sources),
        None => {
            let start = start(index, manifest).filter(|_| path.is_relative());
            let start = start.map(|start| start.join(&path));
            let index = fs::canonicalize(index).unwrap_or_else(|_| index.to_owned());
            let beside = index.parent().map(below).unwrap_or_default();
            start
                .into_iter()
                .chain([path.clone()])
                .chain(beside)
                .collect()
        }
    };
    let size = |place: &Path| {
        let metadata = fs::metadata(place).ok()?;
        metadata.is_file().then_some(metadata.len())
    };
    let same = places.iter().find(|place| {
        let size = size(place);
        size.is_some() && (entry.bytes.is_none() || size == entry.bytes)
    });
    let found = same.or_else(|| places.iter().find(|place| size(place).is_some()));
    let found = found.or_else(|| places.first());
    found.cloned().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_are_seen_from_others() {
        let check = |from: &str, to: &str, expected: &str| {
            let found = seen_from(Path::new(from), Path::new(to));
            assert_eq!(found.as_deref(), Some(expected), "{from} {to}");
        };
        check("/a/b", "/a/b", ".");
        check("/a/b/ix", "/a", "../..");
        check("/a", "/a/b/c", "b/c");
        check("/a/ix", "/b/c", "../../b/c");
    }
}
