//! Measures against thresholds: what a sweep over the topics of a judged collection gives.

mod error;
mod plan;
mod run;
mod store;
mod swept;
mod tune;
mod vary;

pub use error::{StoreError, SweepError};
pub use plan::{FinishedStep, Plan, RunTag, UNFILTERED};
pub use run::{OnStep, check, sweep, sweep_of_runs, unmatched};
pub use store::{Existing, METADATA, RUNS, STEPS, Store, run_name};
pub use swept::{Chosen, GridChoice, Measured, Point, Reference, Swept, SweptLine, SweptTopic};
pub use tune::{Setting, Tuned, TunedFold, tune};
pub use vary::{Base, Dimension, LinePlan, Vary, lines};
