//! Evaluation of runs against relevance judgments, with trec_eval's semantics.
//!
//! [`all`] lists the measures, one row a family; [`Selection::parse`] reads their names as ir_measures
//! (`nDCG@10`) or as trec_eval (`ndcg_cut_10`, `P.5,10`, `official`) spells them; [`evaluate()`] scores a
//! run; [`trec_eval_format`] prints what trec_eval 10 prints, [`ndeval_format`] what ndeval does.
//!
//! A topic's documents are ranked by score descending, then by document id descending; ranks in the
//! file play no part. Averages are over the topics that are in both run and qrels, or over all judged
//! topics with [`Options::complete`].

mod agreement;
mod cross_validation;
mod error;
mod evaluate;
mod family;
mod format;
mod groups;
mod measured;
mod names;
mod options;
mod parameters;
mod preferences;
mod ranking;
pub mod significance;

pub use agreement::{Agreement, Examples, Mismatch, documents_agree, topics_agree};
pub use cross_validation::{CrossValidated, Fold, cross_validate, cross_validated_p, deal};
pub use error::MeasureError;
pub use evaluate::{Evaluation, TopicScores, evaluate};
pub use family::{Aggregate, Family, Fixed, Needs, Trec, all};
pub use format::{FormatOptions, ndeval_format, trec_eval_format};
pub use measured::Measure;
pub use names::Selection;
pub use options::Options;
pub use parameters::{Constant, Key, Kind, Need, Parameters, Value};
pub use preferences::{GroupPreferred, Pairs, Preferred};
pub use ranking::{Groups, Ranking};

#[cfg(test)]
#[path = "by_hand/tests.rs"]
mod by_hand;
#[cfg(test)]
#[path = "random/tests.rs"]
mod random;
#[cfg(test)]
#[path = "trec_eval/tests.rs"]
mod trec_eval;
