//! The texts of consecutive blocks as they are before they are compressed.
//!
//! First a number for each block, as [`varint`]: of a text that stands here twice its length in bytes; of one that a block before has,
//! in this chunk or another, twice the steps to that block, plus 1. Steps are counted from the block behind the one that was pointed
//! to last, so that a row of blocks that comes again is a row of no steps; forwards and backwards take turns: 0, -1, 1, -2, 2. Then the
//! texts, one after another.

use crate::format::varint;

/// Where a block's text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Entry {
    /// Here, from where to where among the texts.
    Own(u32, u32),
    /// It is that of another block, counted from the first of the run.
    Same(u32),
}

/// The texts of some blocks while they are gathered.
#[derive(Debug, Default)]
pub(crate) struct Gathered {
    numbers: Vec<u8>,
    texts: Vec<u8>,
    blocks: u32,
    /// The block behind the one that was pointed to last.
    next: u32,
}

impl Gathered {
    /// Adds a block with a text of its own.
    pub fn own(&mut self, text: &str) {
        varint::push(&mut self.numbers, 2 * text.len() as u64);
        self.texts.extend_from_slice(text.as_bytes());
        self.blocks += 1;
    }

    /// Adds a block that has the text of another of its run.
    pub fn same(&mut self, block: u32) {
        let steps = i64::from(block) - i64::from(self.next);
        // Twice the number, and one less if it is negative.
        let turns = ((steps << 1) ^ (steps >> 63)) as u64;
        varint::push(&mut self.numbers, 2 * turns + 1);
        self.next = block.saturating_add(1);
        self.blocks += 1;
    }

    /// Number of blocks.
    pub fn blocks(&self) -> u32 {
        self.blocks
    }

    /// Bytes that it has come to.
    pub fn len(&self) -> usize {
        self.numbers.len() + self.texts.len()
    }

    /// Appends everything to bytes, and forgets it.
    pub fn write(&mut self, bytes: &mut Vec<u8>) {
        bytes.append(&mut self.numbers);
        bytes.append(&mut self.texts);
        (self.blocks, self.next) = (0, 0);
    }
}

/// The texts of some blocks as they are read.
#[derive(Debug)]
pub(crate) struct Chunk {
    bytes: Vec<u8>,
    /// Where the texts begin.
    texts: usize,
    entries: Vec<Entry>,
}

impl Chunk {
    /// Reads the texts of so many blocks; none if these are not the bytes of them.
    pub fn read(bytes: Vec<u8>, blocks: u32) -> Option<Chunk> {
        let blocks = blocks as usize;
        // A number takes a byte at least.
        if blocks > bytes.len() {
            return None;
        }
        let mut entries = Vec::with_capacity(blocks);
        let mut rest = bytes.as_slice();
        let (mut length, mut next) = (0u32, 0i64);
        for _ in 0..blocks {
            let number = varint::pop(&mut rest)?;
            entries.push(match number % 2 {
                0 => {
                    let end = length.checked_add(u32::try_from(number / 2).ok()?)?;
                    Entry::Own(std::mem::replace(&mut length, end), end)
                }
                _ => {
                    let turns = number / 2;
                    let steps = (turns / 2) as i64 ^ -((turns % 2) as i64);
                    let block = u32::try_from(next.checked_add(steps)?).ok()?;
                    next = i64::from(block) + 1;
                    Entry::Same(block)
                }
            });
        }
        let texts = bytes.len() - rest.len();
        (rest.len() == length as usize).then_some(Chunk {
            bytes,
            texts,
            entries,
        })
    }

    /// Where the text of a block is, counted from the first of the chunk; none if the block is not here.
    pub fn entry(&self, block: u32) -> Option<Entry> {
        self.entries.get(block as usize).copied()
    }

    /// The text from one place to another; none if there is none.
    pub fn text(&self, start: u32, end: u32) -> Option<&str> {
        let texts = self.bytes.get(self.texts..)?;
        std::str::from_utf8(texts.get(start as usize..end as usize)?).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows that come again, steps both ways, empty texts; and every way to cut or change a byte: nothing panics.
    #[test]
    fn blocks_come_back() {
        let mut gathered = Gathered::default();
        let own = ["", "é", "some words", ""];
        let same = [0, 1, 2, 9, 8, u32::MAX - 1, 0, 70_000];
        own.iter().for_each(|text| gathered.own(text));
        same.iter().for_each(|block| gathered.same(*block));
        assert_eq!(gathered.blocks(), 12);
        let length = gathered.len();
        let mut bytes = Vec::new();
        gathered.write(&mut bytes);
        assert_eq!(bytes.len(), length);
        assert_eq!((gathered.blocks(), gathered.len()), (0, 0));
        let chunk = Chunk::read(bytes.clone(), 12).unwrap();
        for (at, text) in (0..).zip(own) {
            let Some(Entry::Own(start, end)) = chunk.entry(at) else {
                panic!("{at}");
            };
            assert_eq!(chunk.text(start, end), Some(text));
        }
        for (at, block) in (4..).zip(same) {
            assert_eq!(chunk.entry(at), Some(Entry::Same(block)));
        }
        assert_eq!(chunk.entry(12), None);
        for blocks in [0, 11, 13, u32::MAX] {
            assert!(Chunk::read(bytes.clone(), blocks).is_none(), "{blocks}");
        }
        for at in 0..bytes.len() {
            assert!(Chunk::read(bytes[..at].to_vec(), 12).is_none(), "{at}");
            for bit in 0..8 {
                let mut changed = bytes.clone();
                changed[at] ^= 1 << bit;
                let Some(chunk) = Chunk::read(changed, 12) else {
                    continue;
                };
                for entry in &chunk.entries {
                    if let Entry::Own(start, end) = entry {
                        let _ = chunk.text(*start, *end);
                    }
                }
            }
        }
    }
}
