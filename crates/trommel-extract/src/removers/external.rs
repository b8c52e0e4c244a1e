//! Any tool's plain text as a remover: its outputs are aligned to the leaves of the page ([`crate::align`]), and a
//! leaf is content if at least two thirds of its text stand in the output.
//!
//! Outputs are files `DOCID.txt` in a directory, or a JSONL file with `{"docid": …, "text": …}` in each line. Of a JSONL file
//! only the places of the lines are kept, and a page's line is read when the page is labelled. A docid that stands
//! twice in it is an error.
//!
//! A page without an output is boilerplate from top to bottom: the tool gave nothing for it. That is counted, with
//! outputs that cannot be read, in [`Arguments::missing`](crate::Arguments), for whoever labels a collection to tell.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Component, Path, PathBuf};

use serde::Deserialize;

use crate::{Arguments, ExtractorError, ExtractorRow, Label, LabelFn, Make, Takes, align};

/// An output longer than this is cut: it is longer than any page that is read.
const MOST_BYTES: u64 = 64 << 20;

pub(super) const ROW: ExtractorRow = ExtractorRow {
    name: "external",
    summary: "what another tool kept: its text aligned to the page",
    source: "Web2Text §4.1",
    segmenter: Some("leaf"),
    takes: Takes::Outputs,
    make: Make::Labels(make),
};

fn make(arguments: &Arguments) -> Result<Box<LabelFn>, ExtractorError> {
    let outputs = Outputs::open(&arguments.path)?;
    let missing = arguments.missing.clone();
    Ok(Box::new(move |subject, segmentation| {
        match outputs.read(subject.docid) {
            Ok(text) => {
                let content = align::content(subject.page, segmentation, &text).into_iter();
                content.map(Label::content_if).collect()
            }
            Err(why) => {
                missing.add(subject.docid, &why);
                vec![Label::Boilerplate; segmentation.blocks.len()]
            }
        }
    }))
}

/// Where a tool's outputs are.
enum Outputs {
    Directory(PathBuf),
    /// The file, and the place of each docid's line in it.
    Lines(PathBuf, HashMap<String, u64>),
}

#[derive(Deserialize)]
struct Docid {
    docid: String,
}

#[derive(Deserialize)]
struct Output {
    text: String,
}

impl Outputs {
    fn open(path: &Path) -> Result<Outputs, ExtractorError> {
        let wrong = |why: String| ExtractorError::File {
            path: path.to_owned(),
            why,
        };
        let unreadable = |error: io::Error| {
            wrong(format!(
                "{error}; give a directory with DOCID.txt files, or a JSONL file with docid and text"
            ))
        };
        if fs::metadata(path).map_err(unreadable)?.is_dir() {
            return Ok(Outputs::Directory(path.to_owned()));
        }
        let mut file = BufReader::new(File::open(path).map_err(unreadable)?);
        let mut places: HashMap<String, u64> = HashMap::new();
        let (mut place, mut number) = (0, 0u64);
        let mut line = Vec::new();
        loop {
            line.clear();
            let length = file.read_until(b'\n', &mut line).map_err(unreadable)? as u64;
            if length == 0 {
                return Ok(Outputs::Lines(path.to_owned(), places));
            }
            number += 1;
            if !line.trim_ascii().is_empty() {
                // Reading the text as well tells a line that would fail later.
                let parsed = serde_json::from_slice::<Docid>(&line)
                    .and_then(|docid| serde_json::from_slice::<Output>(&line).map(|_| docid.docid));
                let docid = parsed.map_err(|error| {
                    wrong(format!(
                        "line {number}: {error}; each line is to be {{\"docid\": \"…\", \"text\": \"…\"}}"
                    ))
                })?;
                if places.insert(docid.clone(), place).is_some() {
                    return Err(wrong(format!(
                        "line {number}: there is an output for {docid} already; leave one of them"
                    )));
                }
            }
            place += length;
        }
    }

    /// The output for a page, or why there is none.
    fn read(&self, docid: &str) -> Result<String, String> {
        let read = || match self {
            Outputs::Directory(directory) => {
                let name = format!("{docid}.txt");
                let mut parts = Path::new(&name).components();
                // A docid comes from the collection, and it is to lead nowhere else.
                if !parts.all(|part| matches!(part, Component::Normal(_))) {
                    return Err(io::Error::other("the docid is no file name"));
                }
                let mut bytes = Vec::new();
                let file = File::open(directory.join(&name))?;
                file.take(MOST_BYTES).read_to_end(&mut bytes)?;
                Ok(String::from_utf8_lossy(&bytes).into_owned())
            }
            Outputs::Lines(path, places) => {
                let missing = || io::Error::other("no line of the file has the docid");
                let place = places.get(docid).ok_or_else(missing)?;
                let mut file = BufReader::new(File::open(path)?);
                file.seek(SeekFrom::Start(*place))?;
                let mut line = Vec::new();
                file.read_until(b'\n', &mut line)?;
                let output: Output = serde_json::from_slice(&line)?;
                Ok(output.text)
            }
        };
        read().map_err(|error| error.to_string())
    }
}
