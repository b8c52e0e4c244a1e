//! How each kind of output is recognised: what begins as this program's own may be replaced by a new one.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use serde_json::Value;
use trommel_index::Unit;

use super::HEAD;
use super::error::{OutputError, at};
use crate::demo;

/// A kind of file that is written.
#[derive(Debug)]
pub struct Kind {
    /// What it is called, with an article.
    pub what: &'static str,
    /// What tells it from others.
    pub told: Told,
}

/// What tells a kind of file from others. At most 64 KiB are looked at.
#[derive(Debug)]
pub enum Told {
    /// Does a file that begins so seem to be one?
    ByBeginning(fn(&[u8]) -> bool),
    /// Does a file that ends so seem to be one?
    ByEnd(fn(&[u8]) -> bool),
    /// Nothing.
    ByNothing,
}

impl Kind {
    /// Does a file with these bytes at its beginning and its end seem to be one?
    pub fn is_own(&self, head: &[u8], tail: &[u8]) -> bool {
        match self.told {
            Told::ByBeginning(is_own) => is_own(head),
            Told::ByEnd(is_own) => is_own(tail),
            Told::ByNothing => false,
        }
    }

    /// Why a file is none, said of the file.
    pub(super) fn why_not(&self) -> String {
        let what = self.what;
        match self.told {
            Told::ByBeginning(_) => format!("does not begin as {what} of trommel does"),
            Told::ByEnd(_) => format!("does not end as {what} of trommel does"),
            Told::ByNothing => format!("nothing tells {what} of trommel from other {what}"),
        }
    }
}

/// The kinds of files.
pub mod kinds {
    use trommel_archive::begins_with_warcinfo;

    use super::{Kind, Told, ends_as_parquet, first_line, has_keys, heads, text_of};

    /// A run.
    pub const RUN: Kind = Kind {
        what: "a run",
        told: Told::ByBeginning(|head| {
            let columns: Vec<&str> = first_line(head).split_whitespace().collect();
            matches!(columns[..], [_, "Q0", _, rank, score, _]
                if rank.parse::<u64>().is_ok() && score.parse::<f64>().is_ok())
        }),
    };
    /// What is known of a run.
    pub const METADATA: Kind = Kind {
        what: "metadata of a run",
        told: Told::ByBeginning(|head| {
            text_of(head).starts_with("# ir_metadata.start\n# written by trommel")
        }),
    };
    /// What an index counts for others.
    pub const COUNTS: Kind = Kind {
        what: "counts",
        told: Told::ByBeginning(|head| text_of(head).starts_with("{\"trommel-counts\":")),
    };
    /// A model.
    pub const MODEL: Kind = Kind {
        what: "a model",
        told: Told::ByBeginning(|head| {
            let name = text_of(head).strip_prefix("{\"model\":\"");
            name.and_then(|name| name.split_once('"'))
                .is_some_and(|(_, behind)| behind.starts_with(",\"version\":"))
        }),
    };
    /// What is told of a training beside its model.
    pub const TRAINING: Kind = Kind {
        what: "a manifest of a training",
        told: Told::ByBeginning(|head| heads(head, &["{", "  \"charset\": \"", "  \"chosen\": "])),
    };
    /// A plot.
    pub const PLOT: Kind = Kind {
        what: "a plot",
        told: Told::ByBeginning(|head| {
            let text = text_of(head);
            let sheet = "<rect class=\"paper\" width=\"100%\" height=\"100%\"";
            text.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ")
                && text.contains(sheet)
        }),
    };
    /// Pages as JSON.
    pub const JSON: Kind = Kind {
        what: "JSON",
        told: Told::ByBeginning(|head| {
            text_of(head).starts_with("{\"docid\":\"")
                && has_keys(first_line(head), &["docid", "url", "title", "text"])
        }),
    };
    /// Pages as JSON with what is known of them. The text, which stands last, may be longer than what is looked at.
    pub const RECORDS: Kind = Kind {
        what: "JSON of pages",
        told: Told::ByBeginning(|head| {
            let line = first_line(head);
            line.starts_with("{\"docid\":\"")
                && [
                    "\"url\":",
                    "\"site\":",
                    "\"title\":",
                    "\"author\":",
                    "\"sources\":",
                ]
                .iter()
                .all(|key| line.contains(key))
        }),
    };
    /// Blocks as JSON.
    pub const BLOCKS: Kind = Kind {
        what: "JSON of blocks",
        told: Told::ByBeginning(|head| {
            text_of(head).starts_with("{\"docid\":\"")
                && has_keys(first_line(head), &["docid", "block", "text", "num_words"])
        }),
    };
    /// CIFF: its header says who wrote it.
    pub const CIFF: Kind = Kind {
        what: "a CIFF file",
        told: Told::ByBeginning(|head| {
            let description = &head[..head.len().min(64)];
            description.windows(8).any(|bytes| bytes == b"trommel ")
        }),
    };
    /// Parquet: who wrote it stands at its end.
    pub const PARQUET: Kind = Kind {
        what: "a Parquet file",
        told: Told::ByEnd(ends_as_parquet),
    };
    /// Texts as HTML.
    pub const HTML: Kind = Kind {
        what: "HTML",
        told: Told::ByBeginning(|head| text_of(head).starts_with(HTML_HEAD)),
    };
    /// How that begins.
    pub const HTML_HEAD: &str = "<!DOCTYPE html>\n<html>\n<head>\n<meta charset=\"utf-8\">\n\
        <meta name=\"generator\" content=\"trommel\">\n";
    /// Texts as Markdown: anything may be one.
    pub const MARKDOWN: Kind = Kind {
        what: "Markdown",
        told: Told::ByNothing,
    };
    /// Texts: anything may be one.
    pub const TEXT: Kind = Kind {
        what: "text",
        told: Told::ByNothing,
    };
    /// Texts as WARC records.
    pub const WET: Kind = Kind {
        what: "a WET file",
        told: Told::ByBeginning(begins_with_warcinfo),
    };
    /// Documents of a data set of others, packed: the name in the header of the gzip file says so.
    pub const DOCUMENTS: Kind = Kind {
        what: "a file of documents",
        told: Told::ByBeginning(|head| {
            let name = head.get(10..).unwrap_or_default();
            head.starts_with(b"\x1f\x8b\x08\x08") && name.starts_with(DOCUMENTS_NAME.as_bytes())
        }),
    };
    /// The name in the header of such a file.
    pub const DOCUMENTS_NAME: &str = "trommel-documents.jsonl";
}

/// What an export in a format is told by.
pub fn kind_of_export(format: &str, unit: Unit) -> &'static Kind {
    match (format, unit) {
        ("ciff", _) => &kinds::CIFF,
        ("parquet", _) => &kinds::PARQUET,
        (_, Unit::Page) => &kinds::JSON,
        (_, Unit::Block) => &kinds::BLOCKS,
    }
}

/// A kind of report: a directory with a file of data.
#[derive(Debug)]
pub struct Report {
    /// What it is called, without an article.
    pub what: &'static str,
    /// The file by which it is known.
    pub data: &'static str,
    /// Does that file begin as ours do?
    pub is_own: fn(&[u8]) -> bool,
}

/// The kinds of reports.
pub mod reports {
    use super::{Report, demo, first_line, has_keys, heads};
    use crate::experiment::sweep::STEPS;

    /// A sweep.
    pub const SWEEP: Report = Report {
        what: "sweep",
        data: STEPS,
        is_own: |head| {
            let line = first_line(head);
            // Topics, which stand late in the line, may be longer than what is looked at.
            has_keys(line, &["trommel", "index", "topics"])
                || line.starts_with("{\"index\":\"") && line.contains("\"judged-only\":")
        },
    };
    /// Runs of a sweep: that without a filter is in each.
    pub const RUNS: Report = Report {
        what: "runs of a sweep",
        data: "unfiltered.bm25-k1=0.9,b=0.4.run",
        is_own: |head| super::kinds::RUN.is_own(head, &[]),
    };
    /// An analysis of a collection.
    pub const STATS: Report = Report {
        what: "analysis",
        data: "stats.json",
        is_own: |head| heads(head, &["{", "  \"pages\": ", "  \"total\": {"]),
    };
    /// An experiment.
    pub const EXPERIMENT: Report = Report {
        what: "experiment",
        data: "report.json",
        is_own: |head| {
            heads(
                head,
                &["{", "  \"title\": \"", "  \"about\": \"", "  \"tables\": ["],
            )
        },
    };
    /// The built-in collection, or a made one.
    pub const DEMO: Report = Report {
        what: "demo",
        data: "demo.topics.xml",
        is_own: |head| {
            head == demo::TOPICS.as_bytes() || head.starts_with(demo::made::TOPICS_HEAD.as_bytes())
        },
    };
}

impl Report {
    /// Does a directory hold such a report?
    pub(super) fn is_in(&self, directory: &Path) -> Result<bool, OutputError> {
        let path = directory.join(self.data);
        // A pipe of that name must not be waited for.
        if !path.is_file() {
            return Ok(false);
        }
        let mut head = Vec::new();
        File::open(&path)
            .and_then(|file| file.take(HEAD).read_to_end(&mut head))
            .map_err(at(&path))?;
        Ok((self.is_own)(&head))
    }
}

/// Does a Parquet file end so that was written by us? The last thing but the order of its columns is who wrote it: a field of Thrift's
/// compact protocol (the fifth or the fourth field may stand before it, the sixth), its length, and the text.
fn ends_as_parquet(tail: &[u8]) -> bool {
    // Behind the metadata stand their length and the magic.
    let Some(metadata) = tail
        .strip_suffix(b"PAR1")
        .map(|rest| &rest[..rest.len().saturating_sub(4)])
    else {
        return false;
    };
    // Of each column, one and the same order; and the end.
    let is_orders =
        |rest: &[u8]| matches!(rest, [0x19, .., 0x00]) && rest.ends_with(b"\x1c\x00\x00\x00");
    let is_own = |at: usize| match &metadata[at..] {
        [0x18 | 0x28, length, rest @ ..] if *length < 0x40 => {
            let (name, rest) = rest
                .split_at_checked(usize::from(*length))
                .unwrap_or_default();
            name.starts_with(b"trommel ") && (is_orders(rest) || rest == [0x00])
        }
        _ => false,
    };
    (0..metadata.len()).rev().any(is_own)
}

/// Text up to where it was cut or is none.
fn text_of(head: &[u8]) -> &str {
    match std::str::from_utf8(head) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(&head[..error.valid_up_to()]).unwrap_or_default(),
    }
}

fn first_line(head: &[u8]) -> &str {
    text_of(head).lines().next().unwrap_or_default()
}

/// Is a text a JSON object with these keys? One that was cut off is none.
fn has_keys(text: &str, keys: &[&str]) -> bool {
    let value: Value = serde_json::from_str(text).unwrap_or_default();
    keys.iter().all(|key| value.get(key).is_some())
}

/// Do the first lines begin so?
fn heads(head: &[u8], expected: &[&str]) -> bool {
    let mut lines = text_of(head).lines();
    let begins = |expected: &&str| lines.next().is_some_and(|line| line.starts_with(expected));
    expected.iter().all(begins)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(kind: &Kind, own: &[&str], other: &[&str]) {
        for text in own {
            assert!(kind.is_own(text.as_bytes(), &[]), "{}: {text}", kind.what);
        }
        for text in other {
            assert!(!kind.is_own(text.as_bytes(), &[]), "{}: {text}", kind.what);
        }
    }

    #[test]
    fn beginnings() {
        check(
            &kinds::RUN,
            &["1 Q0 d 1 0.5 tag\n1 Q0 d"],
            &["", "1 0 d 1", "1 Q0 d a b c", "<top>", "my notes"],
        );
        check(
            &kinds::MODEL,
            &["{\"model\":\"onion\",\"version\":1,"],
            &["{\"model\":\"onion\"}", "{\"model\":\"on", "<p>"],
        );
        check(
            &kinds::JSON,
            &["{\"docid\":\"a\",\"url\":\"\",\"title\":\"\",\"text\":\"\"}\nx"],
            &["{\"docid\":\"a\",\"text\":\"\"}", "{\"url\":\"\"}"],
        );
        check(
            &kinds::HTML,
            &[&format!("{}<title>", kinds::HTML_HEAD)],
            &["<!DOCTYPE html>\n<html>\n<head>\n<meta charset=\"utf-8\">\n<title>"],
        );
        check(
            &kinds::RECORDS,
            &[
                "{\"docid\":\"a\",\"url\":\"\",\"site\":\"\",\"title\":\"\",\"author\":null,\"sources\":{},\"te",
            ],
            &["{\"docid\":\"a\",\"text\":\"\"}", "{\"url\":\"\"}"],
        );
        check(&kinds::TEXT, &[], &["", "text"]);
        check(
            &kinds::PLOT,
            &[],
            &["<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1 1\">"],
        );
        check(&kinds::WET, &[], &["", "\u{1f}\u{8b}", "WARC/1.0"]);
    }
}
