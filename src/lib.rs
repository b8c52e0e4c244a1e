//! Search web archives without the boilerplate.
//!
//! Pages are cut into text blocks, blocks are measured and indexed, and a search keeps only the blocks that pass a filter chosen
//! at search time. The parts are crates of their own, all of which are here under one roof; `ARCHITECTURE.md` maps them.
//!
//! Two pages have the words of a query, one of them in its menu alone. A filter searches as if the menu had never been indexed:
//!
//! ```
//! use std::fs;
//!
//! use trommel::collection;
//! use trommel::index::{BuildOptions, Index, Progress, Ranking, build};
//!
//! let place = tempfile::tempdir()?;
//! let pages = place.path().join("pages");
//! fs::create_dir(&pages)?;
//! let barrel = "<p>A rain barrel under the downspout keeps water for the dry weeks of summer.";
//! fs::write(pages.join("barrel.html"), barrel)?;
//! let tomatoes = "<a href=/barrel>Rain barrels</a><p>Tomatoes want sun, warm nights and water at the root.";
//! fs::write(pages.join("tomatoes.html"), tomatoes)?;
//!
//! let directory = place.path().join("index");
//! let inputs = collection::inputs(&[pages])?;
//! build(&directory, &inputs, &BuildOptions::default(), &Progress::default())?;
//!
//! let index = Index::open(&directory)?;
//! let mut ranking = Ranking::default();
//! assert_eq!(index.search("rain barrel", &ranking, 10)?.len(), 2);
//! ranking.filter = "words >= 8".parse()?;
//! let hits = index.search("rain barrel", &ranking, 10)?;
//! assert_eq!(hits.len(), 1);
//! assert_eq!(index.docid(hits[0].page), "barrel");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod demo;
pub mod experiment;
pub mod output;
pub mod provenance;
pub mod report;
#[cfg(feature = "serve")]
pub mod serve;

pub use trommel_archive as collection;
pub use trommel_eval::{measure, trec};
pub use trommel_export as export;
pub use trommel_extract as extractor;
pub use trommel_extract::{classifier, feature};
pub use trommel_index as index;
pub use trommel_lab::{gold, learning, score, scoring, training};
pub use trommel_page as page;
pub use trommel_page::{attribute, filter, html, weight};
pub use trommel_text as text;
