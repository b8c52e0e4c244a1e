//! What is stored of a page besides its blocks.

use serde::{Deserialize, Serialize};

/// What is stored of a page besides its blocks.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageRecord {
    /// Its identifier.
    pub docid: String,
    /// Where it was fetched from; may be empty.
    pub url: String,
    /// Its title; may be empty.
    pub title: String,
    /// When it was fetched, as the collection has it; may be empty.
    pub date: String,
    /// Its media type as the collection declares it, in lower case; may be empty.
    pub media_type: String,
    /// Its language, two letters (ISO 639-1) where there are; empty if it is not known.
    pub language: String,
    /// The collection file.
    pub file: String,
    /// Where its record stands in that file.
    pub offset: u64,
}
