//! Writes the texts of a segment's blocks, page after page ([`crate::format::texts`]).

mod known;
#[cfg(test)]
mod tests;

use std::io;
use std::path::Path;

use zstd::bulk::Compressor;
use zstd::zstd_safe::{CParameter, compress_bound};

use self::known::{KnownTexts, Place};
use crate::format::texts::Texts;
use crate::format::texts::chunk::Gathered;
use crate::format::texts::file::TextFile;

/// zstd's level: the next ones take longer for a few hundredths of the size.
const LEVEL: i32 = 1;

/// Length from which on a chunk ends with the page. Twice as much makes texts smaller by 2 in a hundred, and reading a page take twice as
/// long.
const LONG: usize = if cfg!(test) { 2_000 } else { 1 << 15 };

/// Length from which on a chunk ends whether or not the page does.
const TOO_LONG: usize = if cfg!(test) { 5_000 } else { 1 << 20 };

/// Blocks with which a chunk ends with the page: their numbers are read before a text is.
const MOST_BLOCKS: u32 = if cfg!(test) { 60 } else { 1024 };

/// Length from which on a text is looked for among those that came before. Shorter ones take little more than a pointer would, and
/// stand anywhere: reading a page would take many chunks.
const LEAST: usize = 24;

/// Other chunks that a page may point to: what reading it takes at most.
const MOST_CHUNKS: usize = 8;

/// Memory for texts that came before, in bytes, where one segment is written; several share it.
pub(crate) const KNOWN_TEXTS: usize = 64 << 20;

/// Texts of a segment while they are written.
pub(crate) struct TextWriter {
    file: TextFile,
    gathered: Gathered,
    compressor: Compressor<'static>,
    known: KnownTexts,
    /// Blocks of the run.
    blocks: u32,
    /// Other chunks that the page points to.
    pointed: Vec<u32>,
    /// Before and after compressing.
    bytes: Vec<u8>,
    frame: Vec<u8>,
}

impl TextWriter {
    /// Begins the file of a segment of a part. Texts that came before are remembered in so many bytes.
    pub fn create(part: &Path, segment: usize, memory: usize) -> io::Result<TextWriter> {
        let mut compressor = Compressor::new(LEVEL)?;
        compressor.set_parameter(CParameter::ChecksumFlag(true))?;
        Ok(TextWriter {
            file: TextFile::create(part, segment)?,
            gathered: Gathered::default(),
            compressor,
            known: KnownTexts::new(memory),
            blocks: 0,
            pointed: Vec::new(),
            bytes: Vec::new(),
            frame: Vec::new(),
        })
    }

    /// Adds the text of the next block.
    pub fn add(&mut self, text: &str) -> io::Result<()> {
        match self.before(text) {
            Some(block) => self.gathered.same(block),
            None => self.gathered.own(text),
        }
        self.blocks += 1;
        match self.gathered.len() >= TOO_LONG {
            true => self.end_chunk(),
            false => Ok(()),
        }
    }

    /// The block before that has the text and may be pointed to.
    fn before(&mut self, text: &str) -> Option<u32> {
        if text.len() < LEAST {
            return None;
        }
        let own = Place {
            block: self.blocks,
            chunk: self.file.chunks(),
        };
        let known = self.known.place(text, own)?;
        if known.chunk != own.chunk && !self.pointed.contains(&known.chunk) {
            if self.pointed.len() == MOST_CHUNKS {
                return None;
            }
            self.pointed.push(known.chunk);
        }
        Some(known.block)
    }

    /// Ends the page whose blocks were added.
    pub fn end_page(&mut self) -> io::Result<()> {
        self.pointed.clear();
        let is_long = self.gathered.len() >= LONG || self.gathered.blocks() >= MOST_BLOCKS;
        match is_long {
            true => self.end_chunk(),
            false => Ok(()),
        }
    }

    /// Adds all texts of another file, as they are stored.
    pub fn stack(&mut self, texts: &Texts) -> io::Result<()> {
        self.end_chunk()?;
        self.known.clear();
        self.blocks = 0;
        self.file.stack(texts)
    }

    /// Memory that it takes, in bytes.
    pub fn memory(&self) -> usize {
        self.file.memory() + self.gathered.len() + self.known.memory() + self.bytes.len()
    }

    /// Writes everything to disk.
    pub fn finish(mut self) -> io::Result<()> {
        self.end_chunk()?;
        self.file.finish()
    }

    fn end_chunk(&mut self) -> io::Result<()> {
        let blocks = self.gathered.blocks();
        if blocks == 0 {
            return Ok(());
        }
        self.bytes.clear();
        self.gathered.write(&mut self.bytes);
        let length = u32::try_from(self.bytes.len()).map_err(io::Error::other)?;
        self.frame.clear();
        self.frame.reserve(compress_bound(self.bytes.len()));
        self.compressor
            .compress_to_buffer(&self.bytes, &mut self.frame)?;
        self.file.add(&self.frame, blocks, length)
    }
}
