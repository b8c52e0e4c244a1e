//! Measures for which a document is relevant or not.

pub(super) mod accuracy;
pub(super) mod average_precision;
pub(super) mod bin_g;
pub(super) mod bpref;
pub(in crate::measure) mod f1;
pub(super) mod inferred_ap;
pub(super) mod interpolated;
pub(in crate::measure) mod precision;
pub(super) mod r_precision;
pub(super) mod r_precision_multiple;
pub(in crate::measure) mod recall;
pub(super) mod reciprocal_rank;
pub(super) mod relative_precision;
pub(super) mod success;
pub(super) mod utility;
pub(super) mod yaap;
