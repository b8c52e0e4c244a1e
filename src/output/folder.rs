//! A folder with a file for each page.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use trommel_archive::{WholeFile, write_whole};
use trommel_text::fnv1a;

use super::error::{OutputError, at};
use super::reads::Reads;
use super::{folder_name, refuse_read};

/// Bytes of a part of a path; file systems have 255, of which an extension takes some.
const LONGEST: usize = 200;

/// A folder that gets a file for each page, named after its docid.
#[derive(Debug)]
pub struct Folder<'a> {
    path: PathBuf,
    extension: &'static str,
    reads: &'a Reads,
    /// Names that were given, in small letters, with the docids that they stand for.
    given: HashMap<String, String>,
    /// Folders in it that are known to be there.
    made: HashSet<PathBuf>,
}

impl<'a> Folder<'a> {
    /// Looks whether files can be written there by somebody who reads these. It must be empty or not there yet, unless `force` lets files of
    /// it be replaced.
    ///
    /// # Errors
    /// What is no directory; one that has something in it; one of an index; one that cannot be written to.
    pub fn check(
        path: &Path,
        extension: &'static str,
        force: bool,
        reads: &'a Reads,
    ) -> Result<Folder<'a>, OutputError> {
        if let Some(what) = reads.holds(path) {
            return Err(OutputError::Read {
                path: path.to_owned(),
                what: format!("lies in {what}"),
            });
        }
        if let Some(what) = reads.lies_in(path) {
            return Err(OutputError::Read {
                path: path.to_owned(),
                what,
            });
        }
        match fs::metadata(path) {
            Ok(there) if !there.is_dir() => return Err(OutputError::IsFile(path.to_owned())),
            Ok(_) => {
                WholeFile::begin(&path.join("x")).map_err(at(path))?;
                let mut entries = fs::read_dir(path).map_err(at(path))?;
                if entries.next().is_some() && !force {
                    return Err(OutputError::NotEmpty(path.to_owned()));
                }
            }
            Err(_) => {
                let mut above = path.ancestors().skip(1);
                let above = above.find(|above| folder_name(above).exists());
                let above = above.map_or(Path::new("."), folder_name);
                WholeFile::begin(&above.join("x")).map_err(at(path))?;
            }
        }
        Ok(Folder {
            path: path.to_owned(),
            extension,
            reads,
            given: HashMap::new(),
            made: HashSet::new(),
        })
    }

    /// Writes the file of a page. Its name is the docid's; parts between slashes are folders where each can be one.
    ///
    /// # Errors
    /// The operating system's; a file that is read; a docid whose name another page has, but for capitals.
    pub fn write(&mut self, docid: &str, content: &[u8]) -> Result<(), OutputError> {
        let name = name_of(docid);
        let path = self.path.join(format!("{name}.{}", self.extension));
        if let Some(other) = self.given.insert(name.to_lowercase(), docid.to_owned()) {
            let docid = docid.to_owned();
            return Err(OutputError::SameName { path, docid, other });
        }
        let parts: Vec<&str> = name.split('/').collect();
        let mut folder = self.path.clone();
        self.make(&folder.clone())?;
        for part in &parts[..parts.len() - 1] {
            folder.push(part);
            self.make(&folder.clone())?;
        }
        refuse_read(&path, &path, self.reads)?;
        write_whole(&path, content).map_err(at(&path))
    }

    /// Makes a folder. In the folder itself no link to another place is followed.
    fn make(&mut self, folder: &Path) -> Result<(), OutputError> {
        if self.made.contains(folder) {
            return Ok(());
        }
        let is_top = folder == self.path;
        match fs::symlink_metadata(folder) {
            Ok(there) if there.is_dir() || is_top => {}
            Ok(_) => return Err(OutputError::IsFile(folder.to_owned())),
            Err(_) if is_top => fs::create_dir_all(folder).map_err(at(folder))?,
            Err(_) => fs::create_dir(folder).map_err(at(folder))?,
        }
        self.made.insert(folder.to_owned());
        Ok(())
    }
}

/// The path of a page in a folder, without extension: letters, digits and a few signs of the docid as they are, other characters as
/// percent-codes. A docid whose parts between slashes cannot all be names of folders is one part.
fn name_of(docid: &str) -> String {
    let is_name = |part: &&str| !part.is_empty() && !part.starts_with('.');
    let parts: Vec<&str> = docid.split('/').collect();
    match parts.iter().all(is_name) && parts.len() <= 32 {
        true => parts.into_iter().map(encoded).collect::<Vec<_>>().join("/"),
        false => encoded(docid),
    }
}

fn encoded(part: &str) -> String {
    let mut name = String::new();
    for c in part.chars() {
        match c {
            // A first point would hide the file, and so would two lead out of the folder.
            '.' if name.is_empty() => name.push_str("%2E"),
            c if c.is_alphanumeric()
                || matches!(c, '.' | '-' | '_' | '+' | '=' | ',' | '@' | ' ') =>
            {
                name.push(c)
            }
            c => {
                let mut bytes = [0; 4];
                for byte in c.encode_utf8(&mut bytes).bytes() {
                    name.push_str(&format!("%{byte:02X}"));
                }
            }
        }
    }
    if name.len() > LONGEST {
        name.truncate(name.floor_char_boundary(LONGEST - 17));
        name.push_str(&format!("~{:016x}", fnv1a(part.as_bytes())));
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_in_the_folder() {
        for (docid, expected) in [
            ("a", "a"),
            ("sub/page one", "sub/page one"),
            ("../../etc/passwd", "%2E.%2F..%2Fetc%2Fpasswd"),
            ("/etc/passwd", "%2Fetc%2Fpasswd"),
            ("https://a.example/x?y", "https%3A%2F%2Fa.example%2Fx%3Fy"),
            (".hidden", "%2Ehidden"),
            ("a//b", "a%2F%2Fb"),
            ("a\\b\0c", "a%5Cb%00c"),
        ] {
            assert_eq!(name_of(docid), expected, "{docid}");
        }
        let long = name_of(&"x".repeat(5_000));
        assert!(long.len() <= LONGEST, "{}", long.len());
        assert_ne!(long, name_of(&"x".repeat(5_001)));
    }

    #[test]
    fn files_have_names_of_their_own() {
        let place = tempfile::tempdir().unwrap();
        let (reads, path) = (Reads::default(), place.path().join("new/out"));
        let mut folder = Folder::check(&path, "md", false, &reads).unwrap();
        folder.write("sub/a", b"one").unwrap();
        let same = folder.write("Sub/A", b"two");
        assert!(
            matches!(same, Err(OutputError::SameName { .. })),
            "{same:?}"
        );
        assert_eq!(fs::read(path.join("sub/a.md")).unwrap(), b"one");
        let again = Folder::check(&path, "md", false, &reads);
        assert!(matches!(again, Err(OutputError::NotEmpty(_))));
        let mut again = Folder::check(&path, "md", true, &reads).unwrap();
        again.write("sub/a", b"three").unwrap();
        assert_eq!(fs::read(path.join("sub/a.md")).unwrap(), b"three");
    }

    #[cfg(unix)]
    #[test]
    fn links_do_not_lead_out_of_the_folder() {
        let (place, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::os::unix::fs::symlink(other.path(), place.path().join("sub")).unwrap();
        let reads = Reads::default();
        let mut folder = Folder::check(place.path(), "md", true, &reads).unwrap();
        assert!(folder.write("sub/a", b"one").is_err());
        assert!(fs::read_dir(other.path()).unwrap().next().is_none());
    }
}
