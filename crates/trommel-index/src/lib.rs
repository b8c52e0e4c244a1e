//! The block index: written once, searched under any filter. The only crate that knows tantivy.
//!
//! `format` is what an index directory holds and how it is read; `search` opens it and ranks; `build` writes, labels and merges.
//! A room imports only those before it.

mod build;
mod check;
mod format;
mod search;

pub use build::estimate::{Estimate, estimate};
pub use build::label::{Existing, LabelOptions, LabelReport, label};
pub use build::merge::merge;
pub use build::options::BuildOptions;
pub use build::progress::Progress;
pub use build::recorded::{Recorded, recorded, recorded_shard};
pub use build::run::{BuildReport, build};
pub use build::settings::Reading;
pub use build::shard::{Shard, ShardReport, build_shard, directories};
pub use build::writer::{PageNumber, Provenance, Writer, WriterOptions};
pub use check::{CheckReport, Problem, check};
pub use format::error::IndexError;
pub use format::labels::{LabelSet, NewLabels};
pub use format::ledger::LEDGER;
pub use format::manifest::{Counts, InputEntry, MANIFEST, Manifest};
pub use format::page_record::PageRecord;
pub use format::part::PartEntry;
pub use format::schema::SCHEMA_VERSION;
pub use format::sum::{FileSum, Verify};
pub use search::boolean::{Found, Query};
pub use search::explain::{ClauseScore, Explanation};
pub use search::expression::{Expression, Field, Leaf, Occur};
pub use search::facets::ValueCount;
pub use search::histogram::Histogram;
pub use search::hit::{Clause, Hit};
pub use search::model::{Formula, Model, ModelError, Rm3, TermTotals, Totals};
pub use search::open::Index;
pub use search::query::{Ranking, Stats, Unit, UnknownWord};
pub use search::recent::Recent;
pub use search::run::{RunError, run};
pub use search::snippet::{Fragment, Snippet, marks};
pub use search::statistics::Size;
pub use search::subset::Kept;
pub use search::sweep::{NotNested, Series, SweepOptions, SweepStep};
pub use search::{model, syntax};
