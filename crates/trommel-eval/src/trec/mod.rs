//! The plain-text files of TREC-style experiments: topics, relevance judgments (qrels) and runs.
//!
//! Everything here is plain data and parsing. Reading functions take a [`std::io::BufRead`] (or text)
//! and a display name for error messages; each format has a thin `read_file` next to them. What is packed
//! with gzip or zstd is unpacked, whatever its name; what unpacks to far more than such files do is refused.
//! Input must be UTF-8 (topics may be Windows-1252); a byte-order mark is skipped. In line formats, blank
//! lines and lines whose first non-blank character is `#` are skipped (as trec_eval 10 does), columns are
//! separated by any run of ASCII white space.

mod error;
mod grades;
mod ids;
mod kind;
mod kind_of;
mod lines;
mod preference;
pub mod preferences;
pub mod qrels;
pub mod run;
pub mod topics;
mod unpack;

pub use error::{Problem, TrecError};
pub use grades::{GradeMap, GradeRule, GradeRuleError};
pub use ids::{TopicIds, TopicIdsError};
pub use kind::Kind;
pub use preference::Preference;
pub use qrels::Qrels;
pub use run::{JoinError, JoinedRun, Run, RunWriteError, RunWriter, ScoredDoc};
pub use topics::{Field, NoField, Topic, Topics};
