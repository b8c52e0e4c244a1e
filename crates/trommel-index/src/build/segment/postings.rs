//! Postings of a segment that is being written.
//!
//! They are put down as they come, block after block, and turned round when the segment is written: adding a word touches the end of
//! one vector, where a list for each term would have its end anywhere in memory.

use std::io;

use tantivy::postings::FieldSerializer;
use trommel_text::Vocabulary;

use crate::format::varint;

/// The terms of blocks in order.
#[derive(Debug, Default)]
pub struct Postings {
    /// A number for each word: [`LEFT_OUT`], or that of its term and [`FIRST_TERM`]; after each block [`END`].
    words: Vec<u8>,
    /// How often each term came, by its number.
    counts: Vec<u32>,
    /// How many terms came in all.
    total: u64,
}

const END: u64 = 0;
const LEFT_OUT: u64 = 1;
const FIRST_TERM: u64 = 2;

/// A term's place: the block and the number of the word.
#[derive(Debug, Clone, Copy, Default)]
struct Place {
    block: u32,
    position: u32,
}

/// Places that are sorted by term at a time, so that they take no more than so many times 8 bytes (but for a term that has more). Fewer
/// in tests, whose terms shall not all have their turn at once.
const MOST_PLACES: u32 = if cfg!(test) { 500 } else { 6_000_000 };

/// Where the next place goes of a term whose turn it is not.
const NOWHERE: u32 = u32::MAX;

impl Postings {
    /// Adds the next word of the block: the number of its term, or none if it is left out.
    pub fn add(&mut self, term: Option<u32>) {
        let Some(term) = term else {
            return varint::push(&mut self.words, LEFT_OUT);
        };
        varint::push(&mut self.words, u64::from(term) + FIRST_TERM);
        let index = term as usize;
        if self.counts.len() <= index {
            self.counts.resize(index + 1, 0);
        }
        self.counts[index] += 1;
        self.total += 1;
    }

    /// Ends the block.
    pub fn end_block(&mut self) {
        varint::push(&mut self.words, END);
    }

    /// How many terms came in all.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Memory that they take, in bytes.
    pub fn memory(&self) -> usize {
        self.words.len() + size_of::<u32>() * self.counts.len()
    }

    /// Writes the terms in the order of their bytes, each with its blocks.
    pub fn write(&self, terms: &Vocabulary, field: &mut FieldSerializer) -> io::Result<()> {
        let order = terms.sorted();
        let mut rest = order.as_slice();
        let mut places: Vec<Place> = Vec::new();
        let mut next = vec![NOWHERE; terms.len()];
        while !rest.is_empty() {
            let (mut sum, mut taken) = (0, 0);
            for term in rest {
                let count = self.counts[*term as usize];
                if taken > 0 && count > MOST_PLACES.saturating_sub(sum) {
                    break;
                }
                next[*term as usize] = sum;
                sum += count;
                taken += 1;
            }
            places.resize(sum as usize, Place::default());
            self.for_each(|term, place| {
                let next = &mut next[term as usize];
                if let Some(free) = places.get_mut(*next as usize) {
                    *free = place;
                    *next += 1;
                }
            });
            let (now, later) = rest.split_at(taken);
            let mut after = places.as_slice();
            for term in now {
                let (of_term, others) = after.split_at(self.counts[*term as usize] as usize);
                write_term(terms.get(*term), of_term, field)?;
                next[*term as usize] = NOWHERE;
                after = others;
            }
            rest = later;
        }
        Ok(())
    }

    /// Calls `each` with every term and its place, in order of places.
    fn for_each(&self, mut each: impl FnMut(u32, Place)) {
        let mut words = self.words.as_slice();
        let mut place = Place::default();
        while let Some(word) = varint::pop(&mut words) {
            match word {
                END => {
                    place.block += 1;
                    place.position = 0;
                    continue;
                }
                LEFT_OUT => {}
                term => each((term - FIRST_TERM) as u32, place),
            }
            place.position += 1;
        }
    }
}

fn write_term(term: &str, places: &[Place], field: &mut FieldSerializer) -> io::Result<()> {
    let same_block = |one: &Place, other: &Place| one.block == other.block;
    // tantivy asks for the number of documents only where a field has norms.
    field.new_term(term.as_bytes(), 0, true)?;
    let mut steps = Vec::new();
    for of_block in places.chunk_by(same_block) {
        steps.clear();
        let mut before = 0;
        for place in of_block {
            steps.push(place.position - before);
            before = place.position;
        }
        field.write_doc(of_block[0].block, of_block.len() as u32, &steps);
    }
    field.close_term()
}
