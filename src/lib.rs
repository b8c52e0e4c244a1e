//! Search web archives without the boilerplate.
//!
//! Pages are cut into text blocks, blocks are measured and indexed, and a search keeps only the blocks that pass a filter chosen
//! at search time. The parts are crates of their own, all of which are here under one roof; `ARCHITECTURE.md` maps them.

pub mod demo;
pub mod experiment;
pub mod report;
#[cfg(feature = "serve")]
pub mod serve;

pub use trommel_archive as collection;
pub use trommel_eval::{measure, trec};
pub use trommel_extract as extractor;
pub use trommel_extract::{classifier, feature};
pub use trommel_index as index;
pub use trommel_lab::{gold, learning, score, scoring, training};
pub use trommel_page as page;
pub use trommel_page::{attribute, filter, html};
pub use trommel_text as text;
