//! What several test modules need.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use trommel::html::{self, Charset, Limits};
use trommel::page::Page;
use trommel::text::SplitMix64;

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
    eprintln!(
        "skipped: {} is not there (set TROMMEL_SHARED)",
        path.display()
    );
    None
}

/// The objects of a gzipped JSONL file.
pub fn json_lines<T: DeserializeOwned>(path: &Path) -> Vec<T> {
    let gzip = flate2::read::MultiGzDecoder::new(File::open(path).unwrap());
    BufReader::new(gzip)
        .lines()
        .map(|line| serde_json::from_str(&line.unwrap()).unwrap())
        .collect()
}

/// The files of a gzipped tar archive by name, without their folders.
pub fn tar_gz(path: &Path) -> BTreeMap<String, Vec<u8>> {
    let gzip = flate2::read::GzDecoder::new(File::open(path).unwrap());
    let mut files = BTreeMap::new();
    for entry in tar::Archive::new(gzip).entries().unwrap() {
        let mut entry = entry.unwrap();
        if !entry.header().entry_type().is_file() {
            continue;
        }
        let path = entry.path().unwrap().into_owned();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).unwrap();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        files.insert(name, bytes);
    }
    files
}

/// A page of a corpus, decoded as UTF-8, as the originals' inputs were.
pub fn corpus_page(corpus: &Path, name: &str) -> Page {
    let bytes = std::fs::read(corpus.join("html").join(format!("{name}.html"))).unwrap();
    let utf8 = Charset::Fixed(encoding_rs::UTF_8);
    html::parse(&bytes, utf8, None, &Limits::default())
}

/// The library's generator, with numbers below a bound by the remainder.
pub struct Random(SplitMix64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(SplitMix64::new(seed))
    }

    pub fn next(&mut self) -> u64 {
        self.0.bits()
    }

    /// A number below `bound`, which is above 0.
    pub fn below(&mut self, bound: u32) -> u32 {
        (self.next() % u64::from(bound)) as u32
    }

    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i as u32 + 1) as usize);
        }
    }
}
