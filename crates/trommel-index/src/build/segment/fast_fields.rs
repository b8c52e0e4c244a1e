//! Fast fields of a segment that is being written.
//!
//! tantivy's own writer looks every value's column up by its name, and takes ten bytes for a value until the segment is written; here a
//! column is a vector. The file is the same: `tests.rs` compares them.

use std::io::{self, Write};

use tantivy::columnar::column_index::{SerializableColumnIndex, serialize_column_index};
use tantivy::columnar::column_values::{CodecType, serialize_u64_based_column_values};
use tantivy::columnar::{CURRENT_VERSION, ColumnType, MonotonicallyMappableToU64};
use tantivy_sstable::{RangeSSTable, SSTable, VoidSSTable};
use trommel_page::attribute::{self, Column};
use trommel_page::{Block, DensityUnit};
use trommel_text::Vocabulary;

use crate::format::schema::{LINK_DENSITY, NUM_TERMS, TAG, TEXT_DENSITY};
use crate::format::varint;

/// The columns of blocks.
#[derive(Debug)]
pub struct FastFields {
    /// What densities are counted in.
    unit: DensityUnit,
    blocks: u32,
    integers: Vec<(&'static Column, Vec<u8>)>,
    num_terms: Vec<u8>,
    tag_names: Vocabulary,
    tags: Vec<u8>,
    text_densities: Vec<f64>,
    link_densities: Vec<f64>,
}

/// What ends the file of a columnar, after its version.
const MAGIC: [u8; 4] = [2, 113, 119, 66];

impl FastFields {
    /// Columns without values.
    pub fn new(unit: DensityUnit) -> FastFields {
        let columns = attribute::columns().into_iter();
        FastFields {
            unit,
            blocks: 0,
            integers: columns.map(|column| (column, Vec::new())).collect(),
            num_terms: Vec::new(),
            tag_names: Vocabulary::default(),
            tags: Vec::new(),
            text_densities: Vec::new(),
            link_densities: Vec::new(),
        }
    }

    /// Adds a block of so many indexed terms.
    pub fn add(&mut self, block: &Block, num_terms: u32) {
        self.blocks += 1;
        for (column, values) in &mut self.integers {
            varint::push(values, u64::from((column.measure)(block)));
        }
        varint::push(&mut self.num_terms, u64::from(num_terms));
        let tag = self.tag_names.number(block.tag.name());
        varint::push(&mut self.tags, u64::from(tag));
        self.text_densities.push(block.text_density());
        self.link_densities.push(block.link_density(self.unit));
    }

    /// Memory that they take, in bytes.
    pub fn memory(&self) -> usize {
        let integers = self.integers.iter().map(|(_, values)| values.len());
        let densities = size_of::<f64>() * (self.text_densities.len() + self.link_densities.len());
        let others = [
            self.num_terms.len(),
            self.tags.len(),
            self.tag_names.memory(),
        ];
        integers.chain(others).sum::<usize>() + densities
    }

    /// Writes the file: the columns in the order of their names, where each is, and the number of blocks.
    pub fn write(self, file: &mut impl Write) -> io::Result<()> {
        let mut columns: Vec<(&str, ColumnType, Vec<u8>)> = Vec::new();
        for (column, values) in &self.integers {
            columns.push((column.field, ColumnType::U64, of_integers(values)?));
        }
        columns.push((NUM_TERMS, ColumnType::U64, of_integers(&self.num_terms)?));
        let tags = of_words(&self.tag_names, &self.tags)?;
        columns.push((TAG, ColumnType::Str, tags));
        for (name, values) in [
            (TEXT_DENSITY, &self.text_densities),
            (LINK_DENSITY, &self.link_densities),
        ] {
            columns.push((name, ColumnType::F64, of_values(values)?));
        }
        columns.sort_unstable_by_key(|(name, ..)| *name);
        let mut ranges = RangeSSTable::writer(Vec::new());
        let mut end = 0;
        for (name, kind, bytes) in columns {
            let start = end;
            end += bytes.len() as u64;
            file.write_all(&bytes)?;
            let key = [name.as_bytes(), &[0, kind.to_code()]].concat();
            ranges.insert(key, &(start..end))?;
        }
        let ranges = ranges.finish()?;
        file.write_all(&ranges)?;
        file.write_all(&(ranges.len() as u64).to_le_bytes())?;
        file.write_all(&self.blocks.to_le_bytes())?;
        file.write_all(&(CURRENT_VERSION as u32).to_le_bytes())?;
        file.write_all(&MAGIC)
    }
}

fn of_integers(values: &[u8]) -> io::Result<Vec<u8>> {
    of_values(&decoded(values))
}

/// A column that has a value for every block.
fn of_values<T: MonotonicallyMappableToU64>(values: &[T]) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let index = serialize_column_index(SerializableColumnIndex::Full, &mut bytes)?;
    let codecs = [CodecType::Bitpacked, CodecType::BlockwiseLinear];
    serialize_u64_based_column_values(&values, &codecs, &mut bytes)?;
    bytes.extend(index.to_le_bytes());
    Ok(bytes)
}

/// A column of words: a dictionary, in whose order they are numbered anew, and their numbers.
fn of_words(words: &Vocabulary, numbers: &[u8]) -> io::Result<Vec<u8>> {
    let mut dictionary = VoidSSTable::writer(Vec::new());
    let mut ordinals = vec![0; words.len()];
    for (ordinal, number) in (0u64..).zip(words.sorted()) {
        dictionary.insert(words.get(number), &())?;
        ordinals[number as usize] = ordinal;
    }
    let mut bytes = dictionary.finish()?;
    let length = bytes.len() as u32;
    let numbers = decoded(numbers).into_iter();
    let values: Vec<u64> = numbers.map(|number| ordinals[number as usize]).collect();
    bytes.extend(of_values(&values)?);
    bytes.extend(length.to_le_bytes());
    Ok(bytes)
}

fn decoded(mut numbers: &[u8]) -> Vec<u64> {
    std::iter::from_fn(|| varint::pop(&mut numbers)).collect()
}
