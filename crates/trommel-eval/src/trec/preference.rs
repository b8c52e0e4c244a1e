//! One preference.

/// What one subgroup of a group of users thinks of a document. It prefers documents of higher levels.
#[derive(Debug, Clone, PartialEq)]
pub struct Preference {
    /// Id of the group.
    pub group: String,
    /// Id of the subgroup.
    pub subgroup: String,
    /// Document id.
    pub docid: String,
    /// Level, from 0; 0 is not relevant.
    pub level: f64,
}
