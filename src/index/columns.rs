//! The counts of a segment's blocks, column by column, in one flat file that is mapped into memory.
//!
//! Layout: the number of blocks as a little-endian u64; for each column of [`COLUMNS`] a byte, the width of its values in bytes (1, 2
//! or 4: as its greatest value needs); the columns, one after another, their values as little-endian integers.
//!
//! tantivy's fast fields would do the same, and did: without them a build takes an eighth fewer instructions (docs/benchmarks.md).

use std::io::Write;
use std::ops::Range;
use std::path::Path;

use tantivy::directory::{Directory, MmapDirectory, OwnedBytes};

use super::part::Segment;
use super::{Filter, Index, IndexError};
use crate::page::{Block, DensityUnit};

/// Which counts of blocks are read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Wanted {
    pub words: bool,
    pub tokens: bool,
    pub linked_words: bool,
    /// Lines, and words in full ones.
    pub lines: bool,
}

impl Wanted {
    pub const ALL: Wanted = Wanted {
        words: true,
        tokens: true,
        linked_words: true,
        lines: true,
    };

    /// What any of these filters compares.
    pub fn by_any<'a>(filters: impl IntoIterator<Item = &'a Filter>, unit: DensityUnit) -> Wanted {
        let mut any = Wanted::default();
        for filter in filters {
            let wanted = Wanted::by(filter, unit);
            any.words |= wanted.words;
            any.tokens |= wanted.tokens;
            any.linked_words |= wanted.linked_words;
            any.lines |= wanted.lines;
        }
        any
    }

    /// What a filter compares.
    pub fn by(filter: &Filter, unit: DensityUnit) -> Wanted {
        let links = filter.max_link_density.is_some();
        let words = filter.min_words.or(filter.max_words).is_some();
        Wanted {
            words: words || links && unit == DensityUnit::Words,
            tokens: links && unit == DensityUnit::Tokens,
            linked_words: links,
            lines: filter.min_density.or(filter.max_density).is_some(),
        }
    }
}

/// Columns of the file: the counts of [`Block`] in this order, and last its indexed terms.
const COLUMNS: usize = 6;
const NUM_TERMS: usize = 5;

/// Blocks whose values are read together.
pub(super) const CHUNK: usize = 256;

/// Blocks in chunks: the first of each and how many.
pub(super) fn chunks(num_blocks: u32) -> impl Iterator<Item = (u32, usize)> {
    let starts = (0..num_blocks).step_by(CHUNK);
    starts.map(move |first| (first, CHUNK.min((num_blocks - first) as usize)))
}

/// Name of the file of a segment in its part.
pub(super) fn file(segment: usize) -> String {
    format!("counts.{segment}.bin")
}

/// Counts of blocks that are being written.
#[derive(Default)]
pub(super) struct ColumnsWriter {
    blocks: Vec<[u32; COLUMNS]>,
}

impl ColumnsWriter {
    pub fn push(&mut self, block: &Block, num_terms: u32) {
        self.blocks.push([
            block.num_words,
            block.num_tokens,
            block.num_linked_words,
            block.num_words_in_full_lines,
            block.num_lines,
            num_terms,
        ]);
    }

    /// Number of blocks.
    pub fn len(&self) -> usize {
        self.blocks.len()
    }

    /// Memory that is used, in bytes.
    pub fn memory(&self) -> usize {
        self.blocks.capacity() * size_of::<[u32; COLUMNS]>()
    }

    /// Writes the file of a segment.
    pub fn write(&self, part: &Path, segment: usize) -> Result<(), IndexError> {
        super::file::write(&part.join(file(segment)), |out| {
            out.write_all(&(self.blocks.len() as u64).to_le_bytes())?;
            let greatest = self.blocks.iter().fold([0; COLUMNS], |greatest, block| {
                std::array::from_fn(|column| block[column].max(greatest[column]))
            });
            let widths = greatest.map(|greatest| match greatest {
                0..=0xff => 1,
                0x100..=0xffff => 2,
                _ => 4,
            });
            out.write_all(&widths)?;
            for (column, width) in widths.into_iter().enumerate() {
                for block in &self.blocks {
                    out.write_all(&block[column].to_le_bytes()[..usize::from(width)])?;
                }
            }
            Ok(())
        })
    }
}

/// The counts of the blocks of one segment.
pub(super) struct Columns {
    bytes: OwnedBytes,
    columns: [Column; COLUMNS],
    num_blocks: u32,
}

/// Where the values of a column stand in the file, and how wide they are.
#[derive(Clone, Default)]
struct Column {
    bytes: Range<usize>,
    width: usize,
}

impl Columns {
    /// Opens the columns of a segment.
    pub fn open(part: &Path, segment: usize) -> Result<Columns, IndexError> {
        let file = file(segment);
        let path = part.join(&file);
        let damaged = |why: String| IndexError::Damaged {
            path: path.clone(),
            why,
        };
        let directory = MmapDirectory::open(part).map_err(|error| damaged(error.to_string()))?;
        let bytes = directory
            .open_read(Path::new(&file))
            .map_err(|error| damaged(error.to_string()))?
            .read_bytes()
            .map_err(IndexError::io(&path))?;
        let wrong = || damaged("its length is not what its header says".to_owned());
        let count = bytes.first_chunk().map(|count| u64::from_le_bytes(*count));
        let count = count.and_then(|count| u32::try_from(count).ok());
        let num_blocks = count.ok_or_else(wrong)?;
        let widths = bytes.get(8..8 + COLUMNS).ok_or_else(wrong)?;
        let mut columns: [Column; COLUMNS] = Default::default();
        let mut start = 8 + COLUMNS;
        for (column, width) in columns.iter_mut().zip(widths) {
            if ![1, 2, 4].contains(width) {
                return Err(wrong());
            }
            let width = usize::from(*width);
            let end = start + width * num_blocks as usize;
            *column = Column {
                bytes: start..end,
                width,
            };
            start = end;
        }
        match start == bytes.len() {
            true => Ok(Columns {
                bytes,
                columns,
                num_blocks,
            }),
            false => Err(wrong()),
        }
    }

    /// Number of blocks.
    pub fn num_blocks(&self) -> u32 {
        self.num_blocks
    }

    /// The values of a column for consecutive blocks from `first` on, none past the last block.
    #[inline]
    fn read(&self, column: usize, first: u32, mut each: impl FnMut(usize, u32), count: usize) {
        let Column { bytes, width } = &self.columns[column];
        let start = bytes.start + first as usize * width;
        let end = bytes.end.min(start + count * width);
        let values = self.bytes.get(start..end).unwrap_or_default();
        match width {
            1 => {
                for (at, value) in values.iter().enumerate() {
                    each(at, u32::from(*value));
                }
            }
            2 => {
                for (at, value) in values.as_chunks().0.iter().enumerate() {
                    each(at, u32::from(u16::from_le_bytes(*value)));
                }
            }
            _ => {
                for (at, value) in values.as_chunks().0.iter().enumerate() {
                    each(at, u32::from_le_bytes(*value));
                }
            }
        }
    }

    /// Indexed terms of consecutive blocks from `first` on.
    pub fn read_num_terms(&self, first: u32, lengths: &mut [u32]) {
        let count = lengths.len();
        self.read(NUM_TERMS, first, |at, value| lengths[at] = value, count);
    }

    /// The integers of consecutive blocks from `first` on; what is not wanted is left as it is, and text and tag.
    #[inline]
    pub fn read_counts(&self, first: u32, wanted: Wanted, blocks: &mut [Block]) {
        let count = blocks.len();
        // Written out, so that each loop is over one field.
        if wanted.words {
            self.read(0, first, |at, n| blocks[at].num_words = n, count);
        }
        if wanted.tokens {
            self.read(1, first, |at, n| blocks[at].num_tokens = n, count);
        }
        if wanted.linked_words {
            self.read(2, first, |at, n| blocks[at].num_linked_words = n, count);
        }
        if wanted.lines {
            let full = |at: usize, n| blocks[at].num_words_in_full_lines = n;
            self.read(3, first, full, count);
            self.read(4, first, |at, n| blocks[at].num_lines = n, count);
        }
    }

    /// The integers of a block; text and tag are left empty.
    pub fn counts(&self, doc: u32) -> Block {
        let mut block = [Block::default()];
        self.read_counts(doc, Wanted::ALL, &mut block);
        let [block] = block;
        block
    }

    /// Indexed terms of a block.
    pub fn num_terms(&self, doc: u32) -> u32 {
        let mut length = [0];
        self.read_num_terms(doc, &mut length);
        length[0]
    }

    /// Indexed terms and words of all blocks.
    pub fn sums(&self) -> (u64, u64) {
        let sum = |column: usize| {
            let mut sum = 0;
            let add = |_, value| sum += u64::from(value);
            self.read(column, 0, add, self.num_blocks as usize);
            sum
        };
        (sum(NUM_TERMS), sum(0))
    }
}

impl Index {
    /// Lengths in indexed terms of all blocks, numbered through; read once.
    pub(super) fn block_lengths(&self) -> Result<&[u32], IndexError> {
        if let Some(lengths) = self.block_lengths.get() {
            return Ok(lengths);
        }
        let mut lengths = vec![0; self.layout.num_blocks];
        let mut rest = lengths.as_mut_slice();
        for Segment { columns, .. } in &self.segments {
            let (of_segment, after) = rest.split_at_mut(columns.num_blocks() as usize);
            columns.read_num_terms(0, of_segment);
            rest = after;
        }
        Ok(self.block_lengths.get_or_init(|| lengths))
    }

    /// Number of words of each block of a page, in order.
    pub fn page_word_counts(&self, page: u32) -> impl Iterator<Item = u32> {
        let extent = self.layout.extent(page);
        let segment = self.segments.get(extent.segment as usize);
        (extent.first_doc..extent.first_doc + extent.count)
            .filter_map(move |doc| Some(segment?.columns.counts(doc).num_words))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Columns of every width come back as they were, and a file that is cut or too long is refused.
    #[test]
    fn columns_come_back() {
        let directory = tempfile::TempDir::new().unwrap();
        let mut writer = ColumnsWriter::default();
        let block = |n: u32| Block {
            num_words: n,
            num_tokens: n * 7,
            num_linked_words: n * 70_000,
            num_words_in_full_lines: 3,
            num_lines: n / 2,
            ..Block::default()
        };
        for n in 0..200 {
            writer.push(&block(n), n * 300);
        }
        writer.write(directory.path(), 4).unwrap();
        let columns = Columns::open(directory.path(), 4).unwrap();
        assert_eq!(columns.num_blocks(), 200);
        for n in 0..200 {
            assert_eq!(columns.counts(n), block(n));
            assert_eq!(columns.num_terms(n), n * 300);
        }
        assert_eq!(columns.sums(), (199 * 100 * 300, 199 * 100));
        let widths: Vec<usize> = columns.columns.iter().map(|c| c.width).collect();
        assert_eq!(widths, [1, 2, 4, 1, 1, 2]);
        let path = directory.path().join(file(4));
        let bytes = std::fs::read(&path).unwrap();
        for wrong in [
            &bytes[..bytes.len() - 1],
            &[&bytes[..], &[0]].concat(),
            &bytes[..9],
            &[],
        ] {
            std::fs::write(&path, wrong).unwrap();
            assert!(Columns::open(directory.path(), 4).is_err());
        }
    }
}
