//! Writing indexes, and adding to them.

pub(crate) mod estimate;
pub(crate) mod job;
pub(crate) mod label;
pub(crate) mod label_sets;
pub(crate) mod label_writer;
pub(crate) mod lines;
pub(crate) mod merge;
pub(crate) mod options;
pub(crate) mod page_postings;
pub(crate) mod part_writer;
pub(crate) mod progress;
pub(crate) mod recorded;
pub(crate) mod run;
pub(crate) mod segment;
pub(crate) mod settings;
pub(crate) mod settle;
pub(crate) mod shard;
pub(crate) mod source;
pub(crate) mod state;
pub(crate) mod texts;
pub(crate) mod verdicts;
pub(crate) mod writer;
