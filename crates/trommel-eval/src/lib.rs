//! Evaluation of retrieval as trec_eval does it: topics, judgments and runs ([`trec`]), measures and significance
//! ([`measure`]).
//!
//! ```
//! use trommel_eval::measure::{Options, Selection, evaluate};
//! use trommel_eval::trec::{qrels, run};
//!
//! let qrels = qrels::parse("851 0 a 1\n851 0 b 0\n851 0 c 2\n".as_bytes(), "qrels")?;
//! let run = run::parse("851 Q0 c 1 12.5 mine\n851 Q0 b 2 11.0 mine\n851 Q0 a 3 9.75 mine\n".as_bytes(), "run")?;
//! // Names are those of ir_measures or of trec_eval.
//! let selection = Selection::parse(["P@2", "recip_rank", "AP"])?;
//! let evaluation = evaluate(&qrels, &run, &selection.measures, &Options::default())?;
//! assert_eq!(evaluation.means, [0.5, 1.0, (1.0 + 2.0 / 3.0) / 2.0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod measure;
pub mod trec;
