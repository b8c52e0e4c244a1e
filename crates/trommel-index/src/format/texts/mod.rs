//! The texts of a segment's blocks: those of whole pages together, compressed by zstd, each text that comes again stored once.
//!
//! Layout, all numbers little-endian:
//!
//! - chunks, each a zstd frame with its length and a check sum: the texts of consecutive blocks ([`chunk`]);
//! - for each chunk where its frame ends as u64, how many blocks there are up to its end as u32, and its length before it was compressed
//!   as u32;
//! - for each run how many chunks there are up to its end as u32. A chunk points to texts of its own run alone, and counts blocks from
//!   the first of the run: so whoever puts files one after another copies frames as they are, and the runs stay what they were;
//! - the number of chunks and of runs as u32, and [`MAGIC`].
//!
//! A page ends a chunk that has got long, so that a page is in one chunk but for the few that are longer than a chunk may be. What
//! it has in common with pages before is in a few other chunks at most.

pub(crate) mod chunk;
pub(crate) mod file;

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use tantivy::directory::OwnedBytes;
use zstd::bulk::Decompressor;
use zstd::zstd_safe::get_frame_content_size;

use crate::format::error::IndexError;
use crate::format::mapped::{self, u32_at, u64_at};
use crate::format::recent::Recent;
use crate::format::texts::chunk::{Chunk, Entry};

/// The end of the file: what it is, and the version of its layout.
const MAGIC: &[u8; 8] = b"texts001";

/// Bytes of a chunk's line and of a run's, and of what follows them.
const LINE: usize = 16;
const RUN: usize = 4;
const END: usize = 16;

/// Chunks that are kept decompressed.
const KEPT: usize = 16;

/// The file of a segment of a part.
pub(crate) fn file_name(segment: usize) -> String {
    format!("texts.{segment}")
}

/// Where a chunk is and what is in it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Line {
    /// Where its frame ends.
    pub end: u64,
    /// Blocks up to its end.
    pub blocks: u32,
    /// Its length before it was compressed.
    pub bytes: u32,
}

/// The texts of a segment, mapped into memory.
pub(crate) struct Texts {
    path: PathBuf,
    bytes: OwnedBytes,
    chunks: Vec<Line>,
    /// For each run the chunks up to its end.
    runs: Vec<u32>,
    lately: Mutex<Lately>,
}

/// What was used lately.
struct Lately {
    chunks: Recent<usize, Arc<Chunk>>,
    /// What decompresses, while nobody has it: a new one takes longer to make than a chunk to read.
    decompressor: Option<Decompressor<'static>>,
}

impl Texts {
    /// Opens the file of a segment of a part.
    ///
    /// # Errors
    /// [`IndexError::Damaged`] if it is not what it should be.
    pub fn open(part: &Path, segment: usize) -> Result<Texts, IndexError> {
        let path = part.join(file_name(segment));
        let damaged = |why: &str| IndexError::Damaged {
            path: path.clone(),
            why: why.to_owned(),
        };
        let bytes = mapped::open(&path).map_err(|error| damaged(&error.to_string()))?;
        if !bytes.ends_with(MAGIC) {
            return Err(damaged("another version wrote it, or it is cut off"));
        }
        let (chunks, runs) =
            directory_of(&bytes).ok_or_else(|| damaged("its chunks are not where it says"))?;
        Ok(Texts {
            path,
            bytes,
            chunks,
            runs,
            lately: Mutex::new(Lately {
                chunks: Recent::new(KEPT),
                decompressor: None,
            }),
        })
    }

    /// Number of blocks.
    pub fn num_blocks(&self) -> u32 {
        self.chunks.last().map_or(0, |line| line.blocks)
    }

    /// The texts of consecutive blocks, which must be there.
    ///
    /// # Errors
    /// [`IndexError::Damaged`] if they cannot be read.
    pub fn read(&self, blocks: Range<u32>) -> Result<Vec<String>, IndexError> {
        let (mut here, mut there) = (Held::default(), Held::default());
        let text = |block: u32| {
            let chunk = self.held(block, &mut here)?;
            let first = self.first_of_run(here.at);
            let entry = chunk.entry(block - here.first);
            let (chunk, start, end) = match entry.ok_or_else(|| self.missing(block))? {
                Entry::Own(start, end) => (chunk, start, end),
                Entry::Same(of_run) => {
                    let same = first.checked_add(of_run).filter(|same| *same < block);
                    let same = same.ok_or_else(|| self.missing(block))?;
                    let chunk = self.held(same, &mut there)?;
                    match chunk.entry(same - there.first) {
                        Some(Entry::Own(start, end)) => (chunk, start, end),
                        // A text that is there once is nowhere else.
                        _ => return Err(self.missing(block)),
                    }
                }
            };
            let text = chunk.text(start, end).ok_or_else(|| self.missing(block))?;
            Ok(text.to_owned())
        };
        blocks.map(text).collect()
    }

    /// The chunks, their frames one after another, and for each run the chunks up to its end.
    pub fn stored(&self) -> (&[Line], &[u8], &[u32]) {
        let end = self.chunks.last().map_or(0, |line| line.end as usize);
        (&self.chunks, &self.bytes[..end], &self.runs)
    }

    /// The chunk of a block, if it is not held already.
    fn held(&self, block: u32, held: &mut Held) -> Result<Arc<Chunk>, IndexError> {
        if let Some(chunk) = &held.chunk
            && (held.first..self.chunks[held.at].blocks).contains(&block)
        {
            return Ok(chunk.clone());
        }
        let at = self.chunks.partition_point(|line| line.blocks <= block);
        if at == self.chunks.len() {
            return Err(self.missing(block));
        }
        let chunk = self.chunk(at)?;
        *held = Held {
            at,
            first: self.before(at).blocks,
            chunk: Some(chunk.clone()),
        };
        Ok(chunk)
    }

    fn chunk(&self, at: usize) -> Result<Arc<Chunk>, IndexError> {
        let lately = || self.lately.lock().unwrap_or_else(PoisonError::into_inner);
        let decompressor = {
            let mut lately = lately();
            if let Some(chunk) = lately.chunks.get(&at) {
                return Ok(chunk.clone());
            }
            lately.decompressor.take()
        };
        let damaged = |error: io::Error| {
            let first = self.before(at).blocks;
            self.damaged(&format!(
                "the texts from block {first} on make no sense ({error})"
            ))
        };
        let mut decompressor = match decompressor {
            Some(decompressor) => decompressor,
            None => Decompressor::new().map_err(IndexError::io(&self.path))?,
        };
        let chunk = self.decompressed(at, &mut decompressor).map_err(damaged)?;
        let chunk = Arc::new(chunk);
        let mut lately = lately();
        lately.decompressor = Some(decompressor);
        lately.chunks.put(at, chunk.clone());
        Ok(chunk)
    }

    fn decompressed(&self, at: usize, decompressor: &mut Decompressor) -> io::Result<Chunk> {
        let (before, line) = (self.before(at), self.chunks[at]);
        let frame = &self.bytes[before.end as usize..line.end as usize];
        let wrong = |why: &str| io::Error::new(io::ErrorKind::InvalidData, why);
        // Whoever changed the length here did not change it there, and no memory is set aside for it.
        let length = get_frame_content_size(frame).ok().flatten();
        if length != Some(u64::from(line.bytes)) {
            return Err(wrong("a frame has another length"));
        }
        let bytes = decompressor.decompress(frame, line.bytes as usize)?;
        let chunk = Chunk::read(bytes, line.blocks - before.blocks);
        chunk.ok_or_else(|| wrong("lengths do not fit"))
    }

    /// The line before a chunk's.
    fn before(&self, at: usize) -> Line {
        let before = at.checked_sub(1).map(|before| self.chunks[before]);
        before.unwrap_or_default()
    }

    /// The first block of the run of a chunk.
    fn first_of_run(&self, at: usize) -> u32 {
        let run = self.runs.partition_point(|end| *end as usize <= at);
        let first = run.checked_sub(1).map_or(0, |before| self.runs[before]);
        self.before(first as usize).blocks
    }

    fn missing(&self, block: u32) -> IndexError {
        self.damaged(&format!("the text of block {block} is not where it says"))
    }

    fn damaged(&self, why: &str) -> IndexError {
        IndexError::Damaged {
            path: self.path.clone(),
            why: why.to_owned(),
        }
    }
}

/// A chunk that is being read.
#[derive(Default)]
struct Held {
    at: usize,
    /// Its first block.
    first: u32,
    chunk: Option<Arc<Chunk>>,
}

/// Chunks and runs as a file lists them; none if it cannot be so.
fn directory_of(bytes: &[u8]) -> Option<(Vec<Line>, Vec<u32>)> {
    let end = bytes.len().checked_sub(END)?;
    let [chunks, runs] = [end, end + 4].map(|at| u32_at(bytes, at).map(|it| it as usize));
    let (chunks, runs) = (chunks?, runs?);
    let runs_start = end.checked_sub(runs.checked_mul(RUN)?)?;
    let start = runs_start.checked_sub(chunks.checked_mul(LINE)?)?;
    let (lines, _) = bytes[start..runs_start].as_chunks::<LINE>();
    let line = |line: &[u8; LINE]| {
        Some(Line {
            end: u64_at(line, 0)?,
            blocks: u32_at(line, 8)?,
            bytes: u32_at(line, 12)?,
        })
    };
    let lines: Vec<Line> = lines.iter().map(line).collect::<Option<_>>()?;
    let (ends, _) = bytes[runs_start..end].as_chunks::<RUN>();
    let ends: Vec<u32> = ends.iter().map(|end| u32::from_le_bytes(*end)).collect();
    let ascend = |one: &Line, next: &Line| one.end < next.end && one.blocks < next.blocks;
    let is_whole = lines
        .first()
        .is_none_or(|one| one.end > 0 && one.blocks > 0)
        && lines.is_sorted_by(ascend)
        && lines.last().map_or(0, |line| line.end) == start as u64
        && ends.is_sorted_by(|one, next| one < next)
        && ends.last().map_or(0, |end| *end as usize) == lines.len();
    is_whole.then_some((lines, ends))
}
