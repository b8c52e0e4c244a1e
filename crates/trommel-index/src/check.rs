//! Is an index what its manifest says, and does it hold together?

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::Serialize;
use tantivy::postings::Postings;
use tantivy::schema::{IndexRecordOption, Schema};
use tantivy::{DocSet, IndexMeta, InvertedIndexReader, TERMINATED};
use trommel_archive as collection;

use crate::format::docids::repeated;
use crate::format::error::IndexError;
use crate::format::manifest::{Counts, InputEntry, MANIFEST, Manifest, STATE};
use crate::format::part::{self, FOLDER, PAGES, PartEntry};
use crate::format::sum::{self, Verify};
use crate::format::{file, guard, labels, ledger, origin, schema};
use crate::search::open::Index;

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

/// Verifies an index directory, on the threads of the current rayon pool: that every byte of every file is what was written, that
/// every block belongs to one page, that pages are in the page index by the docids that they have elsewhere, each once, that blocks, terms,
/// words, labels and ledger are as many as the manifest says, that nothing else lies there. With `sources` the files that were indexed
/// are hashed again.
///
/// # Errors
/// [`IndexError::Missing`], [`IndexError::Unfinished`], [`IndexError::Version`] and what the manifest's own reading gives. Everything
/// else that is wrong is a problem in the report.
pub fn check(directory: &Path, sources: bool) -> Result<CheckReport, IndexError> {
    let manifest = Manifest::read(directory)?;
    let mut problems = Vec::new();
    for part in &manifest.parts {
        let path = part.directory(directory);
        problems.extend(problems_of(sum::verify(&path, &part.files, Verify::Whole)));
        problems.extend(check_lists(&path, part));
    }
    let labels = manifest.extractors.iter().flat_map(|set| &set.files);
    let labels = sum::verify(&directory.join(labels::FOLDER), labels, Verify::Whole);
    problems.extend(problems_of(labels));
    let mut report = CheckReport {
        parts: manifest.parts.len(),
        label_sets: manifest.extractors.len(),
        ..CheckReport::default()
    };
    // What is in damaged files says nothing more.
    if problems.is_empty() {
        let checked = guard::reading(directory, || {
            let index = Index::open(directory)?;
            index.layout.verify()?;
            let mut problems = Vec::new();
            check_content(directory, &index, &mut report, &mut problems);
            Ok(problems)
        });
        match checked {
            Ok(found) => problems.extend(found),
            Err(error) => problems.push(Problem {
                path: directory.to_owned(),
                what: error.to_string(),
            }),
        }
    }
    problems.extend(strangers(directory, &manifest)?);
    check_ledger(directory, &manifest, &mut problems);
    if sources {
        let entries = manifest.inputs.par_iter();
        let checked = entries.filter_map(|entry| check_source(directory, &manifest, entry).err());
        problems.extend(checked.collect::<Vec<_>>());
        report.sources = manifest.inputs.len();
    }
    report.problems = problems;
    Ok(report)
}

/// What is wrong with files, in words.
fn problems_of(errors: Vec<(PathBuf, IndexError)>) -> impl Iterator<Item = Problem> {
    errors.into_iter().map(|(path, error)| Problem {
        path,
        what: match error {
            IndexError::Damaged { why, .. } => why,
            IndexError::Io { error, .. } => error.to_string(),
            error => error.to_string(),
        },
    })
}

/// Do a part's files make up the part that the manifest lists, by what tantivy's own lists say?
fn check_lists(path: &Path, entry: &PartEntry) -> Vec<Problem> {
    let blocks = (0..entry.segments.len()).map(|segment| part::blocks(path, segment));
    let (block_schema, page_schema) = (schema::block_schema().0, schema::page_schema().0);
    let blocks = blocks.zip(entry.segments.iter().map(|count| (*count, &block_schema)));
    let pages = (path.join(PAGES), (entry.pages, &page_schema));
    let mut problems = Vec::new();
    for (path, (documents, schema)) in blocks.chain([pages]) {
        let wrong = guard::reading(&path, || {
            let index = tantivy::Index::open_in_dir(&path).map_err(IndexError::tantivy(&path))?;
            let meta = index.load_metas().map_err(IndexError::tantivy(&path))?;
            Ok(wrong_in_list(&meta, documents, schema))
        });
        match wrong {
            Ok(wrong) => problems.extend(wrong.into_iter().map(|what| Problem {
                path: path.join(META),
                what,
            })),
            Err(error) => problems.extend(problems_of(vec![(path, error)])),
        }
    }
    problems
}

/// What is wrong with tantivy's list of a directory, which is to have one segment of so many documents.
fn wrong_in_list(meta: &IndexMeta, documents: u32, schema: &Schema) -> Vec<String> {
    let mut wrong = Vec::new();
    let [segment] = meta.segments.as_slice() else {
        return vec![format!(
            "it lists {} segments, and not one",
            meta.segments.len()
        )];
    };
    if (segment.max_doc(), segment.num_docs()) != (documents, documents) {
        wrong.push(format!(
            "it has not the {documents} documents that the manifest counts"
        ));
    }
    if meta.schema != *schema {
        wrong.push("its fields are not those of an index".to_owned());
    }
    wrong
}

/// What is in the directory and should not be: parts, files of parts and labels that the manifest does not list, files that were never
/// whole.
fn strangers(directory: &Path, manifest: &Manifest) -> Result<Vec<Problem>, IndexError> {
    let mut found = Vec::new();
    for path in file::entries(&directory.join(FOLDER))? {
        let part = manifest
            .parts
            .iter()
            .find(|part| path.ends_with(&part.name));
        match part {
            None => found.push(path),
            Some(part) => found.extend(strangers_in_part(&path, part)?),
        }
    }
    found.extend(labels::strangers(directory, &manifest.extractors)?);
    let here = file::entries(directory)?.into_iter();
    found.extend(here.filter(|path| file::is_temporary(path) || path.ends_with(STATE)));
    let problem = |path: PathBuf| Problem {
        path,
        what: format!(
            "it is left from a build and not part of the index ({MANIFEST} does not list it)"
        ),
    };
    Ok(found.into_iter().map(problem).collect())
}

/// Files in the directory of a part that are not of it.
fn strangers_in_part(path: &Path, part: &PartEntry) -> Result<Vec<PathBuf>, IndexError> {
    let mut found = Vec::new();
    let mut rest = file::entries(path)?;
    while let Some(entry) = rest.pop() {
        let inside = entry.strip_prefix(path).unwrap_or(&entry);
        let name = inside
            .components()
            .map(|part| part.as_os_str().to_string_lossy());
        let name = name.collect::<Vec<_>>().join("/");
        let holds_files = part
            .files
            .keys()
            .any(|file| Path::new(file).starts_with(inside));
        match part.files.contains_key(&name) {
            true => {}
            false if entry.is_dir() && holds_files => rest.extend(file::entries(&entry)?),
            false => found.push(entry),
        }
    }
    found.sort();
    Ok(found)
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
    if let Some(repeated) = repeated(&index.docids) {
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
        blocks: index.layout.num_blocks,
        ..index.manifest.counts
    };
    (counts.terms, counts.words) = (0, 0);
    for segment in &index.segments {
        let path = &segment.stored.path;
        let sums = guard::reading(path, || {
            segment.columns.open_all()?;
            segment.columns.sums()
        });
        let (terms, words) = match sums {
            Ok(sums) => sums,
            Err(error) => {
                problem(path, error.to_string());
                continue;
            }
        };
        counts.terms += terms;
        counts.words += words;
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

/// Is the ledger what it was, and are its lines as many as the manifest says?
fn check_ledger(directory: &Path, manifest: &Manifest, problems: &mut Vec<Problem>) {
    let path = directory.join(ledger::LEDGER);
    let Some(sum) = &manifest.ledger_file else {
        return problems.push(Problem {
            path: directory.join(MANIFEST),
            what: "it has no check sum of the ledger".to_owned(),
        });
    };
    if let Err(error) = sum.verify(&path, Verify::Whole) {
        return problems.extend(problems_of(vec![(path, error)]));
    }
    let lines: Result<BTreeMap<String, u64>, IndexError> =
        ledger::Ledger::totals(directory).map(|totals| totals.by_name());
    let what = match lines {
        Ok(lines) if lines == manifest.ledger => return,
        Ok(_) => "its lines are not as many as the manifest says".to_owned(),
        Err(error) => error.to_string(),
    };
    problems.push(Problem { path, what });
}

/// Has a source file the bytes that were indexed?
fn check_source(directory: &Path, manifest: &Manifest, entry: &InputEntry) -> Result<(), Problem> {
    let (Some(then), false) = (&entry.sha256, entry.path == "-") else {
        return Ok(());
    };
    let path = origin::find(directory, manifest, entry, None);
    let what = match collection::sha256_of_file(&path) {
        Ok(now) if now == *then => return Ok(()),
        Ok(_) => "it has other bytes than those that were indexed".to_owned(),
        Err(error) => error.to_string(),
    };
    Err(Problem { path, what })
}
