//! Is an index what its manifest says, and does it hold together?

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use serde::Serialize;
use tantivy::index::SegmentComponent;
use tantivy::postings::Postings;
use tantivy::schema::{IndexRecordOption, Schema};
use tantivy::{DocSet, InvertedIndexReader, TERMINATED};

use super::manifest::{MANIFEST, Manifest};
use super::part::{self, FOLDER, PAGES, PartEntry};
use super::state::STATE;
use super::{Counts, Index, IndexError, ledger, schema};
use crate::collection;

/// What tantivy calls the list of an index's segments.
const META: &str = "meta.json";

/// Something that is not as it should be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// The file or directory.
    pub path: PathBuf,
    /// What is wrong, in words.
    pub what: String,
}

/// What was looked at.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct CheckReport {
    /// What was counted in the index itself; bytes and limits are those of the manifest.
    pub counts: Counts,
    /// Number of parts.
    pub parts: usize,
    /// Number of label sets.
    pub label_sets: usize,
    /// Source files that were read again.
    pub sources: usize,
    /// What is wrong; nothing if the index is sound.
    pub problems: Vec<Problem>,
}

/// Verifies an index directory, on the threads of the current rayon pool: check sums of all files, that every block belongs to one
/// page, that pages are in the page index by the docids that they have elsewhere, each once, that blocks, terms, words, labels and
/// ledger are as many as the manifest says. With `sources` the files that were indexed are hashed again.
///
/// # Errors
/// [`IndexError::Missing`], [`IndexError::Unfinished`], [`IndexError::Version`] and what the manifest's own reading gives. Everything
/// else that is wrong is a problem in the report.
pub fn check(directory: &Path, sources: bool) -> Result<CheckReport, IndexError> {
    let manifest = Manifest::read(directory)?;
    let mut problems = Vec::new();
    let checked: Vec<Vec<Problem>> = manifest
        .parts
        .par_iter()
        .map(|part| check_files(directory, part))
        .collect();
    problems.extend(checked.into_iter().flatten());
    let mut report = CheckReport {
        parts: manifest.parts.len(),
        label_sets: manifest.extractors.len(),
        ..CheckReport::default()
    };
    // What is in damaged files says nothing more, and tantivy trusts what it reads.
    if problems.is_empty() {
        match Index::open(directory) {
            Ok(index) => check_content(directory, &index, &mut report, &mut problems),
            Err(error) => problems.push(Problem {
                path: directory.to_owned(),
                what: error.to_string(),
            }),
        }
    }
    problems.extend(strangers(directory, &manifest));
    check_ledger(directory, &manifest, &mut problems);
    if sources {
        let entries = manifest.inputs.par_iter();
        let checked = entries.filter_map(|entry| check_source(entry).err());
        problems.extend(checked.collect::<Vec<_>>());
        report.sources = manifest.inputs.len();
    }
    report.problems = problems;
    Ok(report)
}

/// Check sums of the files of a part.
fn check_files(directory: &Path, entry: &PartEntry) -> Vec<Problem> {
    let path = entry.directory(directory);
    let mut problems = Vec::new();
    let mut problem = |path: &Path, what: String| {
        problems.push(Problem {
            path: path.to_owned(),
            what,
        });
    };
    match part::hashes(&path, entry.segments.len()) {
        Ok(hashes) => {
            for (file, hash) in &entry.files {
                if hashes.get(file) != Some(hash) {
                    problem(
                        &path.join(file),
                        "it has other bytes than it had".to_owned(),
                    );
                }
            }
        }
        Err(error) => problem(&path, error.to_string()),
    }
    let blocks = (0..entry.segments.len()).map(|segment| part::blocks(&path, segment));
    let (block_schema, page_schema) = (schema::block_schema().0, schema::page_schema().0);
    let blocks = blocks.zip(entry.segments.iter().map(|count| (*count, &block_schema)));
    let pages = (path.join(PAGES), (entry.pages, &page_schema));
    for (path, (documents, schema)) in blocks.chain([pages]) {
        match check_segment(&path, documents, schema) {
            Ok(wrong) => wrong
                .into_iter()
                .for_each(|(file, what)| problem(&path.join(file), what)),
            Err(error) => problem(&path, error.to_string()),
        }
    }
    problems
}

/// What is wrong with the files of a tantivy index of one segment, which is to have so many documents. The files are those that its
/// `meta.json` names: tantivy's own check leaves out what its list of managed files does not have.
fn check_segment(
    path: &Path,
    documents: u32,
    schema: &Schema,
) -> Result<Vec<(PathBuf, String)>, tantivy::TantivyError> {
    let index = tantivy::Index::open_in_dir(path)?;
    let meta = index.load_metas()?;
    let mut problems = Vec::new();
    let [segment] = meta.segments.as_slice() else {
        let what = format!("it lists {} segments, and not one", meta.segments.len());
        return Ok(vec![(META.into(), what)]);
    };
    if (segment.max_doc(), segment.num_docs()) != (documents, documents) {
        problems.push((
            META.into(),
            format!("it has not the {documents} documents that the manifest counts"),
        ));
    }
    if meta.schema != *schema {
        problems.push((
            META.into(),
            "its fields are not those of an index".to_owned(),
        ));
    }
    for component in [
        SegmentComponent::Postings,
        SegmentComponent::Positions,
        SegmentComponent::FastFields,
        SegmentComponent::FieldNorms,
        SegmentComponent::Terms,
        SegmentComponent::Store,
    ] {
        let file = segment.relative_path(component);
        match index.directory().validate_checksum(&file) {
            Ok(true) => {}
            Ok(false) => problems.push((file, "its check sum is wrong".to_owned())),
            Err(error) => problems.push((file, error.to_string())),
        }
    }
    Ok(problems)
}

/// What is in the directory and should not be.
fn strangers(directory: &Path, manifest: &Manifest) -> Vec<Problem> {
    let entries = std::fs::read_dir(directory.join(FOLDER));
    let parts = entries.into_iter().flatten().flatten();
    let unlisted = parts.filter(|entry| {
        let name = entry.file_name();
        !manifest.parts.iter().any(|part| *part.name == *name)
    });
    let paths = unlisted.map(|entry| entry.path());
    let state = directory.join(STATE);
    let state = state.exists().then_some(state);
    let problem = |path: PathBuf| Problem {
        path,
        what: format!(
            "it is left from a build and not part of the index ({MANIFEST} does not list it)"
        ),
    };
    paths.chain(state).map(problem).collect()
}

/// Pages, blocks, terms, words and labels.
fn check_content(
    directory: &Path,
    index: &Index,
    report: &mut CheckReport,
    problems: &mut Vec<Problem>,
) {
    let mut problem = |path: &Path, what: String| {
        problems.push(Problem {
            path: path.to_owned(),
            what,
        });
    };
    if let Some(repeated) = super::open::repeated(&index.docids) {
        for page in repeated.iter() {
            problem(
                directory,
                format!("docid {} is there twice", index.docid(page)),
            );
        }
    }
    for page in 0..index.num_pages() as u32 {
        match index.page(page) {
            Ok(record) if record.docid == index.docid(page) => {}
            Ok(record) => problem(
                directory,
                format!("page {page} is {} and {}", record.docid, index.docid(page)),
            ),
            Err(error) => problem(directory, error.to_string()),
        }
    }
    let mut counts = Counts {
        pages: index.num_pages() as u64,
        blocks: index.layout.num_blocks as u64,
        ..index.manifest.counts
    };
    (counts.terms, counts.words) = (0, 0);
    for segment in &index.segments {
        let (terms, words) = segment.columns.sums();
        counts.terms += terms;
        counts.words += words;
        let path = &segment.stored.path;
        let inverted = segment
            .stored
            .reader
            .inverted_index(index.block_fields.terms);
        match inverted.and_then(|inverted| Ok(num_postings(&inverted, terms)?)) {
            Ok(found) if found == terms => {}
            Ok(found) => problem(
                path,
                format!("its postings have {found} terms, and its blocks {terms}"),
            ),
            Err(error) => problem(path, error.to_string()),
        }
    }
    let manifest = directory.join(MANIFEST);
    for (what, own, listed) in [
        ("pages", counts.pages, index.manifest.counts.pages),
        ("blocks", counts.blocks, index.manifest.counts.blocks),
        ("terms", counts.terms, index.manifest.counts.terms),
        ("words", counts.words, index.manifest.counts.words),
    ] {
        if own != listed {
            problem(
                &manifest,
                format!("it counts {listed} {what}, and there are {own}"),
            );
        }
    }
    let listed = index.manifest.counts.pages_over_parse_limits;
    let lines = index.manifest.ledger.get("parse-limit").copied();
    if lines.unwrap_or(0) != listed {
        problem(
            &manifest,
            format!("it counts {listed} pages over parse limits, and not as many ledger lines"),
        );
    }
    for set in &index.manifest.extractors {
        match index.check_labels(set) {
            Ok(wrong) => wrong.into_iter().for_each(|what| problem(&manifest, what)),
            Err(error) => problem(directory, error.to_string()),
        }
    }
    report.counts = counts;
}

/// Number of terms in all postings. What tantivy counted is an estimate where a merge has left documents out: if it is not what is
/// expected, all are read.
fn num_postings(inverted: &InvertedIndexReader, expected: u64) -> std::io::Result<u64> {
    if inverted.total_num_tokens() == expected {
        return Ok(expected);
    }
    let mut total = 0;
    let mut terms = inverted.terms().stream()?;
    while terms.advance() {
        let term = terms.value();
        let mut postings =
            inverted.read_postings_from_terminfo(term, IndexRecordOption::WithFreqs)?;
        while postings.doc() != TERMINATED {
            total += u64::from(postings.term_freq());
            postings.advance();
        }
    }
    Ok(total)
}

/// Is the ledger readable, and are its lines as many as the manifest says?
fn check_ledger(directory: &Path, manifest: &Manifest, problems: &mut Vec<Problem>) {
    let lines: Result<BTreeMap<String, u64>, IndexError> =
        ledger::Ledger::totals(directory).map(|totals| totals.by_name());
    let what = match lines {
        Ok(lines) if lines == manifest.ledger => return,
        Ok(_) => "its lines are not as many as the manifest says".to_owned(),
        Err(error) => error.to_string(),
    };
    problems.push(Problem {
        path: directory.join(ledger::LEDGER),
        what,
    });
}

/// Has a source file the bytes that were indexed?
fn check_source(entry: &super::InputEntry) -> Result<(), Problem> {
    let path = collection::path_of(&entry.path);
    let (Some(then), false) = (&entry.sha256, entry.path == "-") else {
        return Ok(());
    };
    let what = match collection::sha256_of_file(&path) {
        Ok(now) if now == *then => return Ok(()),
        Ok(_) => "it has other bytes than those that were indexed".to_owned(),
        Err(error) => error.to_string(),
    };
    Err(Problem { path, what })
}
