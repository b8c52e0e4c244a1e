//! A directory that keeps what filters make of an index, so that another process need not go through all blocks again.
//!
//! A file of it is a subset under a filter and weights, called by a hash of the index's manifests, the filter and the weights. Whatever is
//! not as it was written, or is of another index or another version, is not used, and made anew. Layout, all numbers little-endian: [`MAGIC`];
//! the length of a text as u64 and the text, which says what the file is of; as u64 N and |C| in hundredths, those of single blocks, passing
//! blocks and their terms, the number of pages, the bytes that are kept of blocks, and 1 if titles count; the lengths of pages as
//! u32; of titles the weights as u16 and the lengths as u32; what is kept of blocks; the SHA-256 of all before as hexadecimal digits.

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::SystemTime;

use tantivy::directory::OwnedBytes;
use trommel_archive::{WholeFile, sha256_of};
use trommel_page::filter::Filter;
use trommel_page::weight::Weights;
use trommel_text::Hundredths;

use crate::format::manifest::Manifest;
use crate::format::mapped;
use crate::format::term_histogram::Lookup;
use crate::format::word_class::least_class;
use crate::search::model::Totals;
use crate::search::subset::{Subset, Titles, next_number};

/// The beginning of a file, with the version of its layout.
const MAGIC: &[u8; 16] = b"trommel-subset1\n";

/// Ending of a file that is whole.
const SUBSET: &str = "subset";

/// Ending of a file that is not whole yet.
const UNFINISHED: &str = "part";

/// Digits of a SHA-256.
const DIGITS: usize = 64;

/// How many files the directory keeps: a person moves between a few filters, and each takes a thousandth part of the index.
const KEPT: usize = 32;

/// Where what filters make of an index is kept.
pub(crate) struct Cache {
    directory: PathBuf,
    /// What says that a file is of this index.
    of: String,
    /// Is told what goes wrong: a search does without.
    warn: Box<dyn Fn(&str) + Send + Sync>,
}

/// How many pages an index has, and what no number of its blocks reaches.
#[derive(Clone, Copy)]
pub(crate) struct Bounds {
    pub pages: usize,
    pub end: u64,
}

impl Cache {
    /// A cache of the index that has these manifests; none where they cannot be hashed.
    pub fn of<'m>(
        directory: &Path,
        manifests: impl Iterator<Item = &'m Manifest>,
        warn: Box<dyn Fn(&str) + Send + Sync>,
    ) -> Option<Cache> {
        // A manifest has the hashes of all files; what attributes mean is the program's.
        let json = serde_json::to_vec(&manifests.collect::<Vec<_>>()).ok()?;
        let hash = sha256_of(json.as_slice()).ok()?;
        Some(Cache {
            directory: directory.to_owned(),
            of: format!("trommel {}, index {hash}", env!("CARGO_PKG_VERSION")),
            warn,
        })
    }

    /// What was kept of a filter and weights; none if there is nothing that can be used for an index of these bounds.
    pub fn get(&self, bounds: Bounds, filter: &Filter, weights: &Weights) -> Option<Subset> {
        let text = self.text(filter, weights);
        let path = self.path(&text)?;
        let subset = match read(&path, bounds, weights, &text) {
            Ok(subset) => subset,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
            Err(error) => {
                self.warn(&path, &format!("{error}; it is made anew"));
                return None;
            }
        };
        let lookup = weights.is_one().then(|| Lookup::of(filter)).flatten();
        Some(Subset {
            lookup,
            least_class: least_class(filter),
            ..subset
        })
    }

    /// Keeps what a filter and weights make.
    pub fn put(&self, filter: &Filter, weights: &Weights, subset: &Subset) {
        let text = self.text(filter, weights);
        let Some(path) = self.path(&text) else {
            return;
        };
        let kept = write(&path, &text, subset).and_then(|()| self.tidy());
        if let Err(error) = kept {
            self.warn(&path, &format!("{error}; it is not kept"));
        }
    }

    fn warn(&self, path: &Path, what: &str) {
        (self.warn)(&format!("{}: {what}", path.display()));
    }

    fn text(&self, filter: &Filter, weights: &Weights) -> String {
        let of = &self.of;
        format!("{of}\nfilter {filter}\nweights {weights}\n")
    }

    fn path(&self, text: &str) -> Option<PathBuf> {
        let hash = sha256_of(text.as_bytes()).ok()?;
        Some(self.directory.join(hash).with_extension(SUBSET))
    }

    /// Removes what is too much: of whole files those that were written first, and of others those that a process has left that was ended.
    fn tidy(&self) -> io::Result<()> {
        let mut files: Vec<(SystemTime, PathBuf)> = Vec::new();
        for entry in fs::read_dir(&self.directory)? {
            let entry = entry?;
            let path = entry.path();
            let ending = path.extension().unwrap_or_default();
            if ending == SUBSET || ending == UNFINISHED {
                // Another process may have removed it in between.
                if let Ok(time) = entry.metadata().and_then(|metadata| metadata.modified()) {
                    files.push((time, path));
                }
            }
        }
        files.sort_unstable();
        let too_many = files.len().saturating_sub(KEPT);
        for (_, path) in &files[..too_many] {
            match fs::remove_file(path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }
}

/// Writes a file whole or not at all.
fn write(path: &Path, text: &str, subset: &Subset) -> io::Result<()> {
    fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
    let mut head = MAGIC.to_vec();
    head.extend((text.len() as u64).to_le_bytes());
    head.extend(text.as_bytes());
    let kept = subset.passing.as_ref().or(subset.weights.as_ref());
    let kept = kept.map_or(&[][..], |kept| kept);
    for number in [
        subset.pages.num,
        subset.pages.terms.count(),
        subset.blocks.num,
        subset.blocks.terms.count(),
        subset.kept_blocks,
        subset.kept_terms,
        subset.page_lengths.len() as u64,
        kept.len() as u64,
        u64::from(subset.titles.is_some()),
    ] {
        head.extend(number.to_le_bytes());
    }
    let four = |numbers: &[u32]| -> Vec<u8> {
        let bytes = numbers.iter().flat_map(|number| number.to_le_bytes());
        bytes.collect()
    };
    let lengths = four(&subset.page_lengths);
    let mut titles = Vec::new();
    if let Some(of) = &subset.titles {
        titles.extend(of.weights.iter().flat_map(|weight| weight.to_le_bytes()));
        titles.extend(four(&of.lengths));
    }
    let all = || head.as_slice().chain(&*lengths).chain(&*titles).chain(kept);
    let sum = sha256_of(all())?;
    let mut out = WholeFile::begin(path)?;
    io::copy(&mut all(), &mut out)?;
    out.write_all(sum.as_bytes())?;
    out.finish()
}

/// Reads what [`write()`] wrote: all of it, to compare its check sum.
fn read(path: &Path, bounds: Bounds, weights: &Weights, text: &str) -> io::Result<Subset> {
    let wrong = || io::Error::new(io::ErrorKind::InvalidData, "it is not as it was written");
    let bytes = mapped::open(path)?;
    let (content, sum) = bytes.split_last_chunk::<DIGITS>().ok_or_else(wrong)?;
    if sha256_of(content)?.as_bytes() != sum {
        return Err(wrong());
    }
    let length = content.len();
    parsed(&bytes.slice(0..length), bounds, weights, text).ok_or_else(wrong)
}

/// None if it is of something else, or not for all pages and blocks.
fn parsed(bytes: &OwnedBytes, bounds: Bounds, weights: &Weights, text: &str) -> Option<Subset> {
    let mut rest = bytes.strip_prefix(MAGIC)?;
    let length = take_number(&mut rest)?;
    if take(&mut rest, length)? != text.as_bytes() {
        return None;
    }
    let mut numbers = [0; 9];
    for number in &mut numbers {
        *number = take_number(&mut rest)?;
    }
    let [
        num,
        terms,
        num_blocks,
        block_terms,
        kept_blocks,
        kept_terms,
        pages,
        kept,
        titles,
    ] = numbers;
    let (is_one, end) = (weights.is_one(), bounds.end);
    let is_for_all = match is_one {
        true => kept == 0 || kept == end / 8,
        false => kept == end * 2,
    };
    let has_titles = titles == 1;
    if pages != bounds.pages as u64 || !is_for_all || has_titles != weights.weigh_titles() {
        return None;
    }
    let lengths = |rest: &mut &[u8]| {
        let bytes = take(rest, 4 * pages)?.as_chunks().0.iter();
        Some(bytes.map(|four| u32::from_le_bytes(*four)).collect())
    };
    let page_lengths = lengths(&mut rest)?;
    let titles = match has_titles {
        false => None,
        true => {
            let weights = take(&mut rest, 2 * pages)?.as_chunks().0.iter();
            Some(Titles {
                weights: weights.map(|two| u16::from_le_bytes(*two)).collect(),
                lengths: lengths(&mut rest)?,
            })
        }
    };
    if rest.len() as u64 != kept {
        return None;
    }
    // What is kept of blocks stays where it is.
    let mut kept = (kept > 0).then(|| bytes.slice(bytes.len() - rest.len()..bytes.len()));
    let totals = |num, terms| Totals {
        num,
        terms: Hundredths::new(terms),
    };
    Some(Subset {
        passing: kept.take_if(|_| is_one),
        weights: kept,
        titles,
        page_lengths,
        pages: totals(num, terms),
        blocks: totals(num_blocks, block_terms),
        kept_blocks,
        kept_terms,
        lookup: None,
        least_class: 0,
        number: next_number(),
        known: Mutex::default(),
        totals: Mutex::default(),
        norms: Mutex::default(),
    })
}

/// The next bytes.
fn take<'b>(rest: &mut &'b [u8], count: u64) -> Option<&'b [u8]> {
    let (taken, after) = rest.split_at_checked(usize::try_from(count).ok()?)?;
    *rest = after;
    Some(taken)
}

fn take_number(rest: &mut &[u8]) -> Option<u64> {
    let eight = take(rest, 8)?.first_chunk()?;
    Some(u64::from_le_bytes(*eight))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use trommel_page::Block;

    use super::*;
    use crate::build::writer::{Provenance, Writer, WriterOptions};
    use crate::format::page_record::PageRecord;
    use crate::search::open::Index;
    use crate::search::query::Ranking;

    /// What is in a cache of one file.
    fn only_file(cache: &Path) -> PathBuf {
        let mut files = fs::read_dir(cache).unwrap();
        let file = files.next().unwrap().unwrap().path();
        assert!(files.next().is_none());
        file
    }

    /// An index of several segments, each of several tasks, with pages that lie in two of them.
    fn build(directory: &Path, pages: u32) -> Index {
        let options = WriterOptions::default();
        let mut writer = Writer::create(directory, &options).unwrap();
        for page in 0..pages {
            let number = writer.number().unwrap();
            let record = PageRecord {
                docid: format!("page-{page}"),
                title: format!("w{} w{}", page % 7, page % 3),
                ..PageRecord::default()
            };
            let block = |at: u32| {
                let words = (page * 7 + at * at) % 23;
                let text: Vec<String> = (0..words)
                    .map(|word| format!("w{}", word * at % 50))
                    .collect();
                Block {
                    text: text.join(" "),
                    num_words: words,
                    num_tokens: words,
                    num_linked_words: words * (at % 3) / 2,
                    num_words_in_full_lines: words,
                    num_lines: 1,
                    ..Block::default()
                }
            };
            let count = [0, 3, 40, 700][page as usize % 4];
            let blocks: Vec<Block> = (0..count).map(block).collect();
            writer.add(number, &record, &blocks, &[]).unwrap();
            if page % 20 == 19 {
                writer = writer.flush().unwrap();
            }
        }
        writer.finish(Provenance::default()).unwrap();
        Index::open(directory).unwrap()
    }

    /// What is told goes to a list.
    fn with_cache(index: Index, directory: &Path) -> (Index, Arc<Mutex<Vec<String>>>) {
        let told = Arc::<Mutex<Vec<String>>>::default();
        let warn = {
            let told = Arc::clone(&told);
            move |what: &str| told.lock().unwrap().push(what.to_owned())
        };
        (index.with_cache(directory, warn), told)
    }

    fn pool(threads: usize) -> rayon::ThreadPool {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().unwrap()
    }

    /// All that a subset says.
    fn said(index: &Index, filter: &str, weights: &str) -> String {
        let (filter, weights) = (filter.parse().unwrap(), weights.parse().unwrap());
        let subset = index.subset(&filter, &weights).unwrap();
        let kept = |bytes: &Option<OwnedBytes>| bytes.as_ref().map(|bytes| bytes.to_vec());
        let titles = subset.titles.as_ref();
        let said = (
            (kept(&subset.passing), kept(&subset.weights)),
            titles.map(|titles| (titles.weights.clone(), titles.lengths.clone())),
            subset.page_lengths.clone(),
            (subset.pages, subset.blocks, subset.kept()),
            subset.lookup.is_some(),
        );
        format!("{said:?}")
    }

    const ASKED: [(&str, &str); 8] = [
        ("unfiltered", "1"),
        ("words >= 11", "1"),
        ("words in 3..9 or not link-density <= 0.5", "1"),
        ("position >= 100 and page-words > 90", "1"),
        ("words >= 100", "1"),
        ("unfiltered", "min(words, 90) / 8"),
        ("words >= 4", "if link-density <= 0.3 then 2.5 else 0"),
        ("words >= 2", "if tag = title then 3 else 1"),
    ];

    #[test]
    fn subsets_are_the_same_however_they_come() {
        let place = tempfile::tempdir().unwrap();
        let (at, cache) = (place.path().join("ix"), place.path().join("deep/cache"));
        drop(build(&at, 60));
        let open = || Index::open(&at).unwrap();
        let (one, four) = (pool(1), pool(4));
        for (filter, weights) in ASKED {
            let serial = one.install(|| said(&open(), filter, weights));
            let parallel = four.install(|| said(&open(), filter, weights));
            assert_eq!(serial, parallel, "{filter}, {weights}");
            for _ in 0..2 {
                let (index, told) = with_cache(open(), &cache);
                assert_eq!(serial, said(&index, filter, weights), "{filter}, {weights}");
                assert_eq!(*told.lock().unwrap(), [""; 0]);
            }
        }
        let files = fs::read_dir(&cache).unwrap().count();
        assert_eq!(files, ASKED.len());
    }

    /// Hits come from what was kept: with a file of other bits, and its right check sum, there would be none.
    #[test]
    fn what_was_kept_is_used() {
        let place = tempfile::tempdir().unwrap();
        let (at, cache) = (place.path().join("ix"), place.path().join("cache"));
        let (index, _) = with_cache(build(&at, 8), &cache);
        let ranking = Ranking {
            filter: "words >= 11".parse().unwrap(),
            ..Ranking::default()
        };
        assert!(!index.search("w3 w9", &ranking, 5).unwrap().is_empty());
        let file = only_file(&cache);
        let bytes = fs::read(&file).unwrap();
        let mut content = bytes[..bytes.len() - DIGITS].to_vec();
        let kept = index.layout.end as usize / 8;
        let start = content.len() - kept;
        content[start..].fill(0);
        let sum = sha256_of(content.as_slice()).unwrap();
        content.extend(sum.as_bytes());
        fs::write(&file, content).unwrap();
        let (index, told) = with_cache(Index::open(&at).unwrap().exhaustive(true), &cache);
        assert!(index.search("w3 w9", &ranking, 5).unwrap().is_empty());
        assert_eq!(*told.lock().unwrap(), [""; 0]);
    }

    #[test]
    fn what_is_damaged_is_made_anew() {
        let place = tempfile::tempdir().unwrap();
        let (at, cache) = (place.path().join("ix"), place.path().join("cache"));
        let (index, _) = with_cache(build(&at, 8), &cache);
        let expected = said(&index, "words >= 11", "1");
        let file = only_file(&cache);
        let whole = fs::read(&file).unwrap();
        let places = (0..whole.len()).step_by(whole.len() / 50);
        let flipped = places.chain([0, 16, whole.len() - 1]).map(|at| {
            let mut bytes = whole.clone();
            bytes[at] ^= 4;
            bytes
        });
        let cut = [0, 1, 63, 64, 65, whole.len() - 1].map(|end| whole[..end].to_vec());
        let longer = [&whole[..], b"x"].concat();
        for bytes in flipped.chain(cut).chain([longer]) {
            fs::write(&file, &bytes).unwrap();
            let (index, told) = with_cache(Index::open(&at).unwrap(), &cache);
            assert_eq!(said(&index, "words >= 11", "1"), expected);
            let told = told.lock().unwrap();
            let is_told = told.len() == 1 && told[0].contains("made anew");
            assert!(is_told, "{told:?}");
            assert_eq!(fs::read(&file).unwrap(), whole);
        }
        // What is of another filter, under this one's name.
        let (index, _) = with_cache(Index::open(&at).unwrap(), &cache);
        let other = said(&index, "words >= 12", "1");
        let files = fs::read_dir(&cache)
            .unwrap()
            .map(|entry| entry.unwrap().path());
        let others: Vec<PathBuf> = files.filter(|path| *path != file).collect();
        fs::copy(&file, &others[0]).unwrap();
        let (index, told) = with_cache(Index::open(&at).unwrap(), &cache);
        assert_eq!(said(&index, "words >= 12", "1"), other);
        assert_eq!(told.lock().unwrap().len(), 1);
    }

    /// What another index has kept, even one that was here before, is not taken for that of this one.
    #[test]
    fn what_is_stale_is_not_used() {
        let place = tempfile::tempdir().unwrap();
        let (at, cache) = (place.path().join("ix"), place.path().join("cache"));
        let (index, _) = with_cache(build(&at, 8), &cache);
        let first = said(&index, "words >= 11", "1");
        drop(index);
        fs::remove_dir_all(&at).unwrap();
        let (index, told) = with_cache(build(&at, 12), &cache);
        let second = said(&index, "words >= 11", "1");
        assert!(first != second);
        let without = Index::open(&at).unwrap();
        assert_eq!(second, said(&without, "words >= 11", "1"));
        assert_eq!(*told.lock().unwrap(), [""; 0]);
    }

    #[test]
    fn a_search_does_without() {
        let place = tempfile::tempdir().unwrap();
        let (at, file) = (place.path().join("ix"), place.path().join("file"));
        fs::write(&file, "").unwrap();
        let expected = said(&build(&at, 8), "words >= 11", "1");
        for cache in [file.clone(), file.join("cache")] {
            let (index, told) = with_cache(Index::open(&at).unwrap(), &cache);
            assert_eq!(said(&index, "words >= 11", "1"), expected);
            let told = told.lock().unwrap();
            assert!(
                told.iter().any(|what| what.contains("not kept")),
                "{told:?}"
            );
        }
        assert_eq!(fs::read(&file).unwrap(), b"");
    }

    #[test]
    fn not_everything_is_kept() {
        let place = tempfile::tempdir().unwrap();
        let (at, cache) = (place.path().join("ix"), place.path().join("cache"));
        let (index, told) = with_cache(build(&at, 4), &cache);
        fs::create_dir(&cache).unwrap();
        fs::write(cache.join("of-somebody-else"), "").unwrap();
        for words in 0..40 {
            said(&index, &format!("words >= {words}"), "1");
        }
        assert_eq!(fs::read_dir(&cache).unwrap().count(), KEPT + 1);
        assert!(cache.join("of-somebody-else").exists());
        assert_eq!(*told.lock().unwrap(), [""; 0]);
    }
}
