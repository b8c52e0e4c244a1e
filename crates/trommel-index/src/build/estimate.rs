//! What indexing some files would take, from indexing their beginnings.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use serde::Serialize;
use trommel_archive::Input;

use crate::build::options::BuildOptions;
use crate::build::progress::Progress;
use crate::build::run::build_locked;
use crate::build::writer::open_directory;
use crate::format::error::IndexError;
use crate::format::lock::FILE;
use crate::format::manifest::Manifest;

/// What an index would take, and the sample that says so.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Estimate {
    /// Number of files.
    pub inputs: usize,
    /// Their stored bytes.
    pub bytes: u64,
    /// Files of which the beginnings were indexed.
    pub sample_inputs: usize,
    /// Stored bytes of them that were indexed.
    pub sample_bytes: u64,
    /// Pages in the sample.
    pub sample_pages: u64,
    /// Records of the sample that failed.
    pub sample_failures: u64,
    /// Seconds that the sample took.
    pub sample_seconds: f64,
    /// Pages in all.
    pub pages: u64,
    /// Blocks in all.
    pub blocks: u64,
    /// Seconds for all, with as many threads.
    pub seconds: f64,
    /// Bytes of the index on disk.
    pub index_bytes: u64,
    /// Bytes of memory for pages that are not on disk yet and for docids that were seen.
    pub memory_bytes: u64,
}

/// Stored bytes that a sample is made of, about.
const SAMPLE: u64 = 16 << 20;

/// Files that they are spread over, at most.
const FILES: usize = 16;

/// Bytes that a docid takes among those that were seen: 16 and one, in a table that may be filled to 7/16 only when it has just grown.
const BYTES_PER_DOCID: u64 = 17 * 16 / 7;

/// Indexes the beginnings of some of the files in an empty directory, and multiplies: by stored bytes, as if all of the files were
/// like their beginnings.
///
/// # Errors
/// Those of [`crate::build()`]; [`IndexError::Empty`] as well if the size of the files is not known.
pub fn estimate(
    directory: &Path,
    inputs: &[Input],
    options: &BuildOptions,
    progress: &Progress,
) -> Result<Estimate, IndexError> {
    let sizes: Option<Vec<u64>> = inputs.iter().map(|input| input.size).collect();
    let Some(sizes) = sizes else {
        let why = "of files that are no regular ones the size is not known before they are read";
        return Err(IndexError::Empty(why.to_owned()));
    };
    let bytes: u64 = sizes.iter().sum();
    let sample = spread(inputs);
    let each = SAMPLE / sample.len().max(1) as u64;
    let options = BuildOptions {
        resume: false,
        allow_empty: false,
        ..options.clone()
    };
    let lock = open_directory(directory)?;
    let start = Instant::now();
    let report = build_locked(directory, &sample, &options, progress, &lock, Some(each))?;
    let took = start.elapsed();
    let manifest = report.manifest;
    let sample_bytes = progress.bytes.load(std::sync::atomic::Ordering::Relaxed);
    let size = size_of_index(directory).map_err(IndexError::io(directory))?;
    Ok(multiply(
        (inputs.len(), bytes),
        (sample.len(), sample_bytes),
        (&manifest, report.failures, took, size),
        &options,
    ))
}

fn multiply(
    (inputs, bytes): (usize, u64),
    (sample_inputs, sample_bytes): (usize, u64),
    (manifest, sample_failures, took, size): (&Manifest, u64, Duration, u64),
    options: &BuildOptions,
) -> Estimate {
    let factor = bytes as f64 / sample_bytes.max(1) as f64;
    let times = |n: u64| (n as f64 * factor).round() as u64;
    let sample_seconds = took.as_secs_f64();
    let pages = times(manifest.counts.pages);
    Estimate {
        inputs,
        bytes,
        sample_inputs,
        sample_bytes,
        sample_pages: manifest.counts.pages,
        sample_failures,
        sample_seconds,
        pages,
        blocks: times(manifest.counts.blocks),
        seconds: sample_seconds * factor,
        index_bytes: times(size),
        memory_bytes: options.most_memory(pages * BYTES_PER_DOCID),
    }
}

/// Files at equal distances.
fn spread(inputs: &[Input]) -> Vec<Input> {
    let count = inputs.len().min(FILES);
    let number = |at: usize| (2 * at + 1) * inputs.len() / (2 * count);
    (0..count).map(|at| inputs[number(at)].clone()).collect()
}

/// Bytes of all files below a directory.
fn size_of_index(directory: &Path) -> std::io::Result<u64> {
    let mut size = 0;
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let metadata = entry.metadata()?;
        size += match metadata.is_dir() {
            true => size_of_index(&entry.path())?,
            false if entry.file_name() == FILE => 0,
            false => metadata.len(),
        };
    }
    Ok(size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_spread() {
        let input = |number: usize| Input {
            path: None,
            name: number.to_string().into(),
            size: Some(1),
            relative: None,
            record: None,
        };
        for (count, expected) in [
            (0, vec![]),
            (1, vec![0]),
            (3, vec![0, 1, 2]),
            (16, (0..16).collect()),
            (32, (0..16).map(|n| 2 * n + 1).collect::<Vec<usize>>()),
        ] {
            let inputs: Vec<Input> = (0..count).map(input).collect();
            let names: Vec<String> = spread(&inputs).iter().map(|i| i.name.to_string()).collect();
            let expected: Vec<String> = expected.iter().map(usize::to_string).collect();
            assert_eq!(names, expected, "{count}");
        }
    }
}
