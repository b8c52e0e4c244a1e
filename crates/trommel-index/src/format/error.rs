//! What can go wrong with an index directory.

use std::io;
use std::path::{Path, PathBuf};

use tantivy::TantivyError;
use trommel_extract as extractor;
use trommel_page::filter::ExpressionError;
use trommel_text::{Hundredths, nearest};

/// An error of an index directory. The text names the place and, where there is one, the remedy.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IndexError {
    /// There is an index already.
    #[error("{0} already holds an index; remove it or choose another directory")]
    Exists(PathBuf),
    /// The directory holds files that are no index.
    #[error("{0} is not empty and holds no index; choose another directory")]
    NotEmpty(PathBuf),
    /// A path that names no directory that could be made.
    #[error("{0} names no new directory; give its name, like 'indexes/new'")]
    NoName(PathBuf),
    /// A build in the directory did not come to its end.
    #[error("{0} holds an index that was never finished")]
    Unfinished(PathBuf),
    /// A build cannot go on from where it stopped.
    #[error("cannot resume {path}: {why}; remove the directory to build anew")]
    Changed {
        /// The index directory.
        path: PathBuf,
        /// What is different.
        why: String,
    },
    /// The directory holds no finished index.
    #[error("{0} holds no index (no manifest.json)")]
    Missing(PathBuf),
    /// A file was named, and an index is a directory.
    #[error("{0} is a file, and an index is a directory")]
    IsFile(PathBuf),
    /// The index was written by another version.
    #[error(
        "{path} has index format {found}, and this version reads format {expected}: build the index again"
    )]
    Version {
        /// The index directory.
        path: PathBuf,
        /// Its format.
        found: u32,
        /// The format that this version reads.
        expected: u32,
    },
    /// A file of the index does not say what it should.
    #[error("{path} is damaged: {why}; build the index again")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// Indexes that are to be one were not built alike.
    #[error("{path} cannot go together with {other}: {why}")]
    Differs {
        /// An index directory.
        path: PathBuf,
        /// The first one.
        other: PathBuf,
        /// What is different.
        why: String,
    },
    /// Indexes that are to be one have not the same labels.
    #[error(
        "{path} cannot go together with {other}: not both have labels of '{name}', made in the same way"
    )]
    LabelsDiffer {
        /// An index directory.
        path: PathBuf,
        /// The first one.
        other: PathBuf,
        /// The name of the labels.
        name: String,
    },
    /// Some shards of a directory are not there.
    #[error("{path} has not all shards: {} missing", missing.join(", "))]
    MissingShards {
        /// The directory.
        path: PathBuf,
        /// Their names.
        missing: Vec<String>,
    },
    /// A filter asks for labels that the index does not have.
    #[error(
        "{path} has no labels of '{name}' (it has: {}){}",
        or_none(known),
        why_not(name, known)
    )]
    NoLabels {
        /// The index directory.
        path: PathBuf,
        /// What was asked for.
        name: String,
        /// What there is.
        known: Vec<String>,
    },
    /// A filter asks for a confidence, and the index has none.
    #[error("{0} has no confidences of blocks")]
    NoConfidences(PathBuf),
    /// A filter asks for a confidence of labels that have none.
    #[error(
        "the labels of '{name}' in {path} have no confidences (there are those of: {})",
        or_none(known)
    )]
    LabelsWithoutConfidences {
        /// The index directory.
        path: PathBuf,
        /// What was asked for.
        name: String,
        /// What there is.
        known: Vec<String>,
    },
    /// Statistics are to be taken from blocks of which there are none.
    #[error("no block with an indexed term passes '{0}': there is nothing to take statistics from")]
    NoStatistics(String),
    /// Statistics that were given do not fit.
    #[error("the statistics that were given do not fit: {0}")]
    Statistics(String),
    /// A filter asks for a confidence, and does not say whose.
    #[error(
        "{path} has confidences of {}: say whose are meant: confidence(NAME)",
        known.join(", ")
    )]
    WhichConfidences {
        /// The index directory.
        path: PathBuf,
        /// What there is.
        known: Vec<String>,
    },
    /// Blocks cannot be weighed.
    #[error("{0}")]
    Weights(Box<ExpressionError>),
    /// A page whose terms, each by its weight, are more than can be counted.
    #[error(
        "'{docid}' has {length} terms by their weights, and at most 42949672.95 can be counted: take smaller weights"
    )]
    TooHeavy {
        /// The page.
        docid: String,
        /// Its length.
        length: Hundredths,
    },
    /// Labels of this name are there already.
    #[error("{path} has labels of '{name}' already")]
    LabelsExist {
        /// The index directory.
        path: PathBuf,
        /// The name.
        name: String,
    },
    /// A file of labels does not say what it should.
    #[error("{path} is damaged: {why}")]
    DamagedLabels {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
        /// The index directory.
        index: PathBuf,
        /// The name of the labels.
        name: String,
    },
    /// A name that is too long for a file.
    #[error("'{0}' is too long for the name of labels")]
    LabelName(String),
    /// The sources are not those that were indexed.
    #[error("{path}: {why}; labels were not added")]
    SourceChanged {
        /// The source file.
        path: String,
        /// What is different, and what to do.
        why: String,
    },
    /// Another process writes to the index.
    #[error("{0} is being written to by another process; wait until it is done")]
    Busy(PathBuf),
    /// Nothing to index.
    #[error("no page to index: {0}")]
    Empty(String),
    /// More records failed than the user allows.
    #[error("{0} records failed, more than are allowed")]
    TooManyBad(u64),
    /// Whoever watches had it stopped.
    #[error("it was stopped; of a build the parts that are finished stay, for one that resumes")]
    Stopped,
    /// A writer was given what does not fit: a flaw of the program that calls it.
    #[error("the writer of the index was given {0}")]
    Misused(&'static str),
    /// Threads cannot be started.
    #[error("cannot start threads: {0}")]
    Threads(String),
    /// More pages than a shard can number.
    #[error(
        "more than {} pages in one index: divide the collection into shards",
        u32::MAX
    )]
    TooManyPages,
    /// More blocks than a segment can number.
    #[error("more than {} blocks in one segment: write parts more often", u32::MAX)]
    TooManyBlocks,
    /// More single blocks than can be ranked.
    #[error(
        "{blocks} blocks are too many to be ranked one by one: rank pages, or search fewer shards at once"
    )]
    TooManyToRank {
        /// Number of blocks.
        blocks: u64,
    },
    /// More steps in a series than can be swept at once.
    #[error("more than {} thresholds in one series: sweep them in parts", u16::MAX - 1)]
    TooManySteps,
    /// The operating system refused.
    #[error("{path}: {error}")]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// What it said.
        error: io::Error,
    },
    /// tantivy reported an error.
    #[error("index in {path}: {error}")]
    Tantivy {
        /// The directory of the tantivy index.
        path: PathBuf,
        /// What it said.
        error: TantivyError,
    },
}

impl IndexError {
    /// Is it that a disk, a quota, or what a file may hold is full?
    pub fn is_out_of_space(&self) -> bool {
        use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
        match self {
            IndexError::Io { error, .. } => {
                matches!(error.kind(), StorageFull | QuotaExceeded | FileTooLarge)
            }
            // It hands on some of the system's errors in words only.
            IndexError::Tantivy { error, .. } => {
                let (words, error) = (
                    [
                        "No space left on device",
                        "File too large",
                        "quota exceeded",
                        "not enough space on the disk",
                    ],
                    error.to_string(),
                );
                words.iter().any(|words| error.contains(words))
            }
            _ => false,
        }
    }

    /// Is it that the operating system gives no right to a file?
    pub fn is_denied(&self) -> bool {
        let denied = |error: &io::Error| error.kind() == io::ErrorKind::PermissionDenied;
        match self {
            IndexError::Io { error, .. } => denied(error),
            IndexError::Tantivy {
                error: TantivyError::IoError(error),
                ..
            } => denied(error),
            _ => false,
        }
    }

    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> IndexError {
        move |error| IndexError::Io {
            path: path.to_owned(),
            error,
        }
    }

    pub(crate) fn tantivy<E: Into<tantivy::TantivyError>>(
        path: &Path,
    ) -> impl FnOnce(E) -> IndexError {
        move |error| IndexError::Tantivy {
            path: path.to_owned(),
            error: error.into(),
        }
    }
}

/// Names in a row; `none` for no name.
pub(crate) fn or_none(names: &[String]) -> String {
    match names {
        [] => "none".to_owned(),
        names => names.join(", "),
    }
}

/// Why there are no labels of a name that no extractor gives; nothing where one does.
fn why_not(name: &str, known: &[String]) -> String {
    let extractor = name.split(':').next().unwrap_or(name);
    let rows = extractor::all();
    if extractor::name_of_labels(name).is_some() {
        return String::new();
    }
    if rows.iter().any(|row| row.name == extractor) {
        return match extractor::parse(name) {
            Ok(_) => String::new(),
            Err(error) => format!("; {error}"),
        };
    }
    let mut names: Vec<&str> = known.iter().map(String::as_str).collect();
    names.extend(rows.iter().map(|row| row.name));
    match nearest(name, &names).or_else(|| nearest(extractor, &names)) {
        Some(nearest) => format!("; no extractor is called so: did you mean '{nearest}'?"),
        None => "; no extractor is called so".to_owned(),
    }
}
