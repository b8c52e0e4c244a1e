//! Boilerplate removers: page to labels.
//!
//! An [`ExtractorRow`] is a row of the registry, [`all`]; [`parse`] makes of it, with its parameters or its model, a [`Extractor`] that
//! can label pages. Each is defined on the blocks of one segmenter (or of any); [`Extractor::labels`] projects its verdicts onto any
//! other segmentation, and so are the confidences of those that give them ([`Make::Scored`]). What needs a collection learns from
//! it by a [`Learner`], a row of [`learners`].
//!
//! ```
//! use trommel_extract::{Subject, parse};
//! use trommel_page::html::{self, Charset, Limits};
//!
//! let markup = "<title>Rain barrels</title><ul><li><a href=/>Home</a><li><a href=/garden>Garden</a></ul>
//!     <h1>Rain barrels</h1>
//!     <p>A rain barrel under the downspout keeps water for dry weeks, and a lid keeps the gnats out of it all summer.
//!     <p>Clean the gutter before you set it up, or its leaves will end in the barrel with the first heavy rain.
//!     <p><a href=/next>Next: how to make compost of kitchen scraps</a>";
//! let page = html::parse(markup.as_bytes(), Charset::Auto, None, &Limits::default());
//! let subject = Subject::new(&page, "page", "");
//! let extractor = parse("trommel")?;
//! let content: Vec<&str> = extractor.content(&subject).map(|block| block.text.as_str()).collect();
//! assert!(content.iter().any(|text| text.starts_with("A rain barrel")), "{content:?}");
//! assert!(!content.iter().any(|text| text.contains("Home")), "{content:?}");
//! # Ok::<(), trommel_extract::ExtractorError>(())
//! ```

pub mod align;
mod arguments;
pub mod classifier;
mod confidence;
mod described;
pub mod embedded;
mod error;
mod extraction;
mod extractor;
pub mod feature;
mod hidden;
mod kept;
mod label;
mod learn;
pub mod metadata;
mod model;
mod named;
mod page_filter;
mod project;
mod removers;
mod row;
mod site;
pub mod structure;
mod subject;
mod training_pages;

pub use arguments::{Arguments, Missing, Parameter, Takes};
pub use confidence::{Confidence, ConfidenceError, Verdict, Verdicts};
pub use described::{BlockNumbers, BlockVerdicts};
pub use error::ExtractorError;
pub use extraction::{Extraction, ExtractionOptions, Fragment, Record};
pub use extractor::{Extractor, parse};
pub use hidden::hidden_leaves;
pub use label::Label;
pub use learn::{Learner, LearnerRow, MakeLearner};
pub use model::{ModelKind, learnt};
pub use named::{all_of_page, learner, name_of_labels, parse_all};
pub use page_filter::{PREFERRED, PageFacts, PageFilter};
pub use project::{project, project_probabilities};
pub use removers::{
    Potentials, TreeModel, Web2TextModel, all, justext, learners, mss, ncleaner, own, victor,
};
pub use row::{Base, Bases, ExtractorRow, LabelFn, Make, ScoreFn};
pub use site::{SiteBy, site};
pub use subject::Subject;
pub use training_pages::{TrainedOn, TrainingPages};
