//! What is learnt of sites.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::search::Patterns;
use crate::ModelKind;
use crate::site::SiteBy;

/// The blocks that are learnt from and labelled.
pub(super) const SEGMENTS: &str = "paragraph";

pub(super) const MODEL: ModelKind = ModelKind {
    name: "goldminer",
    version: 1,
};

/// What is learnt.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Model {
    pub(super) site: SiteBy,
    pub(super) language: String,
    pub(super) sample: u32,
    pub(super) min_characters: u64,
    pub(super) stopwords_low: f64,
    pub(super) stopwords_high: f64,
    pub(super) max_link_density: f64,
    pub(super) sites: BTreeMap<String, SiteModel>,
}

/// What is learnt of a site.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct SiteModel {
    /// Pages that were seen, up to the sample's size.
    pub(super) pages: u32,
    /// Pages with enough good text.
    pub(super) used: u32,
    /// None where nothing could be learnt.
    pub(super) patterns: Option<Patterns>,
}

impl SiteModel {
    /// A pattern of no tags would stand everywhere. Nobody learns one, but models are files.
    pub(super) fn is_damaged(&self) -> bool {
        let patterns = self.patterns.as_ref();
        patterns.is_some_and(|patterns| patterns.begin.is_empty() || patterns.end.is_empty())
    }
}
