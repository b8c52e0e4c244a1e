//! Writes the postings by page of a segment of blocks, from what is on disk of it.

use std::io;
use std::path::Path;

use tantivy::schema::IndexRecordOption;
use trommel_page::DensityUnit;
use trommel_page::attribute::{self, Count};

use crate::format::columns::{self, Columns};
use crate::format::error::IndexError;
use crate::format::extents::{Extent, starts};
use crate::format::page_postings::{self, Entry, LEAST, file_name};
use crate::format::ranks::{Ranks, Start, Starts};
use crate::format::stored::Stored;
use crate::format::term_histogram::{self, Counting, Graded, bin, described, graded};
use crate::format::word_class::class_of;
use crate::format::{guard, part, schema};

/// Writes the file of a segment of a part whose pages have these extents.
///
/// # Errors
/// Those of reading the segment, and of writing.
pub(crate) fn write(
    directory: &Path,
    segment: usize,
    extents: &[Extent],
    unit: DensityUnit,
) -> Result<(), IndexError> {
    let stored = Stored::open(part::blocks(directory, segment))?;
    let columns = Columns::open(&stored)?;
    let starts = starts(extents, segment);
    let graded = graded();
    let path = directory.join(file_name(segment));
    guard::reading(&stored.path, || {
        let bins = bins(&columns, &graded, unit)?;
        let classes = classes(&columns)?;
        page_postings::write(&path, &described(&graded), |writer| {
            fill(writer, &stored, &starts, (&bins, &classes))
        })
    })
}

/// For each graded attribute the bin of every block.
fn bins(
    columns: &Columns,
    graded: &[Graded],
    unit: DensityUnit,
) -> Result<Vec<Vec<u16>>, IndexError> {
    let of_one = |one: &Graded| {
        let mut bins = Vec::with_capacity(columns.num_blocks() as usize);
        let (mut numerators, mut denominators) = (Vec::new(), Vec::new());
        for (first, count) in columns::chunks(columns.num_blocks()) {
            let read = |wanted: Count, values: &mut Vec<u32>| {
                values.resize(count, 1);
                match wanted.of_unit(unit) {
                    Count::Stored(column) => columns.read(column, first, values),
                    _ => {
                        values.fill(1);
                        Ok(())
                    }
                }
            };
            read(one.number.0, &mut numerators)?;
            read(one.number.1, &mut denominators)?;
            let pairs = numerators.iter().zip(&denominators);
            bins.extend(
                pairs.map(|(numerator, denominator)| bin(*numerator, *denominator, one.steps)),
            );
        }
        Ok(bins)
    };
    graded.iter().map(of_one).collect()
}

/// The word class of every block.
fn classes(columns: &Columns) -> Result<Vec<u8>, IndexError> {
    let mut classes = Vec::with_capacity(columns.num_blocks() as usize);
    let mut words = Vec::new();
    for (first, count) in columns::chunks(columns.num_blocks()) {
        words.resize(count, 0);
        columns.read(attribute::words_column(), first, &mut words)?;
        classes.extend(words.iter().map(|words| class_of(*words)));
    }
    Ok(classes)
}

fn fill(
    writer: &mut page_postings::Writer,
    stored: &Stored,
    starts: &[Start],
    (bins, classes): (&[Vec<u16>], &[u8]),
) -> io::Result<()> {
    let field = schema::block_schema().1.terms;
    let inverted = stored
        .reader
        .inverted_index(field)
        .map_err(io::Error::other)?;
    let mut counting: Vec<Counting> = bins.iter().map(|_| Counting::new()).collect();
    let (mut entries, mut histograms) = (Vec::new(), Vec::new());
    let mut terms = inverted.terms().stream()?;
    while terms.advance() {
        let info = terms.value().clone();
        if info.doc_freq < LEAST {
            continue;
        }
        let is_counted = info.doc_freq >= term_histogram::LEAST;
        entries.clear();
        histograms.clear();
        let with = IndexRecordOption::WithFreqs;
        let mut postings = inverted.read_block_postings_from_terminfo(&info, with)?;
        let mut page = Ranks::of(Starts(starts));
        let (mut frequency, mut class) = (0, 0);
        while let Some(last) = postings.docs().last() {
            stored.has(*last)?;
            for (&doc, &tf) in postings.docs().iter().zip(postings.freqs()) {
                if doc >= page.end {
                    if frequency > 0 {
                        let rank = page.rank;
                        entries.push(Entry {
                            rank,
                            frequency,
                            class,
                        });
                        counting.iter_mut().for_each(Counting::end_page);
                    }
                    (frequency, class) = (0, 0);
                    page.seek(doc);
                }
                frequency += tf;
                class = class.max(classes[doc as usize]);
                if is_counted {
                    for (counting, bins) in counting.iter_mut().zip(bins) {
                        counting.add(bins[doc as usize], tf);
                    }
                }
            }
            postings.advance();
        }
        let rank = page.rank;
        entries.push(Entry {
            rank,
            frequency,
            class,
        });
        if is_counted {
            for counting in &mut counting {
                counting.end_page();
                counting.write(&mut histograms);
            }
        }
        let number = u32::try_from(terms.term_ord()).map_err(io::Error::other)?;
        writer.add(number, &entries, &histograms)?;
    }
    Ok(())
}
