//! Training of the extractor `web2text`.

mod division;
mod sequence;
mod train;
mod verdicts;

pub use division::{Division, distinct};
pub use sequence::{SEGMENTER, Sequence, leaf};
pub use train::{Progress, Trained, Web2TextOptions, train_web2text};
pub use verdicts::of_model;
pub(crate) use verdicts::{confusion, sum};
