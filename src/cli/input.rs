//! Pages one after the other, for the subcommands that look at single pages.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

use anyhow::bail;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use trommel::collection::{self, Document, Format, Input, Item, Listing, Reason, Skipped};
use trommel::html::Source;
use trommel::page::{Page, ParseLimit};

use super::options::{ReadArgs, warn};

/// Documents that are dealt with at once: so many, or so many bytes of them.
const BATCH_DOCUMENTS: usize = 256;
const BATCH_BYTES: usize = 16 << 20;

/// The files of the inputs. Says which directories are left out because they are indexes.
pub fn list(paths: &[PathBuf]) -> Result<Vec<Input>, collection::Error> {
    let Listing { inputs, indexes } = collection::list(paths)?;
    for index in indexes {
        warn(&format!("{}: an index, which is left out", index.display()));
    }
    Ok(inputs)
}

/// Calls `each` with every page of the inputs, in order. Gives the number of records that failed; each was named on standard
/// error.
pub fn for_each_page(
    inputs: &[Input],
    read: &ReadArgs,
    mut each: impl FnMut(&Document, &Page) -> anyhow::Result<()>,
) -> anyhow::Result<u64> {
    let own = |document, page| (document, page);
    map_pages(inputs, read, own, |(document, page)| each(&document, &page))
}

/// Makes something of every page of the inputs, in parallel, and calls `each` with it in the order of the inputs. Gives the
/// number of records that failed; each was named on standard error.
pub fn map_pages<T: Send>(
    inputs: &[Input],
    read: &ReadArgs,
    map: impl Fn(Document, Page) -> T + Sync,
    each: impl FnMut(T) -> anyhow::Result<()>,
) -> anyhow::Result<u64> {
    let reading = read.reading(Format::Auto);
    let parse = |document: Document| {
        let page = reading.page(&document);
        (page.limit, map(document, page))
    };
    map_documents(inputs, read, parse, each)
}

/// As [`map_pages`], with the source of each page.
pub fn map_sources<T: Send>(
    inputs: &[Input],
    read: &ReadArgs,
    map: impl Fn(Document, Page, Source) -> T + Sync,
    each: impl FnMut(T) -> anyhow::Result<()>,
) -> anyhow::Result<u64> {
    let reading = read.reading(Format::Auto);
    let parse = |document: Document| {
        let (page, source) = reading.page_with_source(&document);
        (page.limit, map(document, page, source))
    };
    map_documents(inputs, read, parse, each)
}

fn map_documents<T: Send>(
    inputs: &[Input],
    read: &ReadArgs,
    map: impl Fn(Document) -> (Option<ParseLimit>, T) + Sync,
    mut each: impl FnMut(T) -> anyhow::Result<()>,
) -> anyhow::Result<u64> {
    let options = read.collection(Format::Auto);
    let mut reader = Pages {
        map,
        batch: Vec::new(),
        batch_bytes: 0,
        failures: 0,
        pages: 0,
        skipped_kinds: Vec::new(),
    };
    for input in inputs {
        for item in collection::open(input, &options)? {
            match item {
                Item::Document(document) => reader.document(document, &mut each)?,
                Item::Skipped(skipped) => reader.skipped(skipped)?,
            }
        }
    }
    reader.finish_batch(&mut each)?;
    if reader.pages == 0 {
        let why = match reader.skipped_kinds.as_slice() {
            [] => String::new(),
            kinds => format!(" (skipped: {})", kinds.join(", ")),
        };
        warn(&format!("no page in the input{why}"));
    }
    Ok(reader.failures)
}

/// What became of a page, unless it made us panic.
type Made<T> = Option<(Option<ParseLimit>, T)>;

struct Pages<F> {
    map: F,
    batch: Vec<Document>,
    batch_bytes: usize,
    failures: u64,
    pages: u64,
    /// Reasons for which records were no pages, each once.
    skipped_kinds: Vec<String>,
}

impl<T: Send, F: Fn(Document) -> (Option<ParseLimit>, T) + Sync> Pages<F> {
    fn document(
        &mut self,
        document: Document,
        each: &mut impl FnMut(T) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        self.batch_bytes += document.bytes.len();
        self.batch.push(document);
        match self.batch.len() < BATCH_DOCUMENTS && self.batch_bytes < BATCH_BYTES {
            true => Ok(()),
            false => self.finish_batch(each),
        }
    }

    fn skipped(&mut self, skipped: Skipped) -> anyhow::Result<()> {
        if skipped.reason == Reason::NotFound {
            let docid = skipped.docid.unwrap_or_default();
            let why = match skipped.detail.as_str() {
                "" => String::new(),
                detail => format!(" ({detail})"),
            };
            bail!("{}: no page with the docid {docid}{why}", skipped.file);
        }
        if skipped.reason.is_failure() {
            self.failures += skipped.records;
            warn(&skipped.to_string());
            return Ok(());
        }
        let kind = skipped.reason.to_string();
        if !self.skipped_kinds.contains(&kind) {
            self.skipped_kinds.push(kind);
        }
        Ok(())
    }

    fn finish_batch(
        &mut self,
        each: &mut impl FnMut(T) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let batch = std::mem::take(&mut self.batch);
        self.batch_bytes = 0;
        self.pages += batch.len() as u64;
        let map = &self.map;
        // A flaw of ours that one page brings to light must not end the job.
        let results: Vec<(String, Made<T>)> = batch
            .into_par_iter()
            .map(|document| {
                let docid = document.docid.clone();
                let made = catch_unwind(AssertUnwindSafe(|| map(document)));
                (docid, made.ok())
            })
            .collect();
        for (docid, made) in results {
            let Some((limit, made)) = made else {
                self.failures += 1;
                warn(&format!("{docid}: the page could not be parsed"));
                continue;
            };
            if let Some(limit) = limit {
                warn(&format!("{docid}: the page is {}", limit.describe()));
            }
            each(made)?;
        }
        Ok(())
    }
}
