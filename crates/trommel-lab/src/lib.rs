//! The laboratory of boilerplate removal: gold standards, the scores of extractors against them, training, and the
//! experiments of the papers.
//!
//! | module | what |
//! |---|---|
//! | [`gold`] | gold standards: what people say the main content of a page is |
//! | [`score`] | pure measures of texts and labels against them |
//! | [`scoring`] | extractors measured on pages, with intervals and paired tests |
//! | [`learning`] | how classifiers are learnt from rows of numbers |
//! | [`training`] | how the extractors that have models are trained |
//! | [`experiment`] | experiment files, and the papers' experiments by kind |
//!
//! Two extractors on a page with its gold text:
//!
//! ```
//! use std::fs;
//!
//! use trommel_extract::parse_all;
//! use trommel_lab::scoring::ScoreOptions;
//! use trommel_lab::{gold, score, scoring};
//!
//! let place = tempfile::tempdir()?;
//! let (texts, pages) = (place.path().join("gold"), place.path().join("html"));
//! fs::create_dir(&texts)?;
//! fs::create_dir(&pages)?;
//! let text = "A rain barrel under the downspout keeps water for dry weeks, and a lid keeps the gnats out of it all summer.";
//! fs::write(texts.join("barrel.txt"), text)?;
//! fs::write(pages.join("barrel.html"), format!("<p>{text}<ul><li><a href=/>Home</a></ul>"))?;
//!
//! let extractors = parse_all(["keep-everything", "boilerpipe-default"])?;
//! let measures = [&score::all()[0]];
//! let mut options = ScoreOptions::default();
//! options.extractors = &extractors;
//! options.format = gold::by_name("text");
//! options.measures = &measures;
//! let scores = scoring::score(&gold::pairs(Some(&texts), &pages)?, &options, &|| ())?;
//! let f1 = |number: usize| scores.extractors[number].texts[0].summary.macro_average.f1;
//! assert!(f1(0) < 1.0);
//! assert_eq!(f1(1), 1.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
pub mod experiment;
pub mod gold;
pub mod learning;
pub mod score;
pub mod scoring;
pub mod training;

pub use error::LabError;
