//! Flags and styles that several subcommands share.

use std::error::Error;
use std::fmt;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::thread::available_parallelism;

use anstyle::{AnsiColor, Style};
use trommel::collection;
use trommel::experiment::sweep::Base;
use trommel::extractor::{self, Extractor, ExtractorError};
use trommel::html::Charset;
use trommel::html::segment::{self, Segmenter};
use trommel::index::{
    self, Index, IndexError, Manifest, Model, Ranking, Reading, Stats, Unit, Verify,
};
use trommel::measure::significance::{self, Test};
use trommel::report::notes;
use trommel::text::choice;
use trommel::weight::{Template, Weights};

use super::filter::FilterArgs;

pub use trommel::report::{counted, printable, printable_lines};

/// Style of `error:`.
pub const ERROR: Style = AnsiColor::Red.on_default().bold();
/// Style of `hint:`.
pub const HINT: Style = AnsiColor::Cyan.on_default().bold();
/// Style of `warning:`.
pub const WARNING: Style = AnsiColor::Yellow.on_default().bold();
/// Style of words of the query.
pub const MATCH: Style = AnsiColor::Yellow.on_default().bold();
/// Style of what matters less.
pub const DIM: Style = Style::new().dimmed();
/// Style of headings.
pub const BOLD: Style = Style::new().bold();

/// Characters of a line of the terminal that standard output goes to, or what COLUMNS says; none where it goes to a file or a program,
/// which take lines of any length.
pub fn screen_width() -> Option<usize> {
    let named = std::env::var("COLUMNS").ok();
    let named = named.and_then(|text| text.parse().ok());
    let named = named.filter(|width| *width >= LEAST_WIDTH);
    let is_terminal = || std::io::IsTerminal::is_terminal(&std::io::stdout());
    let asked = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    named.or_else(|| is_terminal().then(asked).flatten())
}

/// A narrower terminal is taken for one that does not know its width.
const LEAST_WIDTH: usize = 20;

/// Prints a warning.
pub fn warn(text: &str) {
    anstream::eprintln!("{WARNING}warning:{WARNING:#} {}", printable(text));
}

/// What is searched.
#[derive(clap::Args, Debug, Clone)]
pub struct IndexArgs {
    /// Directory of the index, or of its shards; may be given several times, to search several indexes as one
    #[arg(long = "index", value_name = "DIR", required = true)]
    directories: Vec<PathBuf>,
    /// Read all of the index first and compare it with its check sums; else only sizes and ends of its files are compared
    #[arg(long)]
    verify: bool,
    /// Keep what a filter makes of the index in files of this directory, and take it from there the next time: the 32 that were written
    /// last, of any index. It may be removed at any time
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
}

impl IndexArgs {
    /// The index directories.
    pub fn directories(&self) -> Result<Vec<PathBuf>, IndexError> {
        index::directories(&self.directories)
    }

    /// Opens the index.
    pub fn open(&self) -> Result<Index, IndexError> {
        let how = match self.verify {
            true => Verify::Whole,
            false => Verify::Ends,
        };
        let index = Index::open_verified(&self.directories()?, how)?;
        Ok(match &self.cache {
            Some(directory) => index.with_cache(directory, warn),
            None => index,
        })
    }
}

impl fmt::Display for IndexArgs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self
            .directories
            .iter()
            .map(|path| printable(&path.display().to_string()));
        f.write_str(&names.collect::<Vec<_>>().join(", "))
    }
}

/// Which blocks count, how much, and where statistics come from. The weights are [`Weights`], or a template of them.
#[derive(clap::Args, Debug, Clone)]
pub struct SieveArgs<W>
where
    W: FromStr<Err: Error + Send + Sync> + Default + fmt::Display + Clone + Send + Sync + 'static,
{
    #[command(flatten)]
    pub filter: FilterArgs,
    /// How much each block counts, from 0 to 100: 'max(confidence(trommel), 0.1) * (if tag in (h1, h2) then 4 else 1)'
    #[arg(
        long,
        value_name = "EXPR",
        default_value_t,
        hide_default_value = true,
        allow_hyphen_values = true,
        help_heading = "Ranking"
    )]
    pub weights: W,
    /// Collection statistics from the blocks that pass the filter (subset), from all (collection), or from those that pass
    /// another filter
    #[arg(
        long,
        value_name = "subset|collection|EXPR",
        default_value = "subset",
        hide_default_value = false,
        help_heading = "Ranking"
    )]
    pub stats: Stats,
}

impl SieveArgs<Template> {
    /// What a sweep or a choice of parameters starts from.
    pub fn base(&self) -> Base {
        Base {
            filter: self.filter.filter(),
            weights: self.weights.clone(),
            ..Base::default()
        }
    }
}

/// How to rank.
#[derive(clap::Args, Debug, Clone)]
pub struct RankingArgs {
    #[command(flatten)]
    sieve: SieveArgs<Weights>,
    /// Ranking model: bm25, qld, qljm or tfidf with its parameters, and +rm3 behind it for feedback: qld:mu=2500+rm3
    #[arg(long, value_name = "MODEL", default_value_t, help_heading = "Ranking")]
    model: Model,
}

impl RankingArgs {
    /// The ranking of pages or blocks.
    pub fn ranking(&self, unit: Unit) -> Ranking {
        Ranking {
            filter: self.sieve.filter.filter(),
            weights: self.sieve.weights.clone(),
            model: self.model,
            stats: self.sieve.stats.clone(),
            unit,
            shared: None,
        }
    }
}

/// How pages are read from files.
#[derive(clap::Args, Debug, Clone)]
pub struct ReadArgs {
    /// Where docids come from: auto, trec, record, url, path [default: auto]
    #[arg(long, help_heading = "Reading", value_name = "SOURCE")]
    docid: Option<collection::DocidSource>,
    /// Character encoding: auto, or a label like utf-8 for all pages [default: auto]
    #[arg(long, help_heading = "Reading", value_name = "auto|LABEL")]
    charset: Option<Charset>,
    /// HTTP status codes of pages [default: 200-299]
    #[arg(long, help_heading = "Reading", value_name = "FROM-TO", value_parser = collection::parse_status)]
    status: Option<std::ops::RangeInclusive<u16>>,
    /// Skip records, and pages after decoding, that are longer (K, M, G) [default: 64M]
    #[arg(long, help_heading = "Reading", value_name = "SIZE", value_parser = parse_size)]
    max_record_bytes: Option<u64>,
}

impl ReadArgs {
    /// How files of a format become pages.
    pub fn reading(&self, format: collection::Format) -> Reading {
        self.reading_over(Reading::default(), Some(format))
    }

    /// What is asked for, and for the rest what there was before.
    pub fn reading_over(&self, before: Reading, format: Option<collection::Format>) -> Reading {
        let own = before.collection;
        Reading::default()
            .with_collection(
                collection::Options::default()
                    .with_format(format.unwrap_or(own.format))
                    .with_docid(self.docid.unwrap_or(own.docid))
                    .with_status(self.status.clone().unwrap_or(own.status))
                    .with_max_record_bytes(self.max_record_bytes.unwrap_or(own.max_record_bytes)),
            )
            .with_charset(self.charset.unwrap_or(before.charset))
            .with_limits(before.limits)
    }

    /// The reader's options for files of a format.
    pub fn collection(&self, format: collection::Format) -> collection::Options {
        self.reading(format).collection
    }

    /// How bytes become text.
    pub fn charset(&self) -> Charset {
        self.charset.unwrap_or_default()
    }
}

/// Files, directories, `-`, `FILE#DOCID`.
#[derive(clap::Args, Debug, Clone)]
pub struct Inputs {
    /// Files, directories, '-' for standard input, or FILE.warc.gz#DOCID for one page
    #[arg(required = true, value_name = "INPUT")]
    pub paths: Vec<PathBuf>,
}

/// The segmenter of a name.
pub fn parse_segmenter(name: &str) -> Result<Segmenter, String> {
    let known = || segment::all().iter().map(|segmenter| segmenter.name);
    segment::by_name(name)
        .copied()
        .ok_or_else(|| unknown("segmenter", name, known().collect()))
}

/// The paired test of a name.
pub fn parse_test(name: &str) -> Result<Test, String> {
    let known = || significance::all().iter().map(|test| test.name);
    significance::by_name(name)
        .copied()
        .ok_or_else(|| unknown("test", name, known().collect()))
}

/// What to say of a name that is none.
pub fn unknown(kind: &str, name: &str, known: Vec<&str>) -> String {
    format!("no {kind} is called '{name}'; {}", choice(name, &known))
}

/// Extractors of comma-separated lists of names; `all` stands for those that need nothing but a page. A name that stands
/// twice counts once.
pub fn extractors(lists: &[String]) -> Result<Vec<Extractor>, ExtractorError> {
    let names: Vec<String> = lists.iter().flat_map(|list| names_of_list(list)).collect();
    extractor::parse_all(names.iter().map(String::as_str))
}

/// The names in a list. A part `key=value` goes on with the name before it: commas also part the parameters of one extractor.
pub fn names_of_list(list: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for part in list.split(',').filter(|part| !part.is_empty()) {
        let is_parameter = part
            .split(':')
            .next()
            .is_some_and(|head| head.contains('='));
        match names.last_mut() {
            Some(last) if is_parameter => {
                last.push(',');
                last.push_str(part);
            }
            _ => names.push(part.to_owned()),
        }
    }
    names
}

/// [`extractors`] for threads to share.
pub fn shared_extractors(names: &[String]) -> Result<Vec<Arc<Extractor>>, ExtractorError> {
    Ok(extractors(names)?.into_iter().map(Arc::new).collect())
}

/// Warns of pages for which extractors had nothing to read.
pub fn warn_of_missing<'a>(extractors: impl IntoIterator<Item = &'a Extractor>) {
    let notes = extractors.into_iter().filter_map(notes::missing_output);
    notes.for_each(|note| warn(&note));
}

/// Warns if an extractor kept nothing of a whole collection.
pub fn warn_if_nothing_kept(extractor: &Extractor, kept: u64, pages: u64) {
    if let Some(note) = notes::nothing_kept(extractor, kept, pages) {
        warn(&note);
    }
}

/// Warns of labels that were made from nothing, or keep nothing.
pub fn warn_of_labels<'a>(
    extractors: impl IntoIterator<Item = &'a Extractor>,
    manifest: &Manifest,
) {
    let notes = notes::label_notes(extractors, manifest);
    notes.iter().for_each(|note| warn(note));
}

/// A whole number of at least 1.
pub fn parse_count(text: &str) -> Result<NonZeroUsize, String> {
    let number = text.parse::<usize>();
    let number = number.map_err(|_| format!("'{text}' is no whole number"))?;
    NonZeroUsize::new(number).ok_or_else(|| "the least is 1".to_owned())
}

/// A size like `512`, `64K`, `256M` or `2G`: bytes, in powers of 1,024.
pub fn parse_size(text: &str) -> Result<u64, String> {
    let wrong =
        || format!("'{text}' is no size; write bytes or a number with K, M or G, like 512M");
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let shift = match text[digits.len()..].to_ascii_uppercase().as_str() {
        "" | "B" => 0,
        "K" | "KB" | "KIB" => 10,
        "M" | "MB" | "MIB" => 20,
        "G" | "GB" | "GIB" => 30,
        _ => return Err(wrong()),
    };
    let number: u64 = digits.parse().map_err(|_| wrong())?;
    number.checked_mul(1 << shift).ok_or_else(wrong)
}

/// More threads than these are never started, on machines of up to a quarter as many cores: each needs memory, and they would only
/// wait for each other.
const MOST_THREADS: usize = 64;

/// The number of threads asked for, or that of the machine. More than [`MOST_THREADS`], and than four a core, are not taken, with a
/// warning.
pub fn threads(asked: Option<NonZeroUsize>) -> usize {
    let cores = available_parallelism().map_or(1, NonZeroUsize::get);
    let most = MOST_THREADS.max(4 * cores);
    match asked.map(NonZeroUsize::get) {
        Some(asked) if asked > most => {
            let on = counted(cores as u64, "core");
            warn(&format!(
                "--threads {asked}: {most} are started, the most on {on}"
            ));
            most
        }
        Some(asked) => asked,
        None => cores,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_extractors() {
        for (list, names) in [
            ("", &[] as &[&str]),
            ("all", &["all"]),
            ("bte,justext", &["bte", "justext"]),
            (
                "content-tree:n=3,base=boilerpipe-default,bte,external:a=dir/b",
                &[
                    "content-tree:n=3,base=boilerpipe-default",
                    "bte",
                    "external:a=dir/b",
                ],
            ),
        ] {
            assert_eq!(names_of_list(list), names, "{list}");
        }
    }

    #[test]
    fn sizes() {
        for (text, size) in [
            ("0", Some(0)),
            ("64K", Some(65536)),
            ("2g", Some(2 << 30)),
            ("5MiB", Some(5 << 20)),
        ] {
            assert_eq!(parse_size(text).ok(), size, "{text}");
        }
        for text in ["", "M", "-1", "1.5G", "1T", "99999999999G"] {
            assert!(parse_size(text).is_err(), "{text}");
        }
    }
}
