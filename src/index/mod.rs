//! The block index: written once, searched under any filter. The only module that knows tantivy.

mod build;
mod columns;
mod docids;
mod error;
mod filter;
mod gather;
mod job;
mod layout;
mod ledger;
mod manifest;
pub mod model;
mod open;
mod query;
mod rank;
mod run;
mod schema;
mod snippet;
mod source;
mod subset;
mod writer;

pub use build::{BuildReport, build};
pub use error::IndexError;
pub use filter::Filter;
pub use job::{BuildOptions, Progress};
pub use ledger::LEDGER;
pub use manifest::{Counts, InputEntry, MANIFEST, Manifest};
pub use model::{Model, ModelError, TermTotals};
pub use open::{Index, PageRecord};
pub use query::{Ranking, Stats, Unit, UnknownWord};
pub use rank::Hit;
pub use run::{RunError, run};
pub use schema::SCHEMA_VERSION;
pub use snippet::{Fragment, Snippet};
pub use subset::Totals;
pub use writer::{Writer, WriterOptions};
