//! What a run was made of: a file beside it, in the form of ir_metadata, from which it can be made again.
//!
//! The schema is that of <https://www.ir-metadata.org>, version 0.1 (Breuer, Keller and Schaer, SIGIR 2022); what it has no place for
//! stands under the key `trommel`, and that alone is read again.

mod error;
mod index_hash;
mod machine;
mod metadata;
mod recipe;
mod same;
mod sidecar;

pub use error::ProvenanceError;
pub use index_hash::index_hash;
pub use machine::Machine;
pub use metadata::{METADATA_HEAD, Made, metadata};
pub use recipe::{Recipe, RecordedFile, queries_hash, read_recipe};
pub use same::{Against, Difference};
pub use sidecar::{METADATA_ENDING, sidecar};
