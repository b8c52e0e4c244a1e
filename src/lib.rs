//! Search web archives without the boilerplate.
//!
//! Pages are cut into text blocks, blocks are measured and indexed, and a search keeps only the blocks that pass a filter chosen
//! at search time. `ARCHITECTURE.md` maps the modules; a module imports only those of lower layers.

pub mod attribute;
pub mod classifier;
#[cfg(feature = "cli")]
pub mod cli;
pub mod collection;
pub mod demo;
pub mod experiment;
pub mod extractor;
pub mod feature;
pub mod filter;
pub mod gold;
pub mod html;
pub mod index;
pub mod measure;
pub mod page;
pub mod report;
pub mod score;
#[cfg(feature = "serve")]
pub mod serve;
pub mod text;
pub mod trec;
