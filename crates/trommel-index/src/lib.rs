//! The block index: written once, searched under any filter. The only crate that knows tantivy.
//!
//! ```
//! use trommel_index::{Index, PageRecord, Provenance, Ranking, Writer, WriterOptions};
//! use trommel_page::html::{self, Limits};
//!
//! let place = tempfile::tempdir()?;
//! let directory = place.path().join("index");
//! let options = WriterOptions::default();
//! let writer = Writer::create(&directory, &options)?;
//! let page = html::parse_text("<p>Home<p>Rain falls on the barrel all day long.", &Limits::default());
//! let record = PageRecord {
//!     docid: "a".to_owned(),
//!     ..PageRecord::default()
//! };
//! let blocks = (options.segmenter.segment)(&page).blocks;
//! writer.add(writer.number()?, &record, &blocks, &[])?;
//! writer.finish(Provenance::default())?;
//!
//! // The filter is no part of the index: any number of them, at any time.
//! let index = Index::open(&directory)?;
//! let ranking = Ranking {
//!     filter: "words >= 5".parse()?,
//!     ..Ranking::default()
//! };
//! assert_eq!(index.search("rain barrel", &ranking, 10)?.len(), 1);
//! assert!(index.search("home", &ranking, 10)?.is_empty());
//! assert_eq!(index.search("home", &Ranking::default(), 10)?.len(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`build()`] makes an index of the files of a collection, [`label()`] adds the verdicts of extractors to one, [`merge()`] makes one of
//! several; [`Index::open_all`] searches several as one, and [`Index::sweep`] has a step for each of many filters that nest;
//! [`Index::with_cache`] keeps what filters make of it for the next process.
//!
//! `format` is what an index directory holds and how it is read; `search` opens it and ranks; `build` writes, labels and merges.
//! A room imports only those before it.

mod build;
mod check;
mod format;
mod search;

pub use build::estimate::{Estimate, estimate};
pub use build::label::{Existing, LabelOptions, LabelReport, label};
pub use build::merge::{merge, merge_until};
pub use build::options::BuildOptions;
pub use build::progress::Progress;
pub use build::recorded::{Recorded, recorded, recorded_shard};
pub use build::run::{BuildReport, build};
pub use build::settings::{Reading, facts_of};
pub use build::shard::{Shard, ShardReport, build_shard, directories};
pub use build::writer::{PageNumber, Provenance, Writer, WriterOptions};
pub use check::{CheckReport, Problem, check};
pub use format::error::IndexError;
pub use format::labels::{LabelSet, NewLabels};
pub use format::ledger::LEDGER;
pub use format::manifest::{Counts, InputEntry, MANIFEST, Manifest};
pub use format::origin::seen_from;
pub use format::page_record::PageRecord;
pub use format::part::PartEntry;
pub use format::recent::Recent;
pub use format::schema::SCHEMA_VERSION;
pub use format::sum::{FileSum, Verify};
pub use search::boolean::{Found, Query};
pub use search::explain::{BlockShare, ClauseScore, Explanation};
pub use search::expression::{Expression, Field, Leaf, Occur};
pub use search::facets::ValueCount;
pub use search::histogram::Histogram;
pub use search::hit::{Clause, Hit};
pub use search::model::{Formula, Model, ModelError, Rm3, TermTotals, Totals};
pub use search::open::Index;
pub use search::query::{Ranking, Unit, UnknownWord};
pub use search::run::{RunError, for_each_topic, run};
pub use search::shared::data::{CountedIndex, SharedStatistics};
pub use search::shared::error::StatisticsError;
pub use search::snippet::{Fragment, Snippet, marks};
pub use search::statistics::Size;
pub use search::stats::Stats;
pub use search::subset::Kept;
pub use search::sweep::SweepStep;
pub use search::sweep::options::SweepOptions;
pub use search::sweep::series::{NotNested, Series};
pub use search::{model, syntax};
