//! Postings by page of the frequent terms of a segment of blocks, beside tantivy's by block: a page with a term is one entry here,
//! however many of its blocks have it. They bound what a page can score under any filter, more closely under one that asks for so many words
//! at least, and count df and cf under a bound without a look at the blocks.
//!
//! Pages are numbered here by their places in the segment (their ranks): those without a block have none. Layout, all numbers
//! little-endian:
//!
//! - for each term of [`LEAST`] blocks or more, in their order, a record: df and the length of the histograms as u32, cf as u64; for
//!   each group of 128 pages the last rank and the end of its data as u32, the greatest frequency as u16 (65,535 if it is more), and as
//!   u8 each the bits of a step between ranks, of a frequency and of a word class ([`crate::format::word_class`]), and the highest class;
//!   the groups' data, bit-packed, ranks by their differences, of the last
//!   group filled up with its last rank and 0; the histograms ([`crate::format::term_histogram`]);
//! - for each record the term's number in tantivy's dictionary as u32 and where the record begins as u64;
//! - what the histograms are of, as text; its length as u32, the number of records as u32, and [`MAGIC`].

use std::io::{self, Write};
use std::path::Path;

use bitpacking::{BitPacker, BitPacker4x};
use tantivy::directory::OwnedBytes;

use crate::format::error::IndexError;
use crate::format::file;
use crate::format::mapped::{self, u32_at, u64_at};

/// Blocks that a term stands in, at least; postings of fewer are read as fast.
pub(crate) const LEAST: u32 = if cfg!(test) { 5 } else { 256 };

/// Pages of a group.
pub(crate) const GROUP: usize = BitPacker4x::BLOCK_LEN;

/// The end of the file: what it is, and the version of its layout.
const MAGIC: &[u8; 8] = b"pagepos2";

/// Bytes of a record before its groups, of a group before its data, and of a line of the directory.
const HEAD: usize = 16;
const GROUP_HEAD: usize = 14;
const LINE: usize = 12;

/// A page that has a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Entry {
    pub rank: u32,
    /// Occurrences in all its blocks.
    pub frequency: u32,
    /// The class of the longest of its blocks that have it.
    pub class: u8,
}

/// The file of a segment of a part.
pub(crate) fn file_name(segment: usize) -> String {
    format!("page-postings.{segment}")
}

/// Writes the file of a segment.
pub(crate) struct Writer<'w> {
    out: &'w mut dyn Write,
    written: u64,
    directory: Vec<u8>,
    records: u32,
    heads: Vec<u8>,
    data: Vec<u8>,
}

/// Writes the postings of a segment: `fill` adds the terms in their order. `histograms` is what theirs are of.
pub(crate) fn write(
    path: &Path,
    histograms: &str,
    fill: impl FnOnce(&mut Writer) -> io::Result<()>,
) -> Result<(), IndexError> {
    file::write(path, |out| {
        let mut buffered = io::BufWriter::new(out);
        let mut writer = Writer {
            out: &mut buffered,
            written: 0,
            directory: Vec::new(),
            records: 0,
            heads: Vec::new(),
            data: Vec::new(),
        };
        fill(&mut writer)?;
        let Writer {
            directory, records, ..
        } = writer;
        buffered.write_all(&directory)?;
        buffered.write_all(histograms.as_bytes())?;
        buffered.write_all(&(histograms.len() as u32).to_le_bytes())?;
        buffered.write_all(&records.to_le_bytes())?;
        buffered.write_all(MAGIC)?;
        buffered.flush()
    })
}

impl Writer<'_> {
    /// Adds a term by its number: its pages by ascending ranks, and its histograms.
    pub fn add(&mut self, term: u32, entries: &[Entry], histograms: &[u8]) -> io::Result<()> {
        let packer = BitPacker4x::new();
        self.heads.clear();
        self.data.clear();
        let mut before = 0;
        let mut packed = [0; 4 * GROUP];
        for group in entries.chunks(GROUP) {
            let last = group.last().map_or(0, |entry| entry.rank);
            let (mut ranks, mut frequencies) = ([last; GROUP], [0; GROUP]);
            let mut classes = [0; GROUP];
            for (at, entry) in group.iter().enumerate() {
                (ranks[at], frequencies[at]) = (entry.rank, entry.frequency);
                classes[at] = u32::from(entry.class);
            }
            let most = frequencies.iter().copied().max().unwrap_or(0);
            let bits = packer.num_bits_sorted(before, &ranks);
            let length = packer.compress_sorted(before, &ranks, &mut packed, bits);
            self.data.extend_from_slice(&packed[..length]);
            let frequency_bits = packer.num_bits(&frequencies);
            let length = packer.compress(&frequencies, &mut packed, frequency_bits);
            self.data.extend_from_slice(&packed[..length]);
            let class_bits = packer.num_bits(&classes);
            let length = packer.compress(&classes, &mut packed, class_bits);
            self.data.extend_from_slice(&packed[..length]);
            let highest = classes.iter().copied().max().unwrap_or(0) as u8;
            self.heads.extend(last.to_le_bytes());
            self.heads.extend((self.data.len() as u32).to_le_bytes());
            let most = u16::try_from(most).unwrap_or(u16::MAX);
            self.heads.extend(most.to_le_bytes());
            self.heads
                .extend([bits, frequency_bits, class_bits, highest]);
            before = last;
        }
        let cf: u64 = entries.iter().map(|it| u64::from(it.frequency)).sum();
        self.directory.extend(term.to_le_bytes());
        self.directory.extend(self.written.to_le_bytes());
        self.records += 1;
        let head = [entries.len() as u32, histograms.len() as u32].map(u32::to_le_bytes);
        let cf = cf.to_le_bytes();
        for bytes in [
            &head[0][..],
            &head[1],
            &cf,
            &self.heads,
            &self.data,
            histograms,
        ] {
            self.out.write_all(bytes)?;
            self.written += bytes.len() as u64;
        }
        Ok(())
    }
}

/// The file of a segment, mapped into memory.
pub(crate) struct PagePostings {
    bytes: OwnedBytes,
    /// Where the directory begins, and where it ends.
    directory: (usize, usize),
    /// What the histograms are of.
    pub histograms: String,
}

impl PagePostings {
    /// Opens the file of a segment of a part.
    ///
    /// # Errors
    /// [`IndexError::Damaged`] if it is not what it should be.
    pub fn open(part: &Path, segment: usize) -> Result<PagePostings, IndexError> {
        let path = part.join(file_name(segment));
        let damaged = |why: &str| IndexError::Damaged {
            path: path.clone(),
            why: why.to_owned(),
        };
        let bytes = mapped::open(&path).map_err(|error| damaged(&error.to_string()))?;
        let whole = || {
            let text_end = bytes.len().checked_sub(16)?;
            let (length, count) = (u32_at(&bytes, text_end)?, u32_at(&bytes, text_end + 4)?);
            let end = text_end.checked_sub(length as usize)?;
            let start = end.checked_sub((count as usize).checked_mul(LINE)?)?;
            let histograms = std::str::from_utf8(&bytes[end..text_end]).ok()?;
            Some(((start, end), histograms.to_owned()))
        };
        if !bytes.ends_with(MAGIC) {
            return Err(damaged("another version wrote it, or it is cut off"));
        }
        let (directory, histograms) =
            whole().ok_or_else(|| damaged("its length is not what it says"))?;
        Ok(PagePostings {
            bytes,
            directory,
            histograms,
        })
    }

    /// The record of a term by its number in the dictionary; none if it has no record.
    pub fn get(&self, term: u64) -> Option<Record<'_>> {
        let (start, end) = self.directory;
        let (lines, _) = self.bytes[start..end].as_chunks::<LINE>();
        let number = |line: &[u8; LINE]| u64::from(u32_at(line, 0).unwrap_or(u32::MAX));
        let found = lines.binary_search_by_key(&term, number).ok()?;
        let start = u64_at(&lines[found], 4)?;
        let end = lines.get(found + 1).map(|next| u64_at(next, 4));
        let end = end.unwrap_or(Some(self.directory.0 as u64))?;
        let bytes = self.bytes.get(start as usize..end as usize)?;
        Record::new(bytes)
    }
}

/// The postings of a term.
#[derive(Clone, Copy)]
pub(crate) struct Record<'p> {
    /// Pages with the term.
    pub df: u32,
    /// Occurrences of the term.
    pub cf: u64,
    heads: &'p [[u8; GROUP_HEAD]],
    data: &'p [u8],
    /// The histograms as they are written.
    pub histograms: &'p [u8],
}

impl<'p> Record<'p> {
    fn new(bytes: &'p [u8]) -> Option<Record<'p>> {
        let (df, length, cf) = (u32_at(bytes, 0)?, u32_at(bytes, 4)?, u64_at(bytes, 8)?);
        let heads_end = HEAD + (df as usize).div_ceil(GROUP) * GROUP_HEAD;
        let (heads, _) = bytes.get(HEAD..heads_end)?.as_chunks();
        let rest = &bytes[heads_end..];
        let (data, histograms) = rest.split_at_checked(rest.len().checked_sub(length as usize)?)?;
        Some(Record {
            df,
            cf,
            heads,
            data,
            histograms,
        })
    }

    /// Number of groups.
    pub fn groups(&self) -> usize {
        self.heads.len()
    }

    /// The last rank of a group.
    #[inline]
    pub fn last(&self, group: usize) -> u32 {
        u32_at(&self.heads[group], 0).unwrap_or(u32::MAX)
    }

    /// The greatest frequency of a group; more than any where it is not known, 0 where no page is of a class that counts.
    #[inline]
    pub fn most(&self, group: usize, least_class: u8) -> u32 {
        if self.heads[group][GROUP_HEAD - 1] < least_class {
            return 0;
        }
        match u16::from_le_bytes([self.heads[group][8], self.heads[group][9]]) {
            u16::MAX => u32::MAX,
            most => u32::from(most),
        }
    }

    /// Unpacks a group; gives the number of its pages. Those of a class below one have the frequency 0.
    ///
    /// # Panics
    /// Over damage: it is read where that is expected.
    pub fn unpack(
        &self,
        group: usize,
        least_class: u8,
        ranks: &mut [u32; GROUP],
        frequencies: &mut [u32; GROUP],
    ) -> usize {
        let end = |group: usize| u32_at(&self.heads[group], 4).map_or(0, |end| end as usize);
        let start = group.checked_sub(1).map_or(0, end);
        let before = group.checked_sub(1).map_or(0, |group| self.last(group));
        let [.., bits, frequency_bits, class_bits, _] = self.heads[group];
        let data = &self.data[start..end(group)];
        let packer = BitPacker4x::new();
        let read = packer.decompress_sorted(before, data, ranks, bits);
        let data = &data[read..];
        let read = packer.decompress(data, frequencies, frequency_bits);
        if least_class > 0 {
            let mut classes = [0; GROUP];
            packer.decompress(&data[read..], &mut classes, class_bits);
            for (frequency, class) in frequencies.iter_mut().zip(classes) {
                *frequency *= u32::from(class >= u32::from(least_class));
            }
        }
        GROUP.min(self.df as usize - group * GROUP)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn postings_come_back() {
        let directory = tempfile::tempdir().unwrap();
        let entries = |count: u32, step: u32| -> Vec<Entry> {
            let entry = |at| Entry {
                rank: at * step + at % 3,
                frequency: 1 + (at * at) % (step * 7 + 1),
                class: (at / 99 % 16) as u8,
            };
            (0..count).map(entry).collect()
        };
        let terms = [
            (3, entries(1, 9)),
            (4, entries(128, 4)),
            (9, entries(1000, 70_000)),
        ];
        let path = directory.path().join(file_name(2));
        write(&path, "words:1", |writer| {
            for (term, entries) in &terms {
                writer.add(*term, entries, &[7; 5][..(*term % 5) as usize])?;
            }
            Ok(())
        })
        .unwrap();
        let postings = PagePostings::open(directory.path(), 2).unwrap();
        assert_eq!(postings.histograms, "words:1");
        for (term, entries) in &terms {
            let record = postings.get(u64::from(*term)).unwrap();
            assert_eq!(record.histograms.len(), (*term % 5) as usize);
            assert_eq!(record.df as usize, entries.len());
            let cf: u64 = entries.iter().map(|it| u64::from(it.frequency)).sum();
            assert_eq!(record.cf, cf);
            for least in [0, 1, 7, 15] {
                let mut found = Vec::new();
                for group in 0..record.groups() {
                    let (mut ranks, mut frequencies) = ([0; GROUP], [0; GROUP]);
                    let count = record.unpack(group, least, &mut ranks, &mut frequencies);
                    let pairs = ranks.into_iter().zip(frequencies).take(count);
                    let pairs: Vec<(u32, u32)> = pairs.collect();
                    assert_eq!(pairs.last().unwrap().0, record.last(group));
                    let most = pairs.iter().map(|pair| pair.1).max().unwrap();
                    let told = record.most(group, least);
                    assert!(told >= most && (told == 0) == (most == 0));
                    found.extend(pairs);
                }
                let counts = |it: &Entry| match it.class >= least {
                    true => (it.rank, it.frequency),
                    false => (it.rank, 0),
                };
                assert_eq!(found, entries.iter().map(counts).collect::<Vec<_>>());
            }
        }
        for none in [0, 5, 10, 1 << 40] {
            assert!(postings.get(none).is_none());
        }
        let bytes = std::fs::read(&path).unwrap();
        std::fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
        assert!(PagePostings::open(directory.path(), 2).is_err());
    }
}
