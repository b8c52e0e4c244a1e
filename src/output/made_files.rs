//! A made collection as files.

use std::io::{self, Write};
use std::path::PathBuf;

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use trommel_archive::{WarcPage, WholeFile, write_response, write_warcinfo};

use super::error::at;
use super::{Directory, OutputError, reports};
use crate::demo::made::{Damage, MadeOptions, MadePage, Maker};

/// Pages of a file. A shard of a collection is some of its files, so they should be many, and not too small.
const PAGES_OF_A_FILE: u64 = 5000;
/// The folder of the pages.
const FOLDER: &str = "pages";
const QRELS_FILE: &str = "demo.qrels.txt";

/// What was made.
#[derive(Debug, Clone)]
pub struct MadeFiles {
    /// The folder with the WARC files.
    pub pages: PathBuf,
    /// Topics.
    pub topics: PathBuf,
    /// Judgments.
    pub qrels: PathBuf,
    /// Pages written, damaged ones included.
    pub num_pages: u64,
    /// Records between them that are no pages.
    pub num_broken: u64,
    /// Topics that have a relevant page.
    pub num_topics: usize,
    /// Bytes of the pages.
    pub html_bytes: u64,
    /// Bytes of the WARC files.
    pub stored_bytes: u64,
}

/// A page as it is stored, with what is told of it.
struct Stored {
    record: Vec<u8>,
    html_bytes: u64,
    is_broken_before: bool,
    docid: String,
    grades: Vec<(usize, u8)>,
}

/// Makes a collection of so many pages and writes it with its topics and judgments into a directory, which need not be there: WARC files in the
/// folder `pages`. `progress` is told of the pages that are written. The bytes do not depend on the threads of the pool that it is called in.
///
/// # Errors
/// Those of [`Directory::write`].
pub fn write_made_files(
    directory: &Directory,
    options: MadeOptions,
    num_pages: u64,
    progress: &dyn Fn(u64),
) -> Result<MadeFiles, OutputError> {
    let place = |name: &str| directory.path().join(name);
    let maker = Maker::new(options).map_err(|error| io::Error::other(error.to_string()));
    let maker = maker.map_err(at(directory.path()))?;
    directory.create(FOLDER)?;
    let mut topics = maker.topics();
    // First what the directory is known by; it is written again when all is known.
    directory.write(reports::DEMO.data, topics.xml().as_bytes())?;
    let mut made = MadeFiles {
        pages: place(FOLDER),
        topics: place(reports::DEMO.data),
        qrels: place(QRELS_FILE),
        num_pages: 0,
        num_broken: 0,
        num_topics: 0,
        html_bytes: 0,
        stored_bytes: 0,
    };
    let batch = 2 * rayon::current_num_threads() as u64;
    let mut file: Option<(PathBuf, WholeFile)> = None;
    for first in (0..).step_by(batch as usize) {
        if made.num_pages == num_pages {
            break;
        }
        let groups: Vec<io::Result<Vec<Stored>>> = (first..first + batch)
            .into_par_iter()
            .map(|group| maker.group(group).iter().map(stored).collect())
            .collect();
        for group in groups {
            let group = group.map_err(at(&made.pages))?;
            let left = num_pages - made.num_pages;
            for page in group.iter().take(left.try_into().unwrap_or(usize::MAX)) {
                if made.num_pages.is_multiple_of(PAGES_OF_A_FILE) {
                    close(file.take())?;
                    let name = format!(
                        "{FOLDER}/part-{:05}.warc.gz",
                        made.num_pages / PAGES_OF_A_FILE
                    );
                    directory.refuse_read(&name)?;
                    let path = place(&name);
                    let mut out = WholeFile::begin(&path).map_err(at(&path))?;
                    let mut info = Vec::new();
                    write_warcinfo(&mut info)
                        .and_then(|()| out.write_all(&info))
                        .map_err(at(&path))?;
                    made.stored_bytes += info.len() as u64;
                    file = Some((path, out));
                }
                if let Some((path, out)) = &mut file {
                    out.write_all(&page.record).map_err(at(path))?;
                }
                made.num_pages += 1;
                made.num_broken += u64::from(page.is_broken_before);
                made.html_bytes += page.html_bytes;
                made.stored_bytes += page.record.len() as u64;
                topics.add(&page.docid, &page.grades);
            }
            progress(made.num_pages);
        }
    }
    close(file)?;
    made.num_topics = topics.count();
    directory.write(QRELS_FILE, topics.qrels().as_bytes())?;
    directory.write(reports::DEMO.data, topics.xml().as_bytes())?;
    Ok(made)
}

fn close(file: Option<(PathBuf, WholeFile)>) -> Result<(), OutputError> {
    match file {
        None => Ok(()),
        Some((path, out)) => out.finish().map_err(at(&path)),
    }
}

/// The record of a page, behind what is broken before it.
fn stored(page: &MadePage) -> io::Result<Stored> {
    let date = format!("{}T12:00:00Z", page.date);
    let broken = format!("{}-broken", page.docid);
    let mut record = Vec::with_capacity(page.bytes.len() / 3);
    let of = |docid| WarcPage {
        docid,
        url: &page.url,
        date: &date,
        html: &page.bytes,
    };
    match page.damage {
        Some(Damage::HalfRecord) => {
            write_response(&mut record, &of(&broken))?;
            record.truncate(record.len() / 2);
        }
        Some(Damage::Zeros) => record.extend([0; 512]),
        _ => {}
    }
    write_response(&mut record, &of(&page.docid))?;
    Ok(Stored {
        record,
        html_bytes: page.bytes.len() as u64,
        is_broken_before: matches!(page.damage, Some(Damage::HalfRecord | Damage::Zeros)),
        docid: page.docid.clone(),
        grades: page.grades.clone(),
    })
}
