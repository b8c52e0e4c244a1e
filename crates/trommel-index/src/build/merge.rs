//! Several indexes to one: the same as if all their files had been indexed in this order.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;
use tantivy::IndexSettings;
use tantivy::directory::{MmapDirectory, OwnedBytes};
use tantivy::fastfield::{AliveBitSet, write_alive_bitset};
use tantivy::indexer::merge_filtered_segments;
use trommel_archive::Reason;

use crate::build::label_writer::{LabelWriter, Naming};
use crate::build::lines::document_line_of_page;
use crate::build::options::has_page_postings;
use crate::build::page_postings;
use crate::build::settle::settle;
use crate::build::shard;
use crate::build::texts::{KNOWN_TEXTS, TextWriter};
use crate::format::error::IndexError;
use crate::format::extents::{self, Extent};
use crate::format::labels::{LabelSet, NewLabels, WrittenLabels};
use crate::format::ledger::{LEDGER, Ledger};
use crate::format::manifest::{MANIFEST, Manifest};
use crate::format::part::{self, PAGES, PartEntry};
use crate::format::stored::segment;
use crate::format::sum::{self, FileSum, Verify};
use crate::format::{docids, file, origin};
use crate::search::open::Index;

/// tantivy numbers fewer documents than this in a segment.
const MOST_BLOCKS: u64 = 1 << 31;

/// Makes one index, in a directory that is empty or does not exist, of several that were built with the same options. The segments of
/// each are written once, into one for every two thousand million blocks. A docid that comes again is left out where it comes again,
/// with a line in the ledger; its payload stays in [`crate::Counts::payload_bytes`]. All files of the indexes are verified first, so that
/// no damage gets into the new one unseen.
///
/// # Errors
/// [`IndexError::Differs`] if they were not built alike; [`IndexError::Exists`], [`IndexError::NotEmpty`], [`IndexError::NoName`] and
/// [`IndexError::Busy`] for the directory; those of opening the indexes, and of writing. Nothing is left behind then.
pub fn merge(directory: &Path, sources: &[PathBuf]) -> Result<Manifest, IndexError> {
    merge_until(directory, sources, &AtomicBool::new(false))
}

/// [`merge`], until it is told to stop: that is looked for between segments and pages, not while a segment's postings are merged.
///
/// # Errors
/// Those of [`merge`], and [`IndexError::Stopped`]. Nothing is left behind.
pub fn merge_until(
    directory: &Path,
    sources: &[PathBuf],
    stop: &AtomicBool,
) -> Result<Manifest, IndexError> {
    let (parent, name) = place_of(directory)?;
    let directory = &directory.with_file_name(&name);
    is_free(directory)?;
    let index = Index::open_verified(sources, Verify::Whole)?;
    built_alike(sources, &index)?;
    // One name for all who merge to this directory, so that a second one is told at once.
    let staged = format!(".{}.merge", name.to_string_lossy());
    let (staged, _lock) =
        shard::stage(&parent, &staged, "", false).map_err(|error| match error {
            IndexError::Busy(_) => IndexError::Busy(directory.clone()),
            error => error,
        })?;
    // Whoever had the name before may have finished just now.
    let merged = is_free(directory)
        .and_then(|()| merge_to(&staged, &index, stop))
        .and_then(|manifest| {
            if directory.exists() {
                fs::remove_dir(directory).map_err(IndexError::io(directory))?;
            }
            fs::rename(&staged, directory).map_err(IndexError::io(directory))?;
            Ok(manifest)
        });
    if merged.is_err() {
        file::remove(&staged)?;
    }
    let manifest = merged?;
    file::sync_directory(&parent)?;
    Ok(manifest)
}

/// # Errors
/// [`IndexError::Stopped`] if that is wanted.
fn go_on(stop: &AtomicBool) -> Result<(), IndexError> {
    match stop.load(Relaxed) {
        true => Err(IndexError::Stopped),
        false => Ok(()),
    }
}

/// The directory that a directory is to be made in, and its name there.
///
/// # Errors
/// [`IndexError::NoName`] where that cannot be told from the path.
fn place_of(directory: &Path) -> Result<(PathBuf, OsString), IndexError> {
    // The components of `new/.` end with `new`, and those of `.` with none.
    let name = directory.file_name().map(ToOwned::to_owned);
    match (directory.parent(), name) {
        (Some(parent), Some(name)) if parent.as_os_str().is_empty() => {
            Ok((PathBuf::from("."), name))
        }
        (Some(parent), Some(name)) => Ok((parent.to_owned(), name)),
        _ => Err(IndexError::NoName(directory.to_owned())),
    }
}

/// May an index be made there?
///
/// # Errors
/// [`IndexError::Exists`] and [`IndexError::NotEmpty`].
fn is_free(directory: &Path) -> Result<(), IndexError> {
    if directory.join(MANIFEST).exists() {
        return Err(IndexError::Exists(directory.to_owned()));
    }
    let is_empty = |path: &Path| fs::read_dir(path).is_ok_and(|mut dir| dir.next().is_none());
    match !directory.exists() || is_empty(directory) {
        true => Ok(()),
        false => Err(IndexError::NotEmpty(directory.to_owned())),
    }
}

/// Writes everything and the manifest.
fn merge_to(staged: &Path, index: &Index, stop: &AtomicBool) -> Result<Manifest, IndexError> {
    let parts = groups(index)
        .into_iter()
        .enumerate()
        .map(|(number, parts)| merge_parts(index, staged, number, parts, stop))
        .collect::<Result<Vec<_>, _>>()?;
    if !parts.is_empty() {
        file::sync_directory(&staged.join(part::FOLDER))?;
    }
    let mut extractors = index.manifest.extractors.clone();
    if !extractors.is_empty() {
        let written = merge_labels(index, staged, stop)?;
        for (set, written) in extractors.iter_mut().zip(written) {
            (set.content_blocks, set.files) = (written.content_blocks, written.files);
        }
    }
    let ledger = merge_ledgers(index, staged)?;
    let ledger_path = staged.join(LEDGER);
    let ledger_file = FileSum::of(&ledger_path).map_err(IndexError::io(&ledger_path))?;
    let mut counts = index.manifest.counts;
    for page in repeated_pages(index) {
        counts.pages -= 1;
        let blocks = index.layout.blocks(page);
        counts.blocks -= blocks.end - blocks.start;
        let words = index.page_word_counts(page)?;
        counts.words -= words.into_iter().map(u64::from).sum::<u64>();
        let lengths = index.page_block_lengths(page)?;
        counts.terms -= lengths.into_iter().map(u64::from).sum::<u64>();
    }
    let manifest = Manifest {
        parts,
        extractors,
        ledger,
        ledger_file: Some(ledger_file),
        inputs_from: inputs_from(staged, index),
        counts,
        ..index.manifest.clone()
    };
    manifest.write(staged)?;
    Ok(manifest)
}

/// Where the paths of all inputs start from, as seen from the new index; none if the indexes were made from different directories.
fn inputs_from(staged: &Path, index: &Index) -> Option<String> {
    let directories = index.directories.iter();
    let mut starts = directories.map(|of| origin::start(&of.path, &of.manifest));
    let first = starts.next()??;
    let same = starts.all(|start| start.as_ref() == Some(&first));
    let staged = fs::canonicalize(staged).ok()?;
    same.then(|| origin::seen_from(&staged, &first))?
}

/// Merged indexes are to be what one build would give: so all options and labels must be the same.
fn built_alike(paths: &[PathBuf], index: &Index) -> Result<(), IndexError> {
    let manifests = || index.directories.iter().map(|of| &of.manifest);
    let (Some(other), Some(first)) = (paths.first(), manifests().next()) else {
        return Ok(());
    };
    for (path, manifest) in paths.iter().zip(manifests()) {
        let differs = |why: String| IndexError::Differs {
            path: path.clone(),
            other: other.clone(),
            why,
        };
        for (name, value) in &first.options {
            let own = manifest.options.get(name);
            if own != Some(value) {
                let own = own.map_or("none", String::as_str);
                return Err(differs(format!(
                    "its option {name} was {own}, that of the other {value}"
                )));
            }
        }
        let (own, others) = (&manifest.extractors, &first.extractors);
        let has = |sets: &[LabelSet], set: &LabelSet| sets.iter().any(|s| s.is_like(set));
        let lacks = others.iter().find(|set| !has(own, set));
        let lacks = lacks.or_else(|| own.iter().find(|set| !has(others, set)));
        if let Some(set) = lacks {
            return Err(IndexError::LabelsDiffer {
                path: path.clone(),
                other: other.clone(),
                name: set.name.clone(),
            });
        }
    }
    Ok(())
}

/// Pages that are left out.
fn repeated_pages(index: &Index) -> impl Iterator<Item = u32> {
    let repeated = index.layout.repeated.as_ref();
    repeated.into_iter().flat_map(|bits| bits.iter())
}

/// Consecutive parts that fit into one segment.
fn groups(index: &Index) -> Vec<Range<usize>> {
    let mut groups: Vec<Range<usize>> = Vec::new();
    let mut blocks = 0;
    for (part, entry) in index.manifest.parts.iter().enumerate() {
        let more: u64 = entry.segments.iter().map(|blocks| u64::from(*blocks)).sum();
        match groups.last_mut() {
            Some(group) if blocks + more < MOST_BLOCKS => {
                group.end += 1;
                blocks += more;
            }
            _ => {
                groups.push(part..part + 1);
                blocks = more;
            }
        }
    }
    groups
}

/// Merges some parts to one.
fn merge_parts(
    index: &Index,
    target: &Path,
    number: usize,
    parts: Range<usize>,
    stop: &AtomicBool,
) -> Result<PartEntry, IndexError> {
    go_on(stop)?;
    let entries = &index.manifest.parts;
    let name = format!("{number:05}");
    let directory = target.join(part::FOLDER).join(&name);
    fs::create_dir_all(&directory).map_err(IndexError::io(&directory))?;
    let first_page = index.parts[parts.start].first_page;
    let end_page = index.parts.get(parts.end).map(|part| part.first_page);
    let all_pages = first_page..end_page.unwrap_or(index.num_pages() as u32);
    let segments_before = |part: usize| entries[..part].iter().map(|p| p.segments.len()).sum();
    let segments: Range<usize> = segments_before(parts.start)..segments_before(parts.end);
    let pages: Vec<u32> = all_pages
        .clone()
        .filter(|page| !index.layout.is_repeated(*page))
        .collect();

    docids::write(&directory, pages.iter().map(|page| index.docid(*page)))?;
    let extents = moved_extents(index, &pages)?;

    // What is not there for a search is not written.
    let leaves_out = all_pages.len() > pages.len();
    let page_bits = |part: usize| {
        let part = &index.parts[part];
        let size = part.pages.reader.max_doc();
        let gone = (0..size).filter(|doc| index.layout.is_repeated(part.first_page + doc));
        leaves_out.then(|| alive(size, gone)).transpose()
    };
    let block_bits = |segment: usize| {
        let size = index.segments[segment].columns.num_blocks();
        let first_page = index.layout.first_page(segment);
        let pages = index.layout.starts(segment).pages().enumerate();
        let gone = pages.filter(|(_, page)| index.layout.is_repeated(first_page + page));
        let gone = gone.flat_map(|(rank, _)| index.layout.documents(segment, rank));
        leaves_out.then(|| alive(size, gone)).transpose()
    };
    let page_sources: Vec<_> = parts
        .clone()
        .map(|part| Ok((index.parts[part].pages.path.as_path(), page_bits(part)?)))
        .collect::<Result<_, IndexError>>()?;
    let merged = segments.clone();
    let block_sources: Vec<_> = segments
        .map(|segment| {
            let path = index.segments[segment].stored.path.as_path();
            Ok((path, block_bits(segment)?))
        })
        .collect::<Result<_, IndexError>>()?;
    let blocks = extents.iter().map(|extent| extent.count).sum();
    extents::write(&directory, &extents, usize::from(blocks > 0))?;
    let (pages_merged, blocks_merged) = rayon::join(
        || merge_segments(&directory.join(PAGES), page_sources),
        || match blocks {
            0 => Ok(()),
            _ => merge_segments(&part::blocks(&directory, 0), block_sources),
        },
    );
    pages_merged?;
    blocks_merged?;
    go_on(stop)?;
    if blocks > 0 {
        merge_texts(index, &directory, merged, stop)?;
        go_on(stop)?;
        if has_page_postings(&index.manifest.options) {
            page_postings::write(&directory, 0, &extents, index.unit)?;
        }
    }
    let segments: Vec<u32> = (blocks > 0).then_some(blocks).into_iter().collect();
    let entry = PartEntry {
        name,
        pages: pages.len() as u32,
        files: sum::of_directory(&directory)?,
        segments,
    };
    file::sync_directory(&directory)?;
    Ok(entry)
}

/// Where the blocks of pages stand when their segments, without all other pages, are put in a row.
fn moved_extents(index: &Index, pages: &[u32]) -> Result<Vec<Extent>, IndexError> {
    let extents = pages.iter().map(|page| index.layout.extent(*page));
    let mut extents = extents.collect::<Result<Vec<_>, _>>()?;
    let mut order: Vec<usize> = (0..pages.len()).collect();
    order.sort_unstable_by_key(|at| (extents[*at].segment, extents[*at].first_doc));
    let mut next = 0;
    for at in order {
        let count = std::mem::take(&mut extents[at]).count;
        if count > 0 {
            extents[at] = Extent {
                segment: 0,
                first_doc: next,
                count,
            };
            next += count;
        }
    }
    Ok(extents)
}

/// All documents but some, as tantivy has it.
fn alive(size: u32, gone: impl Iterator<Item = u32>) -> Result<AliveBitSet, IndexError> {
    let mut bits = tantivy::BitSet::with_max_value_and_full(size);
    gone.for_each(|doc| bits.remove(doc));
    let mut bytes = Vec::new();
    write_alive_bitset(&bits, &mut bytes).map_err(IndexError::io(Path::new("")))?;
    Ok(AliveBitSet::open(OwnedBytes::new(bytes)))
}

/// Merges the only segments of some tantivy indexes, in this order, to one.
fn merge_segments(
    target: &Path,
    sources: Vec<(&Path, Option<AliveBitSet>)>,
) -> Result<(), IndexError> {
    fs::create_dir_all(target).map_err(IndexError::io(target))?;
    let output = MmapDirectory::open(target).map_err(IndexError::tantivy(target))?;
    let (paths, bits): (Vec<&Path>, Vec<Option<AliveBitSet>>) = sources.into_iter().unzip();
    let segments = paths
        .into_iter()
        .map(segment)
        .collect::<Result<Vec<_>, _>>()?;
    let settings = IndexSettings {
        docstore_compress_dedicated_thread: false,
        ..IndexSettings::default()
    };
    merge_filtered_segments(&segments, settings, bits, output)
        .map_err(IndexError::tantivy(target))?;
    settle(target)
}

/// Puts the texts of segments one after another, as they are stored; only where pages are left out those that stay are read and written.
fn merge_texts(
    index: &Index,
    directory: &Path,
    segments: Range<usize>,
    stop: &AtomicBool,
) -> Result<(), IndexError> {
    let in_file = |error: io::Error| IndexError::io(directory)(error);
    let mut writer = TextWriter::create(directory, 0, KNOWN_TEXTS).map_err(in_file)?;
    for segment in segments {
        go_on(stop)?;
        let texts = &index.segments[segment].texts;
        // In the part's own numbers; the segment's documents are in the order of its pages.
        let first_page = index.layout.first_page(segment);
        let starts = index.layout.starts(segment);
        let pages = || starts.pages().map(|page| first_page + page);
        if !pages().any(|page| index.layout.is_repeated(page)) {
            writer.stack(texts).map_err(in_file)?;
            continue;
        }
        for page in pages().filter(|page| !index.layout.is_repeated(*page)) {
            go_on(stop)?;
            let Extent {
                first_doc, count, ..
            } = index.layout.extent(page)?;
            for text in texts.read(first_doc..first_doc + count)? {
                writer.add(&text).map_err(in_file)?;
            }
            writer.end_page().map_err(in_file)?;
        }
    }
    writer.finish().map_err(in_file)
}

/// Writes the labels of the pages that are kept. Gives for each set what became of it.
fn merge_labels(
    index: &Index,
    target: &Path,
    stop: &AtomicBool,
) -> Result<Vec<WrittenLabels>, IndexError> {
    let sets = &index.manifest.extractors;
    let writer = LabelWriter::create(target, sets.iter().map(NewLabels::from).collect())?;
    let pages = 0..index.num_pages() as u32;
    let kept: Vec<u32> = pages
        .filter(|page| !index.layout.is_repeated(*page))
        .collect();
    kept.into_par_iter()
        .enumerate()
        .with_min_len(1000)
        .try_for_each(|(number, page)| {
            go_on(stop)?;
            let verdicts = sets.iter().map(|set| index.page_verdicts(page, &set.name));
            writer.add(number as u32, &verdicts.collect::<Result<Vec<_>, _>>()?)
        })?;
    writer.finish(Naming::Hashed)
}

/// Writes the ledgers one after another, and a line for each page that is left out.
fn merge_ledgers(
    index: &Index,
    target: &Path,
) -> Result<std::collections::BTreeMap<String, u64>, IndexError> {
    let path = target.join(LEDGER);
    let write = || {
        let mut out = BufWriter::new(file::create(&path)?);
        for source in &index.directories {
            std::io::copy(&mut File::open(source.path.join(LEDGER))?, &mut out)?;
        }
        out.flush()?;
        out.get_ref().metadata().map(|metadata| metadata.len())
    };
    let ledger = Ledger::go_on(target, write().map_err(IndexError::io(&path))?)?;
    for page in repeated_pages(index) {
        let detail = "a page of this docid came before";
        let line = document_line_of_page(&index.page(page)?, Reason::DuplicateDocid, detail);
        ledger.write(&line)?;
    }
    Ok(ledger.finish()?.by_name())
}
