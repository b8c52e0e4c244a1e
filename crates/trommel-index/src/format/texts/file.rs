//! Writes the file of a segment's texts.

use std::io::{self, Write};
use std::path::Path;

use trommel_archive::WholeFile;

use crate::format::file::temporary;
use crate::format::texts::{Line, MAGIC, Texts, file_name};

/// The file of a segment's texts while it is written: whole or not at all.
pub(crate) struct TextFile {
    out: WholeFile,
    chunks: Vec<Line>,
    runs: Vec<u32>,
}

impl TextFile {
    /// Begins the file of a segment of a part, and in it a run.
    pub fn create(part: &Path, segment: usize) -> io::Result<TextFile> {
        let path = part.join(file_name(segment));
        Ok(TextFile {
            out: WholeFile::begin_as(temporary(&path), &path)?,
            chunks: Vec::new(),
            runs: Vec::new(),
        })
    }

    /// Adds a chunk of so many blocks to the run: its frame, and its length before it was compressed.
    pub fn add(&mut self, frame: &[u8], blocks: u32, bytes: u32) -> io::Result<()> {
        let before = self.last();
        self.chunks.push(Line {
            end: before.end + frame.len() as u64,
            blocks: before.blocks.checked_add(blocks).ok_or_else(too_many)?,
            bytes,
        });
        self.out.write_all(frame)
    }

    /// Ends the run, if there is anything in it.
    pub fn end_run(&mut self) {
        let end = self.chunks.len() as u32;
        if self.runs.last().copied().unwrap_or(0) < end {
            self.runs.push(end);
        }
    }

    /// Adds all that another file has, as it is, after the end of a run.
    pub fn stack(&mut self, texts: &Texts) -> io::Result<()> {
        self.end_run();
        let (lines, frames, runs) = texts.stored();
        let (before, chunks) = (self.last(), self.chunks.len() as u32);
        for line in lines {
            self.chunks.push(Line {
                end: before.end + line.end,
                blocks: before
                    .blocks
                    .checked_add(line.blocks)
                    .ok_or_else(too_many)?,
                bytes: line.bytes,
            });
        }
        self.runs.extend(runs.iter().map(|end| chunks + end));
        self.out.write_all(frames)
    }

    /// Memory that it takes, in bytes.
    pub fn memory(&self) -> usize {
        size_of::<Line>() * self.chunks.len()
    }

    /// Number of chunks.
    pub fn chunks(&self) -> u32 {
        self.chunks.len() as u32
    }

    /// Writes what is where, and gives the file its name.
    pub fn finish(mut self) -> io::Result<()> {
        self.end_run();
        let mut directory = Vec::new();
        for line in &self.chunks {
            directory.extend(line.end.to_le_bytes());
            directory.extend(line.blocks.to_le_bytes());
            directory.extend(line.bytes.to_le_bytes());
        }
        let counts = [self.chunks.len() as u32, self.runs.len() as u32];
        for number in self.runs.iter().chain(&counts) {
            directory.extend(number.to_le_bytes());
        }
        directory.extend(MAGIC);
        self.out.write_all(&directory)?;
        self.out.sync()?;
        self.out.finish()
    }

    fn last(&self) -> Line {
        self.chunks.last().copied().unwrap_or_default()
    }
}

fn too_many() -> io::Error {
    io::Error::other("more blocks than a segment can have")
}
