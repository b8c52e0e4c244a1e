//! What a sweep can vary.

use super::parameters::parameter;
use crate::attribute;
use crate::experiment::sweep::{Dimension, Vary};
use crate::text::Decimal;

/// What can vary, and over which thresholds: the bounds of all attributes that have an axis, as finely as it is graded.
pub fn dimensions() -> impl Iterator<Item = (String, Vary)> {
    attribute::bounds().filter_map(|bound| {
        let axis = bound.attribute.axis?;
        let threshold = |bin| Decimal::quotient(bin, axis.bins_per_unit);
        let vary = Vary {
            dimension: Dimension::Bound { bound, of: None },
            thresholds: (0..=axis.last).map(threshold).collect(),
        };
        Some((parameter(bound), vary))
    })
}
