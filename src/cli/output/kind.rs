//! How each kind of output is recognised: what begins as this program's own may be replaced by a new one.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::Context;
use serde_json::Value;
use trommel::demo;

use super::HEAD;

/// A kind of file that commands write.
#[derive(Debug)]
pub struct Kind {
    /// What it is called, with an article.
    pub what: &'static str,
    /// Does a file that begins so seem to be one? At most 64 KiB of it are given.
    pub is_own: fn(&[u8]) -> bool,
}

/// The kinds of files.
pub mod kinds {
    use super::{Kind, first_line, has_keys, heads, text_of};
    use trommel::collection::begins_with_warcinfo;

    /// What `run` writes.
    pub const RUN: Kind = Kind {
        what: "a run",
        is_own: |head| {
            let columns: Vec<&str> = first_line(head).split_whitespace().collect();
            matches!(columns[..], [_, "Q0", _, rank, score, _]
                if rank.parse::<u64>().is_ok() && score.parse::<f64>().is_ok())
        },
    };
    /// What `count` writes.
    pub const COUNTS: Kind = Kind {
        what: "counts",
        is_own: |head| text_of(head).starts_with("{\"trommel-counts\":"),
    };
    /// What `learn` and `train` write.
    pub const MODEL: Kind = Kind {
        what: "a model",
        is_own: |head| {
            let name = text_of(head).strip_prefix("{\"model\":\"");
            name.and_then(|name| name.split_once('"'))
                .is_some_and(|(_, behind)| behind.starts_with(",\"version\":"))
        },
    };
    /// What `train web2text` writes beside its model.
    pub const TRAINING: Kind = Kind {
        what: "a manifest of a training",
        is_own: |head| heads(head, &["{", "  \"charset\": \"", "  \"chosen\": "]),
    };
    /// What `score --plot` writes.
    pub const PLOT: Kind = Kind {
        what: "a plot",
        is_own: |head| {
            let text = text_of(head);
            let sheet = "<rect class=\"paper\" width=\"100%\" height=\"100%\"";
            text.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ")
                && text.contains(sheet)
        },
    };
    /// What `extract --format json` writes.
    pub const JSON: Kind = Kind {
        what: "JSON",
        is_own: |head| {
            text_of(head).starts_with("{\"docid\":\"")
                && has_keys(first_line(head), &["docid", "url", "title", "text"])
        },
    };
    /// What `export --format jsonl --unit block` writes.
    pub const BLOCKS: Kind = Kind {
        what: "JSON of blocks",
        is_own: |head| {
            text_of(head).starts_with("{\"docid\":\"")
                && has_keys(first_line(head), &["docid", "block", "text", "num_words"])
        },
    };
    /// What `export --format ciff` writes: its header says so.
    pub const CIFF: Kind = Kind {
        what: "a CIFF file",
        is_own: |head| {
            let description = &head[..head.len().min(64)];
            description.windows(8).any(|bytes| bytes == b"trommel ")
        },
    };
    /// What `export --format parquet` writes: who wrote a Parquet file stands at its end.
    pub const PARQUET: Kind = Kind {
        what: "Parquet (which nothing tells from other Parquet)",
        is_own: |_| false,
    };
    /// What `extract --format html` writes.
    pub const HTML: Kind = Kind {
        what: "HTML",
        is_own: |head| text_of(head).starts_with(HTML_HEAD),
    };
    /// How HTML that `extract` writes begins.
    pub const HTML_HEAD: &str = "<!DOCTYPE html>\n<html>\n<head>\n<meta charset=\"utf-8\">\n\
        <meta name=\"generator\" content=\"trommel\">\n";
    /// What `extract --format text` writes: anything may be text.
    pub const TEXT: Kind = Kind {
        what: "text (which nothing tells from other text)",
        is_own: |_| false,
    };
    /// What `extract --format wet` writes.
    pub const WET: Kind = Kind {
        what: "a WET file",
        is_own: begins_with_warcinfo,
    };
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
    use trommel::experiment::sweep::STEPS;

    /// What `sweep` writes.
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
    /// What `join` writes of directories of runs: the run without a filter is in each sweep.
    pub const RUNS: Report = Report {
        what: "runs of a sweep",
        data: "unfiltered.bm25-k1=0.9,b=0.4.run",
        is_own: |head| (super::kinds::RUN.is_own)(head),
    };
    /// What `stats` writes.
    pub const STATS: Report = Report {
        what: "analysis",
        data: "stats.json",
        is_own: |head| heads(head, &["{", "  \"pages\": ", "  \"total\": {"]),
    };
    /// What `experiment` writes.
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
    /// What `demo` writes.
    pub const DEMO: Report = Report {
        what: "demo",
        data: "demo.topics.xml",
        is_own: |head| head == demo::TOPICS.as_bytes(),
    };
}

impl Report {
    /// Does a directory hold such a report?
    pub(super) fn is_in(&self, directory: &Path) -> anyhow::Result<bool> {
        let path = directory.join(self.data);
        // A pipe of that name must not be waited for.
        if !path.is_file() {
            return Ok(false);
        }
        let mut head = Vec::new();
        File::open(&path)
            .and_then(|file| file.take(HEAD).read_to_end(&mut head))
            .with_context(|| path.display().to_string())?;
        Ok((self.is_own)(&head))
    }
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
            assert!((kind.is_own)(text.as_bytes()), "{}: {text}", kind.what);
        }
        for text in other {
            assert!(!(kind.is_own)(text.as_bytes()), "{}: {text}", kind.what);
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
        check(&kinds::TEXT, &[], &["", "text"]);
        check(
            &kinds::PLOT,
            &[],
            &["<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1 1\">"],
        );
        check(&kinds::WET, &[], &["", "\u{1f}\u{8b}", "WARC/1.0"]);
    }
}
