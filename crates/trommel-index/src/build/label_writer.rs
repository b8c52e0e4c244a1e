//! Writing labels: pages come in any order and from any thread, files are in the order of pages.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use trommel_extract::{Label, Verdicts};

use crate::format::error::IndexError;
use crate::format::file::{self, sync_directory};
use crate::format::labels::{
    BITS, CONFIDENCES, FOLDER, NewLabels, WrittenLabels, check_names, file_stem,
};
use crate::format::sum::FileSum;

/// Digits of the hash in a file name.
const DIGITS: usize = 16;

/// How files of labels are called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Naming {
    /// By the name of the set: in a part, whose labels nobody reads before they are put together.
    Plain,
    /// By what is in them, too.
    Hashed,
}

/// Collects the labels of pages that come in any order and from any thread, and writes them in order of pages. What comes is
/// held in a file, so that memory does not grow with the collection but for eight bytes a page.
pub(crate) struct LabelWriter {
    folder: PathBuf,
    sets: Vec<NewLabels>,
    pending: Mutex<Pending>,
}

struct Pending {
    file: BufWriter<File>,
    length: u64,
    /// Where the labels of each page stand in the file; none for a page that has not come.
    starts: Vec<Option<u64>>,
}

impl LabelWriter {
    /// Begins label sets in an index directory.
    pub fn create(index: &Path, sets: Vec<NewLabels>) -> Result<LabelWriter, IndexError> {
        check_names(&sets)?;
        let folder = index.join(FOLDER);
        let path = pending_path(&folder);
        let create = || {
            fs::create_dir_all(&folder)?;
            file::create(&path)
        };
        let file = create().map_err(IndexError::io(&path))?;
        Ok(LabelWriter {
            pending: Mutex::new(Pending {
                file: BufWriter::new(file),
                length: 0,
                starts: Vec::new(),
            }),
            folder,
            sets,
        })
    }

    /// Adds a page: for each label set what it has for the blocks.
    pub fn add(&self, page: u32, verdicts: &[Verdicts]) -> Result<(), IndexError> {
        let blocks = verdicts.first().map_or(0, |of| of.labels.len());
        let mut record = (blocks as u32).to_le_bytes().to_vec();
        for (set, verdicts) in self.sets.iter().zip(verdicts) {
            for eight in verdicts.labels.chunks(8) {
                let bit = |(at, label): (u8, &Label)| u8::from(*label == Label::Content) << at;
                record.push((0..).zip(eight).map(bit).sum());
            }
            if set.confidences {
                let confidences = verdicts.confidences.iter().flatten();
                let end = record.len() + blocks;
                record.extend(confidences.map(|confidence| confidence.in_hundredths()));
                record.resize(end, 0);
            }
        }
        let mut pending = self.pending.lock().unwrap_or_else(PoisonError::into_inner);
        let page = page as usize;
        if pending.starts.len() <= page {
            pending.starts.resize(page + 1, None);
        }
        pending.starts[page] = Some(pending.length);
        pending.length += record.len() as u64;
        let written = pending.file.write_all(&record);
        written.map_err(IndexError::io(&pending_path(&self.folder)))
    }

    /// Puts the labels of parts together, in this order, to those of an index.
    pub(crate) fn join(
        index: &Path,
        parts: &[PathBuf],
        set: &NewLabels,
    ) -> Result<WrittenLabels, IndexError> {
        let folder = index.join(FOLDER);
        fs::create_dir_all(&folder).map_err(IndexError::io(&folder))?;
        let join = || {
            let mut out = SetFiles::create(&folder, set)?;
            for part in parts {
                let read = |ending: &str| fs::read(part.join(FOLDER).join(set.file(ending)));
                let bits = read(BITS)?;
                let (count, bits) = bits.split_first_chunk().unwrap_or((&[0; 8], &[]));
                let confidences = match set.confidences {
                    true => read(CONFIDENCES)?,
                    false => Vec::new(),
                };
                let confidences = confidences.get(8..).unwrap_or_default();
                out.push(bits, confidences, u64::from_le_bytes(*count) as usize)?;
            }
            out.finish(Naming::Hashed)
        };
        let written = join().map_err(IndexError::io(&folder))?;
        sync_directory(&folder)?;
        Ok(written)
    }

    /// Removes what was written.
    pub fn abandon(self) -> Result<(), IndexError> {
        let path = pending_path(&self.folder);
        fs::remove_file(&path).map_err(IndexError::io(&path))
    }

    /// Writes the files. Gives for each label set what became of it.
    pub fn finish(self, naming: Naming) -> Result<Vec<WrittenLabels>, IndexError> {
        let pending = self
            .pending
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        let path = pending_path(&self.folder);
        let write = || -> io::Result<Vec<WrittenLabels>> {
            pending.file.into_inner()?;
            let out = self.sets.iter();
            let mut out = out
                .map(|set| SetFiles::create(&self.folder, set))
                .collect::<io::Result<Vec<_>>>()?;
            let mut input = BufReader::with_capacity(1 << 16, File::open(&path)?);
            let mut position = 0;
            let mut bytes = Vec::new();
            for start in pending.starts.into_iter().flatten() {
                // Pages come nearly in order, so that most of these moves stay inside the buffer.
                input.seek_relative(start as i64 - position as i64)?;
                let mut count = [0; 4];
                input.read_exact(&mut count)?;
                let count = u32::from_le_bytes(count) as usize;
                let sizes = || self.sets.iter().map(|set| set.sizes(count));
                bytes.resize(
                    sizes().map(|(bits, confidences)| bits + confidences).sum(),
                    0,
                );
                input.read_exact(&mut bytes)?;
                position = start + 4 + bytes.len() as u64;
                let mut rest = bytes.as_slice();
                for (files, (bits, confidences)) in out.iter_mut().zip(sizes()) {
                    let (of_set, after) = rest.split_at(bits + confidences);
                    let (bits, confidences) = of_set.split_at(bits);
                    files.push(bits, confidences, count)?;
                    rest = after;
                }
            }
            let written = out.into_iter().map(|files| files.finish(naming)).collect();
            fs::remove_file(&path)?;
            written
        };
        let written = write().map_err(IndexError::io(&self.folder))?;
        sync_directory(&self.folder)?;
        Ok(written)
    }
}

fn pending_path(folder: &Path) -> PathBuf {
    folder.join("pending.tmp")
}

/// The files of a label set that are being written under temporary names.
struct SetFiles {
    bits: BitFile,
    confidences: Option<CountedFile>,
}

impl SetFiles {
    fn create(folder: &Path, set: &NewLabels) -> io::Result<SetFiles> {
        let create = |ending| CountedFile::create(folder, file_stem(&set.name), ending);
        let confidences = set.confidences.then(|| create(CONFIDENCES));
        Ok(SetFiles {
            bits: BitFile {
                out: create(BITS)?,
                content: 0,
                last: 0,
                filled: 0,
            },
            confidences: confidences.transpose()?,
        })
    }

    fn push(&mut self, bits: &[u8], confidences: &[u8], count: usize) -> io::Result<()> {
        self.bits.push(bits, count)?;
        match &mut self.confidences {
            Some(out) => out.push(confidences, count),
            None => Ok(()),
        }
    }

    fn finish(self, naming: Naming) -> io::Result<WrittenLabels> {
        let confidences = self.confidences;
        let confidences = confidences.map(|confidences| confidences.finish(naming));
        let (content_blocks, bits) = self.bits.finish(naming)?;
        let files = [Some(bits), confidences.transpose()?].into_iter().flatten();
        Ok(WrittenLabels {
            content_blocks,
            files: files.collect(),
        })
    }
}

/// A file that begins with the number of blocks.
struct CountedFile {
    folder: PathBuf,
    stem: String,
    ending: &'static str,
    temporary: PathBuf,
    file: BufWriter<File>,
    blocks: u64,
}

impl CountedFile {
    fn create(folder: &Path, stem: String, ending: &'static str) -> io::Result<CountedFile> {
        let temporary = file::temporary(&folder.join(format!("{stem}.{ending}")));
        let mut file = BufWriter::new(file::create(&temporary)?);
        file.write_all(&[0; 8])?;
        Ok(CountedFile {
            folder: folder.to_owned(),
            stem,
            ending,
            temporary,
            file,
            blocks: 0,
        })
    }

    /// Appends the bytes of some blocks.
    fn push(&mut self, bytes: &[u8], blocks: usize) -> io::Result<()> {
        self.blocks += blocks as u64;
        self.file.write_all(bytes)
    }

    /// Gives the file its name.
    fn finish(self, naming: Naming) -> io::Result<(String, FileSum)> {
        let mut file = self.file.into_inner()?;
        io::Seek::rewind(&mut file)?;
        file.write_all(&self.blocks.to_le_bytes())?;
        file.sync_all()?;
        let (stem, ending) = (self.stem, self.ending);
        let sum = FileSum::of(&self.temporary)?;
        let name = match naming {
            Naming::Plain => format!("{stem}.{ending}"),
            Naming::Hashed => format!("{stem}.{}.{ending}", &sum.sha256[..DIGITS]),
        };
        fs::rename(&self.temporary, self.folder.join(&name))?;
        Ok((name, sum))
    }
}

struct BitFile {
    out: CountedFile,
    content: u64,
    /// Bits that do not fill a byte yet, and how many.
    last: u8,
    filled: u32,
}

impl BitFile {
    /// Appends the first `count` bits; those behind them in the last byte are 0.
    fn push(&mut self, bytes: &[u8], count: usize) -> io::Result<()> {
        self.out.push(&[], count)?;
        let mut left = count;
        for &byte in bytes {
            let bits = left.min(8) as u32;
            left -= bits as usize;
            self.content += u64::from(byte.count_ones());
            let both = u16::from(self.last) | u16::from(byte) << self.filled;
            self.filled += bits;
            self.last = both as u8;
            if self.filled >= 8 {
                self.out.push(&[self.last], 0)?;
                self.last = (both >> 8) as u8;
                self.filled -= 8;
            }
        }
        Ok(())
    }

    /// Gives the number of content blocks, and the file.
    fn finish(mut self, naming: Naming) -> io::Result<(u64, (String, FileSum))> {
        if self.filled > 0 {
            self.out.push(&[self.last], 0)?;
        }
        Ok((self.content, self.out.finish(naming)?))
    }
}

#[cfg(test)]
mod tests {
    use trommel_extract::Confidence;

    use super::*;
    use crate::format::labels::LabelSet;
    use crate::search::open_labels::SetOfDirectory;

    #[test]
    fn names_make_files() {
        assert_eq!(file_stem("boilerpipe-article"), "boilerpipe-article");
        assert_eq!(file_stem("external:a/..=é"), "external%3Aa%2F..%3D%C3%A9");
    }

    /// Pages of all sizes, added in another order, give bits and confidences in page order.
    #[test]
    fn verdicts_come_back_in_page_order() {
        let directory = tempfile::TempDir::new().unwrap();
        let set = NewLabels::named;
        let sets = vec![set("a", false), set("b:n=3", true), set("c.d", true)];
        let writer = LabelWriter::create(directory.path(), sets.clone()).unwrap();
        let page = |number: u32, set: u32| -> Verdicts {
            let of_block = |block: u32| (number * 7 + block * (set + 3)) % 101;
            let blocks = || (0..number % 19).map(of_block);
            let label = |n: u32| Label::content_if(n % 5 < 2);
            let confidence = |n: u32| Confidence::hundredths(n as u8);
            Verdicts {
                labels: blocks().map(label).collect(),
                confidences: (set > 0).then(|| blocks().map(confidence).collect()),
            }
        };
        for number in (0..200).rev().filter(|number| number % 31 != 0) {
            let verdicts = [0, 1, 2].map(|set| page(number, set));
            writer.add(number, &verdicts).unwrap();
        }
        let written = writer.finish(Naming::Hashed).unwrap();
        for (number, set) in (0..).zip(sets) {
            let pages = || {
                (0..200)
                    .filter(|page| page % 31 != 0)
                    .map(|n| page(n, number))
            };
            let labels: Vec<Label> = pages().flat_map(|page| page.labels).collect();
            let confidences: Vec<Confidence> = pages()
                .flat_map(|page| page.confidences.unwrap_or_default())
                .collect();
            let listed = LabelSet {
                name: set.name.clone(),
                extractor: String::new(),
                model_sha256: None,
                trommel_version: String::new(),
                content_blocks: 0,
                confidences: set.confidences,
                files: written[number as usize].files.clone(),
            };
            let open =
                |blocks: usize| SetOfDirectory::open(directory.path(), &listed, blocks as u64);
            let found = open(labels.len()).unwrap();
            let is_content = |n: usize| Label::content_if(found.is_content(n as u64));
            assert!((0..labels.len()).map(is_content).eq(labels.iter().copied()));
            let stored = (0..confidences.len() as u64).map(|n| found.confidence(n));
            assert!(stored.eq(confidences.iter().copied()));
            assert_eq!(
                confidences.len(),
                if set.confidences { labels.len() } else { 0 }
            );
            let content = labels.iter().filter(|label| **label == Label::Content);
            let found = written[number as usize].content_blocks;
            assert_eq!(found, content.count() as u64);
            assert!(open(labels.len() + 8).is_err());
        }
        let files = file::entries(&directory.path().join(FOLDER)).unwrap();
        let without_hash = |path: &PathBuf| {
            let name = path.file_name().unwrap().to_str().unwrap();
            let (stem, ending) = name.rsplit_once('.').unwrap();
            let (stem, hash) = stem.rsplit_once('.').unwrap();
            assert_eq!(hash.len(), DIGITS, "{name}");
            format!("{stem}.{ending}")
        };
        let mut files: Vec<String> = files.iter().map(without_hash).collect();
        files.sort();
        let expected = [
            "a.bits",
            "b%3An%3D3.bits",
            "b%3An%3D3.confidences",
            "c.d.bits",
            "c.d.confidences",
        ];
        assert_eq!(files, expected);
    }
}
